"""The state of a replay: position, pace and typed numbers."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.screen.replay.playback import PACES_S, Playback

NUMBERS = st.integers(-100, 100)
STOPS = st.lists(st.integers(0, 40), unique=True).map(sorted)


@st.composite
def reels(draw: st.DrawFn) -> Playback:
    last = draw(st.integers(0, 40))
    return Playback(
        last,
        draw(st.integers(0, last)),
        plays=draw(st.booleans()),
        pace=draw(st.integers(0, len(PACES_S) - 1)),
        typed=draw(st.none() | st.text("0123456789", max_size=6)),
    )


STEPS: list[Callable[[Playback, int, list[int]], Playback]] = [
    lambda playback, number, stops: playback.moved_to(number),
    lambda playback, number, stops: playback.moved(number),
    lambda playback, number, stops: playback.after(stops),
    lambda playback, number, stops: playback.before(stops),
    lambda playback, number, stops: playback.toggled(),
    lambda playback, number, stops: playback.paced(number),
    lambda playback, number, stops: playback.played(),
    lambda playback, number, stops: playback.asking(),
    lambda playback, number, stops: playback.typing(str(abs(number))[-1]),
    lambda playback, number, stops: playback.erased(),
    lambda playback, number, stops: playback.untyped(),
    lambda playback, number, stops: playback.at_typed(),
]


@given(reels(), st.lists(st.tuples(st.sampled_from(STEPS), NUMBERS, STOPS)))
def test_whatever_is_done_it_stays_within_the_game(
    playback: Playback,
    steps: list[tuple[Callable[[Playback, int, list[int]], Playback], int, list[int]]],
) -> None:
    last = playback.last
    for step, number, stops in steps:
        playback = step(playback, number, stops)
        assert 0 <= playback.at <= playback.last == last
        assert playback.pace_s in PACES_S
        assert playback.typed is None or len(playback.typed) <= 6


@given(reels(), NUMBERS)
def test_it_moves_as_far_as_there_is_anything(playback: Playback, by: int) -> None:
    assert playback.moved(by) == playback.moved_to(playback.at + by)
    assert playback.moved(by).at - playback.at in {by, -playback.at, playback.last - playback.at}


@given(reels(), STOPS)
def test_stops_are_gone_to_in_order(playback: Playback, stops: list[int]) -> None:
    later = [stop for stop in stops if playback.at < stop <= playback.last]
    earlier = [stop for stop in stops if stop < playback.at]
    within = [stop for stop in stops if stop <= playback.last]
    assert playback.after(within).at == min(later, default=playback.at)
    assert playback.before(within).at == max(earlier, default=playback.at)


@given(reels())
def test_it_plays_to_the_end_and_pauses_there(playback: Playback) -> None:
    start = playback.at
    playback = playback if playback.plays else playback.toggled()
    moves = 0
    while playback.plays and moves <= playback.last:
        playback = playback.played()
        moves += 1
    assert not playback.plays
    assert playback.last in {0, playback.at}
    assert moves in {playback.last - start, playback.last, 1}


def test_at_the_end_it_plays_from_the_beginning() -> None:
    assert Playback(9, 9).toggled() == Playback(9, 0, plays=True)
    assert Playback(9, 4).toggled().toggled() == Playback(9, 4)
    assert not Playback(0).toggled().plays


def test_a_pace_is_never_too_fast_or_too_slow() -> None:
    assert [Playback(9).paced(by).pace_s for by in (-99, 0, 1, 99)] == [5.0, 1.0, 0.5, 0.1]


@given(reels(), st.integers(0, 999))
def test_a_number_leads_there_when_it_is_typed(playback: Playback, number: int) -> None:
    typed = playback.untyped()
    for digit in str(number):
        typed = typed.typing(digit)
        assert typed.at == playback.at
    assert typed.at_typed() == playback.moved_to(number)


def test_digits_are_taken_away_and_then_the_question() -> None:
    playback = Playback(60, 3).asking().typing("1").typing("2").erased()
    assert playback.typed == "1"
    assert playback.asking().typed == "1"
    assert playback.erased().erased() == Playback(60, 3)
    assert Playback(60, 3).asking().at_typed() == Playback(60, 3)


def test_who_types_a_number_isnt_disturbed_by_time() -> None:
    assert Playback(60, 3, plays=True, typed="1").played() == Playback(60, 4, plays=True, typed="1")
