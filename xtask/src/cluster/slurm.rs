//! A Slurm of one node, for the profile in examples/cluster.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::{SLURM_EXECUTOR, SNAKEMAKE, Site, VICTIM, output};
use crate::process::{root, run as run_command};
use crate::setup;

/// The tables to 4 pieces through Slurm, one task killed; the same bytes as a plain build.
pub(super) fn run() -> Result<()> {
    ensure!(
        setup::run(&["slurm".to_owned(), "--yes".to_owned()])? == crate::process::Status::Done,
        "slurm-wlm and munge are not installed"
    );
    let site = Site::prepare("slurm-workflow", &[SNAKEMAKE, SLURM_EXECUTOR], true)?;
    let _cluster = Cluster::start(&site.directory.join("slurm"))?;
    let start = Instant::now();
    let profile = root().join("examples/cluster/slurm");
    let snakemake = || {
        let mut command = site.snakemake();
        command.arg("--profile").arg(&profile);
        // The profile is for clusters: this one is watched more closely, and nothing is tried again.
        command.args(["--retries", "0", "--seconds-between-status-checks", "2"]);
        // It keeps no accounts, which are asked otherwise.
        command.args(["--slurm-status-command", "squeue"]);
        command.args(["--slurm-init-seconds-before-status-checks", "2", "--jobs", "4"]);
        command
    };
    let killed = snakemake().env("CLUSTER_VICTIM", VICTIM).status()?;
    ensure!(!killed.success(), "a workflow whose task was killed says so");
    fs::read_to_string(site.directory.join("log/killed")).context("no task was killed")?;
    run_command(&mut snakemake())?;
    let (tasks, _) = site.tasks()?;
    // A task takes less time than what starts it, so that Slurm is asked, not the tasks.
    let log = fs::read_to_string(site.directory.join("slurm/slurmctld.log"))?;
    let at_a_time = jobs_at_a_time(&log);
    ensure!(at_a_time >= 2, "no two jobs ran side by side");
    let files = site.compare()?;
    let version = String::from_utf8(output(Command::new("sinfo").arg("--version"))?)?;
    eprintln!(
        "{}, {SNAKEMAKE}, {SLURM_EXECUTOR}: {tasks} tasks, {at_a_time} at a time, one killed (-9) \
         and run again, in {:.0} s: {files} files as of a plain build",
        version.trim(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// How many jobs ran at most at a time, by the controller's log.
fn jobs_at_a_time(log: &str) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for line in log.lines() {
        if line.contains("sched: Allocate JobId=") || line.contains("backfill: Started JobId=") {
            now += 1;
            most = most.max(now);
        } else if line.contains("_job_complete: JobId=") && line.ends_with(" done") {
            now = now.saturating_sub(1);
        }
    }
    most
}

/// Where Debian's Slurm reads its configuration: jobs do not inherit a path to another.
const CONFIGURATION: &str = "/etc/slurm/slurm.conf";

/// Begins the configuration that this command writes.
const MARK: &str = "# Written by cargo xtask cluster --slurm, which removes it at its end.\n";

/// Whether this is the configuration of a run that was killed, none of whose daemons is alive.
fn is_leftover(configuration: &str) -> bool {
    let mut pids = configuration.lines().filter_map(|line| line.split_once("PidFile="));
    let alive = |(_, file): (&str, &str)| {
        let pid = fs::read_to_string(file).unwrap_or_default();
        !pid.trim().is_empty() && Path::new("/proc").join(pid.trim()).exists()
    };
    configuration.starts_with(MARK) && !pids.any(alive)
}

/// The daemons and the configuration, gone with this value.
struct Cluster {
    daemons: Vec<Child>,
}

impl Cluster {
    fn start(directory: &Path) -> Result<Self> {
        fs::create_dir_all(directory)?;
        let conf = Path::new(CONFIGURATION);
        ensure!(
            fs::read_to_string(conf).map_or(true, |text| is_leftover(&text)),
            "there is a Slurm here: {CONFIGURATION} exists, and is left alone"
        );
        fs::create_dir_all(conf.parent().context("a directory of its own")?)?;
        fs::write(conf, configuration(directory)?)?;
        let mut cluster = Self { daemons: Vec::new() };
        let socket = directory.join("munge.socket");
        let key = directory.join("munge.key");
        output(Command::new("mungekey").arg("--create").arg("--force").arg("--keyfile").arg(&key))?;
        let mut munged = Command::new("munged");
        munged.args(["--foreground", "--force"]);
        for (option, file) in [
            ("key-file", &key),
            ("socket", &socket),
            ("pid-file", &directory.join("munge.pid")),
            ("log-file", &directory.join("munge.log")),
            ("seed-file", &directory.join("munge.seed")),
        ] {
            munged.arg(format!("--{option}={}", file.display()));
        }
        cluster.daemon(munged, directory)?;
        wait_for("munge's socket", || socket.exists())?;
        let mut controller = Command::new("slurmctld");
        controller.args(["-D", "-c", "-f"]).arg(conf);
        cluster.daemon(controller, directory)?;
        let mut node = Command::new("slurmd");
        node.args(["-D", "-N", "node", "-f"]).arg(conf);
        cluster.daemon(node, directory)?;
        wait_for("the node", || {
            output(Command::new("sinfo").args(["--noheader", "--format=%T"]))
                .is_ok_and(|states| states.starts_with(b"idle"))
        })?;
        Ok(cluster)
    }

    fn daemon(&mut self, mut command: Command, directory: &Path) -> Result<()> {
        let name = command.get_program().to_string_lossy().into_owned();
        let log = fs::File::create(directory.join(format!("{name}.out")))?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        self.daemons.push(child);
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
        let _ = fs::remove_file(CONFIGURATION);
    }
}

fn wait_for(what: &str, mut there: impl FnMut() -> bool) -> Result<()> {
    let start = Instant::now();
    while !there() {
        ensure!(start.elapsed() < Duration::from_secs(60), "{what} is not there after a minute");
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}

/// One node, no accounting, ports that are free.
fn configuration(directory: &Path) -> Result<String> {
    let port = || -> Result<u16> { Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port()) };
    let (controller, node) = (port()?, port()?);
    let at = directory.display();
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!(
        "{MARK}ClusterName=one
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={at}/munge.socket
CredType=cred/munge
StateSaveLocation={at}/state
SlurmdSpoolDir={at}/spool
SlurmctldPidFile={at}/slurmctld.pid
SlurmdPidFile={at}/slurmd.pid
SlurmctldLogFile={at}/slurmctld.log
SlurmdLogFile={at}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MinJobAge=300
SlurmdParameters=config_overrides
NodeName=node NodeHostname=localhost NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=4096 State=UNKNOWN
PartitionName=all Nodes=node Default=YES MaxTime=INFINITE State=UP
"
    ))
}

#[cfg(test)]
mod tests {
    use super::{MARK, is_leftover, jobs_at_a_time};

    #[test]
    fn only_what_a_killed_run_has_left_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let pid = directory.path().join("slurmctld.pid");
        let names = format!("SlurmctldPidFile={}\n", pid.display());
        assert!(!is_leftover(&names), "another's");
        let own = format!("{MARK}{names}");
        assert!(is_leftover(&own), "no daemon has ever run");
        std::fs::write(&pid, format!("{}\n", std::process::id())).unwrap();
        assert!(!is_leftover(&own), "a daemon is running");
        std::fs::write(&pid, "4194305\n").unwrap();
        assert!(is_leftover(&own), "no process has a number above the kernel's limit");
    }

    #[test]
    fn jobs_overlap_between_their_start_and_their_end() {
        let start = |id| format!("[2026] sched: Allocate JobId={id} NodeList=node\n");
        let end = |id| {
            format!(
                "[2026] _job_complete: JobId={id} WEXITSTATUS 0\n[2026] _job_complete: JobId={id} done\n"
            )
        };
        let apart = [start(1), end(1), start(2), end(2)].concat();
        let together = [start(1), start(2), end(1), start(3), end(3), end(2)].concat();
        assert_eq!((jobs_at_a_time(&apart), jobs_at_a_time(&together)), (1, 2));
    }
}
