"""Ratings: properties of the model, and coverage of the intervals."""

import math
import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_engine.arena.rating import (
    Comparison,
    Rating,
    elo_of_score,
    expected_score,
    ratings,
)

POINTS = st.sampled_from([0.0, 0.5, 1.0])


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[int, list[Comparison]]:
    contenders = draw(st.integers(2, 5))
    pairs = st.sampled_from(list(combinations(range(contenders), 2)))
    results = draw(st.lists(st.tuples(pairs, POINTS, st.integers(0, 6)), max_size=20))
    return contenders, [Comparison(*pair, points, opening) for pair, points, opening in results]


def match(wins: int, draws: int, losses: int, one: int = 0, other: int = 1) -> list[Comparison]:
    """Return the comparisons of a match of two, each game from an opening of its own."""
    points = [1.0] * wins + [0.5] * draws + [0.0] * losses
    return [Comparison(one, other, each, (one, other, n)) for n, each in enumerate(points)]


def rated(comparisons: list[Comparison], contenders: int = 2) -> Rating:
    """Return the rating of contender 0 relative to contender 1."""
    found = ratings(contenders, comparisons, anchor=1)[0]
    assert found is not None
    return found


def reversed_(each: Comparison) -> Comparison:
    return Comparison(each.other, each.one, 1 - each.points, each.opening)


def close(one: Rating | None, other: Rating | None) -> bool:
    if one is None or other is None:
        return one is other
    pairs = zip((one.elo, one.low, one.high), (other.elo, other.low, other.high), strict=True)
    return all(
        (mine is yours) if mine is None or yours is None else math.isclose(mine, yours, abs_tol=0.1)
        for mine, yours in pairs
    )


@given(tournaments(), st.randoms(use_true_random=False))
def test_the_order_of_results_and_who_is_named_first_make_no_difference(
    tournament: tuple[int, list[Comparison]], rng: random.Random
) -> None:
    contenders, compared = tournament
    shuffled = [rng.choice((each, reversed_(each))) for each in compared]
    rng.shuffle(shuffled)
    for one, other in zip(
        ratings(contenders, compared), ratings(contenders, shuffled), strict=True
    ):
        assert close(one, other)


@given(tournaments(), st.data())
def test_the_names_of_contenders_make_no_difference(
    tournament: tuple[int, list[Comparison]], data: st.DataObject
) -> None:
    contenders, compared = tournament
    renamed = data.draw(st.permutations(range(contenders)))
    others = [
        Comparison(renamed[each.one], renamed[each.other], each.points, each.opening)
        for each in compared
    ]
    mine, yours = ratings(contenders, compared), ratings(contenders, others, anchor=renamed[0])
    assert all(close(mine[one], yours[renamed[one]]) for one in range(contenders))


@given(tournaments())
def test_all_ratings_are_finite_and_inside_their_intervals(
    tournament: tuple[int, list[Comparison]],
) -> None:
    contenders, compared = tournament
    found = ratings(contenders, compared)
    assert found[0] == Rating(0, 0, 0)
    for each in found[1:]:
        if each is not None:
            assert math.isfinite(each.elo)
            assert each.low is None or -math.inf < each.low < each.elo
            assert each.high is None or each.elo < each.high < math.inf


@given(tournaments())
def test_scores_equal_their_expectations(
    tournament: tuple[int, list[Comparison]],
) -> None:
    """At maximum likelihood, scores equal their expectations, with the drawn games added."""
    contenders, compared = tournament
    found = ratings(contenders, compared)
    games = [each for each in compared if found[each.one] is not None]
    met = {(min(each.one, each.other), max(each.one, each.other)) for each in games}
    games += [Comparison(*pair, 0.5, "drawn") for pair in met]
    surprise = [0.0] * contenders
    for each in games:
        one, other = found[each.one], found[each.other]
        assert one is not None
        assert other is not None
        surprise[each.one] += each.points - expected_score(one.elo - other.elo)
        surprise[each.other] -= each.points - expected_score(one.elo - other.elo)
    assert all(math.isclose(each, 0, abs_tol=1e-6) for each in surprise)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_between_two_it_is_the_difference_that_explains_the_score(
    wins: int, draws: int, losses: int
) -> None:
    score = (wins + draws / 2 + 0.5) / (wins + draws + losses + 1)
    if wins + draws + losses:
        assert math.isclose(rated(match(wins, draws, losses)).elo, elo_of_score(score))
        assert math.isclose(expected_score(elo_of_score(score)), score)


