//! `cargo xtask setup`: adds what this machine lacks, after asking.

use std::io::{BufRead, IsTerminal, Write};
use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{Status, have, run as run_command};

/// Something that Debian and Ubuntu have packages for.
struct Part {
    name: &'static str,
    what: &'static str,
    packages: &'static [&'static str],
    here: fn() -> bool,
}

const PARTS: [Part; 3] = [
    Part {
        name: "gpu",
        what: "a software Vulkan driver, so that --gpu works without a graphics card",
        packages: &["mesa-vulkan-drivers"],
        here: vulkan_driver,
    },
    Part {
        name: "firmware",
        what: "emulators, a C compiler for boards, and core's source for their targets",
        packages: &[
            "qemu-system-arm",
            "qemu-system-misc",
            "gcc-arm-none-eabi",
            "libnewlib-arm-none-eabi",
            "rustc-web",
            "rust-web-src",
        ],
        here: firmware_tools,
    },
    Part {
        name: "slurm",
        what: "a batch queue of one node, for `cargo xtask cluster --slurm`",
        packages: &["slurm-wlm", "munge"],
        here: || have("slurmctld") && have("slurmd") && have("munged"),
    },
];

/// Installs the parts named (all, if none is), with `--yes` without asking.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    let mut yes = false;
    let mut chosen = Vec::new();
    for arg in args {
        match arg.as_str() {
            "--yes" | "-y" => yes = true,
            name => match PARTS.iter().find(|part| part.name == name) {
                Some(part) => chosen.push(part),
                None => bail!("setup: {name} is none of gpu, firmware, slurm and --yes"),
            },
        }
    }
    if chosen.is_empty() {
        // The batch queue is for one command only, which asks for it.
        chosen.extend(PARTS.iter().filter(|part| part.name != "slurm"));
    }
    let mut status = Status::Done;
    for part in chosen {
        if (part.here)() {
            eprintln!("{}: here already ({})", part.name, part.what);
        } else if !install(part, yes)? {
            status = Status::Code(3);
        }
    }
    Ok(status)
}

fn install(part: &Part, yes: bool) -> Result<bool> {
    let line = format!("apt-get install -y {}", part.packages.join(" "));
    eprintln!("{}: {} is missing", part.name, part.what);
    if !have("apt-get") {
        eprintln!(
            "{}: no apt-get here; install what matches {}",
            part.name,
            part.packages.join(", ")
        );
        return Ok(false);
    }
    if !yes && !confirm(&format!("run '{line}'?"))? {
        eprintln!("{}: left alone; run '{line}' yourself, or setup --yes", part.name);
        return Ok(false);
    }
    let apt = |args: &[&str]| {
        let mut command = if is_root() { Command::new("apt-get") } else { Command::new("sudo") };
        if !is_root() {
            command.arg("apt-get");
        }
        run_command(command.env("DEBIAN_FRONTEND", "noninteractive").args(args))
    };
    apt(&["update", "-q"])?;
    apt(&[&["install", "-y", "-q", "--no-install-recommends"], part.packages].concat())?;
    Ok((part.here)())
}

fn confirm(question: &str) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    eprint!("{question} [y/N] ");
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}

/// Whether any Vulkan driver is installed, where the loader looks for them.
fn vulkan_driver() -> bool {
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"]
        .iter()
        .filter_map(|dir| std::fs::read_dir(dir).ok())
        .any(|mut entries| entries.next().is_some())
        || cfg!(any(target_vendor = "apple", windows))
}

fn firmware_tools() -> bool {
    have("qemu-system-arm") && have("qemu-system-riscv32") && have("arm-none-eabi-gcc")
}
