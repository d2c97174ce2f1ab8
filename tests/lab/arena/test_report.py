"""The report of a run as text."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.cases import each
from tests.lab.arena.runs import arena_run

from boxroom_client.shell.output.painting import in_ascii
from boxroom_engine.arena.rating import Rating
from boxroom_engine.arena.summary import Estimate
from boxroom_lab.arena.report import ahead, duration, headline, interval, report

Golden = Callable[[str, str], None]


@pytest.fixture
def golden_folder() -> str:
    return "arena"


def text(*bots: str, games: int = 20, seats: int = 2, stop_after: int | None = None) -> str:
    return (
        "\n".join(report(arena_run(*bots, games=games, seats=seats, stop_after=stop_after))) + "\n"
    )


def test_a_run_of_two(golden: Golden) -> None:
    golden("two", text("careless", "greedy"))


def test_a_run_of_four_one_of_which_is_there_twice(golden: Golden) -> None:
    golden("four", text("random", "greedy", "careless", "greedy"))


def test_tables_of_three(golden: Golden) -> None:
    golden("three_seats", text("random", "greedy", "careless", seats=3))


def test_faults_are_named(golden: Golden) -> None:
    golden("faults", text("lost", "greedy", games=12))


def test_an_interrupted_run(golden: Golden) -> None:
    golden("interrupted", text("careless", "greedy", stop_after=7))


def test_nothing_was_measured() -> None:
    shown = text("careless", "greedy", stop_after=0)
    assert shown.splitlines()[0].endswith(": 0 of 20 games, then interrupted.")
    assert len(shown.splitlines()) == 2


@each("plies, openings", [(0, "openings of 0 moves,"), (1, "openings of 1 move,")])
def test_an_opening_may_be_one_move(plies: int, openings: str) -> None:
    run = arena_run("careless", "greedy", games=2)
    _, settings = headline(replace(run, contest=replace(run.contest, plies=plies)))
    assert openings in settings


def test_without_more_than_ascii_the_columns_stay_in_line() -> None:
    lines = list(report(arena_run("careless", "greedy", "random"), in_ascii))
    assert "\n".join(lines).isascii()
    for first, *others in (lines[3:7], lines[8:12]):
        assert {len(line) for line in others} <= {len(first), len(first.rstrip())}


@each(
    "rating, shown",
    [
        (None, ""),
        (Rating(0.0, 0.0, 0.0), ""),
        (Rating(100.0, 20.4, 180.0), "+20 … +180"),
        (Rating(-100.0, -180.0, 20.4), "-180 … +20"),
        (Rating(500.0, 320.0, None), "> +320"),
        (Rating(-500.0, None, -320.0), "< -320"),
        (Rating(0.0, None, None), "?"),
    ],
)
def test_intervals(rating: Rating | None, shown: str) -> None:
    assert interval(rating) == shown


@each(
    "seconds, shown",
    [
        (0.00002, "0.02 ms"),
        (0.0314, "31 ms"),
        (1.24, "1.2 s"),
        (59.9, "59.9 s"),
        (185.4, "3:05 min"),
    ],
)
def test_durations(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_moves_after_the_limit_are_reported() -> None:
    made = arena_run("careless", "greedy")
    for late, told in [
        (1, "careless made 1 move after"),
        (2000, "careless made 2,000 moves after"),
    ]:
        first, second = made.summary.contender_stats
        times = replace(first.times, late=late)
        summary = replace(made.summary, contender_stats=(replace(first, times=times), second))
        lines = list(report(replace(made, summary=summary)))
        assert lines[-1] == f"{told} the limit, but within 0.5 s; they count."


def test_margins() -> None:
    assert ahead(None) == "?"
    assert ahead(Estimate(1.5, None)) == "+1.50"
    assert ahead(Estimate(-1.5, 0.25)) == "-1.50 ± 0.25"
