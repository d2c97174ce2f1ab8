"""Connections to servers that break the protocol, as the real one never does."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
from msgspec.structs import replace
from tests.cases import each
from tests.client.update_reader import LIMIT_S, UpdateReader, quick_backoff
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websockets
from websockets.exceptions import ConnectionClosed

from boxroom_client.link.connection import Join, RoomConnection, list_rooms
from boxroom_client.link.conversation import MOST_ROOMS
from boxroom_client.link.errors import Unreachable
from boxroom_client.link.sockets import web_socket
from boxroom_client.link.updates import (
    BotThinking,
    ConnectionLost,
    ConnectionRestored,
    EnteredRoom,
    EventApplied,
    HintReceived,
    NoticeReceived,
    SessionEnded,
)
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.phrases import verbatim
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Audience, Room, Settings
from boxroom_engine.room.view import snapshot
from boxroom_engine.wire.codec import decode_from_client, encode
from boxroom_engine.wire.messages import (
    CLOSE_NOT_WELCOME,
    CLOSE_REPLACED,
    PROTOCOL,
    ClientMessage,
    Done,
    Events,
    GameGeometry,
    Hint,
    InRoom,
    JoinRoom,
    ListRooms,
    Notice,
    OfferIdentity,
    Pong,
    Refused,
    Resumed,
    RoomListed,
    Rooms,
    RoomsChanged,
    ServerMessage,
    Thinking,
    Welcome,
)

ANN = Identity.make("Ann")
LISTED = RoomListed("kiwa", Settings(), "waiting", "Ann", 1, 0, 1, 0)
WELCOME = Welcome(PROTOCOL, "strange", "Ann", (), 0, 16_384)
LOG: tuple[ev.Event, ...] = (
    ev.Created("kiwa", "log-1", "Ann", Settings()),
    ev.Joined("Ann"),
    ev.Sat(0, "Ann", "Ann"),
    ev.Said("Ann", "one", 1),
    ev.Said("Ann", "two", 2),
)


class Strange:
    """One connection, from the side of a server that sends what the test wants."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    async def hear(self) -> ClientMessage:
        return decode_from_client(await self._connection.recv(decode=False))

    async def say(self, *messages: ServerMessage) -> None:
        for message in messages:
            await self._connection.send(encode(message), text=True)

    async def say_raw(self, text: str) -> None:
        await self._connection.send(text)

    async def welcome(self) -> None:
        await self.hear()
        await self.say(WELCOME)

    async def let_in(self, seq: int = 3, log: str = "log-1") -> JoinRoom:
        """Send the welcome, and a snapshot of the room after event number `seq`."""
        await self.welcome()
        join = await self.hear()
        assert isinstance(join, JoinRoom)
        await self.say(in_room(seq, log), Done(join.id, seq))
        return join

    async def let_back_in(self) -> JoinRoom:
        """Send the welcome, and let the client resume where it is."""
        await self.welcome()
        join = await self.hear()
        assert isinstance(join, JoinRoom)
        assert join.after is not None
        await self.say(
            Resumed("Ann", "kiwa", join.after, 0, Audience.PLAYER), Done(join.id, join.after)
        )
        return join

    async def close(self, code: int) -> None:
        await self._connection.close(code)

    async def wait(self) -> None:
        """Wait until the client closes the connection."""
        await self._connection.wait_closed()


Script = Callable[[Strange], Awaitable[object]]


def in_room(seq: int, log: str = "log-1") -> InRoom:
    room = Room("kiwa")
    for event in (ev.Created("kiwa", log, "Ann", Settings()), *LOG[1:seq]):
        room = evolve(room, event, 0)
    return InRoom("Ann", Audience.PLAYER, 0, snapshot(room, Audience.PLAYER), 0)


@asynccontextmanager
async def strange_server(*scripts: Script) -> AsyncIterator[Address]:
    """Run a server that follows one script for each connection, and refuses all others."""
    remaining = list(scripts)
    failures: list[Exception] = []

    async def converse(connection: ServerConnection) -> None:
        if not remaining:
            await connection.close(1013)
            return
        try:
            await remaining.pop(0)(Strange(connection))
        except ConnectionClosed:
            pass
        except Exception as error:
            failures.append(error)

    async with serve_websockets(converse, "127.0.0.1", 0, compression=None) as server:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    assert not remaining
    assert not failures


