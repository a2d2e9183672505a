//! Where `core` for a bare-metal target comes from.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{cargo, have, in_ci};

/// Debian's compiler and the source of its standard library (packages rustc-web, rust-web-src).
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_SOURCE: &str = "/usr/src";

/// A way to build for a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Toolchain {
    /// rustup has the target's own `core`.
    Rustup,
    /// `core` is built from Debian's source with Debian's compiler.
    Debian,
}

impl Toolchain {
    /// The way for this target: rustup's if it is there or can be added, else Debian's.
    ///
    /// # Errors
    ///
    /// If neither is there: the message says what to install.
    pub(crate) fn find(target: &str) -> Result<Self> {
        let forced = std::env::var("CROWNHEAD_CORE").ok();
        if forced.as_deref() != Some("debian") && (rustup_has(target)? || rustup_add(target)?) {
            return Ok(Self::Rustup);
        }
        if forced.as_deref() != Some("rustup") && debian_is_here() {
            return Ok(Self::Debian);
        }
        bail!(
            "no core for {target}: run 'rustup target add {target}', or 'cargo xtask setup firmware' \
             on Debian and Ubuntu (rustc-web and rust-web-src, to build core from source)"
        )
    }

    /// In words, for the person who asks which way was taken.
    pub(crate) const fn describe(self) -> &'static str {
        match self {
            Self::Rustup => "rustup's core",
            Self::Debian => "core from Debian's source",
        }
    }

    /// A cargo command that builds for the target; `std_crates` are built where rustup has none.
    pub(crate) fn build(self, target: &str, std_crates: &str) -> Command {
        let mut command = cargo();
        command.arg("build");
        if self == Self::Debian {
            command.env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1");
            command.arg("-Z").arg(format!("build-std={std_crates}"));
            // Debian's compiler has no linker for bare metal of its own.
            if let Some(linker) = rustup_lld() {
                let target = target.to_uppercase().replace('-', "_");
                command.env(format!("CARGO_TARGET_{target}_LINKER"), linker);
            }
        }
        command.args(["--release", "--target", target]);
        command
    }
}

fn rustup_has(target: &str) -> Result<bool> {
    if !have("rustup") {
        return Ok(false);
    }
    let out = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let out = out.context("cannot start rustup")?;
    Ok(String::from_utf8_lossy(&out.stdout).lines().any(|line| line == target))
}

/// Adds the target through rustup: after asking at a terminal, without in CI.
fn rustup_add(target: &str) -> Result<bool> {
    if !have("rustup") {
        return Ok(false);
    }
    if !in_ci() {
        if !std::io::stdin().is_terminal() {
            return Ok(false);
        }
        eprint!("run 'rustup target add {target}'? [y/N] ");
        std::io::stderr().flush()?;
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            return Ok(false);
        }
    }
    let status = Command::new("rustup").args(["--quiet", "target", "add", target]).status();
    Ok(status.context("cannot start rustup")?.success())
}

/// The linker that comes with rustup's compiler.
fn rustup_lld() -> Option<PathBuf> {
    let print = |what: &str| {
        let out = Command::new("rustc").args(["--print", what]).output().ok()?;
        Some(String::from_utf8(out.stdout).ok()?.trim().to_owned())
    };
    let sysroot = PathBuf::from(print("sysroot")?);
    let linker = sysroot.join("lib/rustlib").join(print("host-tuple")?).join("bin/rust-lld");
    linker.is_file().then_some(linker)
}

fn debian_is_here() -> bool {
    let source = std::fs::read_dir(DEBIAN_SOURCE).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("rustc-"))
    });
    source && Path::new(DEBIAN_RUSTC).is_file()
}
