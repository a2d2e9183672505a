//! `cargo xtask cluster`: the workflow that `crownhead plan` writes, run for real.

mod slurm;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::binary;
use crate::process::{Status, root, run as run_command, target_dir};

/// The version that was tried; any newer one should do.
const SNAKEMAKE: &str = "snakemake==9.27.1";
const SLURM_EXECUTOR: &str = "snakemake-executor-plugin-slurm==2.8.0";

const HELP: &str = "\
cargo xtask cluster [--slurm]

Builds the tables to 4 pieces with Snakemake, installed from the Python registry into target/, two
jobs side by side and large materials divided into tasks; kills one task (-9) in its middle, goes on
with --rerun-incomplete, and compares every byte with a plain build. --slurm does the same through
a Slurm of one node that it starts (Debian's slurm-wlm and munge; needs root).";

/// Memory of a machine, in bytes: so little that materials to 4 pieces divide.
const NODE_MEMORY: u64 = (32 << 20) + (400 << 10);

/// A material that is one task, of several levels.
const VICTIM: &str = "KKvKM";

pub(crate) fn run(args: &[String]) -> Result<Status> {
    match args {
        [] => locally()?,
        [flag] if flag == "--slurm" => slurm::run()?,
        [flag] if flag == "--help" => eprintln!("{HELP}"),
        _ => bail!("cluster takes no argument but --slurm and --help"),
    }
    Ok(Status::Done)
}

/// A workflow's directory, with what it starts from and what it is compared with.
struct Site {
    directory: PathBuf,
    binary: PathBuf,
    snakemake: PathBuf,
}

impl Site {
    /// A fresh directory with the plain tables and the workflow.
    fn prepare(name: &str, packages: &[&str], divided: bool) -> Result<Self> {
        let directory = target_dir()?.join("cluster").join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        fs::create_dir_all(directory.join("log"))?;
        let snakemake = install(packages)?;
        let site = Self { directory, binary: binary::build(false)?, snakemake };
        let plain = site.directory.join("plain");
        let mut solve = Command::new(&site.binary);
        solve.args(["solve", "--pieces", "4", "--metric", "wld", "--json", "--tables"]).arg(plain);
        output(&mut solve)?;
        let mut plan = Command::new(&site.binary);
        plan.args(["plan", "--pieces", "4", "--metric", "wld", "--format", "snakemake"]);
        if divided {
            plan.args(["--node-memory", &NODE_MEMORY.to_string()]);
        }
        fs::write(site.directory.join("Snakefile"), output(&mut plan)?)?;
        Ok(site)
    }

    /// Snakemake on this workflow, with a program in the place of crownhead that notes and kills.
    fn snakemake(&self) -> Command {
        let mut command = Command::new(&self.snakemake);
        let stand_in = root().join("xtask/src/cluster/kill_once.py");
        command
            .current_dir(&self.directory)
            .env("CROWNHEAD_BINARY", &self.binary)
            .env("CLUSTER_LOG", self.directory.join("log"))
            .args(["--quiet", "all", "--nocolor", "--config"])
            .arg(format!("crownhead=python3 {}", stand_in.display()));
        command
    }

    /// Every table and the manifest are what a plain build has written, and nothing else is there.
    fn compare(&self) -> Result<usize> {
        let (plain, built) = (self.directory.join("plain"), self.directory.join("tables"));
        let (plain, built) = (files(&plain)?, files(&built)?);
        ensure!(plain.len() == 24, "a plain build to 4 pieces has 23 tables and a manifest");
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        ensure!(names(&plain) == names(&built), "{:?} and {:?}", names(&plain), names(&built));
        for (name, bytes) in &plain {
            ensure!(built[name] == *bytes, "{name} differs from that of a plain build");
        }
        Ok(plain.len())
    }

    /// How many tasks ran, and how many at most at a time.
    fn tasks(&self) -> Result<(usize, usize)> {
        let log = fs::read_to_string(self.directory.join("log/tasks"))?;
        let mut events: Vec<(u64, &str)> = Vec::new();
        for line in log.lines() {
            let mut words = line.split(' ');
            let time = words.next().and_then(|time| time.parse().ok());
            events.push((time.context("a line without time")?, words.next().unwrap_or("")));
        }
        events.sort_unstable();
        let (mut begun, mut now, mut most) = (0, 0_usize, 0);
        for (_, what) in events {
            if what == "begin" {
                (begun, now) = (begun + 1, now + 1);
                most = most.max(now);
            } else {
                now = now.saturating_sub(1);
            }
        }
        Ok((begun, most))
    }
}

fn locally() -> Result<()> {
    // As a plain workflow: a material a job, from finished tables.
    let site = Site::prepare("plain-workflow", &[SNAKEMAKE], false)?;
    run_command(site.snakemake().args(cores()))?;
    let (plain_tasks, _) = site.tasks()?;
    let files = site.compare()?;
    eprintln!("{plain_tasks} tasks, a material each: {files} files as of a plain build");

    // Divided, with a task killed.
    let site = Site::prepare("divided-workflow", &[SNAKEMAKE], true)?;
    let mut first = site.snakemake();
    let killed = first.env("CLUSTER_VICTIM", VICTIM).args(cores()).status()?;
    ensure!(!killed.success(), "a workflow whose task was killed says so");
    let progress = fs::read_to_string(site.directory.join("log/killed"))
        .context("no task was killed in its middle")?;
    eprintln!("{VICTIM} was killed when it had {}", progress.lines().last().unwrap_or("nothing"));
    ensure!(site.compare().is_err(), "the killed task's table is missing");
    run_command(site.snakemake().args(cores()).arg("--rerun-incomplete"))?;
    let (tasks, at_a_time) = site.tasks()?;
    ensure!(tasks > plain_tasks + 8, "only {tasks} tasks: nothing was divided");
    ensure!(at_a_time >= 2, "no two tasks ran side by side");
    let files = site.compare()?;
    eprintln!(
        "{tasks} tasks, {at_a_time} at a time, one killed: {files} files as of a plain build"
    );
    Ok(())
}

fn cores() -> [&'static str; 2] {
    ["--cores", "2"]
}

/// Installs packages from the Python registry into an environment under target/, once; Snakemake.
fn install(packages: &[&str]) -> Result<PathBuf> {
    let environment = target_dir()?.join("cluster").join("python");
    let bin = environment.join("bin");
    let mark = environment.join(format!("installed {}", packages.join(" ")));
    if !mark.exists() {
        let environment = environment.as_os_str();
        run_command(Command::new("python3").args(["-m", "venv"]).arg(environment))?;
        let mut pip = Command::new(bin.join("pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-compile"]);
        run_command(pip.args(packages))?;
        fs::write(mark, "")?;
    }
    Ok(bin.join("snakemake"))
}

/// Standard output of a command that must succeed.
fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {}: {errors}", output.status);
    Ok(output.stdout)
}

/// The files of a directory by name, hidden ones left out.
fn files(directory: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let entries =
        fs::read_dir(directory).with_context(|| format!("cannot list {}", directory.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            files.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(files)
}
