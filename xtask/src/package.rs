//! `cargo xtask package`: what a release needs, without releasing anything.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::process::{Status, cargo, root, run as run_command, target_dir};

const HELP: &str = "\
cargo xtask package [--gpu]

Packages every crate that can be published, checks that the packages build from what is in them
alone, also with the oldest versions that they allow of what they use directly, and builds their
documentation as docs.rs does (with nightly). --gpu includes what compiles wgpu in all of it.";

/// What compiles wgpu.
const GPU: &str = "crownhead-gpu";

/// Members that are not published.
const PRIVATE: [&str; 4] = ["xtask", "crownhead-benches", "crownhead-tests", "crownhead-examples"];

pub(crate) fn run(args: &[String]) -> Result<Status> {
    let gpu = match args {
        [] => false,
        [flag] if flag == "--gpu" => true,
        [flag] if flag == "--help" => {
            eprintln!("{HELP}");
            return Ok(Status::Done);
        }
        _ => bail!("package takes no argument but --gpu and --help"),
    };
    rust_version()?;
    let packaged = Packaged::make()?;
    packaged.check_contents()?;
    packaged.check(gpu)?;
    packaged.check_minimal_versions(gpu)?;
    docs_rs(&packaged.names, gpu)?;
    Ok(Status::Done)
}

/// In continuous integration the compiler is the oldest that the crates promise to build with.
fn rust_version() -> Result<()> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let promised = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "))
        .context("Cargo.toml states no rust-version")?
        .trim_matches('"');
    let out = Command::new("rustc").arg("--version").current_dir(root()).output()?;
    let version = String::from_utf8(out.stdout)?;
    let version = version.split(' ').nth(1).unwrap_or("");
    let same = version == promised || version.starts_with(&format!("{promised}."));
    let message = format!("rustc is {version} and rust-version {promised}");
    if crate::process::in_ci() {
        ensure!(same, "{message}: CI shall use what the crates promise");
    }
    eprintln!("{message}");
    Ok(())
}

/// The packages, unpacked side by side as a workspace of their own.
struct Packaged {
    directory: PathBuf,
    /// With the version, as in the name of the package.
    folders: Vec<String>,
    names: Vec<String>,
}

impl Packaged {
    fn make() -> Result<Self> {
        let mut package = cargo();
        package.args(["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"]);
        PRIVATE.iter().for_each(|name| {
            package.args(["--exclude", name]);
        });
        run_command(&mut package)?;
        let target = target_dir()?;
        let directory = target.join("packaged");
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        fs::create_dir_all(&directory)?;
        let version = workspace_version()?;
        let ending = format!("-{version}.crate");
        let mut names = Vec::new();
        for entry in fs::read_dir(target.join("package"))? {
            let file = entry?.file_name().to_string_lossy().into_owned();
            let Some(name) = file.strip_suffix(&ending) else { continue };
            let path = target.join("package").join(&file);
            // Packages hold the same old times always, by which cargo would take what it has
            // compiled of earlier ones for theirs: so files get the time of unpacking.
            run_command(Command::new("tar").arg("xzmf").arg(path).arg("-C").arg(&directory))?;
            names.push(name.to_owned());
        }
        names.sort();
        let folders: Vec<String> = names.iter().map(|name| format!("{name}-{version}")).collect();
        let packaged = Self { directory, folders, names };
        packaged.write_workspace()?;
        Ok(packaged)
    }

    /// A workspace in which the packages stand for what is not published yet.
    fn write_workspace(&self) -> Result<()> {
        let mut text = format!(
            "[workspace]\nresolver = \"3\"\nmembers = {:?}\n\n[patch.crates-io]\n",
            self.folders
        );
        for (name, folder) in self.names.iter().zip(&self.folders) {
            writeln!(text, "{name} = {{ path = {folder:?} }}")?;
        }
        // The same profile, so that what others have compiled before serves here too.
        let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
        let profile = manifest.find("[profile.dev]").context("no [profile.dev]")?;
        write!(text, "\n{}", &manifest[profile..])?;
        fs::write(self.directory.join("Cargo.toml"), text)?;
        fs::copy(root().join("Cargo.lock"), self.directory.join("Cargo.lock"))?;
        Ok(())
    }

