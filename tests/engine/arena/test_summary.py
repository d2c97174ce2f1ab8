"""Statistics of any number of games."""

import math
import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.arena.games import FIRST, LAST, TIMELESS, Lambda, result_of

from boxroom_engine.arena.playing import FaultKind
from boxroom_engine.arena.running_game import Result
from boxroom_engine.arena.schedule import Match, schedule
from boxroom_engine.arena.summary import Estimate, mean_by_openings, summarise
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.games.protocol import State
from boxroom_engine.games.registry import make_game


def lost(state: State) -> object:
    raise RuntimeError("lost")


BY_NAME: dict[str, Bot] = {**TIMELESS, "lost": Lambda(lost), "first": FIRST, "last": LAST}


def tournament(
    names: list[str], seats: int = 2, games: int = 6, seed: int = 1, kind: str = "dots"
) -> list[Result]:
    options = {"rows": 2, "cols": 2} if kind == "dots" else {}
    game = make_game(kind, options, seats)
    return [
        result_of(
            game,
            [BY_NAME[names[each]] for each in match.contenders],
            match,
            seed=f"{seed} {match.number}",
        )
        for match in schedule(len(names), seats, games, seed)
    ]


@settings(max_examples=20)
@given(
    st.lists(st.sampled_from(list(BY_NAME)), min_size=2, max_size=4),
    st.integers(2, 3),
    st.integers(0, 99),
    st.randoms(use_true_random=False),
)
def test_totals_agree_in_any_order_of_results(
    names: list[str], seats: int, seed: int, rng: random.Random
) -> None:
    seats = min(seats, len(names))
    results = tournament(names, seats, seed=seed)
    summary = summarise(len(names), results)
    rng.shuffle(results)
    assert summarise(len(names), results) == summary
    assert summary.games == len(results)
    scores = [stats.score for stats in summary.contender_stats]
    assert sum(score.games for score in scores) == seats * len(results)
    assert len({score.games for score in scores}) == 1
    pairs = seats * (seats - 1) // 2
    assert math.isclose(sum(score.points for score in scores), pairs * len(results))
    assert len(summary.pair_stats) == len(names) * (len(names) - 1) // 2
    for pair in summary.pair_stats:
        score = pair.score
        assert score.points == score.wins + score.draws / 2
        assert score.games == score.comparisons
    for one, stats in enumerate(summary.contender_stats):
        mine = [each.score for each in summary.pair_stats if one == each.one]
        yours = [each.score for each in summary.pair_stats if one == each.other]
        taken = sum(each.points for each in mine) + sum(
            each.comparisons - each.points for each in yours
        )
        assert math.isclose(taken, stats.score.points)
    assert len(summary.faults) == sum(len(result.faults) for result in results)


@settings(max_examples=20)
@given(st.integers(0, 99))
def test_between_two_the_statistics_are_opposite(seed: int) -> None:
    one, other = summarise(2, tournament(["greedy", "careless"], seed=seed)).contender_stats
    assert (one.score.wins, one.score.losses) == (other.score.losses, other.score.wins)
    assert one.margin is not None
    assert other.margin is not None
    assert one.margin.mean == -other.margin.mean
    assert one.margin.error == other.margin.error


def test_the_same_bot_twice_comes_out_even() -> None:
    """Both orders of every opening are played, and the bots are deterministic."""
    (stats,) = summarise(2, tournament(["first", "first"])).pair_stats
    assert stats.score.share == 0.5
    assert stats.margin == Estimate(0.0, 0.0)
    assert stats.rating is not None
    assert stats.rating.elo == pytest.approx(0)


def test_faults_are_losses_that_no_margin_is_made_of() -> None:
    summary = summarise(2, tournament(["lost", "greedy"]))
    one, other = summary.contender_stats
    assert (one.score.losses, other.score.wins) == (6, 6)
    assert one.margin is None
    assert other.margin is None
    assert one.faults == {
        FaultKind.TIME: 0,
        FaultKind.ILLEGAL: 0,
        FaultKind.ERROR: 6,
        FaultKind.DIED: 0,
    }
    assert sum(other.faults.values()) == 0
    assert [(game_fault.number, game_fault.contender) for game_fault in summary.faults] == [
        (number, 0) for number in range(1, 7)
    ]


def test_at_a_table_of_three_a_withdrawn_contender_ranks_last() -> None:
    summary = summarise(3, tournament(["lost", "greedy", "random"], seats=3))
    lost_to = [each for each in summary.pair_stats if each.one == 0]
    assert all(each.score.wins == each.score.draws == 0 for each in lost_to)


def test_a_draw_is_no_win() -> None:
    drawn = [
        result
        for result in tournament(["greedy", "greedy"], games=200, kind="noughts")
        if result.final.outcome is not None and not result.final.outcome.winners
    ]
    assert drawn
    for stats in summarise(2, drawn).contender_stats:
        assert (stats.score.draws, stats.score.games) == (len(drawn), len(drawn))
        assert stats.score.share == 0.5


def test_nothing_is_known_after_no_game() -> None:
    summary = summarise(3, [])
    assert summary.games == 0
    for stats in summary.contender_stats[1:]:
        assert stats.score.share is None
        assert stats.margin is None
        assert stats.rating is None
        assert stats.times.mean_s is None


@given(st.lists(st.floats(-25, 25), min_size=2, max_size=30))
def test_the_error_of_independent_values_is_the_ordinary_one(values: list[float]) -> None:
    found = mean_by_openings(enumerate(values))
    assert found is not None
    assert found.mean == pytest.approx(statistics.fmean(values), abs=1e-9)
    ordinary = statistics.stdev(values) / math.sqrt(len(values))
    assert found.error == pytest.approx(ordinary, abs=1e-9)


@given(st.lists(st.floats(-25, 25), min_size=2, max_size=10), st.integers(2, 5))
def test_the_same_value_again_from_the_same_opening_says_nothing_new(
    values: list[float], times: int
) -> None:
    once = mean_by_openings(enumerate(values))
    again = mean_by_openings(
        (number % len(values), each) for number, each in enumerate(values * times)
    )
    assert once is not None
    assert again is not None
    assert once.error is not None
    assert again.error == pytest.approx(once.error, abs=1e-9)


def test_one_opening_has_a_mean_but_no_error() -> None:
    assert mean_by_openings([(1, 2.0), (1, 4.0)]) == Estimate(3.0, None)
    assert mean_by_openings([]) is None


def test_results_of_a_group_and_opening_are_dependent() -> None:
    game = make_game("dots", {"rows": 1, "cols": 1}, 2)
    results = [result_of(game, (FIRST, LAST), Match(1 + n, 0, n // 2, (0, 1))) for n in range(4)]
    margin = summarise(2, results).contender_stats[0].margin
    assert margin == Estimate(-1.0, 0.0)
