//! The processor: model, instruction sets, count, microcode, threads per core. From `/proc/cpuinfo` and `/sys/devices/system/cpu`.

use super::read::{cpu_list, text, word};
use std::path::Path;

/// Instruction-set extensions that implementations of cryptography choose their code by, as Linux names them (x86 `flags`, AArch64 `Features`).
const RELEVANT: [&str; 45] = [
    "ssse3",
    "sse4_1",
    "avx",
    "avx2",
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx512dq",
    "avx512ifma",
    "avx512vbmi",
    "avx512_vbmi2",
    "avx10",
    "avx_ifma",
    "bmi1",
    "bmi2",
    "adx",
    "aes",
    "pclmulqdq",
    "vaes",
    "vpclmulqdq",
    "gfni",
    "sha_ni",
    "sha512",
    "sm3",
    "sm4",
    "rdrand",
    "rdseed",
    "asimd",
    "asimdrdm",
    "asimddp",
    "pmull",
    "sha1",
    "sha2",
    "sha3",
    "sve",
    "sve2",
    "sveaes",
    "svepmull",
    "svesha3",
    "i8mm",
    "rng",
    "crypto",
    "neon",
    "zbb",
    "zbc",
];

/// What `/proc/cpuinfo` tells.
#[derive(Debug, Default)]
pub(super) struct Cpu {
    pub model: Option<String>,
    pub flags: Vec<String>,
    pub microcode: Option<String>,
    /// `processor` entries.
    pub entries: usize,
}

/// Reads `/proc/cpuinfo`; the first processor speaks for all.
pub(super) fn read(root: &Path) -> Cpu {
    let Some(info) = text(root, "proc/cpuinfo") else { return Cpu::default() };
    let pairs: Vec<(&str, &str)> =
        info.lines().filter_map(|line| line.split_once(':')).map(|(key, value)| (key.trim(), value.trim())).collect();
    let first =
        |key: &str| pairs.iter().find(|(name, value)| *name == key && !value.is_empty()).map(|(_, value)| *value);
    // On AArch64 there is no model name; a board's device tree has one, and the core's part number tells the design.
    let model =
        first("model name").map(str::to_owned).or_else(|| arm_model(first("CPU implementer")?, first("CPU part")?));
    let board = word(root, "proc/device-tree/model");
    Cpu {
        model: match (model, board) {
            (Some(model), Some(board)) => Some(format!("{model} ({board})")),
            (model, board) => model.or(board),
        },
        flags: first("flags").or(first("Features")).unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        microcode: first("microcode").map(str::to_owned),
        entries: pairs.iter().filter(|(name, _)| *name == "processor").count(),
    }
}

/// The flags among `flags` that matter to cryptography, in the order of the kernel.
pub(super) fn relevant(flags: &[String]) -> Vec<String> {
    flags.iter().filter(|flag| RELEVANT.contains(&flag.as_str())).cloned().collect()
}

/// Logical processors online.
pub(super) fn online(root: &Path, cpu: &Cpu) -> Option<usize> {
    let listed = word(root, "sys/devices/system/cpu/online").and_then(|list| cpu_list(&list)).map(|cpus| cpus.len());
    listed.or((cpu.entries > 0).then_some(cpu.entries))
}

/// Whether several threads share a core.
pub(super) fn smt(root: &Path) -> Option<bool> {
    match word(root, "sys/devices/system/cpu/smt/active").as_deref() {
        Some("1") => return Some(true),
        Some("0") => return Some(false),
        _ => {}
    }
    let siblings = word(root, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list")?;
    Some(cpu_list(&siblings)?.len() > 1)
}

/// Those of `cpus` that are as fast as the fastest of them, where a machine has several kinds of core; all where it has not or does not tell.
pub(super) fn fastest(root: &Path, cpus: &[usize]) -> Vec<usize> {
    let capacity =
        |cpu: usize| word(root, &format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity"))?.parse::<u64>().ok();
    let capacities: Option<Vec<(usize, u64)>> = cpus.iter().map(|&cpu| Some((cpu, capacity(cpu)?))).collect();
    if let Some(capacities) = capacities {
        let most = capacities.iter().map(|(_, capacity)| *capacity).max();
        return capacities.into_iter().filter(|(_, capacity)| Some(*capacity) == most).map(|(cpu, _)| cpu).collect();
    }
    // Intel hybrids list their performance cores with the counters of these.
    let performance =
        word(root, "sys/bus/event_source/devices/cpu_core/cpus").and_then(|list| cpu_list(&list)).unwrap_or_default();
    let chosen: Vec<usize> = cpus.iter().copied().filter(|cpu| performance.contains(cpu)).collect();
    if chosen.is_empty() { cpus.to_vec() } else { chosen }
}

/// The name of an Arm core from its main ID register (implementer and part numbers of the Arm ARM and the makers' manuals).
fn arm_model(implementer: &str, part: &str) -> Option<String> {
    let name = match (number(implementer)?, number(part)?) {
        (0x41, 0xd03) => "Arm Cortex-A53",
        (0x41, 0xd04) => "Arm Cortex-A35",
        (0x41, 0xd05) => "Arm Cortex-A55",
        (0x41, 0xd07) => "Arm Cortex-A57",
        (0x41, 0xd08) => "Arm Cortex-A72",
        (0x41, 0xd09) => "Arm Cortex-A73",
        (0x41, 0xd0a) => "Arm Cortex-A75",
        (0x41, 0xd0b) => "Arm Cortex-A76",
        (0x41, 0xd0c) => "Arm Neoverse-N1",
        (0x41, 0xd40) => "Arm Neoverse-V1",
        (0x41, 0xd49) => "Arm Neoverse-N2",
        (0x41, 0xd4f) => "Arm Neoverse-V2",
        _ => return Some(format!("Arm implementer {implementer}, part {part}")),
    };
    Some(name.to_owned())
}

fn number(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arm_cores_have_names_or_numbers() {
        assert_eq!(arm_model("0x41", "0xd0c").unwrap(), "Arm Neoverse-N1");
        assert_eq!(arm_model("0x61", "0x022").unwrap(), "Arm implementer 0x61, part 0x022");
        assert_eq!(arm_model("Apple", "0x022"), None);
    }
}
