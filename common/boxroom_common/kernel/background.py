"""The build of the kernel in a thread, for commands that can begin without it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from boxroom_common.kernel.building import Builder
from boxroom_common.kernel.failures import BuildError


@dataclass(frozen=True)
class Building:
    """The build runs; the sentence says what it is doing, and is empty at first."""

    sentence: str = ""


@dataclass(frozen=True)
class Built:
    """The library is there."""

    library: Path


@dataclass(frozen=True)
class Failed:
    """There is no library."""

    error: BuildError


BuildState = Building | Built | Failed


class BackgroundBuild:
    """A build in a daemon thread. It ends with the process, and takes its compiler with it."""

    def __init__(self, builder: Builder, changed: Callable[[BuildState], None]) -> None:
        self.state: BuildState = Building()
        """The latest state; `changed` gets each, in the thread of the build."""
        self._builder = builder
        self._changed = changed
        self._thread = Thread(target=self._run, name="kernel build", daemon=True)

    def start(self) -> None:
        """Start the build; call it once."""
        self._thread.start()

    def wait(self) -> BuildState:
        """Wait until the build is over, and return its last state."""
        self._thread.join()
        return self.state

    def _run(self) -> None:
        try:
            library = self._builder.build(lambda sentence: self._become(Building(sentence)))
        except BuildError as error:
            self._become(Failed(error))
        else:
            self._become(Built(library))

    def _become(self, state: BuildState) -> None:
        self.state = state
        self._changed(state)
