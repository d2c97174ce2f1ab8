"""The kernel in the solvers of this process: found where it is built, or built now.

A process in which a bot or a solver thinks calls `use_when_built`; a command that needs the kernel
calls one of the others. Sentences about it, and about its absence, are for the command's user.
"""

from threading import Thread
from typing import TYPE_CHECKING

from boxroom_common.kernel.places import find
from boxroom_engine.games.dots.solve.solver import kernel, use_kernel
from boxroom_engine.kernel.library import KernelError, Library

# Imported only for a build, as most processes find the kernel built, and start more quickly so.
if TYPE_CHECKING:
    from boxroom_common.kernel.compilers import Say
    from boxroom_common.kernel.failures import BuildError


def use_when_built() -> None:
    """Have the solvers of this process use the kernel, from when another process has built it."""
    use_kernel(_library)


def is_missing() -> bool:
    """Whether the solvers of this process have no kernel to use by now."""
    return kernel() is None


def use_or_build(say: "Say") -> None:
    """Have the solvers of this process use the kernel, and build it before if need be."""
    use_when_built()
    if is_missing():
        _build(say, may_download=True)


def build_in_background(say: "Say", *, may_download: bool) -> Thread | None:
    """Build the kernel in a thread, unless it is there; `say` is called in that thread.

    The thread ends with the process, and takes its compiler with it.
    """
    use_when_built()
    if not is_missing():
        return None

    def build() -> None:
        if _build(say, may_download=may_download):
            say("The fast engine is ready.")

    thread = Thread(target=build, name="kernel build", daemon=True)
    thread.start()
    return thread


def _build(say: "Say", *, may_download: bool) -> bool:
    """Build the kernel; return whether it is there, and say why not."""
    from boxroom_common.kernel.building import Builder
    from boxroom_common.kernel.failures import BuildError

    try:
        Builder(may_download=may_download).build(say)
    except BuildError as error:
        say(in_a_sentence(error))
        return False
    return True


def engine_in_use() -> str:
    """Return a sentence about the engine that commands use: the fast one, or why it is missing."""
    from boxroom_common.kernel.building import Builder

    use_when_built()
    library = kernel()
    if library is not None:
        return f"The fast engine is in use: {library.path}, compiled by {library.compiler}."
    return in_a_sentence(Builder(may_download=True).why_missing())


def in_a_sentence(error: "BuildError") -> str:
    """Return that the slow engine is in use, with its cause and the remedy."""
    return f"The slow engine is in use. {error}"


def _library() -> Library | None:
    path = find()
    try:
        return None if path is None else Library(str(path))
    except KernelError:
        return None  # the next build replaces it
