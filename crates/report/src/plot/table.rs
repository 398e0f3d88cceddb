//! Tables of speeds, as `.dat` files hold them. The format is described in `docs/PLOT.md`.

use std::fmt;

/// What the columns of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TableType {
    /// Thousands of bytes per second over buffers of 16, 64, 256, 1024, 8192 and 16384 bytes; LibreSSL lacks the last.
    Kbytes,
    /// Seconds to sign and verify, then signatures and verifications per second.
    SigVer,
    /// Seconds of an operation, then operations per second: key agreement.
    Op,
    /// Signatures, verifications and key generations per second.
    SigVerKeygen,
    /// Decryptions or decapsulations, encryptions or encapsulations, key generations and key agreements per second.
    DecEncKeygenDh,
    /// Rows of the two above in one table.
    SigEncMix,
}

impl TableType {
    /// All types.
    pub const ALL: [Self; 6] =
        [Self::Kbytes, Self::SigVer, Self::Op, Self::SigVerKeygen, Self::DecEncKeygenDh, Self::SigEncMix];

    /// Word of the type, as on the command line and in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kbytes => "kbytes",
            Self::SigVer => "sig_ver",
            Self::Op => "op",
            Self::SigVerKeygen => "sig_ver_keygen",
            Self::DecEncKeygenDh => "dec_enc_keygen_dh",
            Self::SigEncMix => "sig_enc_mix",
        }
    }

    /// The type with that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Numbers of fields that a row may have, its name counted.
    #[must_use]
    pub fn fields(self) -> &'static [usize] {
        match self {
            Self::Kbytes => &[6, 7],
            Self::SigVer => &[5],
            Self::Op => &[3],
            Self::SigVerKeygen => &[4],
            Self::DecEncKeygenDh => &[5],
            Self::SigEncMix => &[4, 5],
        }
    }

    /// What the columns that hold speeds are, from the left; `signature` matters for [`Self::SigEncMix`] only.
    #[must_use]
    pub fn columns(self, signature: bool) -> &'static [Column] {
        const SIGNATURE: &[Column] = &[Column::Sign, Column::Verify, Column::Keygen];
        const ENCRYPTION: &[Column] = &[Column::Dec, Column::Enc, Column::Keygen, Column::Dh];
        match self {
            Self::Kbytes => &BUFFERS,
            Self::SigVer => &[Column::Sign, Column::Verify],
            Self::Op => &[Column::Dh],
            Self::SigVerKeygen => SIGNATURE,
            Self::SigEncMix if signature => SIGNATURE,
            Self::DecEncKeygenDh | Self::SigEncMix => ENCRYPTION,
        }
    }
}

impl fmt::Display for TableType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

const BUFFERS: [Column; 6] = [
    Column::Buffer(16),
    Column::Buffer(64),
    Column::Buffer(256),
    Column::Buffer(1024),
    Column::Buffer(8192),
    Column::Buffer(16384),
];

/// What was timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Column {
    /// Working on a buffer of so many bytes.
    Buffer(u64),
    /// Signing.
    Sign,
    /// Verifying.
    Verify,
    /// Making a key pair.
    Keygen,
    /// Encrypting, or encapsulating.
    Enc,
    /// Decrypting, or decapsulating.
    Dec,
    /// Agreeing on a key.
    Dh,
}

impl Column {
    /// Word of the column in a table.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            Self::Buffer(size) => format!("{size}"),
            Self::Sign => "sign".into(),
            Self::Verify => "verify".into(),
            Self::Keygen => "keygen".into(),
            Self::Enc => "enc".into(),
            Self::Dec => "dec".into(),
            Self::Dh => "dh".into(),
        }
    }

    /// The column with that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let named = [Self::Sign, Self::Verify, Self::Keygen, Self::Enc, Self::Dec, Self::Dh];
        named.into_iter().chain(BUFFERS).find(|column| column.word() == word)
    }
}

/// Who was measured.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    /// `openssl@3.5.5`; a name of the file when it does not tell.
    pub id: String,
    /// Processor.
    pub host: Option<String>,
    /// How the figures came about: a command, a run.
    pub made_by: Option<String>,
}

/// A speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Of what.
    pub column: Column,
    /// Operations per second; thousands of bytes per second in a [`Column::Buffer`]. `None`: see [`Row::reason`].
    pub value: Option<f64>,
    /// 95 % interval of the value, in its unit.
    pub interval: Option<[f64; 2]>,
}

/// An algorithm of a source. Rows of the same source and name are samples of one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Place in [`Table::sources`].
    pub source: usize,
    /// As `openssl speed` calls it, in one word: `rsa2048`, `ecdsa(nistp256)`, `ML-KEM-768`.
    pub name: String,
    /// Speeds, in the order of [`TableType::columns`].
    pub cells: Vec<Cell>,
    /// Why cells have no value.
    pub reason: Option<String>,
}

impl Row {
    /// The cell of a column.
    #[must_use]
    pub fn cell(&self, column: Column) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.column == column)
    }

    /// The value of a column.
    #[must_use]
    pub fn value(&self, column: Column) -> Option<f64> {
        self.cell(column)?.value
    }

    /// Whether it is about signatures.
    #[must_use]
    pub fn is_signature(&self) -> bool {
        self.cells.iter().any(|cell| matches!(cell.column, Column::Sign | Column::Verify))
    }
}

/// Speeds of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What the columns are.
    pub kind: TableType,
    /// Who was measured, in order of appearance.
    pub sources: Vec<Source>,
    /// In the order of the file.
    pub rows: Vec<Row>,
}

impl Table {
    /// Place of a source, added when it is new.
    pub fn source(&mut self, source: &Source) -> usize {
        match self.sources.iter().position(|known| known.id == source.id) {
            Some(at) => at,
            None => {
                self.sources.push(source.clone());
                self.sources.len() - 1
            }
        }
    }

    /// Adds the rows of another table of the same kind; sources with the same id become one.
    ///
    /// # Errors
    /// The other's kind, when it differs.
    pub fn append(&mut self, other: &Self) -> Result<(), TableType> {
        if self.kind != other.kind {
            return Err(other.kind);
        }
        let places: Vec<usize> = other.sources.iter().map(|source| self.source(source)).collect();
        self.rows.extend(
            other
                .rows
                .iter()
                .map(|row| Row { source: places.get(row.source).copied().unwrap_or_default(), ..row.clone() }),
        );
        Ok(())
    }
}
