"""Which file systems a store may use write-ahead logging on: those of this machine alone.

SQLite's write-ahead log needs memory that all users of the file see: processes of one computer
(https://www.sqlite.org/wal.html).
"""

import os
import re
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
SHARED = (
    "9p", "afs", "beegfs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "gpfs", "lustre",
    "nfs", "nfs4", "ocfs2", "panfs", "pvfs2", "smb3", "smbfs", "wekafs",
)  # fmt: skip


def is_shared(path):
    """Return whether a path lies on a shared file system, as far as is known."""
    path = str(Path(path).resolve())
    longest, kind = -1, ""
    try:
        lines = MOUNTS.read_bytes().split(b"\n")
    except OSError:
        return False  # no Linux
    for line in filter(None, lines):
        before, _, after = line.partition(b" - ")
        # blanks are written \040; names are bytes, in any encoding
        raw = re.sub(rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), before.split()[4])
        place = os.fsdecode(raw)
        inside = path == place or path.startswith(place.rstrip("/") + "/")
        if inside and len(place) >= longest:
            longest, kind = len(place), after.split()[0].decode()
    return kind in SHARED
