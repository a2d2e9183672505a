"""Stands in for crownhead in a workflow, and kills one task in its middle, once.

Environment: CROWNHEAD_BINARY, the program; CLUSTER_LOG, a directory for what is noted;
CLUSTER_VICTIM, the material whose first build is killed (-9) once some of its levels are final.
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

BINARY, LOG = os.environ["CROWNHEAD_BINARY"], pathlib.Path(os.environ["CLUSTER_LOG"])
VICTIM = os.environ.get("CLUSTER_VICTIM")
ARGS = sys.argv[1:]


def option(name):
    return ARGS[ARGS.index(name) + 1] if name in ARGS else None


def note(what):
    with open(LOG / "tasks", "a") as log:
        log.write(f"{time.monotonic_ns()} {what} {os.getpid()} {' '.join(ARGS)}\n")


def run():
    note("begin")
    status = subprocess.call([BINARY, *ARGS])
    note("end")
    return status


def run_and_kill():
    """Returns once the task was killed before it was finished."""
    work, tables = pathlib.Path(option("--working")), pathlib.Path(option("--tables"))
    progress, words = work / f"{VICTIM}.progress", work / f"{VICTIM}.words"
    for _ in range(100):
        note("begin")
        task = subprocess.Popen([BINARY, *ARGS])
        while task.poll() is None and not progress.exists():
            pass
        task.send_signal(signal.SIGKILL)
        task.wait()
        note("killed")
        if "levels" in progress.read_text() and task.returncode == -signal.SIGKILL:
            (LOG / "killed").write_text(progress.read_text())
            return 137
        # It was faster. Once more from the start.
        for file in (progress, words, tables / f"{VICTIM}.wld"):
            file.unlink(missing_ok=True)
    sys.exit("the task always ended before it could be killed")


victim = option("--only") == VICTIM and "--levels" not in ARGS
sys.exit(run_and_kill() if victim and not (LOG / "killed").exists() else run())
