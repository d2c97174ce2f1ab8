"""Ranges of seats, requests, tables and series: over sockets, and after each move of the room."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.cluster.shared import new_address
from tests.server.moving_rooms import MovingRoom, restarted, shared
from tests.server.stores import EtcdStore, SqliteStore, crashed, stopped

from boxroom_engine.room.room import AbortRequest, Phase, StandInRequest
from boxroom_engine.standings import Standing
from boxroom_server.storage.sqlite.folder import DataFolder

ONE_LOOP = True

ONE_BOX = {"options": {"rows": 1, "cols": 1}}
FOUR_LINES = ("h0", "h1", "v0", "v1")
"""The moves of a game on one box, which the player of the last one takes."""


@pytest.fixture(
    params=["sqlite, stopped", "sqlite, killed", "etcd, stopped", "etcd, killed", "etcd, two"]
)
async def room(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MovingRoom]:
    where, how = request.param.split(", ")
    is_etcd = where == "etcd"
    store = EtcdStore(new_address()) if is_etcd else SqliteStore(DataFolder(tmp_path / "data"))
    if how == "two":
        async with shared(store) as made:
            yield made
    else:
        async with restarted(store, stopped if how == "stopped" else crashed) as made:
            yield made


def people(room: MovingRoom) -> list[str | None]:
    return [holder.member for holder in room.seen.seats]


async def test_seats_grow_with_the_people(room: MovingRoom) -> None:
    await room.create(**ONE_BOX, seat_range=[2, 4])
    await room.enters("Bob", "Cleo")
    await room.moves()
    assert people(room) == ["Ada", "Bob", "Cleo"]
    await room.do("Cleo", "stand")
    await room.do("Ada", "start")
    assert room.seen.players == ("Ada", "Bob")
    await room.enters("Dan")
    await room.moves()
    assert room.seen.joining_next() == ("Dan",)
    assert not room.seen.is_player("Cleo")
    await room.do("Cleo", "rematch")
    await room.plays(*FOUR_LINES)
    await room.all_vote()
    assert sorted(room.seen.players) == ["Ada", "Bob", "Cleo", "Dan"]
    await room.moves()
    assert sorted(room.seen.players) == sorted(map(str, people(room)))


async def test_seats_of_a_range_stay_those_of_the_host(room: MovingRoom) -> None:
    await room.create(**ONE_BOX, seat_range=[2, 3])
    await room.enters("Bob", "Cleo")
    await room.moves()
    for name, seat_range, code in (
        ("Ada", [2, 2], "seats_taken"),
        ("Bob", [2, 4], "not_host"),
        ("Ada", [3, 2], "bad_option"),
    ):
        settings = {**ONE_BOX, "seat_range": seat_range}
        assert await room.refusal(name, "configure", settings=settings) == code
    await room.enters("Dan")
    assert not room.seen.is_player("Dan")
    assert await room.refusal("Dan", "sit") == "no_empty_seat"
    assert await room.refusal("Dan", "rematch") == "not_a_player"


async def test_players_agree_that_a_bot_plays_for_one_who_sleeps(room: MovingRoom) -> None:
    await room.create(options={"rows": 3, "cols": 3}, seats=3, stand_in_s=30)
    await room.enters("Bob", "Cleo")
    await room.do("Ada", "start")
    await room.plays("h0")
    await room.moves()
    assert await room.refusal("Cleo", "nudge", seat=1) == "too_early"
    room.passes(10)
    await room.do("Cleo", "nudge", seat=1)
    await room.moves()
    assert await room.refusal("Ada", "nudge", seat=1) == "too_early"
    assert await room.refusal("Cleo", "stand_in", seat=1) == "too_early"
    room.passes(30)
    await room.do("Cleo", "stand_in", seat=1)
    request = room.seen.request
    assert isinstance(request, StandInRequest)
    assert (request.member, request.seat, room.seen.deciding) == ("Cleo", 1, ("Ada",))
    assert await room.refusal("Bob", "answer", since=request.since, agree=True) == "not_a_player"
    await room.do("Ada", "answer", since=request.since, agree=True)
    assert await room.refusal("Ada", "answer", since=request.since, agree=True) == "stale"
    await room.hears(lambda seen: seen.state is not None and seen.state.to_move != 1)
    assert room.seen.seats[1].bot is not None
    await room.moves()
    assert room.seen.seats[1].bot is None
    assert room.seen.unrated


async def test_all_agree_to_end_a_game(room: MovingRoom) -> None:
    await room.create(options={"rows": 3, "cols": 3}, seats=3)
    await room.enters("Bob", "Cleo")
    await room.do("Ada", "start")
    await room.plays("h0", "h1")
    await room.do("Bob", "abort")
    declined = room.seen.request
    assert isinstance(declined, AbortRequest)
    await room.do("Cleo", "answer", since=declined.since, agree=False)
    await room.moves()
    assert room.seen.running is not None
    await room.do("Bob", "abort")
    asked = room.seen.request
    assert isinstance(asked, AbortRequest)
    assert await room.refusal("Ada", "answer", since=declined.since, agree=True) == "stale"
    await room.do("Cleo", "answer", since=asked.since, agree=True)
    await room.do("Ada", "answer", since=asked.since, agree=True)
    assert room.seen.phase is Phase.WAITING
    await room.moves()
    assert (room.seen.table, room.seen.state) == ((), None)
    await room.do("Ada", "start")
    assert (room.seen.game_number, room.seen.request) == (2, None)


async def test_the_table_and_the_series_go_on(room: MovingRoom) -> None:
    await room.create(**ONE_BOX, best_of=3)
    await room.enters("Bob")
    await room.do("Ada", "start")
    won = {"Ada": 0, "Bob": 0}
    for last in ("Bob", "Ada", "Bob"):  # players begin in turn, and the second one wins
        await room.plays(*FOUR_LINES[:2])
        await room.moves()
        await room.plays(*FOUR_LINES[2:])
        won[last] += 1
        await room.moves()
        assert {row.name: row.wins for row in room.seen.table} == won
        if won[last] < 2:
            assert not any(row.series for row in room.seen.table)
            await room.all_vote()
    assert sorted(room.seen.table, key=lambda row: row.name) == [
        Standing("Ada", games=3, wins=1, points=2, scores={"dots": 1}),
        Standing("Bob", games=3, wins=2, points=4, scores={"dots": 2}, series=1),
    ]
    await room.all_vote()
    await room.moves()
    await room.plays(*FOUR_LINES)
    assert {row.name: row.games for row in room.seen.series} == {"Ada": 1, "Bob": 1}
