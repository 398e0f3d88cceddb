use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use tempfile::TempDir;

/// A tree of files: a host to describe.
fn tree(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    root
}

fn described(files: &[&[(&str, &str)]]) -> HostFacts {
    let root = tree(&files.concat());
    let facts = describe(root.path());
    every_absence_has_its_reason(&facts);
    facts
}

fn every_absence_has_its_reason(facts: &HostFacts) {
    let whats: Vec<&str> = facts.unmeasurable.iter().map(|item| item.what.as_str()).collect();
    assert_eq!(whats.iter().collect::<BTreeSet<_>>().len(), whats.len(), "named twice: {whats:?}");
    assert!(facts.unmeasurable.iter().all(|item| !item.reason.is_empty()));
    for (what, absent) in [
        ("name", facts.name == UNKNOWN),
        ("cpu", facts.cpu == UNKNOWN),
        ("isa", facts.isa.is_empty()),
        ("kernel", facts.kernel == UNKNOWN),
        ("os", facts.os == UNKNOWN),
        ("governor", facts.governor.is_none()),
        ("smt", facts.smt.is_none()),
        ("steal_pct", facts.steal_pct.is_none()),
        ("load_1m", facts.load_1m.is_none()),
        ("memory_bytes", facts.memory_bytes.is_none()),
        ("microcode", facts.microcode.is_none()),
    ] {
        assert_eq!(whats.contains(&what), absent, "{what}: {facts:?}");
    }
    assert!(!facts.grade_reasons.is_empty() && facts.cores >= 1);
}

fn reason<'f>(facts: &'f HostFacts, what: &str) -> &'f str {
    facts.unmeasurable.iter().find(|item| item.what == what).map_or("", |item| &item.reason)
}

/// What every Linux has.
const LINUX: &[(&str, &str)] = &[
    ("proc/sys/kernel/hostname", "bench01\n"),
    ("proc/sys/kernel/osrelease", "6.12.9-amd64\n"),
    ("etc/os-release", "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n"),
    ("proc/meminfo", "MemTotal:       16303428 kB\nMemFree: 1 kB\n"),
    ("proc/stat", "cpu  100 10 50 830 10 0 0 0 0 0\ncpu0 100 10 50 830 10 0 0 0 0 0\nintr 1\n"),
    ("proc/loadavg", "0.42 0.30 0.20 1/123 4567\n"),
    ("proc/sys/kernel/perf_event_paranoid", "2\n"),
    ("proc/self/status", "Name:\tpqlab\nCapEff:\t0000000000000000\n"),
    ("proc/self/mountinfo", "22 1 259:2 / / rw,relatime - ext4 /dev/nvme0n1p2 rw\n"),
    ("proc/1/cgroup", "0::/init.scope\n"),
];

const XEON: &[(&str, &str)] = &[
    (
        "proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Gold 6338\nmicrocode\t: 0xd0003f5\n\
         flags\t\t: fpu tsc constant_tsc nonstop_tsc ssse3 aes avx2 avx512f vaes sha_ni gfni adx rdrand\n\n\
         processor\t: 1\nmodel name\t: Intel(R) Xeon(R) Gold 6338\n",
    ),
    ("sys/devices/system/cpu/online", "0-1\n"),
    ("sys/devices/system/cpu/smt/active", "1\n"),
];