def connection(address: Address) -> RoomConnection:
    return RoomConnection(address, ANN, Join("kiwa", "sesame"), backoff=quick_backoff(attempt_s=2))


# Not a Boxroom server


@each(
    "answer, reason",
    [
        (b"", "isn't a Boxroom server"),
        (b"220 mail ready\r\n", "isn't a Boxroom server"),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nno\x1b[m", "HTTP 404 no"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP 200"),
    ],
)
async def test_something_else_listens(answer: bytes, reason: str) -> None:
    async def be_something_else(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(be_something_else, "127.0.0.1", 0) as server:
        address = Address("127.0.0.1", server.sockets[0].getsockname()[1])
        with pytest.raises(Unreachable, match=reason) as unreachable:
            await connection(address).__aenter__()
        assert str(unreachable.value).isprintable()
        # A hint that TLS may help would lead to one that leads back.
        assert ("wss://" in str(unreachable.value)) == (answer == b"")
        secure = Address(address.host, address.port, secure=True)
        with pytest.raises(Unreachable):
            await connection(secure).__aenter__()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ssl.SSLCertVerificationError(1, "x"), "has no certificate to trust: self-signed"),
        (ssl.SSLError(1, "WRONG_VERSION"), "doesn't speak TLS with us"),
        (socket.gaierror(-2, "Name or service not known"), "there is no host called"),
        (TimeoutError(), "doesn't answer"),
        (ConnectionRefusedError(111, "Connect call failed"), "is a server running there?"),
        (OSError("Multiple exceptions: [Errno 111] a, [Errno 111] b"), "is a server running"),
        (OSError(113, "No route to host"), "can't be reached: No route to host"),
    ],
)
async def test_why_a_server_cant_be_reached(
    monkeypatch: pytest.MonkeyPatch, error: Exception, sentence: str
) -> None:
    async def fail(*_: object, **__: object) -> None:
        if isinstance(error, ssl.SSLCertVerificationError):
            error.verify_message = "self-signed certificate"
        raise error

    monkeypatch.setattr(web_socket, "open_socket", fail)
    with pytest.raises(Unreachable, match=sentence.replace("?", r"\?")):
        await list_rooms(Address("example.org"), ANN)


async def test_a_link_local_address_needs_a_zone() -> None:
    with pytest.raises(
        Unreachable, match="needs a zone, the interface to its network: fe80::5%eth0"
    ):
        await list_rooms(Address("fe80::5"), ANN)


@each(
    "greeting",
    ["", "hello", "{}", '{"type":"welcome"}', "[" * 100_000, '{"type":"done","id":1,"seq":1}'],
)
async def test_a_greeting_that_isnt_one(greeting: str) -> None:
    async with strange_server(lambda strange: strange.say_raw(greeting)) as address:
        with pytest.raises(Unreachable, match="isn't a Boxroom server"):
            await connection(address).__aenter__()


async def test_a_server_that_hangs_up_instead_of_greeting() -> None:
    async with strange_server(lambda strange: strange.close(1013)) as address:
        with pytest.raises(Unreachable, match="doesn't greet back: the server hung up: 1013"):
            await connection(address).__aenter__()


async def test_a_server_that_has_too_many_newcomers_may_have_time_later() -> None:
    async def refuse(strange: Strange) -> None:
        await strange.hear()
        await strange.say(Refused(0, "too_fast", "too many new names: try again later"))

    async with strange_server(refuse) as address:
        with pytest.raises(Unreachable, match="too many new names: try again later"):
            await connection(address).__aenter__()


async def test_another_protocol() -> None:
    async def refuse(strange: Strange) -> None:
        await strange.hear()
        await strange.say(Refused(0, "other_protocol", "this server speaks protocol 9"))
        await strange.close(4000)

    async with strange_server(refuse) as address:
        with pytest.raises(CommandRefused) as refused:
            await connection(address).__aenter__()
    assert refused.value.code == "other_protocol"


