"""Cost of saving an event: alone, and many together in four ways of writing them.

Each way commits the same lines to a new SQLite database with WAL and synchronous=FULL, in
commits of 1 and of `--together`. Between the ways the disk itself is measured, because it changes
from minute to minute: the median of fdatasync after a write of 4 KiB stands beside every figure.

    python benchmarks/committing.py --seconds 2 --folder DIR
"""

import argparse
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from boxroom_server.storage.sqlite.compaction import encode_line
from boxroom_server.storage.sqlite.schema import connect

ROOMS = 500
TEXT = (
    b'{"type":"events","seq":123456,"at_ms":1700000000000,"events":[{"type":"played","seat":1,'
    b'"move":"h123","ply":77,"next":0,"scores":[12,17]}],"member":"Ada","command_id":77}'
)
SYNCS = 51


class LogLine(NamedTuple):
    """An entry of a room, in JSON."""

    room: int
    seq: int
    text: bytes


Commit = Callable[[sqlite3.Connection, int, Sequence[LogLine]], None]
"""Commits lines as the commit with that number."""


def as_one_blob(connection: sqlite3.Connection, number: int, lines: Sequence[LogLine]) -> None:
    """A row for the commit, as Boxroom writes it."""
    blob = b"".join([encode_line(line.room, line.text) for line in lines])
    connection.execute("INSERT INTO kept VALUES (?, ?)", (number, blob))


def as_rows(connection: sqlite3.Connection, number: int, lines: Sequence[LogLine]) -> None:
    """A row for each line."""
    connection.execute("BEGIN")
    rows = [(line.room, line.seq, line.text) for line in lines]
    connection.executemany("INSERT INTO kept VALUES (?, ?, ?)", rows)
    connection.execute("COMMIT")


class Way(NamedTuple):
    """A way of writing lines to the database."""

    name: str
    table: str
    commit: Commit


WAYS = (
    Way("blobs", "CREATE TABLE kept (id INTEGER PRIMARY KEY, lines BLOB)", as_one_blob),
    Way("unindexed rows", "CREATE TABLE kept (room INTEGER, seq INTEGER, line BLOB)", as_rows),
    Way(
        "indexed rows",
        "CREATE TABLE kept (room INTEGER, seq INTEGER, line BLOB, PRIMARY KEY (room, seq))",
        as_rows,
    ),
    Way(
        "clustered rows",
        "CREATE TABLE kept (room INTEGER, seq INTEGER, line BLOB, PRIMARY KEY (room, seq))"
        " WITHOUT ROWID",
        as_rows,
    ),
)


def some_lines(together: int) -> Iterator[list[LogLine]]:
    """Lines of rooms in turn, so many at a time, without end."""
    number = 0
    while True:
        batch = range(number, number + together)
        yield [LogLine(it % ROOMS, it // ROOMS, TEXT) for it in batch]
        number += together


@contextmanager
def database(folder: Path, way: Way) -> Iterator[sqlite3.Connection]:
    """A new database, which is deleted at the end."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as within,
        closing(connect(Path(within) / "bench.db")) as connection,
    ):
        connection.execute(way.table)
        yield connection


def measure(folder: Path, way: Way, together: int, seconds: float) -> tuple[float, float]:
    """Return events per second, and microseconds of processor time for each."""
    events, took_s, cpu_s = 0, 0.0, 0.0
    with database(folder, way) as connection:
        for number, lines in enumerate(some_lines(together)):
            began_s, began_cpu_s = time.perf_counter(), time.process_time()
            way.commit(connection, number, lines)
            took_s += time.perf_counter() - began_s
            cpu_s += time.process_time() - began_cpu_s
            events += together
            if took_s >= seconds:
                break
    return events / took_s, cpu_s / events * 1e6


def sync_ms(folder: Path) -> float:
    """Return the median time of an fdatasync, in milliseconds."""
    took_s = []
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        for _ in range(SYNCS):
            file.write(b"x" * 4096)
            file.flush()
            began_s = time.perf_counter()
            os.fdatasync(file.fileno())
            took_s.append(time.perf_counter() - began_s)
    return statistics.median(took_s) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: 2)")
    parser.add_argument("--together", type=int, default=1000, help="events in a commit")
    parser.add_argument("--folder", type=Path, default=Path.cwd(), help="on the disk to measure")
    args = parser.parse_args()
    print("| written as | in a commit | events/s | CPU µs per event | fdatasync, median |")
    print("|---|---|---|---|---|")
    for together in (1, args.together):
        for way in WAYS:
            disk_ms = sync_ms(args.folder)
            rate, cpu_us = measure(args.folder, way, together, args.seconds)
            print(
                f"| {way.name} | {together} | {rate:,.0f} | {cpu_us:.2f} | {disk_ms:.2f} ms |",
                flush=True,
            )


if __name__ == "__main__":
    main()
