"""The file of game records, one line for each game, in the order of the schedule."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from boxroom_engine.arena.running_game import Result, VoidGame


class RecordFile:
    """A new file at `path`, which mustn't exist; leaving the context closes it.

    A line is written as soon as all lines before it are. When some games weren't played, closing
    writes the lines after them.

    Raises:
        OSError: it exists, or can't be written.
    """

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._file = path.open("x", encoding="utf-8")
        self._names = names
        # Number of the game whose line comes next.
        self._next = 1
        # Lines of finished games that wait for earlier ones, by number.
        self._early: dict[int, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            for number in sorted(self._early):
                self._write(self._early[number])
        finally:
            self._file.close()

    def add(self, result: Result | VoidGame) -> None:
        """Write the record of one more game as soon as all before it are written.

        A void game has none.
        """
        record = "" if isinstance(result, VoidGame) else f"{result.record(self._names).format()}\n"
        self._early[result.match.number] = record
        while (line := self._early.pop(self._next, None)) is not None:
            self._write(line)
            self._next += 1

    def _write(self, line: str) -> None:
        self._file.write(line)
        self._file.flush()