async def test_notices_before_the_welcome_do_no_harm() -> None:
    async def notices_first(strange: Strange) -> None:
        await strange.say(Notice("cannot_save", "the disk is full"))
        await strange.let_in()
        await strange.wait()

    async with strange_server(notices_first) as address, connection(address) as joined:
        assert joined.room is not None


async def test_a_server_that_lets_us_into_no_room() -> None:
    async def lie(strange: Strange) -> None:
        await strange.welcome()
        join = await strange.hear()
        assert isinstance(join, JoinRoom)
        await strange.say(Done(join.id, 1))

    async with strange_server(lie) as address:
        with pytest.raises(Unreachable, match="it let us into no room"):
            await connection(address).__aenter__()


async def test_a_room_that_this_client_doesnt_understand() -> None:
    async def show(strange: Strange) -> None:
        await strange.welcome()
        await strange.hear()
        room = Room("kiwa", settings=Settings("chess"), players=("Ann", "Bob"))
        seen = snapshot(room, Audience.PLAYER)
        await strange.say(InRoom("Ann", Audience.PLAYER, 0, seen, 0))

    async with strange_server(show) as address:
        with pytest.raises(CommandRefused) as refused:
            await connection(address).__aenter__()
    assert refused.value.code == "cannot_follow"


async def test_a_room_that_becomes_one_that_this_client_doesnt_understand() -> None:
    async def change(strange: Strange) -> None:
        await strange.let_in()
        room = Room("kiwa", settings=Settings("chess"), players=("Ann", "Bob"))
        await strange.say(InRoom("Ann", Audience.PLAYER, 0, snapshot(room, Audience.PLAYER), 0))
        await strange.wait()

    async with strange_server(change) as address, connection(address) as ann:
        assert (await UpdateReader(ann).until(SessionEnded)).code == "cannot_follow"


# Errors after entering


@each("garbage", ["", "{}", '{"type":"events","seq":"four"}', "\x00", '{"type":"telepathy"}'])
async def test_after_garbage_it_resumes(garbage: str) -> None:
    async def spoil(strange: Strange) -> None:
        await strange.let_in()
        await strange.say_raw(garbage)
        await strange.wait()

    async def go_on(strange: Strange) -> None:
        join = await strange.let_back_in()
        assert (join.after, join.log, join.password) == (3, "log-1", "sesame")
        await strange.say(Events(4, 0, LOG[3:]))
        await strange.wait()

    async with strange_server(spoil, go_on) as address, connection(address) as ann:
        reader = UpdateReader(ann)
        assert "no message" in (await reader.until(ConnectionLost)).reason
        await reader.until(ConnectionRestored)
        await reader.until_said("two")


@each(
    "events",
    [
        Events(5, 0, LOG[4:]),
        Events(3, 0, LOG[2:]),
        Events(4, 0, (ev.Sat(9, "Ann", "Ann"),)),
        Events(4, 0, (ev.Played(0, "h0", (), 1, (0, 0)),)),
    ],
)
async def test_events_that_dont_follow_lead_to_a_snapshot(events: Events) -> None:
    async def lose_count(strange: Strange) -> None:
        await strange.let_in()
        await strange.say(events)
        await strange.wait()

    async def show(strange: Strange) -> None:
        join = await strange.let_in(seq=4)
        assert (join.after, join.log) == (None, None)
        await strange.say(Events(5, 0, LOG[4:]))
        await strange.wait()

    async with strange_server(lose_count, show) as address, connection(address) as ann:
        reader = UpdateReader(ann)
        await reader.until(ConnectionLost)
        assert (await reader.until(EnteredRoom, lambda entered: entered.back)).room.seq == 4
        await reader.until_said("two")


async def test_a_server_that_resumes_elsewhere_is_asked_for_a_snapshot() -> None:
    async def lose(strange: Strange) -> None:
        await strange.let_in()

    async def resume_elsewhere(strange: Strange) -> None:
        await strange.welcome()
        await strange.hear()
        await strange.say(Resumed("Ann", "kiwa", 2, 0, Audience.PLAYER))
        await strange.wait()

    async def show(strange: Strange) -> None:
        assert (await strange.let_in(seq=5)).after is None
        await strange.wait()

    async with (
        strange_server(lose, resume_elsewhere, show) as address,
        connection(address) as ann,
    ):
        assert (
            await UpdateReader(ann).until(EnteredRoom, lambda entered: entered.back)
        ).room.seq == 5


