//! Whether this is a virtual machine, a container, both or neither, as far as files tell.

use super::read::{exists, names, text, word};
use serde::Serialize;
use std::path::Path;

/// What lies between the program and the hardware.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Virtualisation {
    /// `kvm`, `xen`, `vmware`, …; `unknown` for a hypervisor that shows itself and not its name; `None` when none shows.
    pub machine: Option<String>,
    /// `docker`, `podman`, `lxc`, …; `None` when none shows.
    pub container: Option<String>,
}

impl Virtualisation {
    /// One word for the record: `kvm`, `docker`, `kvm+docker`; `None` on bare metal as far as can be seen.
    #[must_use]
    pub fn label(&self) -> Option<String> {
        let Self { machine, container } = self;
        let parts: Vec<&str> = [machine, container].into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join("+"))
    }
}

/// Looks for signs of a hypervisor and of a container. `flags` are the CPU's.
pub(super) fn detect(root: &Path, flags: &[String]) -> Virtualisation {
    Virtualisation { machine: machine(root, flags), container: container(root) }
}

/// Words in DMI strings, and the hypervisor they mean. First match counts.
const DMI: [(&str, &str); 14] = [
    ("vmware", "vmware"),
    ("virtualbox", "virtualbox"),
    ("innotek", "virtualbox"),
    ("xen", "xen"),
    ("parallels", "parallels"),
    ("bhyve", "bhyve"),
    ("hyper-v", "hyper-v"),
    ("virtual machine", "hyper-v"),
    ("google compute engine", "kvm"),
    ("kvm", "kvm"),
    ("qemu", "kvm"),
    ("openstack", "kvm"),
    ("alibaba", "kvm"),
    ("apple virtualization", "apple"),
];

fn machine(root: &Path, flags: &[String]) -> Option<String> {
    named(root)
        .map(str::to_owned)
        .or_else(|| flags.iter().any(|flag| flag == "hypervisor").then(|| "unknown".to_owned()))
}

fn named(root: &Path) -> Option<&'static str> {
    if word(root, "sys/hypervisor/type").is_some_and(|kind| kind == "xen") {
        return Some("xen");
    }
    if word(root, "proc/sys/kernel/osrelease").is_some_and(|release| release.to_lowercase().contains("microsoft")) {
        return Some("wsl");
    }
    if let Some(found) = from_dmi(root) {
        return Some(found);
    }
    // On AArch64 and POWER the device tree tells.
    if let Some(compatible) = word(root, "proc/device-tree/hypervisor/compatible") {
        return Some(if compatible.contains("xen") {
            "xen"
        } else if compatible.contains("vmware") {
            "vmware"
        } else {
            "kvm"
        });
    }
    if names(root, "proc/device-tree").iter().any(|name| name.starts_with("fw-cfg")) {
        return Some("kvm");
    }
    // Small virtual machines have neither; the guest's clock remains.
    let sources = text(root, "sys/devices/system/clocksource/clocksource0/available_clocksource").unwrap_or_default();
    let clock = |name: &str| sources.split_whitespace().any(|source| source.starts_with(name));
    [("kvm-clock", "kvm"), ("hyperv_clocksource", "hyper-v"), ("xen", "xen")]
        .into_iter()
        .find(|(source, _)| clock(source))
        .map(|(_, name)| name)
}

fn from_dmi(root: &Path) -> Option<&'static str> {
    let fields = ["product_name", "sys_vendor", "board_vendor", "bios_vendor"];
    let strings: Vec<String> = fields
        .iter()
        .filter_map(|field| word(root, &format!("sys/class/dmi/id/{field}")))
        .map(|text| text.to_lowercase())
        .collect();
    if let Some((_, name)) = DMI.iter().find(|(sign, _)| strings.iter().any(|text| text.contains(sign))) {
        return Some(name);
    }
    // Amazon names its instances the same way whether they are virtual (`c7g.large`, Nitro, which is KVM) or not (`c7g.metal`).
    let amazon = strings.iter().any(|text| text.contains("amazon ec2"));
    let metal = strings.first().is_some_and(|product| product.contains("metal"));
    (amazon && !metal).then_some("kvm")
}

fn container(root: &Path) -> Option<String> {
    // The specification of container managers: systemd.io/CONTAINER_INTERFACE.
    if let Some(name) = word(root, "run/systemd/container").or_else(|| word(root, "run/host/container-manager")) {
        return Some(name);
    }
    if exists(root, "run/.containerenv") {
        return Some("podman".into());
    }
    if exists(root, ".dockerenv") && !root_is_a_disk(root) {
        return Some("docker".into());
    }
    let groups = text(root, "proc/1/cgroup").unwrap_or_default();
    [
        ("kubepods", "kubernetes"),
        ("docker", "docker"),
        ("libpod", "podman"),
        ("lxc", "lxc"),
        ("containerd", "containerd"),
    ]
    .into_iter()
    .find(|(sign, _)| groups.contains(sign))
    .map(|(_, name)| name.to_owned())
}

/// Whether the root file system is the whole of a block device. A virtual machine made from a container image carries the image's marker
/// file, but a container never has a disk of its own at its root: it has an overlay, or a folder of the host's.
fn root_is_a_disk(root: &Path) -> bool {
    // mountinfo (proc(5)): id parent major:minor root mount-point options … - type source options
    let mounts = text(root, "proc/self/mountinfo").unwrap_or_default();
    mounts.lines().any(|line| {
        let mut fields = line.split_whitespace();
        let (folder, point) = (fields.nth(3), fields.next());
        let source = line.split_once(" - ").and_then(|(_, rest)| rest.split_whitespace().nth(1));
        folder == Some("/") && point == Some("/") && source.is_some_and(|source| source.starts_with("/dev/"))
    })
}