    /// What is compiled in is in the packages, and every publishable crate is there.
    fn check_contents(&self) -> Result<()> {
        ensure!(self.names.len() == 11, "eleven crates are published, and not {:?}", self.names);
        for (name, folder) in self.names.iter().zip(&self.folders) {
            let has = |path: &str| self.directory.join(folder).join(path).exists();
            let needed: &[&str] = match name.as_str() {
                "crownhead-gpu" => &["shaders/classify.wgsl", "shaders/shared"],
                "crownhead-table" => &["images/3.img", "images/4.img", "images/5.img", "FORMAT.md"],
                "crownhead-tictactoe" => &["docs/lines.txt"],
                _ => &[],
            };
            let always = ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "Cargo.toml"];
            for path in needed.iter().chain(&always) {
                ensure!(has(path), "the package of {name} lacks {path}");
            }
            let manifest = fs::read_to_string(self.directory.join(folder).join("Cargo.toml"))?;
            for key in ["description", "license", "repository", "rust-version", "readme"] {
                let line = format!("\n{key} = ");
                ensure!(manifest.contains(&line), "the package of {name} states no {key}");
            }
        }
        Ok(())
    }

    fn cargo(&self) -> Result<Command> {
        let mut command = cargo();
        command.current_dir(&self.directory).env("CARGO_TARGET_DIR", target_dir()?);
        Ok(command)
    }

    fn check(&self, gpu: bool) -> Result<()> {
        let mut check = self.cargo()?;
        check.args(["check", "--workspace", "--quiet"]);
        run_command(without_gpu(&mut check, gpu))
    }

    /// The oldest versions that the manifests allow, of what they name themselves.
    fn check_minimal_versions(&self, gpu: bool) -> Result<()> {
        let Some(mut oldest) = nightly()? else { return Ok(()) };
        oldest.current_dir(&self.directory).args([
            "update",
            "--quiet",
            "-Zdirect-minimal-versions",
        ]);
        run_command(&mut oldest)?;
        self.check(gpu)?;
        fs::copy(root().join("Cargo.lock"), self.directory.join("Cargo.lock"))?;
        Ok(())
    }
}

fn without_gpu(command: &mut Command, gpu: bool) -> &mut Command {
    if gpu { command.arg("--all-features") } else { command.args(["--exclude", GPU]) }
}

fn workspace_version() -> Result<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    Ok(line.context("Cargo.toml states no version")?.trim_matches('"').to_owned())
}

/// Nightly cargo; in continuous integration it must be there.
fn nightly() -> Result<Option<Command>> {
    let mut probe = Command::new("rustup");
    if probe
        .args(["run", "nightly", "cargo", "--version"])
        .output()
        .is_ok_and(|o| o.status.success())
    {
        let mut command = Command::new("rustup");
        command.args(["run", "nightly", "cargo"]).current_dir(root()).env_remove("RUSTC");
        return Ok(Some(command));
    }
    ensure!(!crate::process::in_ci(), "no nightly toolchain, which this check needs");
    eprintln!("skipped: no nightly toolchain (rustup toolchain install nightly)");
    Ok(None)
}

/// The documentation as docs.rs builds it: nightly, `docsrs`, and each crate's own metadata.
fn docs_rs(names: &[String], gpu: bool) -> Result<()> {
    for name in names {
        let manifest = manifest_of(name)?;
        let stated = "[package.metadata.docs.rs]\nall-features = true\n";
        ensure!(
            fs::read_to_string(&manifest)?.contains(stated),
            "{name} does not state {stated:?}, which docs.rs reads"
        );
    }
    let Some(mut docs) = nightly()? else { return Ok(()) };
    docs.args(["doc", "--no-deps", "--quiet", "--all-features", "--target-dir"]);
    docs.arg(target_dir()?.join("docs.rs"));
    // The command's own features include the GPU's.
    let apart = |name: &str| !gpu && (name == GPU || name == "crownhead");
    for name in names.iter().filter(|name| !apart(name)) {
        docs.args(["--package", name]);
    }
    run_command(docs.env("RUSTDOCFLAGS", "--cfg docsrs -D warnings"))
}

fn manifest_of(name: &str) -> Result<PathBuf> {
    let folder = name.strip_prefix("crownhead-").unwrap_or("cli");
    let path = Path::new("crates").join(folder).join("Cargo.toml");
    Ok(root().join(path))
}
