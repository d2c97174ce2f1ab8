"""Metrics that a whole server counts during play, over real sockets."""

import asyncio

import pytest
from tests.server.bad_peer import bad_peer
from tests.server.http_requests import http_request, metrics_port
from tests.server.talk import ONE_BOX, lobby, say_hello, until
from websockets.exceptions import InvalidStatus

from boxroom_engine.room.events import MoveSource
from boxroom_server.ops.metrics import Metrics
from boxroom_server.people.names import Names

ONE_LOOP = True


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


async def test_commands_and_the_time_until_everybody_was_sent_what_came_of_them(
    metrics: Metrics,
) -> None:
    async with lobby(metrics=metrics) as place:
        ada, bob = await place.game_of_two()
        await ada.do("play", seat=0, move="h0", ply=0)
        assert await bob.refusal("play", seat=1, move="h0", ply=1) == "already_drawn"
        assert metrics.commands == 3
        assert sum(metrics.broadcast.counts) == 2  # nothing is sent for refused commands


async def test_a_command_that_waits_for_the_one_before_is_counted_from_its_own_arrival(
    metrics: Metrics,
) -> None:
    seconds = iter(range(1000))
    metrics.now_s = lambda: float(next(seconds))
    async with lobby(metrics=metrics) as place:
        ada = await place.create("Ada")
        first, second = [
            await ada.say("say", text="x" * 200) for _ in range(2)
        ]  # too long for the direct path
        await ada.answer(first)
        await ada.answer(second)
        assert sum(metrics.broadcast.counts) == 2
        assert metrics.broadcast.total > 0


async def test_rejected_connections_by_status(metrics: Metrics) -> None:
    async with lobby(metrics=metrics, connections_per_address=1) as place:
        await place.connect("Ada")
        with pytest.raises(InvalidStatus):
            await place.connect("Bob")
        assert metrics.rejections == {403: 0, 429: 1, 503: 0}


async def test_moves_by_who_chose_them(metrics: Metrics) -> None:
    async with lobby(metrics=metrics) as place:
        ada = await place.create("Ada", settings={**ONE_BOX, "clock_s": 10})
        await ada.do("fill", bot="random")
        await ada.do("start")
        await ada.do("play", seat=0, move="h0", ply=0)
        await ada.event("played", by="bot")
        place.clock.advance(11)
        await ada.event("played", by="clock")
        await ada.event("ended")
    assert metrics.moves[MoveSource.PLAYER] == 1
    assert metrics.moves[MoveSource.BOT] >= 1
    assert metrics.moves[MoveSource.CLOCK] >= 1
    assert sum(metrics.moves.values()) == 4
    assert sum(metrics.thinking["random"].counts) == metrics.moves[MoveSource.BOT]


async def test_refusals_by_their_codes(metrics: Metrics) -> None:
    async with lobby(metrics=metrics) as place:
        ada = await place.call("Ada")
        await ada.refusal("join_room", room="attic")
        await ada.refusal("join_room", room="attic")
        await ada.refusal("say", text="hello")
        stranger = await place.connect("Ada")
        await say_hello(stranger, secret="not the secret of Ada")
        assert (await stranger.hear())["code"] == "name_taken"
    assert metrics.refusals == {"no_such_room": 2, "not_in_a_room": 1, "name_taken": 1}


async def test_connections_and_how_they_ended(metrics: Metrics) -> None:
    async with lobby(metrics=metrics) as place:
        ada, bob, cy = [await place.call(name) for name in ("Ada", "Bob", "Cy")]
        assert place.server.status().connections == 3
        await ada.hang_up()
        bob.cut()
        await until(lambda: metrics.closes.total() == 2)
        await cy.connection.close(4321, "a code of my own")
        await until(lambda: metrics.closes.total() == 3)
        assert place.server.status().connections == 0
        dan = await place.call("Dan")
        await place.server.stop()
        await dan.close_code()
    assert metrics.opened == 4
    assert +metrics.closes == {"1000": 1, "1006": 1, "other": 1, "1012": 1}


async def test_a_session_that_fails_has_closed_its_connection_as_1011(
    metrics: Metrics, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(Names, "claim", fail)
    async with lobby(metrics=metrics) as place:
        ada = await place.connect("Ada")
        await say_hello(ada)
        assert (await ada.close_code())[0] == 1011
    assert +metrics.closes == {"1011": 1}
    assert "a message couldn't be handled" in caplog.text


async def test_what_waits_for_a_slow_reader_is_told_while_it_waits() -> None:
    async with lobby(drain_s=1000.0, chat_chars=4000, burst=9999) as place:
        place.limit_send_buffers()
        ada = await place.create("Ada")
        async with bad_peer(place.server.port) as eve:
            await eve.open("Eve")
            await eve.say(type="join_room", id=1, room="attic", watch=True)
            await ada.event("joined", member="Eve")
            assert place.server.status().unread_bytes == 0
            while not place.server.status().unread_bytes:
                await ada.do("say", text="x" * 4000)
            eve.reset()
            await until(lambda: place.server.status().connections == 1)
            assert place.server.status().unread_bytes == 0


async def test_rooms_and_their_members() -> None:
    async with lobby() as place:
        ada, _ = await place.game_of_two()
        await place.create("Cy", "cellar")
        now = place.server.status()
        assert (now.rooms, now.rooms_playing, now.members) == (2, 1, 3)
        await ada.do("leave")
        assert place.server.status().members == 2


async def test_watching_counts_as_no_conversation(metrics: Metrics) -> None:
    async with lobby(metrics=metrics, metrics_host="127.0.0.1") as place:
        await asyncio.gather(*(http_request(metrics_port(place), "/metrics") for _ in range(3)))
    assert metrics.opened == 0
