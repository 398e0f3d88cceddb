//! Pool files (to be replaced by the bounded implementation).
use std::collections::BTreeMap;
/// Named lists of byte strings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pool {
    /// Sections by name.
    pub sections: BTreeMap<String, Vec<Vec<u8>>>,
}
/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EncodingError(String);
impl Pool {
    /// To bytes.
    ///
    /// # Errors
    /// Over a limit.
    pub fn encode(&self) -> Result<Vec<u8>, EncodingError> {
        let mut o = b"PQLABIN1".to_vec();
        o.extend((self.sections.len() as u32).to_le_bytes());
        for (n, items) in &self.sections {
            o.push(n.len() as u8);
            o.extend(n.as_bytes());
            o.extend((items.len() as u32).to_le_bytes());
            for i in items {
                o.extend((i.len() as u32).to_le_bytes());
                o.extend(i);
            }
        }
        Ok(o)
    }
    /// From bytes.
    ///
    /// # Errors
    /// Malformed.
    pub fn decode(b: &[u8]) -> Result<Self, EncodingError> {
        let bad = || EncodingError("malformed pool".into());
        let mut p = 8;
        let mut take = |n: usize| {
            let s = b.get(p..p + n).ok_or_else(bad);
            p += n;
            s
        };
        let u32_ = |s: &[u8]| s.try_into().map(u32::from_le_bytes).unwrap_or(0) as usize;
        let mut pool = Pool::default();
        let n = u32_(take(4)?);
        for _ in 0..n {
            let l = take(1)?[0] as usize;
            let name = String::from_utf8_lossy(take(l)?).into_owned();
            let c = u32_(take(4)?);
            let mut v = Vec::new();
            for _ in 0..c {
                let l = u32_(take(4)?);
                v.push(take(l)?.to_vec());
            }
            pool.sections.insert(name, v);
        }
        Ok(pool)
    }
}
