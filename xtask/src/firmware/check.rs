//! `cargo xtask firmware --check`: each core crate alone, without std, on every target.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use object::{Object, ObjectSymbol};

use super::banned::{ALLOCATOR, ALWAYS, Ban};
use super::toolchain::Toolchain;
use crate::process::{Status, root, target_dir};

/// The targets of the boards, and of the smallest of their families.
pub(crate) const TARGETS: [&str; 5] = [
    "thumbv6m-none-eabi",
    "thumbv7m-none-eabi",
    "thumbv7em-none-eabihf",
    "riscv32imc-unknown-none-elf",
    "riscv32imac-unknown-none-elf",
];

/// The crates that must run on boards; graph alone may allocate.
const CRATES: [(&str, bool); 6] = [
    ("crownhead-rules", false),
    ("crownhead-index", false),
    ("crownhead-table", false),
    ("crownhead-engine", false),
    ("crownhead-tictactoe", false),
    ("crownhead-graph", true),
];

/// A banned symbol that a crate refers to.
struct Finding {
    krate: String,
    symbol: String,
    ban: Ban,
}

/// Builds every crate for every target and looks for banned symbols; first proves that it finds them.
pub(crate) fn run() -> Result<Status> {
    control().context("the check's own control")?;
    let mut failed = false;
    for target in TARGETS {
        let toolchain = Toolchain::find(target)?;
        eprintln!("{target}: {}", toolchain.describe());
        for (krate, allocates) in CRATES {
            let library = build(toolchain, target, root(), krate, allocates)?;
            let findings = findings(&library, krate, allocates)?;
            failed |= !findings.is_empty();
            for Finding { krate, symbol, ban } in findings {
                eprintln!("{krate} on {target} refers to {symbol}: {}; {}", ban.what, ban.why);
            }
        }
    }
    let crates = CRATES.len();
    if !failed {
        eprintln!("{crates} crates alone on {} targets: nothing banned", TARGETS.len());
    }
    Ok(if failed { Status::Negative } else { Status::Done })
}

/// The offender must be found guilty of everything that its target links helpers for.
fn control() -> Result<()> {
    let target = TARGETS[0];
    let toolchain = Toolchain::find(target)?;
    let dir = root().join("xtask/fixtures/offender");
    let library = build(toolchain, target, &dir, "offender", true)?;
    let findings = findings(&library, "offender", false)?;
    let [float, division, _] = ALWAYS;
    for ban in [ALLOCATOR, float, division] {
        if !findings.iter().any(|finding| finding.ban == ban) {
            bail!("{} in the offender was not found", ban.what);
        }
    }
    Ok(())
}

/// Builds one crate without default features; `Ok` is its library.
fn build(
    toolchain: Toolchain,
    target: &str,
    workspace: &Path,
    krate: &str,
    allocates: bool,
) -> Result<PathBuf> {
    let dir = target_dir()?.join("firmware-check");
    let mut command = toolchain.build(target, if allocates { "core,alloc" } else { "core" });
    command.current_dir(workspace).args(["--quiet", "--lib", "--package", krate]);
    command.arg("--no-default-features").arg("--target-dir").arg(&dir);
    // Aborting leaves out the unwinding tables' personality, which boards do not have.
    command.env("CARGO_PROFILE_RELEASE_PANIC", "abort");
    // Otherwise small functions would wait for a caller in another crate and not be seen here.
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("RUSTFLAGS", "-C link-dead-code");
    if !command.status().context("cannot start cargo")?.success() {
        bail!("{krate} does not build alone for {target}");
    }
    Ok(dir.join(target).join("release").join(format!("lib{}.rlib", krate.replace('-', "_"))))
}

/// The banned symbols that the library's objects leave undefined.
fn findings(library: &Path, krate: &str, allocates: bool) -> Result<Vec<Finding>> {
    let bans = ALWAYS.into_iter().chain((!allocates).then_some(ALLOCATOR));
    let bans: Vec<Ban> = bans.collect();
    let mut findings = Vec::new();
    for symbol in undefined_symbols(library)? {
        if let Some(&ban) = bans.iter().find(|ban| ban.covers(&symbol)) {
            findings.push(Finding { krate: krate.to_owned(), symbol, ban });
        }
    }
    Ok(findings)
}

fn undefined_symbols(library: &Path) -> Result<BTreeSet<String>> {
    let data =
        std::fs::read(library).with_context(|| format!("cannot read {}", library.display()))?;
    let archive = object::read::archive::ArchiveFile::parse(&*data)?;
    let mut symbols = BTreeSet::new();
    for member in archive.members() {
        // Members that are no objects (the crate's metadata) have no symbols.
        let Ok(file) = object::File::parse(member?.data(&*data)?) else { continue };
        for symbol in file.symbols().filter(ObjectSymbol::is_undefined) {
            symbols.insert(symbol.name()?.to_owned());
        }
    }
    Ok(symbols)
}
