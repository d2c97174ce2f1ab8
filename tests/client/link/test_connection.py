"""Room connections over real sockets, with the real server and a proxy that cuts them."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from msgspec import structs
from tests.cases import each
from tests.client.cutting_proxy import CuttingProxy, cutting_proxy
from tests.client.update_reader import LIMIT_S, UpdateReader, quick_backoff
from websockets.asyncio.client import connect

from boxroom_client.link import mirror
from boxroom_client.link.backoff import Backoff
from boxroom_client.link.connection import Create, Join, JoinRequest, RoomConnection, list_rooms
from boxroom_client.link.errors import Unreachable
from boxroom_client.link.member_session import LEFT, MemberSession
from boxroom_client.link.sockets import web_socket
from boxroom_client.link.updates import (
    ConnectionLost,
    ConnectionRestored,
    EnteredRoom,
    EventApplied,
    NoticeReceived,
    ServerResponding,
    ServerSilent,
    SessionEnded,
)
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_common.exits import Failure
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.room import Audience, Phase, RequestedSettings, Room, Settings
from boxroom_engine.room.view import snapshot
from boxroom_engine.wire.links import PageUrl, masked
from boxroom_engine.wire.messages import CreateRoom, Done, JoinRoom
from boxroom_server.options import Options
from boxroom_server.rooms import replay_buffer
from boxroom_server.server import Server, serve

T = TypeVar("T")

ANN = Identity.make("Ann")
BOB = Identity.make("Bob")
CID = Identity.make("Cid")
SMALL = Settings(options={"rows": 2, "cols": 2})
KIWA = Create(SMALL, room="kiwa")


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serve(Options(host="127.0.0.1", port=0, pace_s=0, chat_burst=1_000)) as server:
        yield server


@pytest.fixture
async def proxy(server: Server) -> AsyncIterator[CuttingProxy]:
    async with cutting_proxy(server.port) as proxy:
        yield proxy


@pytest.fixture(autouse=True)
async def _nothing_is_left_running() -> AsyncIterator[None]:
    yield
    running = [task.get_name() for task in asyncio.all_tasks()]
    assert "room connection" not in running


def address_of(server: Server) -> Address:
    return Address("127.0.0.1", server.port)


def connection(
    where: Server | CuttingProxy | Address,
    identity: Identity,
    join_request: JoinRequest,
    backoff: Backoff | None = None,
) -> RoomConnection:
    match where:
        case Server():
            address = address_of(where)
        case CuttingProxy():
            address = where.address
        case _:
            address = where
    return RoomConnection(address, identity, join_request, backoff=backoff or quick_backoff())


async def soon(waiting: Awaitable[T]) -> T:
    async with asyncio.timeout(LIMIT_S):
        return await waiting


def room_of(server: Server, code: str = "kiwa") -> Room:
    """Return the server's own room, which no public function gives."""
    host = server._directory.find(code).host
    assert host is not None
    return host.room


def assert_same(mirrored: Room | None, room: Room, audience: Audience = Audience.PLAYER) -> None:
    assert mirrored is not None
    assert snapshot(mirrored, audience) == snapshot(room, audience)


async def play_next(*players: RoomConnection) -> Done:
    """Have the player to move draw the first free edge."""
    room = max((player.room for player in players if player.room), key=lambda room: room.seq)
    assert room.state is not None
    seat = room.state.to_move
    assert seat is not None
    move = room.state.game.format_move(room.state.legal_moves()[0])
    (player,) = (player for player in players if player.me == room.seats[seat].member)
    return await soon(player.ask(cmd.Play(1, seat, move, room.state.ply)))


@asynccontextmanager
async def two_at_the_table(
    server: Server, proxy: CuttingProxy | None = None
) -> AsyncIterator[tuple[RoomConnection, RoomConnection]]:
    """Seat Ann as the host and Bob beside her; Bob connects through the proxy, if there is one."""
    async with (
        connection(server, ANN, KIWA) as ann,
        connection(proxy or server, BOB, Join("kiwa")) as bob,
    ):
        yield ann, bob


# Going to another room


