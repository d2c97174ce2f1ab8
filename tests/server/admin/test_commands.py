"""Administration of a server with real connections to its players."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cases import each
from tests.server.hosting import FailingLog, GateLog
from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.storage.sqlite.data_folders import begin_living_room
from tests.server.stores import Store
from tests.server.talk import Lobby, lobby, say_hello, until
from websockets.exceptions import InvalidStatus

from boxroom_engine.room.room import OnDrop, Phase
from boxroom_server.admin import commands as admin_commands
from boxroom_server.admin import messages as m
from boxroom_server.storage.ledger import BanKind, BanRecord
from boxroom_server.storage.memory.storage import memory_storage
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.storage import sqlite_storage

ONE_LOOP = True


async def execute(place: Lobby, message: m.Request) -> m.Answer:
    return await place.server.admin_commands.execute(message, lambda: None)


async def done(place: Lobby, message: m.Request) -> str:
    answer = await execute(place, message)
    assert isinstance(answer, m.Done), answer
    return answer.message


async def refused(place: Lobby, message: m.Request) -> str:
    answer = await execute(place, message)
    assert isinstance(answer, m.Refused), answer
    return answer.message


async def hello_answer(place: Lobby, name: str) -> str:
    """Say hello as `name`, and return the code of the refusal, or `welcome`."""
    talk = await place.connect(name)
    await say_hello(talk)
    answer = await talk.hear()
    return str(answer.get("code", answer["type"]))


# Rooms


async def test_rooms_are_listed_with_who_is_in_them() -> None:
    async with lobby() as place:
        await place.create("Ada")
        bob = await place.create("Bob", "cellar")
        await bob.do("fill", bot="greedy")
        place.clock.advance(90)
        assert await execute(place, m.ListRooms()) == m.RoomList(
            (
                m.RoomSummary("attic", "waiting", "dots", people=1, bots=0, seq=3, age_s=90),
                m.RoomSummary("cellar", "waiting", "dots", people=1, bots=1, seq=4, age_s=90),
            )
        )


async def test_a_room_is_shown_without_what_is_said_in_it() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        place.clock.advance(60)
        bob = await place.join("Bob")
        await bob.do("say", text="my secret plan")
        await ada.do("kick", member="Bob")
        place.clock.advance(5)
        shown = await execute(place, m.ShowRoom("ATTIC"))
        assert isinstance(shown, m.RoomDetails)
        assert (shown.room, shown.host, shown.age_s, shown.barred) == ("attic", "Ada", 65, ("Bob",))
        assert shown.settings["options"] == {"rows": 1, "cols": 1}
        assert shown.seats[0] == m.SeatInfo("Ada", "Ada", None)
        assert shown.members == (m.MemberInfo("Ada", "127.0.0.1", 65),)
        assert [event.event["type"] for event in shown.events[-4:]] == [
            *("sat", "said", "vacated", "kicked"),
        ]
        assert "secret plan" not in str(shown)


async def test_who_is_away_has_no_address() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        bob.cut()
        await ada.event("dropped")
        shown = await execute(place, m.ShowRoom("attic"))
        assert isinstance(shown, m.RoomDetails)
        assert shown.members[1] == m.MemberInfo("Bob", None, None)


async def test_any_member_can_be_kicked_even_the_host() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        assert "ada is out of attic" in await done(place, m.Kick("attic", "ada"))
        await bob.event("kicked", member="Ada")
        await bob.event("host_passed", member="Bob")
        assert await ada.refusal("say", text="hello?") == "not_in_a_room"
        assert await ada.refusal("join_room", room="attic") == "barred"
        assert "there is no Zoe" in await refused(place, m.Kick("attic", "Zoe"))


async def test_a_room_is_closed_with_everybody_in_it() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        assert await done(place, m.CloseRoom("Attic")) == "attic is closed"
        assert await ada.close_code() == (1001, "the server's operator has closed this room")
        again = await place.call("Ada")
        assert await again.refusal("join_room", room="attic") == "no_such_room"
        await again.do("create_room", token="another one", room="attic")


async def test_a_room_that_is_closed_while_it_is_made_frees_its_code_once() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada = await place.call("Ada")
        log.gate.clear()
        await ada.say("create_room", token="12345678", room="attic")
        await log.at_gate.wait()
        closing = asyncio.create_task(done(place, m.CloseRoom("attic")))
        await asyncio.sleep(0)
        log.gate.set()
        assert await closing == "attic is closed"
        assert (await ada.close_code())[0] == 1001
        bob = await place.create("Bob")
        assert place.room().host == "Bob"
        assert await bob.do("say", text="mine")


@each("message", [m.ShowRoom("x"), m.Kick("x", "Ada"), m.CloseRoom("x")])
async def test_where_there_is_no_room_a_sentence_says_so(message: m.Request) -> None:
    async with lobby() as place:
        assert "there is no room 'x' here" in await refused(place, message)


async def test_when_nothing_can_be_saved_nothing_is_done() -> None:
    log = FailingLog()
    async with lobby(storage=memory_storage(log)) as place:
        await place.create("Ada")
        log.failures = 1
        assert "the disk is full" in await refused(place, m.Kick("attic", "Ada"))
        assert "Ada" in place.room().members


async def test_a_stopping_server_says_so() -> None:
    async with lobby() as place:
        await place.create("Ada")
        await place.server._directory.sleep()
        assert await refused(place, m.Kick("attic", "Ada")) == "the server is stopping"


async def test_a_damaged_room_can_only_be_closed(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    async with sqlite_storage(folder, ManualClock()) as storage:
        begin_living_room(storage)
    with closing(sqlite3.connect(folder.database, isolation_level=None)) as connection:
        connection.execute("UPDATE entries SET lines = 'nonsense'")
    async with sqlite_storage(folder, ManualClock()) as storage, lobby(storage=storage) as place:
        rooms = await execute(place, m.ListRooms())
        assert rooms == m.RoomList((m.RoomSummary("cellar", "asleep", "", 0, 0, 0, 0),))
        assert "that room can't be loaded: " in await refused(place, m.ShowRoom("cellar"))
        assert await done(place, m.Ban("Ada")) == "the name ada is banned"
        assert await done(place, m.CloseRoom("Cellar")) == "cellar is closed"
        assert await execute(place, m.ListRooms()) == m.RoomList(())
    async with sqlite_storage(folder, ManualClock()) as storage:
        assert storage.room_log.room_records() == ()


async def test_who_has_a_seat_in_a_room_that_sleeps_loses_it_when_it_wakes(store: Store) -> None:
    async with store.opened(ManualClock()) as storage:
        begin_living_room(storage)
    async with store.opened(ManualClock()) as storage, lobby(storage=storage) as place:
        await done(place, m.Ban("Ada"))
        await until(lambda: all(cell.status.phase for cell in place.server._directory))
        await until(lambda: "Ada" in place.room("cellar").barred)
        assert not place.room("cellar").is_player("Ada")


async def test_draining_is_asking_for_the_end() -> None:
    async with lobby() as place:
        stopped = asyncio.Event()
        answer = await place.server.admin_commands.execute(m.Drain(), stopped.set)
        assert isinstance(answer, m.Done)
        assert stopped.is_set()


# Names


async def test_names_are_found_by_their_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby() as place:
        await place.call("Bea")
        adam = await place.call("Adam")
        await place.call("Ada")
        await adam.hang_up()
        await until(lambda: len(place.server._sessions) == 2)
        assert await execute(place, m.ListNames("AD")) == m.NameList(
            (m.NameInfo("Ada", NOON_MS, True), m.NameInfo("Adam", NOON_MS, False)), 0
        )
        monkeypatch.setattr(admin_commands, "NAMES_SHOWN", 1)
        all_of_them = await execute(place, m.ListNames())
        assert isinstance(all_of_them, m.NameList)
        assert (len(all_of_them.names), all_of_them.left_out) == (1, 2)


async def test_a_released_name_and_its_seat_are_for_the_next_who_comes() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        assert "Bob is released" in await done(place, m.Release("bob"))
        assert (await bob.close_code())[0] == 4003
        await ada.event("dropped", member="Bob")
        heir = await place.connect("Bob")
        await say_hello(heir, secret="a secret that is another one")
        assert (await heir.hear())["type"] == "welcome"
        await heir.do("join_room", room="attic")
        await ada.event("returned", member="Bob")
        assert place.room().seats[1].member == "Bob"
        assert await hello_answer(place, "Bob") == "name_taken"
        assert "has no owner" in await refused(place, m.Release("Zoe"))


# Bans


@each("who", ["Bob", "bOB"])
async def test_a_banned_player_is_out_and_a_bot_plays_on(who: str) -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        assert await done(place, m.Ban(who, "spam")) == "the name bob is banned"
        assert await bob.close_code() == (4003, "you are banned from this server")
        await ada.event("bot_sat", seat=1)
        await ada.event("kicked", member="Bob")
        assert await hello_answer(place, "bob") == "banned"
        ban = BanRecord(BanKind.NAME, "bob", NOON_MS, "spam")
        assert await execute(place, m.ListBans()) == m.BanList((ban,))
        assert await done(place, m.Unban("BOB")) == "the name bob is not banned any more"
        again = await place.call("Bob")
        assert await again.refusal("join_room", room="attic") == "barred"
        assert "there is no ban" in await refused(place, m.Unban("Bob"))


async def test_a_hello_with_a_banned_name_is_closed_as_4003() -> None:
    async with lobby() as place:
        await done(place, m.Ban("Bob"))
        bob = await place.connect("Bob")
        await say_hello(bob)
        assert await bob.close_code() == (4003, "banned")


async def test_a_banned_player_who_is_away_loses_the_seat() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two(on_drop=OnDrop.WAIT.value)
        bob.cut()
        await ada.event("dropped")
        await done(place, m.Ban("Bob"))
        await ada.event("withdrew", seat=1)
        await ada.event("kicked", member="Bob")
        assert place.room().phase is Phase.OVER


async def test_a_banned_address_gets_no_further_than_its_handshake() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        await place.connect("who has said nothing yet")
        assert await done(place, m.Ban("127.0.0.0/8")) == "the address 127.0.0.0/8 is banned"
        assert await ada.close_code() == (4003, "your address is banned from this server")
        assert (await bob.close_code())[0] == 4003
        with pytest.raises(InvalidStatus) as answer:
            await place.connect("Cleo")
        assert answer.value.response.status_code == 403
        assert answer.value.response.body == b"your address is banned from this server\n"
        await until(lambda: not place.room().members)
        await done(place, m.Unban("127.0.0.0/8"))
        assert await hello_answer(place, "Cleo") == "welcome"


async def test_a_ban_between_the_handshake_and_the_greeting_counts() -> None:
    async with lobby() as place:
        silent = await place.connect("Cleo")
        place.server._bans.ban("127.0.0.1", "")
        await say_hello(silent)
        assert await silent.close_code() == (4003, "banned")


@each("who", ["", "!", "x" * 101, "10.0.0.0/99"])
async def test_what_is_no_name_and_no_network_cant_be_banned(who: str) -> None:
    async with lobby() as place:
        assert "is no name, no address and no network" in await refused(place, m.Ban(who))
        assert "there is no ban" in await refused(place, m.Unban(who))


async def test_bans_outlive_the_server(store: Store) -> None:
    for who, before in (("Bob", 0), ("10.1.2.3/16", 1), ("2001:db8::1", 2)):
        async with (
            store.opened(ManualClock()) as storage,
            lobby(storage=storage) as place,
        ):
            bans = await execute(place, m.ListBans())
            assert isinstance(bans, m.BanList)
            assert len(bans.bans) == before
            await done(place, m.Ban(who))
    async with store.opened(ManualClock()) as storage, lobby(storage=storage) as place:
        assert await hello_answer(place, "Bob") == "banned"
        assert place.server._bans.of_address("10.1.200.1") is not None
        for who in ("Bob", "10.1.0.0/16", "2001:db8::1"):
            await done(place, m.Unban(who))
    async with store.opened(ManualClock()) as storage, lobby(storage=storage) as place:
        assert await execute(place, m.ListBans()) == m.BanList(())