const XEON_METAL: &[(&str, &str)] = &[
    ("sys/class/dmi/id/sys_vendor", "Dell Inc.\n"),
    ("sys/class/dmi/id/product_name", "PowerEdge R650\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
    ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2000000\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq", "800000\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq", "3200000\n"),
    ("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"),
    ("sys/devices/system/cpu/cpufreq/.keep", ""),
    ("sys/bus/event_source/devices/cpu/type", "4\n"),
    ("sys/class/powercap/intel-rapl:0/energy_uj", "123456\n"),
    ("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm \n"),
];

#[test]
fn bare_metal_x86() {
    let facts = described(&[LINUX, XEON, XEON_METAL]);
    assert_eq!(facts.name, "bench01");
    assert_eq!(facts.cpu, "Intel(R) Xeon(R) Gold 6338");
    assert_eq!(facts.isa, ["ssse3", "aes", "avx2", "avx512f", "vaes", "sha_ni", "gfni", "adx", "rdrand"]);
    assert_eq!((facts.cores, facts.smt), (2, Some(true)));
    assert_eq!((facts.kernel.as_str(), facts.os.as_str()), ("6.12.9-amd64", "Debian GNU/Linux 13 (trixie)"));
    assert_eq!(facts.virtualised, None);
    assert_eq!(facts.governor.as_deref(), Some("performance"));
    assert_eq!(facts.steal_pct, Some(0.0));
    assert_eq!(facts.memory_bytes, Some(16_303_428 * 1024));
    assert_eq!(facts.microcode.as_deref(), Some("0xd0003f5"));
    assert_eq!(facts.grade, Grade::A, "{:?}", facts.grade_reasons);
    assert!(facts.unmeasurable.is_empty(), "{:?}", facts.unmeasurable);
}

#[test]
fn bare_metal_with_turbo_mixed_governors_and_guarded_counters() {
    let guarded: &[(&str, &str)] = &[
        ("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"),
        ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n"),
        ("proc/sys/kernel/perf_event_paranoid", "3\n"),
    ];
    let facts = described(&[LINUX, XEON, XEON_METAL, guarded]);
    assert_eq!(facts.grade, Grade::B);
    assert_eq!(facts.governor.as_deref(), Some("performance,powersave"));
    assert!(facts.grade_reasons.iter().any(|reason| reason.contains("boost is on")));
    assert!(reason(&facts, "cycles").contains("perf_event_paranoid is 3"));
    // CAP_PERFMON, bit 38, lifts it.
    let capable: &[(&str, &str)] = &[("proc/self/status", "CapEff:\t0000004000000000\n")];
    assert_eq!(reason(&described(&[LINUX, XEON, XEON_METAL, guarded, capable]), "cycles"), "");
}

const PI: &[(&str, &str)] = &[
    (
        "proc/cpuinfo",
        "processor\t: 0\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd evtstrm crc32 cpuid\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n\n\
         processor\t: 1\nprocessor\t: 2\nprocessor\t: 3\n",
    ),
    ("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0"),
    ("proc/stat", "cpu  100 10 50 830 10 0 0 0 0 0\n"),
    ("sys/devices/system/cpu/online", "0-3\n"),
    ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "ondemand\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "600000\n"),
    ("sys/bus/event_source/devices/armv8_cortex_a72/type", "8\n"),
    ("sys/devices/system/clocksource/clocksource0/available_clocksource", "arch_sys_counter \n"),
];

#[test]
fn an_aarch64_board() {
    let facts = described(&[LINUX, PI]);
    assert_eq!(facts.cpu, "Arm Cortex-A72 (Raspberry Pi 4 Model B Rev 1.4)");
    assert_eq!(facts.isa, ["asimd"]);
    assert_eq!((facts.cores, facts.smt), (4, Some(false)));
    assert_eq!((facts.virtualised.as_deref(), facts.governor.as_deref()), (None, Some("ondemand")));
    assert_eq!(facts.grade, Grade::B);
    let lacks: Vec<&str> = facts.unmeasurable.iter().map(|item| item.what.as_str()).collect();
    assert_eq!(lacks, ["energy", "microcode"]);
}

const GRAVITON: &[(&str, &str)] = &[
    (
        "proc/cpuinfo",
        "processor\t: 0\nFeatures\t: asimd aes pmull sha1 sha2 sha3 sha512 sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n",
    ),
    ("sys/class/dmi/id/sys_vendor", "Amazon EC2\n"),
    ("sys/class/dmi/id/product_name", "c7g.large\n"),
    ("sys/bus/event_source/devices/armv8_pmuv3_0/type", "8\n"),
    ("sys/devices/system/clocksource/clocksource0/available_clocksource", "arch_sys_counter \n"),
];

#[test]
fn an_aarch64_cloud_guest_and_the_same_on_metal() {
    let facts = described(&[LINUX, GRAVITON]);
    assert_eq!((facts.virtualised.as_deref(), facts.grade), (Some("kvm"), Grade::C));
    assert_eq!(facts.cpu, "Arm Neoverse-V1");
    assert_eq!(facts.cores, 1, "from /proc/cpuinfo");
    let metal: &[(&str, &str)] = &[("sys/class/dmi/id/product_name", "c7g.metal\n")];
    let facts = described(&[LINUX, GRAVITON, metal]);
    assert_eq!((facts.virtualised, facts.grade), (None, Grade::B));
}

/// A small virtual machine: no DMI, no device tree, made from a container image.
const MICRO_VM: &[(&str, &str)] = &[
    (
        "proc/cpuinfo",
        "processor\t: 0\nmodel name\t: AMD EPYC\nmicrocode\t: 0x1000065\nflags\t: avx2 hypervisor constant_tsc nonstop_tsc\n",
    ),
    ("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc kvm-clock \n"),
    ("sys/devices/system/cpu/smt/active", "0\n"),
    ("sys/devices/system/cpu/cpufreq/.keep", ""),
    ("sys/bus/event_source/devices/software/type", "1\n"),
    (".dockerenv", ""),
    ("proc/self/mountinfo", "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"),
];

#[test]
fn a_small_virtual_machine() {
    let facts = described(&[LINUX, MICRO_VM]);
    assert_eq!(facts.virtualised.as_deref(), Some("kvm"), "the marker file of the image is no container");
    assert_eq!(facts.grade, Grade::D);
    assert!(reason(&facts, "cycles").contains("no performance counters"));
    assert!(reason(&facts, "energy").contains("no powercap"));
    assert!(reason(&facts, "governor").contains("no cpufreq"));
    assert!(reason(&facts, "frequency").contains("no cpufreq"));
}

#[test]
fn steal_makes_a_d() {
    let pmu: &[(&str, &str)] = &[("sys/bus/event_source/devices/cpu/type", "4\n")];
    assert_eq!(described(&[LINUX, MICRO_VM, pmu]).grade, Grade::C);
    let stolen: &[(&str, &str)] = &[("proc/stat", "cpu  100 0 50 840 0 0 0 10 0 0\n")];
    let facts = described(&[LINUX, MICRO_VM, pmu, stolen]);
    assert_eq!((facts.steal_pct, facts.grade), (Some(1.0), Grade::D));
}

#[test]
fn containers() {
    let docker: &[(&str, &str)] = &[
        (".dockerenv", ""),
        (
            "proc/self/mountinfo",
            "700 600 0:50 / / rw,relatime - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A\n",
        ),
    ];
    let facts = described(&[LINUX, XEON, XEON_METAL, docker]);
    assert_eq!((facts.virtualised.as_deref(), facts.grade), (Some("docker"), Grade::B));
    let facts = described(&[LINUX, MICRO_VM, docker]);
    assert_eq!(facts.virtualised.as_deref(), Some("kvm+docker"));
    for (files, name) in [
        (("run/.containerenv", "engine=\"podman-5.0\""), "podman"),
        (("run/systemd/container", "systemd-nspawn\n"), "systemd-nspawn"),
        (("run/host/container-manager", "toolbox\n"), "toolbox"),
        (("proc/1/cgroup", "0::/kubepods/besteffort/pod1/abc\n"), "kubernetes"),
        (("proc/1/cgroup", "12:pids:/lxc/guest\n"), "lxc"),
    ] {
        assert_eq!(described(&[LINUX, XEON, &[files]]).virtualised.as_deref(), Some(name));
    }
}

#[test]
fn hypervisors_by_their_signs() {
    let xeon_guest: &[(&str, &str)] = &[("proc/cpuinfo", "processor: 0\nmodel name: Xeon\nflags: avx2 hypervisor\n")];
    assert_eq!(described(&[LINUX, xeon_guest]).virtualised.as_deref(), Some("unknown"));
    for (files, name) in [
        (("sys/class/dmi/id/sys_vendor", "VMware, Inc.\n"), "vmware"),
        (("sys/class/dmi/id/board_vendor", "Oracle Corporation VirtualBox\n"), "virtualbox"),
        (("sys/class/dmi/id/product_name", "Virtual Machine\n"), "hyper-v"),
        (("sys/class/dmi/id/sys_vendor", "QEMU\n"), "kvm"),
        (("sys/hypervisor/type", "xen\n"), "xen"),
        (("proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2\n"), "wsl"),
        (("proc/device-tree/hypervisor/compatible", "linux,kvm\0"), "kvm"),
    ] {
        assert_eq!(described(&[LINUX, xeon_guest, &[files]]).virtualised.as_deref(), Some(name));
    }
}

#[test]
fn a_host_that_tells_nothing() {
    let facts = described(&[]);
    assert_eq!(
        (facts.cpu.as_str(), facts.name.as_str(), facts.kernel.as_str(), facts.os.as_str()),
        (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    );
    assert_eq!((facts.cores, facts.grade), (1, Grade::D));
    assert!(!reason(&facts, "cores").is_empty());
    let facts = describe(Path::new("/proc/self/cmdline/not-a-directory"));
    every_absence_has_its_reason(&facts);
}

#[test]
fn only_the_fastest_cores_of_several_kinds() {
    let all = [0, 1, 2, 3];
    let capacity: Vec<(String, &str)> = [(0, "1024"), (1, "1024"), (2, "446"), (3, "446")]
        .map(|(cpu, capacity)| (format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity"), capacity))
        .to_vec();
    let files: Vec<(&str, &str)> = capacity.iter().map(|(path, capacity)| (path.as_str(), *capacity)).collect();
    assert_eq!(fastest_cpus(tree(&files).path(), &all), [0, 1]);
    assert_eq!(fastest_cpus(tree(&files).path(), &[2, 3]), [2, 3]);
    assert_eq!(fastest_cpus(tree(&[("sys/bus/event_source/devices/cpu_core/cpus", "0-2\n")]).path(), &all), [0, 1, 2]);
    assert_eq!(fastest_cpus(tree(&[]).path(), &all), all);
}

#[test]
fn this_host() {
    let facts = describe(Path::new("/"));
    every_absence_has_its_reason(&facts);
    #[cfg(target_os = "linux")]
    {
        assert!(facts.kernel != UNKNOWN && facts.memory_bytes.is_some_and(|bytes| bytes > 1 << 20));
        assert!(crate::process::cpus_allowed().len() <= facts.cores as usize);
        let times = CpuTimes::read(Path::new("/")).unwrap();
        assert!(times.total > 0 && times.steal <= times.total);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn no_content_panics(content in prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        "[a-z0-9 :=\n\t,-]{0,80}".prop_map(String::into_bytes),
        "(cpu|cpu0|processor|flags|MemTotal:|PRETTY_NAME=|CapEff:|CPU part)[ :\t]{0,2}[0-9a-fx\" -]{0,24}\n?".prop_map(String::into_bytes),
    ]) {
        let root = tempfile::tempdir().unwrap();
        for (path, _) in [LINUX, XEON, XEON_METAL, PI, GRAVITON].concat() {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &content).unwrap();
        }
        let facts = describe(root.path());
        prop_assert!(facts.cores >= 1 && !facts.grade_reasons.is_empty());
        let _ = fastest_cpus(root.path(), &[0, 1]);
    }
}

#[test]
fn a_load_above_half_a_task_per_processor_is_a_reason_and_no_other_letter() {
    let with = |load: &str| {
        let loaded = [("proc/loadavg", load)];
        described(&[LINUX, XEON, XEON_METAL, &loaded])
    };
    let (idle, busy) = (with("1.00 9.0 9.0 1/2 3\n"), with("1.01 0.0 0.0 1/2 3\n"));
    assert_eq!((idle.cores, idle.load_1m, busy.load_1m), (2, Some(1.0), Some(1.01)));
    let says = |facts: &HostFacts| {
        facts.grade_reasons.iter().any(|reason| reason.starts_with("busy: ") && reason.contains("1.01 on 2"))
    };
    assert!(says(&busy) && !says(&idle));
    assert_eq!(idle.grade, busy.grade);
    assert_eq!(idle.grade_reasons.len() + 1, busy.grade_reasons.len());
    for nonsense in ["", "x", "-1 0 0", "nan 0 0", "inf 0 0"] {
        assert_eq!(with(nonsense).load_1m, None, "{nonsense}");
    }
}
