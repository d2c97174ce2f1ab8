"""Makes the checkout's environment beside the one in use, then switches to it.

Run by scripts/environment.sh in the checkout's folder, with uv or with any Python from 3.11 on:

    python -m scripts.prepare_environment ENVIRONMENT PURPOSE FINGERPRINT PYTHON

ENVIRONMENT, `.venv`, is a symbolic link to one of two folders beside it, `.venv.1` and `.venv.2`.
A folder with the file `prepared` is complete. The file holds the purpose, the fingerprint of the
requirements, and the checkout's folder.

Wherever this program is killed, the following holds. So the next start finds an environment that
works if there was one before.

- The link leads to a complete folder. If there is no link, no start uses any folder.
- The folder that the link leads to isn't changed. Programs may run from it, also after a switch:
  it stays until an environment is made again.
- `prepared` is the first file of a folder to be deleted, and the last to be written.
- Only the process that holds the lock on `.venv-lock` changes any of this, and the installer that
  it has started. The lock lasts until both have ended.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.installer import InstallerError, run_installer, say

GROUPS = {"run": (), "tests": ("lint", "tests"), "dev": ("dev",)}
"""Dependency groups of each purpose; each purpose contains the ones before it."""

IMPATIENT = {
    "PIP_RETRIES": "0",
    "PIP_TIMEOUT": "5",
    "PIP_DEFAULT_TIMEOUT": "5",
    "UV_HTTP_RETRIES": "0",
    "UV_HTTP_TIMEOUT": "5",
    "UV_HTTP_CONNECT_TIMEOUT": "5",
}
"""Limits in seconds for an index of packages, while there is an environment to start without it."""


@dataclass(frozen=True)
class Environment:
    """The link to the environment in use, and the two folders that it may lead to."""

    link: Path

    @property
    def folders(self) -> list[Path]:
        return [self.link.with_name(f"{self.link.name}.{number}") for number in (1, 2)]

    @property
    def unused(self) -> Path:
        first, second = self.folders
        return (
            second if self.link.is_symlink() and self.link.readlink() == Path(first.name) else first
        )

    @property
    def purpose(self) -> str:
        """Purpose of the environment in use; `run` if it doesn't say or there is none."""
        try:
            return (self.link / "prepared").read_text(encoding="utf-8").split()[0]
        except (OSError, IndexError):
            return "run"

    def works(self) -> bool:
        try:
            command: list[Path | str] = [self.link / "bin/boxroom", "--version"]
            return not subprocess.run(command, check=False, capture_output=True).returncode
        except OSError:
            return False

    def restore_link(self) -> None:
        """Link to a complete folder again if the link was deleted or an interruption took it."""
        for folder in self.folders:
            if not self.link.exists() and (folder / "prepared").exists():
                self.switch_to(folder)

    def switch_to(self, folder: Path) -> None:
        new_link = self.link.with_name(f"{self.link.name}-new")
        new_link.unlink(missing_ok=True)
        new_link.symlink_to(folder.name)
        if self.link.is_dir() and not self.link.is_symlink():  # as version 0.1 made it
            (other,) = {*self.folders} - {folder}
            remove(other)
            self.link.rename(other)
        new_link.replace(self.link)


def main(arguments: list[str]) -> int:
    link, purpose, fingerprint, python = arguments
    environment = Environment(Path(link))
    try:
        with locked(environment.link) as lock:
            prepare(environment, purpose, fingerprint, python, lock)
    except (OSError, InstallerError) as error:
        say(f"Could not prepare Boxroom in {link}: {error}")
        if covering(environment.purpose, purpose) != environment.purpose or not environment.works():
            return 1
        say("Starting with the environment that was made before.")
    return 0


