"""A SLURM of one node for tests: munged, slurmctld and slurmd of Debian, in a folder of their own,
on loopback, ended with the context.
"""

import getpass
import os
import shutil
import socket
import subprocess
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from processes import end

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
AVAILABLE = os.getuid() == 0 and all(shutil.which(name, path=PATH) for name in PROGRAMS)
START = 60.0  # seconds until the node must be idle

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=5
MinJobAge=300
InactiveLimit=0
SwitchType=switch/none
NodeName={host} NodeAddr=127.0.0.1 NodeHostname={host} CPUs={cpus} RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


class NoSlurm(Exception):
    """It is installed, but does not start on this machine."""


def free_port():
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def slurm(folder):
    """The environment in which sbatch and squeue talk to a fresh SLURM of one node."""
    folder = Path(folder).absolute()
    for name in ("state", "spool", "munge"):
        (folder / name).mkdir(parents=True)
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    for path in (folder, folder / "munge"):
        path.chmod(0o755)
    key.chmod(0o400)
    host = socket.gethostname().split(".")[0]
    text = CONFIGURATION.format(
        host=host,
        user=getpass.getuser(),
        folder=folder,
        controller=free_port(),
        daemon=free_port(),
        cpus=os.cpu_count(),
    )
    (folder / "slurm.conf").write_text(text)
    (folder / "cgroup.conf").write_text(
        f"CgroupPlugin=cgroup/v1\nCgroupMountpoint={folder}/cgroup\n"
    )
    environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(folder / "slurm.conf")}
    munge = ["munged", "--foreground", "--force", f"--key-file={key}"]
    munge += [f"--socket={folder}/munge.socket", f"--pid-file={folder}/munge/munged.pid"]
    munge += [f"--log-file={folder}/munge/munged.log", f"--seed-file={folder}/munge/seed"]
    with ExitStack() as stack:
        for name, command in [
            ("munged", munge),
            ("slurmctld", ["slurmctld", "-D", "-i"]),
            ("slurmd", ["slurmd", "-D", "-N", host]),
        ]:
            log = stack.enter_context(open(folder / f"{name}.out", "wb"))
            started = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
            stack.callback(end, started)
        wait_for_node(environment, folder)
        yield environment


def wait_for_node(environment, folder):
    """Return when the node is idle; NoSlurm after START seconds."""
    limit, said = time.monotonic() + START, ""
    while time.monotonic() < limit:
        done = subprocess.run(
            ["sinfo", "--noheader", "--format=%T"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=30,
        )
        said = done.stdout + done.stderr
        if done.stdout.strip() == "idle":
            return
        time.sleep(0.3)
    logs = "".join((folder / f"{name}.out").read_text("utf-8")[-800:] for name in PROGRAMS[:3])
    raise NoSlurm(f"the node is not idle after {START:g} s: {said} {logs}")
