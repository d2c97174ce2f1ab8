"""Failures of builds, with a remedy, and the memory for them.

A build that failed isn't tried again by each command, but when the compilers have changed, or after
an hour: a network may be back.
"""

import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from boxroom_engine.errors import BoxroomError

_REMEMBERED_S = 60 * 60
"""Time for which a failure counts."""

_INSTALLERS = {
    "apt": "sudo apt install g++",
    "dnf": "sudo dnf install gcc-c++",
    "apk": "sudo apk add g++",
    "pacman": "sudo pacman -S gcc",
    "zypper": "sudo zypper install gcc-c++",
}


class BuildError(BoxroomError):
    """There is no library; `cause` and `remedy` are sentences, the second perhaps empty."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(f"{cause} {remedy}".rstrip())
        self.cause = cause
        self.remedy = remedy


@dataclass(frozen=True)
class Failures:
    """The failures that `folder` remembers, under circumstances that have to be the same again."""

    folder: Path
    circumstances: object
    clock: Callable[[], float]

    def last(self) -> BuildError | None:
        """Return the last failure, if it is less than an hour old."""
        try:
            age_s = self.clock() - self._file.stat().st_mtime
            cause, remedy = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, TypeError):
            return None
        return BuildError(cause, remedy) if abs(age_s) < _REMEMBERED_S else None

    def remember(self, failure: BuildError) -> None:
        """Remember `failure` as the last one."""
        self._file.write_text(json.dumps([failure.cause, failure.remedy]), encoding="utf-8")

    def forget(self) -> None:
        """Forget all failures, under any circumstances."""
        for file in self.folder.glob("failed-*"):
            file.unlink(missing_ok=True)

    @property
    def _file(self) -> Path:
        key = hashlib.sha256(repr(self.circumstances).encode()).hexdigest()[:16]
        return self.folder / f"failed-{key}.json"


def advice_to_install(*, newer: bool) -> str:
    """Return how to get a compiler on this system, or a newer one than there is."""
    if newer:
        return "Install GCC 11, clang 14 or a later one, and start again."
    if sys.platform == "darwin":
        return "Install one (xcode-select --install) and start again."
    commands = [command for name, command in _INSTALLERS.items() if shutil.which(name)]
    return f"Install one{f' ({commands[0]})' if commands else ''} and start again."