async def test_from_room_to_room_and_back_after_a_lost_connection(
    server: Server, proxy: CuttingProxy
) -> None:
    tobe = Create(SMALL, room="tobe", password="sesame")
    async with (
        connection(
            server, ANN, replace(tobe, settings=structs.replace(SMALL, private=True))
        ) as ann,
        connection(proxy, BOB, KIWA) as bob,
    ):
        reader = UpdateReader(bob)
        for password in (None, "sesam"):
            with pytest.raises(CommandRefused) as refused:
                await soon(bob.go_to("tobe", password))
            assert refused.value.code == "wrong_password"
        await soon(bob.ask(cmd.Say(1, "still in kiwa")))
        await soon(bob.go_to("tobe", "sesame"))
        await reader.until(EnteredRoom, lambda entered: entered.room.code == "tobe")
        assert_same(bob.room, room_of(server, "tobe"))
        assert not room_of(server).members
        proxy.cut()
        await reader.until(ConnectionRestored)
        await soon(bob.ask(cmd.Say(1, "back in tobe")))
        await UpdateReader(ann).until_said("back in tobe")
        await soon(bob.go_to("kiwa"))
        assert bob.room is not None
        assert bob.room.code == "kiwa"


async def test_who_asks_for_the_own_room_is_told_so(server: Server) -> None:
    async with connection(server, ANN, KIWA) as ann:
        with pytest.raises(CommandRefused) as refused:
            await soon(ann.go_to("KIWA"))
        assert refused.value.code == "in_a_room"


# Another name


async def test_a_member_goes_on_under_another_name_also_after_a_lost_connection(
    server: Server, proxy: CuttingProxy
) -> None:
    async with two_at_the_table(server, proxy) as (ann, bob):
        reader, of_ann = UpdateReader(bob), UpdateReader(ann)
        await soon(bob.ask(cmd.Say(1, "hello")))
        await soon(bob.rename("Bert"))
        assert (await reader.until(EnteredRoom, lambda it: it.me == "Bert")).back
        assert bob.me == "Bert"
        assert_same(bob.room, room_of(server))
        await of_ann.until(EventApplied, lambda it: it.event == ev.Renamed("Bob", "Bert"))
        proxy.cut()
        await reader.until(ConnectionRestored)
        await soon(bob.ask(cmd.Say(1, "it is me")))
        await of_ann.until_said("it is me")
        await soon(bob.rename("Bob"))
        assert [*room_of(server).members] == ["Ann", "Bob"]


async def test_a_name_that_is_refused_leaves_all_as_it_is(server: Server) -> None:
    async with two_at_the_table(server) as (ann, bob):
        three = RequestedSettings.of(structs.replace(SMALL, seats=3))
        await soon(ann.ask(cmd.Configure(1, three)))
        await soon(ann.ask(cmd.Sit(1, name="Ann 2")))
        for name, code in (
            ("Ann", "name_taken"),
            ("ann 2", "name_taken"),
            ("A\u0430n", "bad_name"),
            ("bob", "no_change"),
            ("?", "cannot_rename"),
        ):
            before = room_of(server)
            with pytest.raises(CommandRefused) as refused:
                await soon(bob.rename(name))
            assert refused.value.code == code
            await soon(bob.ask(cmd.Say(1, "still Bob")))
            assert room_of(server).members == before.members


async def test_a_name_is_kept_while_a_game_is_on(server: Server) -> None:
    async with two_at_the_table(server) as (ann, bob):
        await soon(ann.ask(cmd.Start(1)))
        with pytest.raises(CommandRefused) as refused:
            await soon(bob.rename("Bert"))
        assert refused.value.code == "game_on"
        await soon(bob.ask(cmd.Say(1, "still Bob")))
        assert bob.me == "Bob"


# Entering and playing


async def test_the_first_happening_is_the_room(server: Server) -> None:
    async with connection(server, ANN, KIWA) as ann:
        entered = await UpdateReader(ann).until(EnteredRoom)
        assert (entered.me, entered.audience, entered.back) == ("Ann", Audience.PLAYER, False)
        assert entered.room == ann.room
        assert ann.me == "Ann"
        assert ann.welcome is not None
        assert "dots" in [offered.game for offered in ann.welcome.games]
        assert_same(ann.room, room_of(server))


