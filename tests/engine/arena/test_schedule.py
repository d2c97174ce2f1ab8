"""The schedule: equal numbers of games, seats and openings for all contenders."""

from collections import Counter
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from boxroom_engine.arena.schedule import Match, groups, openings_for, schedule

SIZES = st.integers(2, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(2, n)))


@st.composite
def schedules(draw: st.DrawFn) -> tuple[int, int, int, list[Match]]:
    contenders, seats = draw(SIZES)
    games = draw(st.integers(1, 20))
    matches = list(schedule(contenders, seats, games, draw(st.integers(0, 99))))
    return contenders, seats, games, matches


@given(SIZES)
def test_every_group_meets(size: tuple[int, int]) -> None:
    contenders, seats = size
    found = groups(contenders, seats)
    assert len(set(found)) == len(found) == comb(contenders, seats)
    assert all(len(set(group)) == seats for group in found)


@given(schedules())
def test_every_group_plays_every_opening_in_all_rotations(
    made: tuple[int, int, int, list[Match]],
) -> None:
    contenders, seats, games, matches = made
    openings = openings_for(games, seats)
    assert games <= openings * seats < games + seats
    for index, group in enumerate(groups(contenders, seats)):
        mine = [match for match in matches if match.group == index]
        assert len(mine) == openings * seats
        for opening in range(openings):
            orders = [match.contenders for match in mine if match.opening == opening]
            first = orders[0]
            assert sorted(first) == sorted(group)
            assert orders == [first[turned:] + first[:turned] for turned in range(seats)]


@given(schedules())
def test_contenders_have_every_seat_equally_often(
    made: tuple[int, int, int, list[Match]],
) -> None:
    contenders, _, _, matches = made
    counts = Counter(
        (each, seat) for match in matches for seat, each in enumerate(match.contenders)
    )
    assert len(set(counts.values())) == 1
    assert {each for each, _ in counts} == set(range(contenders))


@given(SIZES, st.integers(1, 5), st.integers(0, 99))
def test_over_two_openings_every_order_of_neighbours_is_equally_frequent(
    size: tuple[int, int], pairs: int, seed: int
) -> None:
    contenders, seats = size
    counts: Counter[tuple[int, int]] = Counter()
    for match in schedule(contenders, seats, 2 * pairs * seats, seed):
        order = match.contenders
        for seat, each in enumerate(order):
            counts[each, order[(seat + 1) % seats]] += 1
    assert all(counts[one, other] == counts[other, one] for one, other in counts)


@given(schedules())
def test_they_are_numbered_and_go_opening_by_opening(
    made: tuple[int, int, int, list[Match]],
) -> None:
    *_, matches = made
    assert [match.number for match in matches] == list(range(1, len(matches) + 1))
    openings = [match.opening for match in matches]
    assert openings == sorted(openings)


@given(SIZES, st.integers(1, 20), st.integers(0, 99))
def test_the_seed_makes_it(size: tuple[int, int], games: int, seed: int) -> None:
    assert list(schedule(*size, games, seed)) == list(schedule(*size, games, seed))
