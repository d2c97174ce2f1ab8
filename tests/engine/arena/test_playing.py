"""A game between bots: recorded moves, and faults of every kind."""

import asyncio
import random

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.arena.games import FIRST, LAST, TIMELESS, Lambda, RecordingObserver
from tests.engine.clocks import ticking

from boxroom_engine.arena.playing import (
    GRACE_S,
    BotFailed,
    Fault,
    FaultKind,
    Segment,
    TimeControl,
    TimedMove,
    play,
)
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.stopping import Limit

ONE_BOX = make_game("dots", {"rows": 1, "cols": 1}, 2).initial()


def segment(state: State, *bots: Bot, clock_step_s: float = 0.0) -> Segment:
    return play(state, bots, TimeControl(1.0, ticking(clock_step_s)), "1", RecordingObserver())


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("don't ask")


class Unprintable:
    def __repr__(self) -> str:
        raise ValueError("don't look")


def test_every_move_is_noted_with_its_seat_and_time() -> None:
    observer = RecordingObserver()
    played = play(ONE_BOX, (FIRST, LAST), TimeControl(1.0, ticking(0.125)), "1", observer)
    assert played.fault is None
    assert played.moves == (
        TimedMove(ONE_BOX.to_move, Move(0), 0.25),  # type: ignore[arg-type]
        *(TimedMove(seat, Move(move), 0.25) for seat, move in [(1, 3), (0, 1), (1, 2)]),  # type: ignore[arg-type]
    )
    began, *_ = observer.seen
    assert began == 0.0
    assert tuple(observer.seen[1::2]) == played.moves


@given(st.integers(0, 99), st.sampled_from(list(TIMELESS)), st.integers(0, 12))
def test_a_resumed_game_continues_as_before(seed: int, name: str, cut: int) -> None:
    state: State = make_game("dots", {"rows": 2, "cols": 2}, 2).initial()
    bots = (TIMELESS[name], TIMELESS["random"])
    whole = play(state, bots, TimeControl(1.0, ticking()), f"{seed}", RecordingObserver()).moves
    for timed in whole[:cut]:
        state = state.play(timed.move)
    rest = play(state, bots, TimeControl(1.0, ticking()), f"{seed}", RecordingObserver()).moves
    assert rest == whole[cut:]


def raising(error: BaseException) -> Lambda:
    def choose(state: State) -> object:
        raise error

    return Lambda(choose)


@each(
    "bot, kind, detail",
    [
        (raising(RuntimeError("no idea")), FaultKind.ERROR, "RuntimeError: no idea"),
        (raising(SystemExit("enough")), FaultKind.ERROR, "SystemExit: enough"),
        (raising(KeyboardInterrupt()), FaultKind.ERROR, "KeyboardInterrupt"),
        (raising(asyncio.CancelledError()), FaultKind.ERROR, "CancelledError"),
        (raising(Unspeakable()), FaultKind.ERROR, "Unspeakable"),
        (Lambda(lambda _: None), FaultKind.ILLEGAL, "None: TypeError"),
        (Lambda(lambda _: "h0"), FaultKind.ILLEGAL, "'h0': TypeError"),
        (Lambda(lambda _: 0.5), FaultKind.ILLEGAL, "0.5: TypeError"),
        (Lambda(lambda _: 0), FaultKind.ILLEGAL, "h0 is already drawn"),
        (Lambda(lambda _: 10**6), FaultKind.ILLEGAL, "1000000: "),
        (Lambda(lambda _: -1), FaultKind.ILLEGAL, "-1: "),
        (Lambda(lambda _: Unprintable()), FaultKind.ILLEGAL, "something unspeakable: TypeError"),
        (Lambda(lambda _: "x" * 10_000), FaultKind.ILLEGAL, "'xxx"),
    ],
)
def test_a_fault_ends_the_segment_and_names_its_seat(
    bot: Lambda, kind: FaultKind, detail: str
) -> None:
    played = segment(ONE_BOX, FIRST, bot)
    assert [timed.seat for timed in played.moves] == [0]
    assert played.fault is not None
    assert (played.fault.seat, played.fault.ply, played.fault.kind) == (1, 1, kind)
    assert detail in played.fault.detail
    assert len(played.fault.detail) <= 300


@each("kind", FaultKind)
def test_a_bot_in_a_process_reports_its_own_fault(kind: FaultKind) -> None:
    def fails(state: State) -> object:
        raise BotFailed(kind, "it has a cold")

    played = segment(ONE_BOX, FIRST, Lambda(fails))
    assert played.fault == Fault(Seat(1), 1, kind, "it has a cold")


def test_a_move_after_the_grace_doesnt_count() -> None:
    in_time = segment(ONE_BOX, FIRST, FIRST, clock_step_s=(1.0 + GRACE_S) / 2)
    assert (len(in_time.moves), in_time.fault) == (4, None)
    late = segment(ONE_BOX, FIRST, FIRST, clock_step_s=1.0)
    assert late.moves == ()
    assert late.fault is not None
    assert late.fault.kind is FaultKind.TIME
    position = ONE_BOX.game.format_position(ONE_BOX)
    assert late.fault.detail == f"thought for 2.0 s, with a limit of 1 s, in {position}"


def test_bots_are_given_the_limit_and_randomness_that_the_seed_makes() -> None:
    seen: list[tuple[float, float]] = []

    class Curious(Lambda):
        def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
            seen.append((limit.budget_s, rng.random()))
            return state.legal_moves()[0]

    for seed in ("1", "1", "2"):
        play(ONE_BOX, (Curious(len),) * 2, TimeControl(0.7, ticking()), seed, RecordingObserver())  # type: ignore[arg-type]
    assert {limit for limit, _ in seen} == {0.7}
    assert seen[:4] == seen[4:8] != seen[8:]
    assert len({number for _, number in seen[:4]}) == 4
