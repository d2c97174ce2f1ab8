"""The file with the record of every game."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.arena.games import FIRST, LAST, result_of

from boxroom_engine.arena.running_game import Result
from boxroom_engine.arena.schedule import schedule
from boxroom_engine.games.record import Record
from boxroom_engine.games.registry import make_game
from boxroom_lab.arena.records import RecordFile

GAME = make_game("dots", {"rows": 1, "cols": 2}, 2)
NAMES = ("first", "last")


def some_results() -> list[Result]:
    return [
        result_of(GAME, [(FIRST, LAST)[each] for each in match.contenders], match)
        for match in schedule(2, 2, 8, seed=1)
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False), st.integers(0, 8))
def test_games_are_in_the_order_of_the_schedule(
    tmp_path: Path, rng: random.Random, played: int
) -> None:
    path = tmp_path / "games.txt"
    path.unlink(missing_ok=True)
    results = some_results()
    rng.shuffle(results)
    results = results[:played]
    with RecordFile(path, NAMES) as records:
        for result in results:
            records.add(result)
    results.sort(key=lambda result: result.match.number)
    lines = path.read_text("utf-8").splitlines()
    assert lines == [result.record(NAMES).format() for result in results]
    for line, result in zip(lines, results, strict=True):
        assert Record.parse(line).final() == result.final


def test_a_line_is_written_as_soon_as_possible(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    one, two, three, *_ = some_results()
    with RecordFile(path, NAMES) as records:
        for result, lines in [(two, 0), (one, 2), (three, 3)]:
            records.add(result)
            assert path.read_text("utf-8").count("\n") == lines


def test_an_existing_file_is_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(FileExistsError):
        RecordFile(path, NAMES)
    assert path.read_text("utf-8") == "precious"
