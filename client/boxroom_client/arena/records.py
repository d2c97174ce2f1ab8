"""A file with the record of every game, a line each, in the order of the schedule."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from boxroom_engine.arena.course import Result


class RecordFile:
    """A new file at `path`, which mustn't exist; a context.

    A line is written as soon as all before it are. Leaving the context writes what is left
    over when some games weren't played.

    Raises:
        OSError: it exists, or can't be written.
    """

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._file = path.open("x", encoding="utf-8")
        self._names = names
        self._next = 1
        self._early: dict[int, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            for number in sorted(self._early):
                self._write(self._early[number])
        finally:
            self._file.close()

    def add(self, result: Result) -> None:
        """Write the record of one more game, or keep it until its turn comes."""
        self._early[result.match.number] = result.record(self._names).format()
        while (line := self._early.pop(self._next, None)) is not None:
            self._write(line)
            self._next += 1

    def _write(self, line: str) -> None:
        self._file.write(f"{line}\n")
        self._file.flush()