async def test_a_spectator_watches(server: Server) -> None:
    async with (
        connection(server, ANN, KIWA),
        connection(server, BOB, Join("kiwa", watch=True)) as bob,
    ):
        assert (await UpdateReader(bob).until(EnteredRoom)).audience is Audience.SPECTATOR


async def test_a_whole_game(server: Server) -> None:
    async with two_at_the_table(server) as (ann, bob):
        await soon(ann.ask(cmd.Start(1)))
        reader = UpdateReader(ann), UpdateReader(bob)
        while room_of(server).phase is Phase.PLAYING:
            await play_next(ann, bob)
        for ear in reader:
            ended = await ear.until(EventApplied, lambda h: isinstance(h.event, ev.Ended))
            assert sum(ended.event.scores) == 4  # type: ignore[union-attr]
        assert_same(ann.room, room_of(server))
        assert_same(bob.room, room_of(server))


async def test_done_comes_when_the_room_is_there(server: Server) -> None:
    async with two_at_the_table(server) as (ann, _):
        done = await soon(ann.ask(cmd.Say(1, "hello")))
        assert ann.room is not None
        assert ann.room.seq >= done.seq


async def test_a_refusal_is_raised(server: Server) -> None:
    async with two_at_the_table(server) as (_, bob):
        with pytest.raises(CommandRefused) as refused:
            await soon(bob.ask(cmd.Start(1)))
        assert refused.value.code == "not_host"


async def test_the_list_of_rooms_from_within_and_without(server: Server) -> None:
    assert (await soon(list_rooms(address_of(server), CID))) == ()
    async with connection(server, ANN, KIWA) as ann:
        within = await soon(ann.list_rooms())
        without = await soon(list_rooms(address_of(server), CID))
        assert [listed.room for listed in within] == ["kiwa"]
        assert within == without


async def test_an_identity_is_offered_without_its_secret(server: Server) -> None:
    async with connection(server, ANN, KIWA) as ann:
        pad, code = await soon(ann.offer_identity())
    async with connect(f"ws://127.0.0.1:{server.port}") as phone:
        await phone.send(json.dumps({"type": "take_identity", "code": code}))
        taken = json.loads(await soon(phone.recv()))
    assert (taken["type"], taken["name"]) == ("identity", ANN.name)
    assert taken["masked"] != ANN.secret
    assert masked(taken["masked"], pad) == ANN.secret


async def test_the_server_reviews_the_game_on_the_board() -> None:
    options = Options(host="127.0.0.1", port=0, pace_s=0, bot_s=60.0)
    async with serve(options) as server, two_at_the_table(server) as (ann, bob):
        await soon(ann.ask(cmd.Start(1)))
        with pytest.raises(CommandRefused) as refused:
            await soon(ann.review())
        assert refused.value.code == "not_over"
        await soon(ann.ask(cmd.Play(1, 0, "h0", 0)))
        await soon(bob.ask(cmd.Resign(1, 1)))
        assert (await soon(ann.review())).first_judged == 1


async def test_an_identity_whose_secret_no_link_can_bring_isnt_offered(server: Server) -> None:
    odd = Identity("Odd", "a secret with spaces in it")
    async with connection(server, odd, KIWA) as member:
        with pytest.raises(CommandRefused, match="your secret has characters"):
            await soon(member.offer_identity())


# Lost connections


async def test_it_comes_back_by_itself_with_nothing_missed(
    server: Server, proxy: CuttingProxy
) -> None:
    async with two_at_the_table(server, proxy) as (ann, bob):
        reader = UpdateReader(bob)
        await reader.until(EnteredRoom)
        proxy.close()
        lost = await reader.until(ConnectionLost)
        assert lost.reason == "the connection was cut"
        assert 0 <= lost.retry_s <= 0.25
        for text in ("one", "two", "three"):
            await soon(ann.ask(cmd.Say(1, text)))
        proxy.open()
        await reader.until(ConnectionRestored)
        await reader.until_said("three")
        await reader.until(EventApplied, lambda h: isinstance(h.event, ev.Returned))
        assert reader.said() == ["one", "two", "three"]
        assert not any(isinstance(update, EnteredRoom) for update in reader.read[1:])
        assert_same(bob.room, room_of(server))