@contextmanager
def locked(link: Path) -> Iterator[int]:
    """Hold the environment's lock; yields its file descriptor."""
    with link.with_name(f"{link.name}-lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Waiting for another process, which is preparing Boxroom…")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def prepare(
    environment: Environment, purpose: str, fingerprint: str, python: str, lock: int
) -> None:
    """Switch to a folder that serves the purpose, after making it if there is none."""
    environment.restore_link()
    # Made again, the environment serves what it did before, so that no tool disappears.
    purpose = covering(environment.purpose, purpose)
    record = f"{purpose} {fingerprint} {environment.link.parent}\n"
    if is_made_for(record, environment.link):
        return  # by another process that held the lock
    folder = environment.unused
    if not is_made_for(record, folder):
        say("Preparing Boxroom…" if environment.link.exists() else "Preparing Boxroom (first run)…")
        limits = IMPATIENT if environment.works() else {}
        try:
            make(folder, requirements(purpose), python, limits, lock)
            keep_kernel(environment.link, folder)
            (folder / "prepared").write_text(record, encoding="utf-8")
        except (OSError, InstallerError):
            remove(folder)  # the disk may be full
            raise
    environment.switch_to(folder)


def covering(*purposes: str) -> str:
    """Return the purpose that contains the others."""
    return max(purposes, key=list(GROUPS).index)


def is_made_for(record: str, folder: Path) -> bool:
    try:
        made_for = (folder / "prepared").read_text(encoding="utf-8")
    except OSError:
        return False
    return made_for == record and os.access(folder / "bin/python", os.X_OK)


def remove(folder: Path) -> None:
    (folder / "prepared").unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)


def make(folder: Path, required: list[str], python: str, limits: dict[str, str], lock: int) -> None:
    remove(folder)
    if shutil.which("uv"):
        create = ["uv", "venv", "--no-project", "--python", python, str(folder)]
        install = ["uv", "--verbose", "pip", "install", "--python", f"{folder}/bin/python"]
    else:
        create = [with_minor_version(python), "-m", "venv", str(folder)]
        pip = [f"{folder}/bin/python", "-m", "pip", "install", "--no-input", "--no-color"]
        install = [*pip, "--no-compile"]  # like uv: Python compiles what it imports
    environ = os.environ | limits | {"PYTHONUNBUFFERED": "1", "PIP_VERBOSE": "2"}
    for command in create, install + required:
        run_installer(command, environ, lock)


def keep_kernel(link: Path, folder: Path) -> None:
    """Copy the compiled kernel, whose name says what it was built from, to the new environment."""
    compiled = link / "lib/boxroom"
    if compiled.is_dir():
        shutil.copytree(compiled, folder / "lib/boxroom", dirs_exist_ok=True)


def with_minor_version(python: str) -> str:
    """Return the name of the same interpreter that keeps its version, such as `python3.11`.

    An upgrade of the system gives `python3` another version, in which the environment's packages
    can't be found.
    """
    ask = "import sys; print(sys.executable, *sys.version_info[:2], sep='\\n')"
    answer = subprocess.run([python, "-c", ask], check=True, capture_output=True, encoding="utf-8")
    executable, major, minor = answer.stdout.split("\n")[:3]
    versioned = Path(executable).with_name(f"python{major}.{minor}")
    return str(versioned) if versioned.exists() else executable


def requirements(purpose: str) -> list[str]:
    """Return the arguments for the installer: this checkout, and what its groups list."""
    settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    name = settings["project"]["name"]
    listed = [*members(settings.get("dependency-groups", {}), GROUPS[purpose])]
    # pip takes the checkout and NAME[EXTRA] of a group for two distributions.
    own = [each for each in listed if each.startswith(f"{name}[")]
    extras = ",".join(each.removeprefix(f"{name}[").removesuffix("]") for each in own)
    others = [each for each in listed if each not in own]
    return ["--editable", f".[{extras}]" if extras else ".", *others]


def members(groups: dict[str, Any], names: Iterable[str]) -> Iterator[str]:
    """Yield the requirements of dependency groups and of the groups that they include."""
    for name in names:
        for member in groups[name]:
            if isinstance(member, str):
                yield member
            else:
                yield from members(groups, [member["include-group"]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
