"""Where in a recorded game somebody is."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.screen.replay.playback import PACES_S, Reel

NUMBERS = st.integers(-100, 100)
STOPS = st.lists(st.integers(0, 40), unique=True).map(sorted)


@st.composite
def reels(draw: st.DrawFn) -> Reel:
    last = draw(st.integers(0, 40))
    return Reel(
        last,
        draw(st.integers(0, last)),
        plays=draw(st.booleans()),
        pace=draw(st.integers(0, len(PACES_S) - 1)),
        typed=draw(st.none() | st.text("0123456789", max_size=6)),
    )


STEPS: list[Callable[[Reel, int, list[int]], Reel]] = [
    lambda reel, number, stops: reel.moved_to(number),
    lambda reel, number, stops: reel.moved(number),
    lambda reel, number, stops: reel.after(stops),
    lambda reel, number, stops: reel.before(stops),
    lambda reel, number, stops: reel.toggled(),
    lambda reel, number, stops: reel.paced(number),
    lambda reel, number, stops: reel.played(),
    lambda reel, number, stops: reel.asking(),
    lambda reel, number, stops: reel.typing(str(abs(number))[-1]),
    lambda reel, number, stops: reel.erased(),
    lambda reel, number, stops: reel.untyped(),
    lambda reel, number, stops: reel.gone(),
]


@given(reels(), st.lists(st.tuples(st.sampled_from(STEPS), NUMBERS, STOPS)))
def test_whatever_is_done_it_stays_within_the_game(
    reel: Reel, steps: list[tuple[Callable[[Reel, int, list[int]], Reel], int, list[int]]]
) -> None:
    last = reel.last
    for step, number, stops in steps:
        reel = step(reel, number, stops)
        assert 0 <= reel.at <= reel.last == last
        assert reel.pace_s in PACES_S
        assert reel.typed is None or len(reel.typed) <= 6


@given(reels(), NUMBERS)
def test_it_moves_as_far_as_there_is_anything(reel: Reel, by: int) -> None:
    assert reel.moved(by) == reel.moved_to(reel.at + by)
    assert reel.moved(by).at - reel.at in {by, -reel.at, reel.last - reel.at}


@given(reels(), STOPS)
def test_stops_are_gone_to_in_order(reel: Reel, stops: list[int]) -> None:
    later = [stop for stop in stops if reel.at < stop <= reel.last]
    earlier = [stop for stop in stops if stop < reel.at]
    within = [stop for stop in stops if stop <= reel.last]
    assert reel.after(within).at == min(later, default=reel.at)
    assert reel.before(within).at == max(earlier, default=reel.at)


@given(reels())
def test_it_plays_to_the_end_and_pauses_there(reel: Reel) -> None:
    start = reel.at
    reel = reel if reel.plays else reel.toggled()
    moves = 0
    while reel.plays and moves <= reel.last:
        reel = reel.played()
        moves += 1
    assert not reel.plays
    assert reel.last in {0, reel.at}
    assert moves in {reel.last - start, reel.last, 1}


def test_at_the_end_it_plays_from_the_beginning() -> None:
    assert Reel(9, 9).toggled() == Reel(9, 0, plays=True)
    assert Reel(9, 4).toggled().toggled() == Reel(9, 4)
    assert not Reel(0).toggled().plays


def test_a_pace_is_never_too_fast_or_too_slow() -> None:
    assert [Reel(9).paced(by).pace_s for by in (-99, 0, 1, 99)] == [5.0, 1.0, 0.5, 0.1]


@given(reels(), st.integers(0, 999))
def test_a_number_leads_there_when_it_is_typed(reel: Reel, number: int) -> None:
    typed = reel.untyped()
    for digit in str(number):
        typed = typed.typing(digit)
        assert typed.at == reel.at
    assert typed.gone() == reel.moved_to(number)


def test_digits_are_taken_away_and_then_the_question() -> None:
    reel = Reel(60, 3).asking().typing("1").typing("2").erased()
    assert reel.typed == "1"
    assert reel.asking().typed == "1"
    assert reel.erased().erased() == Reel(60, 3)
    assert Reel(60, 3).asking().gone() == Reel(60, 3)


def test_who_types_a_number_isnt_disturbed_by_time() -> None:
    assert Reel(60, 3, plays=True, typed="1").played() == Reel(60, 4, plays=True, typed="1")