async def test_a_whole_game_over_a_connection_that_is_cut_again_and_again(
    server: Server, proxy: CuttingProxy
) -> None:
    async with two_at_the_table(server, proxy) as (ann, bob):
        reader = UpdateReader(bob)
        await soon(ann.ask(cmd.Start(1)))
        moves = 0
        while room_of(server).phase is Phase.PLAYING:
            assert isinstance(await play_next(ann, bob), Done)
            moves += 1
            if moves % 5 == 0:
                proxy.cut()
                await reader.until(ConnectionRestored)
        await reader.until(EventApplied, lambda h: isinstance(h.event, ev.Ended))
        assert (moves, proxy.connections) == (12, 3)
        played = [
            h for h in reader.read if isinstance(h, EventApplied) and type(h.event) is ev.Played
        ]
        assert len(played) == 12


async def test_a_gap_that_cant_be_replayed_is_bridged_by_a_snapshot(
    server: Server, proxy: CuttingProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_buffer, "CAPACITY", 3)
    async with two_at_the_table(server, proxy) as (ann, bob):
        reader = UpdateReader(bob)
        proxy.close()
        await reader.until(ConnectionLost)
        for number in range(5):
            await soon(ann.ask(cmd.Say(1, str(number))))
        asked = asyncio.create_task(bob.ask(cmd.Say(1, "typed meanwhile")))
        proxy.open()
        back = await reader.until(EnteredRoom, lambda entered: entered.back)
        assert [line.text for line in back.room.chat] == ["0", "1", "2", "3", "4"]
        assert isinstance(await soon(asked), Done)
        await reader.until_said("typed meanwhile")
        assert_same(bob.room, room_of(server))


async def test_a_command_whose_answer_got_lost_is_done_once(
    server: Server, proxy: CuttingProxy
) -> None:
    async with two_at_the_table(server, proxy) as (ann, bob):
        reader = UpdateReader(ann)
        proxy.mute()
        asked = asyncio.create_task(bob.ask(cmd.Say(1, "once")))
        await reader.until_said("once")
        seq = room_of(server).chat[-1].seq
        assert not asked.done()
        proxy.open()
        proxy.cut()
        assert await soon(asked) == Done(2, seq)
        await soon(ann.ask(cmd.Say(1, "and then")))
        assert [line.text for line in room_of(server).chat] == ["once", "and then"]


async def test_what_is_typed_without_a_connection_waits_for_one(
    server: Server, proxy: CuttingProxy
) -> None:
    async with two_at_the_table(server, proxy) as (ann, bob):
        proxy.close()
        await UpdateReader(bob).until(ConnectionLost)
        asked = [asyncio.create_task(bob.ask(cmd.Say(1, text))) for text in "abc"]
        proxy.open()
        await soon(asyncio.gather(*asked))
        await soon(ann.ask(cmd.Say(1, "d")))
        assert [line.text for line in room_of(server).chat] == ["a", "b", "c", "d"]


async def test_many_at_once_through_cuts_are_all_done_once_and_in_order(
    server: Server, proxy: CuttingProxy
) -> None:
    texts = [str(number) for number in range(60)]
    async with two_at_the_table(server, proxy) as (ann, bob):
        reader = UpdateReader(ann)
        asked = [asyncio.create_task(bob.ask(cmd.Say(1, text))) for text in texts]
        for text in ("5", "25", "45"):
            await reader.until_said(text)
            proxy.cut()
        await soon(asyncio.gather(*asked))
        await soon(ann.ask(cmd.Say(1, "end")))
        await reader.until_said("end")
        assert reader.said() == [*texts, "end"]


async def test_more_than_the_server_takes_at_once_takes_longer() -> None:
    """A command that the server refuses as too fast is sent again after a pause."""
    options = Options(host="127.0.0.1", port=0, messages_per_s=500, burst=20, chat_burst=60)
    backoff = Backoff(slow_down_s=0.02)
    async with serve(options) as server, connection(server, ANN, KIWA, backoff) as ann:
        asked = [ann.ask(cmd.Say(1, str(number))) for number in range(60)]
        await soon(asyncio.gather(*asked))


async def test_a_command_that_is_too_long_doesnt_end_it(server: Server) -> None:
    async with connection(server, ANN, KIWA) as ann:
        conversation = ann._conversation
        with pytest.raises(CommandRefused) as refused:
            await soon(ann.ask(cmd.Say(1, "long" * 50_000)))
        assert refused.value.code == "too_long"
        await soon(ann.ask(cmd.Say(1, "short")))
        assert ann._conversation is conversation, "it was sent, and the server hung up"


