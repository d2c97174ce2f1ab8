"""Boards and logs of many moves are computed in a thread, beside the event loop."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest
from tests.cases import each
from tests.server.manual_clock import ManualClock
from tests.server.stores import Store, lobby_on
from tests.server.talk import lobby

from boxroom_engine.games.registry import make_game
from boxroom_server.computing import ComputingThread
from boxroom_server.session import LARGE_BOARD

ONE_LOOP = True


@contextmanager
def calls_in_this_thread() -> Iterator[set[str]]:
    """Yield the names of the functions that are called in this thread meanwhile."""
    called: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)


async def test_one_computation_after_the_other_in_another_thread() -> None:
    thread = ComputingThread()
    usual_s = sys.getswitchinterval()
    running: list[int] = []

    def compute(number: int) -> tuple[int, int, float]:
        running.append(number)
        alone = len(running)
        running.remove(number)
        return threading.get_ident(), alone, sys.getswitchinterval()

    results = await asyncio.gather(*(thread.run(compute, number) for number in range(20)))
    assert threading.get_ident() not in {ident for ident, _, _ in results}
    assert {alone for _, alone, _ in results} == {1}
    assert all(switch_s < usual_s for _, _, switch_s in results)
    assert sys.getswitchinterval() == usual_s


async def test_a_failure_is_raised_and_keeps_no_other_from_its_turn() -> None:
    thread = ComputingThread()
    with pytest.raises(ZeroDivisionError):
        await thread.run(lambda: 1 // 0)
    assert await thread.run(lambda: 1) == 1


@each(
    "options, in_thread",
    [
        ({"rows": 4, "cols": 31}, False),
        ({"rows": 34, "cols": 31}, True),
        ({"rows": 1, "cols": 950, "border": "full"}, True),  # few moves, but as many boxes
    ],
)
async def test_the_tables_of_a_large_board_are_made_in_a_thread(
    options: dict[str, int | str], in_thread: bool
) -> None:
    assert (make_game("dots", options, 2).work > LARGE_BOARD) is in_thread
    async with lobby() as place:
        ada = await place.create("Ada", settings={"options": options})
        await ada.do("seat_bot", seat=1, bot="random")
        with calls_in_this_thread() as called:
            seq = await ada.do("start")
        assert ("grid_of" not in called) is in_thread
        assert await ada.ask("start", id=ada.last_id) == {
            "type": "done",
            "id": ada.last_id,
            "seq": seq,
        }


async def test_a_log_is_folded_in_a_thread(store: Store) -> None:
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        ada = await place.create("Ada", settings={"options": {"rows": 4, "cols": 5}})
        await ada.do("sit", seat=1, name="Bea")
        await ada.do("start")
        await ada.do("play", seat=0, move="h3", ply=0)
        room = place.room()
    with calls_in_this_thread() as called:
        async with lobby_on(store, clock) as place:
            await place.join("Ada")
            assert place.room().state == room.state
    assert "fold_log" not in called
