"""The build of the kernel: by one process at a time, checked, and put in its place in one step.

Beside the library, its folder has the lock, the folder of a build that is running, and failures
that are remembered.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp

from boxroom_common.file_lock import lock_file, try_to_lock_file
from boxroom_common.folders import sync_folder
from boxroom_common.kernel import ziglang
from boxroom_common.kernel.compilers import (
    COMPILER_VARIABLE,
    HAS_KERNEL,
    LEFT_OUT,
    CompilerFailed,
    Say,
    compile_with_any,
    compilers,
    complaint_about,
    is_left_out,
)
from boxroom_common.kernel.failures import BuildError, Failures, advice_to_install
from boxroom_common.kernel.places import NoFolder, Places
from boxroom_common.kernel.sources import library_name
from boxroom_common.kernel.supervision import remove

_SCRATCH_PREFIX = "building-"


@dataclass(frozen=True)
class Builder:
    """A builder of the library, with a compiler of this machine or one that is downloaded.

    It downloads only if `may_download` is true, and only where this machine has none that works.
    """

    may_download: bool
    places: Places = field(default_factory=Places.of_this_process)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    clock: Callable[[], float] = time.time

    def build(self, say: Say) -> Path:
        """Return the library, built if need be.

        `say` is called in this thread before what takes long. A recent failure counts.

        Raises:
            BuildError: there is none, and it can't be built.
        """
        if usable := self._usable():
            return usable
        self._check_wanted()
        folder = self._make_folder()
        try:
            with _one_at_a_time(folder, say):
                # The process that had the lock may have built it.
                return self._usable() or self._build_unless_failed(folder, say)
        except OSError as error:
            raise BuildError(
                f"{folder} can't keep it: {error.strerror}.", "Make room there, and start again."
            ) from error

    def _build_unless_failed(self, folder: Path, say: Say) -> Path:
        failures = self._failures(folder)
        if failure := failures.last():
            raise failure
        try:
            library = self._build_in(folder, say)
        except BuildError as failure:
            failures.remember(failure)
            raise
        failures.forget()
        return library

    def why_missing(self) -> BuildError:
        """Return why `find` finds nothing: the last failure, or that nothing was built so far."""
        folder = self.places.target()
        try:
            self._check_wanted()
            failure = self._failures(folder).last() if folder else None
        except BuildError as unwanted:
            return unwanted
        return failure or BuildError(
            "It wasn't built yet.", "A command that thinks builds it when it starts."
        )

    def _usable(self) -> Path | None:
        """Return the library that `find` finds, unless it is broken; a new one goes before it."""
        found = self.places.find()
        return found if found and not complaint_about(found) else None

    def _check_wanted(self) -> None:
        if not HAS_KERNEL:
            raise BuildError("There is no fast one for Windows.", "")
        if is_left_out(self.environ):
            raise BuildError(f"{LEFT_OUT}.", f"Unset {COMPILER_VARIABLE}.")

    def _make_folder(self) -> Path:
        try:
            return self.places.make_target()
        except NoFolder as why:
            raise BuildError(
                f"No folder can keep it: {why}.", "Set XDG_CACHE_HOME to a folder of this user."
            ) from None

    def _failures(self, folder: Path) -> Failures:
        found = [_mark(compiler.command) for compiler in compilers(self.environ)]
        installer = ziglang.installer(self.environ) if self.may_download else None
        return Failures(folder, (library_name(), found, installer), self.clock)

    def _build_in(self, folder: Path, say: Say) -> Path:
        for leftover in folder.glob(f"{_SCRATCH_PREFIX}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        scratch = Path(mkdtemp(prefix=_SCRATCH_PREFIX, dir=folder))
        try:
            made = scratch / library_name()
            self._compile(made, say)
            _put_into_place(made, folder)
        finally:
            remove(scratch)
        if folder == self.places.environment:
            _remove_older(folder)
        return folder / library_name()

    def _compile(self, library: Path, say: Say) -> None:
        try:
            return compile_with_any(library, self.environ, say)
        except CompilerFailed as failed:
            cause = str(failed)
        if self.environ.get(COMPILER_VARIABLE, "").strip():
            remedy = f"Set {COMPILER_VARIABLE} to a C++20 compiler, or unset it."
            raise BuildError(f"{cause}.", remedy)
        try:
            self._compile_with_download(library, say)
        except CompilerFailed as failed:
            advice = advice_to_install(newer=any(compilers(self.environ)))
            cause = cause[0].upper() + cause[1:]
            raise BuildError(f"{cause}, and {failed}.", advice) from None

    def _compile_with_download(self, library: Path, say: Say) -> None:
        wheel, installer = ziglang.wheel(), ziglang.installer(self.environ)
        if not self.may_download:
            raise CompilerFailed("none may be downloaded here")
        if not wheel:
            raise CompilerFailed("there is none to download for this machine")
        if not installer:
            raise CompilerFailed("neither pip nor uv is there to download one")
        say(
            f"Downloading a C++ compiler (ziglang {ziglang.VERSION}, {wheel.megabytes} MB,"
            " removed afterwards) to build the fast engine: a minute or two."
        )
        compiler, environ = ziglang.download(wheel, installer, library.parent, self.environ)
        compiler.compile(library, environ)


@contextmanager
def _one_at_a_time(folder: Path, say: Say) -> Iterator[None]:
    """Hold the lock of `folder`, for which other processes of this user wait."""
    with (folder / "lock").open("w") as lock:
        if not try_to_lock_file(lock.fileno()):
            say("Another process is building the fast engine: waiting for it.")
            lock_file(lock.fileno())
        yield


def _mark(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return `command` with what changes when another version of it is installed."""
    path = shutil.which(command[0])
    status = Path(path).stat() if path else None
    return (*command, f"{status.st_mtime_ns} {status.st_size}" if status else "")


def _put_into_place(library: Path, folder: Path) -> None:
    """Rename `library` into `folder`; after a power cut it is there as a whole or not at all."""
    library.chmod(0o644)
    with library.open("rb") as file:
        os.fsync(file.fileno())
    library.replace(folder / library.name)
    sync_folder(folder)


def _remove_older(folder: Path) -> None:
    for library in folder.glob("kernel-*.so"):
        if library.name != library_name():
            library.unlink(missing_ok=True)