async def test_a_password_that_is_too_long_is_refused_at_once(server: Server) -> None:
    with pytest.raises(CommandRefused, match=r"that has 20\d+ bytes, and the server takes 16384"):
        async with connection(server, ANN, Join("kiwa", password="x" * 20_000)):
            pass


async def test_a_spectator_comes_back_as_a_spectator(server: Server, proxy: CuttingProxy) -> None:
    async with (
        connection(server, ANN, KIWA) as ann,
        connection(proxy, BOB, Join("kiwa")) as bob,
    ):
        await soon(bob.ask(cmd.Stand(1)))
        proxy.cut()
        await UpdateReader(bob).until(ConnectionRestored)
        await soon(bob.ask(cmd.Say(1, "I'm back")))
        assert ann.room is not None
        assert not room_of(server).is_player("Bob")


async def test_who_stood_up_and_was_not_told_comes_back_without_a_seat(
    server: Server, proxy: CuttingProxy
) -> None:
    async with two_at_the_table(server, proxy) as (ann, bob):
        reader = UpdateReader(ann)
        proxy.mute()
        asked = asyncio.create_task(bob.ask(cmd.Stand(1)))
        await reader.until(EventApplied, lambda h: isinstance(h.event, ev.Vacated))
        proxy.open()
        proxy.cut()
        assert isinstance(await soon(asked), Done)
        assert_same(bob.room, room_of(server), Audience.SPECTATOR)
        assert not room_of(server).is_player("Bob")


# Refused requests


async def test_nobody_listens(unused_tcp_port: int) -> None:
    nowhere = Address("127.0.0.1", unused_tcp_port)
    with pytest.raises(Unreachable, match=f"nothing answers at {nowhere}: is a server running"):
        await connection(nowhere, ANN, KIWA).__aenter__()
    with pytest.raises(Unreachable, match="nothing answers"):
        await list_rooms(nowhere, ANN)


async def test_a_name_that_is_somebody_elses(server: Server) -> None:
    async with connection(server, ANN, KIWA):
        with pytest.raises(CommandRefused) as refused:
            await connection(server, Identity.make("ann"), Join("kiwa")).__aenter__()
    assert refused.value.code == "name_taken"


@pytest.mark.parametrize(
    ("join_request", "code"),
    [
        (Join("nowhere"), "no_such_room"),
        (Join("secret"), "wrong_password"),
        (Join("secret", password="guess"), "wrong_password"),
        (Create(SMALL, room="secret"), "room_exists"),
        (Create(Settings(options={"rows": 0})), "bad_option"),
        (Join("\udcff"), "bad_text"),
    ],
)
async def test_a_room_that_doesnt_let_us_in(
    server: Server, join_request: JoinRequest, code: str
) -> None:
    private = Create(Settings(private=True), room="secret", password="sesame")
    async with connection(server, ANN, private):
        with pytest.raises(CommandRefused) as refused:
            await connection(server, BOB, join_request).__aenter__()
        assert refused.value.code == code
        async with connection(server, BOB, Join("secret", password="sesame")) as bob:
            assert bob.me == "Bob"


async def test_an_answer_that_got_lost_never_makes_two_rooms(
    server: Server, proxy: CuttingProxy
) -> None:
    """A request to enter that is sent again leads to the same room."""
    creating = connection(proxy, ANN, Create(SMALL), quick_backoff(attempt_s=0.5))
    with pytest.MonkeyPatch.context() as patch:
        ask = MemberSession.join_message

        def ask_and_hear_nothing(presence: MemberSession) -> CreateRoom | JoinRoom:
            proxy.mute()
            return ask(presence)

        patch.setattr(MemberSession, "join_message", ask_and_hear_nothing)
        with pytest.raises(Unreachable, match="doesn't answer within"):
            await creating.__aenter__()
    proxy.open()
    async with creating as ann:
        assert (await UpdateReader(ann).until(EnteredRoom)).me == "Ann"
        assert len(server._directory) == 1


# The end