@each("message", [WELCOME, Rooms(2, ()), GameGeometry(2, 9, 9, ())])
async def test_what_doesnt_belong_there_is_garbage_too(message: ServerMessage) -> None:
    async def confuse(strange: Strange) -> None:
        await strange.let_in()
        await strange.hear()
        await strange.say(message)
        await strange.wait()

    async def answer(strange: Strange) -> None:
        await strange.let_back_in()
        said = await strange.hear()
        assert said == cmd.Say(2, "hello")
        await strange.say(Done(2, 4))
        await strange.wait()

    async with strange_server(confuse, answer) as address, connection(address) as ann:
        assert await ann.ask(cmd.Say(1, "hello")) == Done(2, 4)


async def test_too_fast_at_the_door_is_no_refusal() -> None:
    async def refuse(strange: Strange) -> None:
        await strange.welcome()
        join = await strange.hear()
        assert isinstance(join, JoinRoom)
        await strange.say(Refused(join.id, "too_fast", "slow down"))

    async def lose(strange: Strange) -> None:
        await strange.let_in()

    async def stay(strange: Strange) -> None:
        await strange.let_back_in()
        await strange.wait()

    async with strange_server(lose, refuse, stay) as address, connection(address) as ann:
        reader = UpdateReader(ann)
        await reader.until(ConnectionLost, lambda lost: "slow down" in lost.reason)
        await reader.until(ConnectionRestored)


@each("code", [1000, 1001, 1003, 1008, 1011, 1012, 1013, 4002])
async def test_a_server_that_hangs_up_is_tried_again(code: int) -> None:
    async def hang_up(strange: Strange) -> None:
        await strange.let_in()
        await strange.close(code)

    async def stay(strange: Strange) -> None:
        await strange.let_back_in()
        await strange.wait()

    async with strange_server(hang_up, stay) as address, connection(address) as ann:
        reader = UpdateReader(ann)
        assert (await reader.until(ConnectionLost)).reason == f"the server hung up: {code}"
        await reader.until(ConnectionRestored)


async def test_who_isnt_welcome_any_more_doesnt_come_back() -> None:
    async def ban(strange: Strange) -> None:
        await strange.let_in()
        await strange.close(CLOSE_NOT_WELCOME)

    async with strange_server(ban) as address, connection(address) as ann:
        finished = await UpdateReader(ann).until(SessionEnded)
        assert finished.code == "banned"
        assert "the operator of this server has sent you away" in str(finished.said)


async def test_replaced_at_the_door_is_the_end() -> None:
    async def lose(strange: Strange) -> None:
        await strange.let_in()

    async def replace(strange: Strange) -> None:
        await strange.welcome()
        await strange.hear()
        await strange.close(CLOSE_REPLACED)

    async with strange_server(lose, replace) as address, connection(address) as ann:
        assert (await UpdateReader(ann).until(SessionEnded)).code == "replaced"


async def test_commands_are_not_for_another_room_of_the_same_name() -> None:
    async def forget(strange: Strange) -> None:
        await strange.let_in()
        await strange.hear()

    async def show_another(strange: Strange) -> None:
        await strange.let_in(log="log-2")
        assert isinstance(await strange.hear(), ListRooms)
        await strange.wait()

    async with strange_server(forget, show_another) as address, connection(address) as ann:
        with pytest.raises(CommandRefused) as refused:
            await ann.ask(cmd.Say(1, "hello"))
        assert refused.value.code == "other_room"
        listing = asyncio.create_task(ann.list_rooms())
        await UpdateReader(ann).until(EnteredRoom, lambda entered: entered.room.log == "log-2")
    with pytest.raises(CommandRefused) as refused:
        await listing
    assert refused.value.code == "closed"


