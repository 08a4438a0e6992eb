"""Programs that tests need, by apt-get: as root or by sudo, one process at a time."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

INSTALLING = Path(tempfile.gettempdir()) / "pelagos-apt.lock"


def install(package: str, purpose: str) -> None:
    """Say what is being installed and do it, if that is possible here."""
    before = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get") is None or (before and shutil.which("sudo") is None):
        return
    # Debian would start a server of its own at once; only the programs are wanted.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    with INSTALLING.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for words in (["update"], ["install", "--yes", "--no-install-recommends", package]):
            print(f"{package} for {purpose}: apt-get {words[0]} …", file=sys.__stderr__, flush=True)
            done = subprocess.run([*before, "apt-get", "-qq", *words], env=environment, check=False)
            if done.returncode:
                print("… failed", file=sys.__stderr__, flush=True)
                return