async def test_who_leaves_is_gone_at_once(server: Server) -> None:
    async with two_at_the_table(server) as (ann, bob):
        reader = UpdateReader(ann)
        await soon(bob.leave())
        await reader.until(EventApplied, lambda h: h.event == ev.Left("Bob"))
        assert (await UpdateReader(bob).until_end())[-1] == LEFT
        for late in (bob.ask(cmd.Say(1, "late")), bob.list_rooms()):
            with pytest.raises(CommandRefused) as refused:
                await soon(late)
            assert refused.value.code == "left"


async def test_a_leave_command_ends_it_too(server: Server) -> None:
    async with two_at_the_table(server) as (_, bob):
        await soon(bob.ask(cmd.Leave(1)))
        assert (await UpdateReader(bob).until(SessionEnded)).code == "left"


async def test_who_leaves_without_a_connection_just_goes(
    server: Server, proxy: CuttingProxy
) -> None:
    async with two_at_the_table(server, proxy) as (_, bob):
        proxy.close()
        reader = UpdateReader(bob)
        await reader.until(ConnectionLost)
        await soon(bob.leave())
        assert (await reader.until(SessionEnded)).code == "left"


async def test_a_good_bye_that_isnt_answered_is_bounded(
    server: Server, proxy: CuttingProxy
) -> None:
    async with (
        connection(server, ANN, KIWA) as ann,
        connection(proxy, BOB, Join("kiwa"), quick_backoff(leave_s=0.05)) as bob,
    ):
        proxy.mute()
        leaving = asyncio.create_task(bob.leave())
        await UpdateReader(ann).until(EventApplied, lambda h: h.event == ev.Left("Bob"))
        await soon(leaving)
        assert (await UpdateReader(bob).until(SessionEnded)).code == "left"


async def test_a_connection_that_is_stuck_is_closed_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(web_socket, "CLOSE_S", 0.05)
    options = Options(host="127.0.0.1", port=0, message_bytes=3_000_000)
    backoff = quick_backoff(leave_s=0.05)
    async with (
        serve(options) as server,
        cutting_proxy(server.port) as proxy,
        connection(proxy, ANN, KIWA, backoff) as ann,
    ):
        proxy.stall()
        asked = [asyncio.create_task(ann.ask(cmd.Say(1, "x" * 2_000_000))) for _ in range(4)]
        await asyncio.sleep(0)
        await soon(ann.leave())
    for question in asked:
        with pytest.raises(CommandRefused) as refused:
            await soon(question)
        assert refused.value.code == "left"


async def test_a_connection_that_is_hardly_opened_is_closed(server: Server) -> None:
    """The task may be cancelled before its first step."""
    async with connection(server, ANN, KIWA) as ann:
        reader = UpdateReader(ann)
        for _ in range(3):
            async with connection(server, BOB, Join("kiwa", watch=True)):
                pass
            await reader.until(EventApplied, lambda h: h.event == ev.Left("Bob"))


async def test_a_good_bye_in_a_cut_connection_is_one(server: Server, proxy: CuttingProxy) -> None:
    async with two_at_the_table(server, proxy) as (ann, bob):
        reader = UpdateReader(ann)
        proxy.mute()
        asked = asyncio.create_task(bob.ask(cmd.Leave(1)))
        await reader.until(EventApplied, lambda h: h.event == ev.Left("Bob"))
        proxy.cut()
        with pytest.raises(CommandRefused) as refused:
            await soon(asked)
        assert refused.value.code == "left"
        assert proxy.connections == 1


async def test_to_close_is_not_to_leave(server: Server) -> None:
    async with connection(server, ANN, KIWA) as ann:
        reader = UpdateReader(ann)
        async with connection(server, BOB, Join("kiwa")) as bob:
            listening = asyncio.create_task(UpdateReader(bob).until(SessionEnded))
            await asyncio.sleep(0)
        assert (await soon(listening)).code == "closed"
        await reader.until(EventApplied, lambda h: isinstance(h.event, ev.Dropped))
        assert room_of(server).is_player("Bob")


async def test_who_is_kicked_is_told_and_stays_out(server: Server) -> None:
    async with two_at_the_table(server) as (ann, bob):
        await soon(ann.ask(cmd.Kick(1, "Bob")))
        assert (await UpdateReader(bob).until(SessionEnded)).code == "kicked"
        with pytest.raises(CommandRefused) as refused:
            await connection(server, BOB, Join("kiwa")).__aenter__()
        assert refused.value.code == "barred"