async def test_a_list_without_end_ends_anyway() -> None:
    asked: list[str] = []

    async def list_for_ever(strange: Strange) -> None:
        await strange.let_in()
        while isinstance(request := await strange.hear(), ListRooms):
            asked.append(request.after)
            numbers = range(len(asked) * 10, len(asked) * 10 + 10)
            page = tuple(replace(LISTED, room=f"room {number}") for number in numbers)
            await strange.say(Rooms(request.id, page, f"page {len(asked)}"))

    async with strange_server(list_for_ever) as address, connection(address) as ann:
        rooms = await ann.list_rooms()
        assert len(rooms) == MOST_ROOMS
    assert asked == ["", *(f"page {number}" for number in range(1, MOST_ROOMS // 10))]


async def test_a_list_that_repeats_itself_ends_too() -> None:
    async def list_again(strange: Strange) -> None:
        await strange.let_in()
        for _ in range(2):
            request = await strange.hear()
            assert isinstance(request, ListRooms)
            await strange.say(Rooms(request.id, (LISTED,), "more"))

    async with strange_server(list_again) as address, connection(address) as ann:
        assert await ann.list_rooms() == (LISTED,)


async def test_an_old_server_refuses_an_offer_of_an_identity() -> None:
    async def refuse(strange: Strange) -> None:
        await strange.let_in()
        request = await strange.hear()
        assert isinstance(request, OfferIdentity)
        await strange.say(Refused(request.id, "bad_message", "what is an offer?"))
        await strange.wait()

    async with strange_server(refuse) as address, connection(address) as ann:
        with pytest.raises(CommandRefused, match="what is an offer"):
            await ann.offer_identity()


async def test_what_isnt_history_is_passed_on() -> None:
    async def chatter(strange: Strange) -> None:
        await strange.let_in()
        await strange.say(
            Thinking(1, "greedy\x1b[0m"),
            Hint(0, "h\x1b0", 3, 1, "greedy"),
            Notice("stopping", "the server\u202e is stopping"),
            Done(77, 4),
            Refused(0, "bad_message", "that was no message"),
            Events(4, 0, (ev.Said("Ann", "\x07bell", 1),)),
        )
        await strange.wait()

    async with strange_server(chatter) as address, connection(address) as ann:
        reader = UpdateReader(ann)
        await reader.until(EventApplied)
        assert reader.read[1:-1] == [
            BotThinking(1, "greedy[0m"),
            HintReceived(0, "h0", 3, 1, "greedy"),
            NoticeReceived("stopping", verbatim("the server is stopping")),
            NoticeReceived("bad_message", verbatim("that was no message")),
        ]
        assert reader.said() == ["bell"]


async def test_what_wasnt_asked_for_and_does_no_harm_is_ignored() -> None:
    async def chatter(strange: Strange) -> None:
        await strange.let_in()
        await strange.say(
            Pong(77, 1),
            RoomsChanged((LISTED,), ("tobe",)),
            Events(4, 0, (ev.Said("Ann", "still here", 1),)),
        )
        await strange.wait()

    async with strange_server(chatter) as address, connection(address) as ann:
        reader = UpdateReader(ann)
        await reader.until(EventApplied)
        assert len(reader.read) == 2
        assert reader.said() == ["still here"]


async def test_a_server_that_falls_silent_at_the_door_is_unreachable() -> None:
    async def be_silent(strange: Strange) -> None:
        await strange.welcome()
        await strange.wait()

    async with strange_server(be_silent) as address, asyncio.timeout(LIMIT_S):
        with pytest.raises(Unreachable, match="doesn't answer within"):
            await RoomConnection(
                address, ANN, Join("kiwa"), backoff=quick_backoff(attempt_s=0.1)
            ).__aenter__()


async def test_a_list_that_isnt_given() -> None:
    async def refuse(code: str, strange: Strange) -> None:
        await strange.welcome()
        await strange.hear()
        await strange.say(Refused(1, code, "not now"))

    async def hang_up(strange: Strange) -> None:
        await strange.welcome()
        await strange.hear()

    refusals = partial(refuse, "too_fast"), partial(refuse, "bad_message")
    async with strange_server(*refusals, hang_up) as address:
        with pytest.raises(Unreachable, match="not now"):
            await list_rooms(address, ANN)
        with pytest.raises(CommandRefused, match="not now"):
            await list_rooms(address, ANN)
        with pytest.raises(Unreachable, match="hung up"):
            await list_rooms(address, ANN)
