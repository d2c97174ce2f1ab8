"""Writing a record to a file, never over another one."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from boxroom_engine.games.record import Record


def save(record: Record, path: Path) -> Path:
    """Write `record` to `path`, or to a name like it that isn't in use; the path it got.

    Raises:
        OSError: it can't be written there.
    """
    for candidate in _paths_like(path.expanduser()):
        try:
            with candidate.open("x", encoding="utf-8") as file:
                file.write(f"{record}\n")
        except FileExistsError:
            continue
        return candidate.resolve()
    raise AssertionError("there is always another name")


def _paths_like(path: Path) -> Iterator[Path]:
    """`friday.txt`, `friday-2.txt`, `friday-3.txt` and so on."""
    yield path
    for number in count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")