async def test_who_is_kicked_while_away_is_told_when_coming_back(
    server: Server, proxy: CuttingProxy
) -> None:
    async with two_at_the_table(server, proxy) as (ann, bob):
        reader = UpdateReader(bob)
        proxy.close()
        await reader.until(ConnectionLost)
        await UpdateReader(ann).until(EventApplied, lambda h: isinstance(h.event, ev.Dropped))
        asked = asyncio.create_task(bob.ask(cmd.Say(1, "hello?")))
        await soon(ann.ask(cmd.Kick(1, "Bob")))
        proxy.open()
        finished = await reader.until(SessionEnded)
        with pytest.raises(CommandRefused) as refused:
            await soon(asked)
        assert finished.code == refused.value.code == "barred"
        assert finished.said == refused.value.phrase


async def test_the_same_identity_from_somewhere_else_takes_over(server: Server) -> None:
    async with (
        two_at_the_table(server) as (_, bob),
        connection(server, BOB, Join("kiwa")) as again,
    ):
        assert (await UpdateReader(bob).until(SessionEnded)).code == "replaced"
        await soon(again.ask(cmd.Say(1, "here now")))


async def test_a_client_that_was_killed_goes_on_where_it_was(server: Server) -> None:
    """A second process with the same identity uses ids above those of the first."""
    async with connection(server, ANN, KIWA) as ann:
        async with connection(server, BOB, Join("kiwa")) as bob:
            await soon(bob.ask(cmd.Say(1, "before")))
        await UpdateReader(ann).until(EventApplied, lambda h: isinstance(h.event, ev.Dropped))
        async with connection(server, BOB, Join("kiwa")) as bob:
            await soon(bob.ask(cmd.Say(1, "after")))
            assert bob.room is not None
            assert bob.room.is_player("Bob")
            assert [line.text for line in bob.room.chat] == ["before", "after"]


async def test_a_server_that_stops_says_so_and_its_rooms_are_gone() -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(serve(Options(host="127.0.0.1", port=0)))
        port = first.port
        ann = await stack.enter_async_context(connection(first, ANN, KIWA))
        reader = UpdateReader(ann)
        stopping = asyncio.create_task(first.stop())
        assert (await reader.until(NoticeReceived)).code == "stopping"
        assert "the server is stopping" in (await reader.until(ConnectionLost)).reason
        await soon(stopping)
        async with serve(Options(host="127.0.0.1", port=port)):
            assert (await reader.until(SessionEnded)).code == "no_such_room"


async def test_a_server_that_never_comes_back_is_given_up(server: Server) -> None:
    clock_s = 0.0

    async def pass_time(delay_s: float) -> None:
        nonlocal clock_s
        clock_s += max(delay_s, 0.01)
        await asyncio.sleep(0)

    backoff = Backoff(sleep=pass_time, now=lambda: clock_s)
    async with cutting_proxy(server.port) as proxy, connection(proxy, ANN, KIWA, backoff) as ann:
        reader = UpdateReader(ann)
        proxy.close()
        finished = await reader.until(SessionEnded)
        assert finished.code == "gave_up"
        assert backoff.give_up_s <= clock_s <= backoff.give_up_s + backoff.most_s
        losses = [update for update in reader.read if isinstance(update, ConnectionLost)]
        assert all(lost.retry_s <= backoff.most_s for lost in losses)


async def test_what_starts_the_server_anew_runs_before_each_attempt(proxy: CuttingProxy) -> None:
    answers: list[Failure | Phrase] = [
        Failure("the port is taken"),
        phrase("notice.server_started_anew"),
    ]

    async def revive() -> Phrase | None:
        match answers.pop(0):
            case Failure() as failure:
                raise failure
            case answer:
                return answer

    ann = RoomConnection(proxy.address, ANN, KIWA, backoff=quick_backoff(), revive=revive)
    async with ann:
        reader = UpdateReader(ann)
        proxy.cut()
        await reader.until(ConnectionLost)
        assert "the port is taken" in (await reader.until(ConnectionLost)).reason
        notice = await reader.until(NoticeReceived)
        assert notice == NoticeReceived("server_started_anew", phrase("notice.server_started_anew"))
        await reader.until(ConnectionRestored)


