"""A game in progress: its record can be replayed, and a fault withdraws its seat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.arena.games import FIRST, LAST, TIMELESS, Lambda, result_of

from boxroom_engine.arena.playing import Fault, FaultKind, Segment, TimedMove
from boxroom_engine.arena.running_game import RunningGame, Times
from boxroom_engine.arena.schedule import Match
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.games.record import Record
from boxroom_engine.games.registry import make_game


def lost(state: State) -> object:
    raise RuntimeError("lost")


LOST = Lambda(lost)
ONE_BOX = make_game("dots", {"rows": 1, "cols": 1}, 2)


@given(
    st.integers(2, 4), st.lists(st.sampled_from([*TIMELESS, "lost"]), min_size=4), st.integers(0, 9)
)
def test_the_record_leads_to_the_same_end(seats: int, names: list[str], seed: int) -> None:
    game = make_game("dots", {"rows": 2, "cols": 3}, seats)
    bots = [LOST if name == "lost" else TIMELESS[name] for name in names[:seats]]
    played = result_of(game, bots, opening=(Move(0), Move(8)), seed=str(seed))
    record = Record.parse(played.record([*"ABCD"]).format())
    assert record.tokens[:2] == ("h0", "h8")
    assert record.final() == played.final
    assert played.final.is_over
    assert len(played.faults) == len(played.final.withdrawn)


def test_names_stand_in_the_record_by_seat() -> None:
    played = result_of(ONE_BOX, (FIRST, LAST), Match(1, 0, 0, (2, 0)))
    names = ["greedy", "random", "chain:max_ply=8,time=1"]
    assert played.record(names).format() == (
        "dots rows=1 cols=1 border=none | chain:max_ply=8%2Ctime=1 (bot), greedy (bot)"
        " | h0 v1 h1 v0"
    )


def test_a_fault_withdraws_its_seat_and_two_others_go_on() -> None:
    two = result_of(ONE_BOX, (FIRST, LOST))
    assert two.tokens == ("h0", "~1")
    assert two.final.outcome is not None
    assert two.final.outcome.winners == (0,)
    game = make_game("dots", {"rows": 1, "cols": 1}, 3)
    three = result_of(game, (FIRST, LOST, LAST))
    assert three.tokens == ("h0", "~1", "v1", "h1", "v0")
    assert [fault.seat for fault in three.faults] == [1]


def test_times_are_added_up() -> None:
    game = RunningGame.after_opening(
        Match(1, 0, 0, (0, 1)), ONE_BOX.initial(), (Move(0),), limit_s=1.0
    )
    first, second = Seat(0), Seat(1)
    game.add(Segment((TimedMove(second, Move(1), 0.5), TimedMove(first, Move(2), 1.25)), None))
    game.add(Segment((), Fault(second, 3, FaultKind.TIME, "too long")))
    played = game.result()
    assert played.times == (Times(1, 1.25, 1.25, late=1), Times(1, 0.5, 0.5, late=0))
    assert sum(played.times, Times()) == Times(2, 1.75, 1.25, 1)
    assert sum(played.times, Times()).mean_s == pytest.approx(0.875)
    assert Times().mean_s is None
    assert played.tokens == ("h0", "h1", "v0", "~1")
