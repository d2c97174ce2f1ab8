"""The C++ compilers of this machine, and compiling the kernel with one of them."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from boxroom_common.kernel.sources import SOURCES, Machine
from boxroom_common.kernel.supervision import Result, run
from boxroom_engine.errors import BoxroomError

COMPILER_VARIABLE = "BOXROOM_COMPILER"
"""The command of the only compiler that may be used, or `none`."""

LEFT_OUT = f"{COMPILER_VARIABLE}=none leaves it out"

HAS_KERNEL = sys.platform != "win32"
"""True on systems that the kernel is written for."""

Say = Callable[[str], None]
"""Takes a sentence about what begins now, its size and its time."""

_COMMANDS = ("c++", "g++", "clang++")

_MOST_CHARS = 200
"""Characters of a compiler's complaint that are shown."""

_ERROR = re.compile(r"\berror:", re.IGNORECASE)

_LOAD = """
import sys
sys.path.insert(0, sys.argv[1])
from boxroom_engine.kernel.library import KernelError, Library
try:
    Library(sys.argv[2])
except KernelError as error:
    sys.exit(f"error: {error}")
"""


class CompilerFailed(BoxroomError):
    """A compiler made no library; the message says why."""


@dataclass(frozen=True)
class Compiler:
    """A command that compiles C++, its name for people, and its version if that is known."""

    command: tuple[str, ...]
    name: str
    version: str | None = None

    def compile(self, library: Path, environ: Mapping[str, str]) -> None:
        """Compile the kernel to `library`, in a folder of its own, and check that it loads.

        Raises:
            CompilerFailed: there is no such command, it can't compile C++20, or the result is
                no library for this Python.
        """
        self.compile_for(Machine.this(), library, environ)
        if complaint := complaint_about(library):
            raise CompilerFailed(f"{self.name} compiled something else: {complaint}")

    def compile_for(self, machine: Machine, library: Path, environ: Mapping[str, str]) -> None:
        """Compile the kernel to `library`, in a folder of its own, for a `machine` of any kind.

        Raises:
            CompilerFailed: there is no such command, or it can't compile C++20.
        """
        scratch = library.parent
        version = self.version or self._ask_version(scratch, environ)
        words = [*machine.flags, f'-DKERNEL_COMPILER="{_one_line(version)}"', "-o", str(library)]
        compiled = run([*self.command, *words, str(SOURCES / "kernel.cpp")], scratch, environ)
        if compiled.code or not library.is_file():
            raise CompilerFailed(f"{self.name} can't compile it: {first_error(compiled)}")

    def _ask_version(self, scratch: Path, environ: Mapping[str, str]) -> str:
        """Return what the command says of its version, or the command if it refuses to tell."""
        answer = run([*self.command, "--version"], scratch, environ)
        return " ".join(Path(each).name for each in self.command) if answer.code else answer.output


def compile_with_any(library: Path, environ: Mapping[str, str], say: Say) -> None:
    """Compile the kernel with the first compiler of this machine that can do it.

    Raises:
        CompilerFailed: none can, or none may; the message says why for each.
    """
    if not HAS_KERNEL:
        raise CompilerFailed("there is none for Windows")
    if is_left_out(environ):
        raise CompilerFailed(LEFT_OUT)
    causes = []
    for compiler in compilers(environ):
        say(f"Building the fast engine with {compiler.name}: about 15 s.")
        try:
            return compiler.compile(library, environ)
        except CompilerFailed as failed:
            causes.append(str(failed))
    raise CompilerFailed("; ".join(causes) or "no C++20 compiler was found")


def is_left_out(environ: Mapping[str, str]) -> bool:
    """Return whether the user wants no kernel."""
    return environ.get(COMPILER_VARIABLE) == "none"


def compilers(environ: Mapping[str, str]) -> Iterator[Compiler]:
    """Yield the compilers of this machine: the one that was asked for, or all that are found."""
    if asked_for := _words(environ.get(COMPILER_VARIABLE, "")):
        yield Compiler(asked_for, " ".join(asked_for))
        return
    known = set()
    for command in (environ.get("CXX", ""), *_COMMANDS):
        words = _words(command)
        path = shutil.which(words[0], path=environ.get("PATH")) if words else None
        if path and _is_installed(path) and (os.path.realpath(path), *words[1:]) not in known:
            known.add((os.path.realpath(path), *words[1:]))
            yield Compiler((path, *words[1:]), command)


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError:  # a quotation mark without its pair
        return (command,)


def _is_installed(path: str) -> bool:
    """Return whether the command is more than macOS's offer to install one, which is a dialog."""
    offered = sys.platform == "darwin" and path.startswith("/usr/bin/")
    return not offered or Path("/Library/Developer/CommandLineTools/usr/bin/c++").exists()


def complaint_about(library: Path) -> str | None:
    """Return why `library` can't be used, or None; a crash is that of another process."""
    command = [sys.executable, "-I", "-S", "-c", _LOAD, str(SOURCES.parents[1]), str(library)]
    loaded = subprocess.run(  # noqa: S603  # this Python
        command, capture_output=True, check=False, errors="replace"
    )
    return first_error(Result(loaded.returncode, loaded.stderr)) if loaded.returncode else None


def first_error(result: Result) -> str:
    """Return the line that tells why a command failed."""
    lines = [line.strip() for line in result.output.splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.search(line)] or lines
    return (
        _one_line(re.sub(r"^error: *", "", errors[0], flags=re.IGNORECASE))
        if errors
        else f"exit code {result.code}"
    )


def _one_line(text: str) -> str:
    """Return the beginning of `text` in characters that are safe on a screen and in C++."""
    line = (text.strip().splitlines() or ["unknown"])[0]
    plain = (char if " " <= char <= "~" and char not in '"\\' else "'" for char in line)
    return "".join(plain)[:_MOST_CHARS]