async def test_a_server_whose_rooms_are_lost_ends_the_session(server: Server) -> None:
    async def revive() -> None:
        raise CommandRefused("server_lost", phrase("ended.server_lost"))

    async with cutting_proxy(server.port) as proxy:
        ann = RoomConnection(proxy.address, ANN, KIWA, backoff=quick_backoff(), revive=revive)
        async with ann:
            proxy.close()
            assert (await UpdateReader(ann).until(SessionEnded)).code == "server_lost"


async def test_a_failure_of_our_own_is_never_unseen(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(room: Room, event: ev.Event, at_ms: int) -> Room:
        raise ZeroDivisionError("a mistake")

    async def listen_on(ann: RoomConnection) -> None:
        async for _ in ann.updates():
            pass

    ann = connection(server, ANN, KIWA)
    await ann.__aenter__()
    reader = UpdateReader(ann)
    await reader.until(EnteredRoom)
    monkeypatch.setattr(mirror, "evolve", broken)
    with pytest.raises(CommandRefused, match="ZeroDivisionError") as refused:
        await soon(ann.ask(cmd.Say(1, "hello")))
    ended = await reader.until(SessionEnded)
    assert (ended.code, ended.said) == (refused.value.code, refused.value.phrase)
    assert ended.code == "failed"
    with pytest.raises(ExceptionGroup) as raised:
        await listen_on(ann)
    assert raised.group_contains(ZeroDivisionError)
    with pytest.raises(ExceptionGroup):
        await ann.__aexit__(None, None, None)


async def test_a_server_that_falls_silent_is_noticed_and_so_is_its_voice(
    proxy: CuttingProxy,
) -> None:
    pulse_s = Backoff().pulse_s
    pulses: asyncio.Queue[None] = asyncio.Queue()
    ends_of_patience: asyncio.Queue[None] = asyncio.Queue()

    async def rest(seconds: float) -> None:
        await (pulses if seconds == pulse_s else ends_of_patience).get()

    async with RoomConnection(proxy.address, ANN, KIWA, backoff=Backoff(rest=rest)) as ann:
        reader = UpdateReader(ann)
        pulses.put_nowait(None)  # the server answers this ping
        await ann.ask(cmd.Say(0, "hello"))
        proxy.stall()
        pulses.put_nowait(None)
        ends_of_patience.put_nowait(None)
        await reader.until(ServerSilent)
        proxy.go_on()
        await reader.until(ServerResponding)
        assert not any(isinstance(happening, ConnectionLost) for happening in reader.read)


async def test_a_connection_that_is_lost_in_silence(proxy: CuttingProxy) -> None:
    asked: list[float] = []

    async def rest(seconds: float) -> None:
        asked.append(seconds)
        if len(asked) > 2:  # one is enough
            await asyncio.Future()

    backoff = replace(quick_backoff(), rest=rest)
    async with RoomConnection(proxy.address, ANN, KIWA, backoff=backoff) as ann:
        reader = UpdateReader(ann)
        proxy.stall()
        await reader.until(ServerSilent)
        proxy.cut()
        await reader.until(ConnectionRestored)
        assert asked[:2] == [backoff.pulse_s, backoff.silence_s]


# The page for browsers


@each(
    "options, page",
    [
        ({}, "http://192.168.1.5:9000/"),
        ({"no_web": True}, None),
        ({"public_url": "https://play.example.org"}, "https://play.example.org/"),
    ],
)
async def test_the_server_says_where_its_page_is(options: dict[str, Any], page: str | None) -> None:
    async with serve(Options(host="127.0.0.1", port=0, **options)) as server:
        guests = Address("192.168.1.5", 9000)
        ann = RoomConnection(address_of(server), ANN, KIWA, guests_address=guests)
        async with ann:
            assert ann.guests_page == (None if page is None else PageUrl.parse(page))
            assert ann.welcome is not None
            ann.welcome = structs.replace(ann.welcome, page="javascript:alert(1)")
            assert ann.guests_page is None
        alone = RoomConnection(address_of(server), BOB, KIWA)
        assert alone.guests_page is None
