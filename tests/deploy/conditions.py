"""The conditions that deploy/boxroom.service sets for a server, as far as a test can make them."""

import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.deploy import confined
from tests.deploy.system_calls import skip_without_library
from tests.deploy.unit import SERVICE
from tests.namespaces import namespaces

ROOT = Path(__file__).parents[2]

DYNAMIC_USER = 61184
"""Id of the user: the first that DynamicUser= gives."""

MADE_HERE = {
    *("Environment", "UMask", "DynamicUser", "PrivateUsers", "PrivateMounts"),
    *("StateDirectory", "StateDirectoryMode", "ProtectSystem", "NoNewPrivileges"),
    *("CapabilityBoundingSet", "MemoryDenyWriteExecute", "RestrictAddressFamilies"),
    *("RestrictNamespaces", "SystemCallFilter", "SystemCallErrorNumber"),
}
"""Settings that hold for commands under the conditions."""

NOT_MADE_HERE = {
    "ExecStart": "the tests run its arguments",
    "Restart": "the tests start the server again themselves",
    "RestartSec": "as Restart=",
    "RestartPreventExitStatus": "as Restart=",
    "TimeoutStopSec": "the tests wait for the end themselves",
    "LimitNOFILE": "raises a limit",
    "PrivateTmp": "/tmp can't be written here, which is stricter",
    "PrivateDevices": "devices can't be written here either, but all can be seen",
    "ProtectHome": "the checkout and its Python may be there",
    "ProtectProc": "needs a namespace of processes; the server reads its own entries only",
    "ProtectKernelTunables": "takes capabilities that the user doesn't have",
    "ProtectKernelModules": "as ProtectKernelTunables=",
    "ProtectKernelLogs": "as ProtectKernelTunables=",
    "ProtectControlGroups": "as ProtectKernelTunables=",
    "ProtectClock": "as ProtectKernelTunables=",
    "ProtectHostname": "as ProtectKernelTunables=",
    "LockPersonality": "Python never calls personality(2)",
    "RemoveIPC": "comes after the end of the service",
    "RestrictRealtime": "SystemCallFilter= refuses sched_setscheduler(2) already",
    "RestrictSUIDSGID": "the server gives no file those bits",
    "SystemCallArchitectures": "every program of this environment is of one architecture",
}
"""Settings that don't, and why not."""


def state_folder(parent: Path) -> Path:
    """Make the folder `%S` with the service's own folder, which DynamicUser= puts behind a link."""
    (name,) = SERVICE["StateDirectory"]
    (mode,) = SERVICE["StateDirectoryMode"]
    own = parent / "private" / name
    own.parent.mkdir(parents=True)
    own.mkdir(mode=int(mode, 8))
    (parent / name).symlink_to(own.relative_to(parent))
    return parent


@contextmanager
def conditions(state: Path) -> Iterator[Sequence[str]]:
    """Make the conditions for `state`; yield the command that runs another one under them."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze: apt install systemd")
    skip_without_library()
    program = ("env", f"PYTHONPATH={ROOT}", sys.executable, "-m", confined.__name__)
    (name,) = SERVICE["StateDirectory"]
    own = str((state / name).resolve())
    read_only = shlex.join([*program, "mounts", own])
    with namespaces("mount", prepare=read_only) as private:
        user = (f"--map-user={DYNAMIC_USER}", f"--map-group={DYNAMIC_USER}")
        yield (*private.within, "unshare", "--user", *user, *program, "run", str(state))