@given(st.integers(1, 40), st.integers(0, 40))
def test_equal_results_are_equal_ratings(wins: int, draws: int) -> None:
    found = rated(match(wins, draws, wins))
    assert math.isclose(found.elo, 0, abs_tol=1e-6)
    assert found.low is not None
    assert found.high is not None
    assert math.isclose(found.low, -found.high, abs_tol=0.1)
    assert expected_score(found.elo) == pytest.approx(0.5)


@given(st.integers(0, 30), st.integers(1, 30))
def test_a_better_result_is_a_higher_rating(wins: int, losses: int) -> None:
    assert rated(match(wins + 1, 0, losses - 1)).elo > rated(match(wins, 0, losses)).elo


def test_a_known_score() -> None:
    assert elo_of_score(0.75) == pytest.approx(190.85, abs=0.01)
    assert expected_score(200) == pytest.approx(0.7597, abs=1e-4)
    assert expected_score(-3000) + expected_score(3000) == 1


def test_more_games_say_more() -> None:
    few, many = rated(match(30, 0, 10)), rated(match(300, 0, 100))
    assert few.low is not None
    assert few.high is not None
    assert many.low is not None
    assert many.high is not None
    assert few.low < many.low < many.high < few.high
    # Four times the games, half the width: the ordinary ± of a share of 3/4.
    width = 2 * 1.96 * 173.72 / math.sqrt(400 * 0.75 * 0.25)
    assert many.high - many.low == pytest.approx(width, rel=0.05)


@pytest.mark.parametrize("games", [1, 10, 100, 1000])
def test_a_contender_that_won_everything_has_no_upper_bound(games: int) -> None:
    found = rated(match(games, 0, 0))
    assert found.high is None
    assert found.low is not None
    # The exact bound (C. Clopper and E. Pearson, Biometrika 26, 1934) is close by.
    assert found.low == pytest.approx(elo_of_score(0.025 ** (1 / games)), abs=40 + 400 / games)
    worst = ratings(2, match(games, 0, 0), anchor=0)[1]
    assert worst is not None
    assert worst.low is None
    assert worst.high == pytest.approx(-found.low, abs=0.1)


def test_a_bound_can_come_through_others() -> None:
    """0 has lost to 2 only, which lost to 1 only, which lost to 0."""
    circle = match(9, 0, 1, 0, 1) + match(9, 0, 1, 1, 2) + match(0, 0, 9, 0, 2)
    assert all(
        each and each.low is not None and each.high is not None for each in ratings(3, circle)
    )
    ladder = match(10, 0, 0, 0, 1) + match(9, 0, 1, 1, 2) + match(10, 0, 0, 0, 2)
    _, second, third = ratings(3, ladder)
    assert second
    assert third
    assert (second.low, third.low) == (None, None)
    assert second.high
    assert third.high


def test_a_contender_without_a_connection_has_no_rating() -> None:
    found = ratings(4, match(3, 0, 3, 0, 1) + match(3, 0, 3, 2, 3))
    assert [each is None for each in found] == [False, False, True, True]
    assert ratings(2, []) == (Rating(0, 0, 0), None)


def test_games_of_one_opening_that_cancel_make_the_interval_narrow() -> None:
    apart = [Comparison(0, 1, float(n % 2), n) for n in range(200)]
    cancelling = [Comparison(0, 1, float(n % 2), n // 2) for n in range(200)]
    repeating = [Comparison(0, 1, float(n // 2 % 2), n // 2) for n in range(200)]
    widths = []
    for comparisons in (cancelling, apart, repeating):
        found = rated(comparisons)
        assert found.low is not None
        assert found.high is not None
        widths.append(found.high - found.low)
    assert widths[0] < widths[1] / 2
    assert widths[1] < widths[2] / 1.3


@pytest.mark.parametrize(("difference", "luck"), [(0, 0.0), (200, 0.0), (200, 3.0)])
def test_intervals_hold_the_truth_as_often_as_they_say(difference: int, luck: float) -> None:
    """`luck` is how much an opening favours the first seat, in the model's units."""
    rng = random.Random(1)
    chances = [rng.gauss(0, luck) for _ in range(20_000)]
    truth = elo_of_score(
        sum(expected_score(difference + 173.7 * chance) for chance in chances) / len(chances)
    )
    held = 0
    for _ in range(300):
        comparisons = []
        for opening in range(50):
            chance = 173.7 * rng.gauss(0, luck)
            for turned in (chance, -chance):
                points = float(rng.random() < expected_score(difference + turned))
                comparisons.append(Comparison(0, 1, points, opening))
        found = rated(comparisons)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 300 <= 0.99
