"""Namespaces of Linux that only a test's own commands see: for disks and networks of its own."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Namespaces:
    """Namespaces that exist as long as the process `pid` in them."""

    pid: int
    within: Sequence[str]
    """Command that runs another one in them."""


@contextmanager
def namespaces(
    *kinds: str, prepare: str = "true", within: Sequence[str] = ()
) -> Iterator[Namespaces]:
    """Make a namespace of each of these kinds, such as `mount`, and of users.

    A shell has run the command `prepare` in them. With `within` they belong to the users of other
    namespaces. The test is skipped where they can't be made.
    """
    if shutil.which("unshare") is None or shutil.which("nsenter") is None:
        pytest.skip("impossible here: unshare and nsenter make namespaces, on Linux")
    flags = [f"--{kind}" for kind in kinds]
    users = () if within else ("--user", "--map-root-user")
    with subprocess.Popen(
        [*within, "unshare", *users, *flags, "sh", "-c", f"{prepare} && echo ready && exec cat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as holder:
        assert holder.stdout is not None
        if holder.stdout.readline() != b"ready\n":
            pytest.skip(f"impossible here: no namespace of the kind {', '.join(kinds)} may be made")
        enter = ("nsenter", "--target", str(holder.pid), "--user", *flags, "--preserve-credentials")
        yield Namespaces(holder.pid, enter)
