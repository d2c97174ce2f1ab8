"""A disk that fills up, fails, fails once or hangs, under a server that saves its rooms there.

A library that is loaded before all others makes system calls on the database's files fail while
the test wants it. Whatever happens: every command is answered in the end, what was done survives
a kill, what was refused had no effect, and the game goes on when the disk works again.
"""

import asyncio
import errno
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

import pytest
import pytest_asyncio
from tests.cases import each
from tests.faults.faulty_disk import FaultyDisk
from tests.faults.server_process import LIMIT_S, NO_LIMITS, ServerProcess, free_port
from tests.faults.small_disk import SmallDisk, small_disk
from tests.server.http_requests import HttpResponse, http_request
from tests.server.talk import ONE_BOX, Message, Talk, say_hello
from websockets.asyncio.client import connect

from boxroom_engine.room.room import CHAT_TAIL

D = TypeVar("D", FaultyDisk, SmallDisk)

pytestmark = pytest.mark.asyncio(loop_scope="module")


class RoomOnDisk(Generic[D]):
    """A server on a faulty disk, and Ada and Bob, who chat in a room there."""

    def __init__(self, server: ServerProcess, disk: D) -> None:
        self.server = server
        self.disk: D = disk
        self.done: list[str] = []  # lines of chat that were accepted
        self.refused: list[str] = []  # and that were refused
        self.ada: Talk
        self.bob: Talk
        self._talks: list[Talk] = []

    async def call(self, name: str) -> Talk:
        """Return a client that was welcomed."""
        connection = await connect(
            f"ws://127.0.0.1:{self.server.port}", compression=None, max_queue=None
        )
        talk = Talk(connection, name)
        self._talks.append(talk)
        await say_hello(talk)
        assert (await talk.hear())["type"] == "welcome"
        return talk

    async def open(self) -> None:
        """Have Ada make a room, and Bob join it."""
        self.ada, self.bob = await self.call("Ada"), await self.call("Bob")
        await self.ada.do("create_room", token="token of Ada", room="attic", settings=ONE_BOX)
        await self.bob.do("join_room", room="attic")

    async def come_back(self) -> None:
        """Have both connect and join again."""
        self.ada, self.bob = await self.call("Ada"), await self.call("Bob")
        for talk in (self.ada, self.bob):
            await talk.do("join_room", room="attic")

    async def say(self, talk: Talk, text: str) -> Message:
        """Say something, and record the answer."""
        id = await talk.say("say", text=text)
        return await self.answered(talk, id, text)

    async def answered(self, talk: Talk, id: int, text: str) -> Message:
        """Wait for the answer to a line of chat, unless it has come, and record it."""
        come = [it for it in talk.heard if it["type"] in ("done", "refused") and it["id"] == id]
        answer = come[0] if come else await talk.answer(id)
        if answer["type"] == "done":
            self.done.append(text)
        else:
            assert answer["code"] == "cannot_save"
            self.refused.append(text)
        return answer

    async def readiness(self, status: int) -> HttpResponse:
        """Ask for the readiness until the server answers with `status`."""
        async with asyncio.timeout(LIMIT_S):
            while (answer := await http_request(self.server.port, "/readyz")).status != status:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        return answer

    async def check_after_a_kill(self) -> None:
        """Kill and start the server: it has all accepted lines once, in order, no refused one."""
        await self.server.kill()
        self.disk.works()
        await self.server.start()
        await self.come_back()
        assert self.ada.room is not None
        assert [line.text for line in self.ada.room.chat] == self.done[-CHAT_TAIL:]
        await self.check_saving()

    async def check_saving(self) -> None:
        """Check that what Bob says is accepted."""
        assert (await self.say(self.bob, "and on it goes"))["type"] == "done"

    async def hang_up(self) -> None:
        """Close all connections, also those that a kill has cut."""
        for talk in self._talks:
            await talk.hang_up()


@asynccontextmanager
async def room_on(disk: D, server: ServerProcess) -> AsyncIterator[RoomOnDisk[D]]:
    """A room, of which a kill in the end loses nothing that was accepted."""
    async with server:
        place = RoomOnDisk(server, disk)
        try:
            await place.open()
            yield place
            await place.check_after_a_kill()
        finally:
            await place.hang_up()


@asynccontextmanager
async def room_on_faulty_disk(folder: Path) -> AsyncIterator[RoomOnDisk[FaultyDisk]]:
    disk = FaultyDisk(folder)
    flags = (*NO_LIMITS, "--data", str(folder / "kept"))
    server = ServerProcess(free_port(), folder / "errors", *flags, environment=disk.environment)
    async with room_on(disk, server) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RoomOnDisk[FaultyDisk]]:
    """A room for several tests, each of which begins and ends with a disk that works."""
    async with room_on_faulty_disk(tmp_path_factory.mktemp("failing")) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def place(shared: RoomOnDisk[FaultyDisk]) -> AsyncIterator[RoomOnDisk[FaultyDisk]]:
    """The shared room, of which a kill after each test loses nothing that was accepted."""
    yield shared
    await shared.check_after_a_kill()


def notice(code: str) -> Callable[[Message], bool]:
    return lambda message: message["type"] == "notice" and message["code"] == code


FAULTS = (
    ("write", errno.ENOSPC),  # it is full
    ("write", errno.EIO),
    ("sync", errno.EIO),
    ("any", errno.EIO),
)


@each("what, error", FAULTS)
async def test_a_disk_that_fails_for_a_while(
    place: RoomOnDisk[FaultyDisk], what: str, error: int
) -> None:
    await place.say(place.ada, "before")
    place.disk.fails(what, error)
    on_the_way = await place.ada.say("say", text="into the fault")
    await place.bob.hear_until(notice("cannot_save"))
    assert (await place.readiness(503)).body.startswith("Not ready: the disk ")

    # The room waits for the command on its way. All others are refused at once, and requests
    # that only read are answered.
    meanwhile = await place.bob.say("say", text="meanwhile")
    cid = await place.call("Cid")
    assert (await cid.ask("list_rooms"))["rooms"][0]["room"] == "attic"
    new = {"token": "token of Cid", "room": f"{what} {error}", "settings": ONE_BOX}
    assert await cid.refusal("create_room", **new) == "cannot_save"

    place.disk.works()
    await place.bob.hear_until(notice("saving_again"))
    assert (await place.readiness(200)).body == "ready\n"
    await place.answered(place.ada, on_the_way, "into the fault")
    await place.answered(place.bob, meanwhile, "meanwhile")
    await place.check_saving()
    await cid.do("create_room", **new)
    await cid.do("leave")
    await place.check_after_a_kill()


async def test_who_is_cut_off_while_the_disk_is_full_comes_back_in(
    place: RoomOnDisk[FaultyDisk],
) -> None:
    place.disk.fails("write", errno.ENOSPC)
    assert (await place.say(place.ada, "too much"))["type"] == "refused"
    place.bob.cut()
    place.bob = await place.call("Bob")
    await place.bob.do("join_room", room="attic")
    place.disk.works()
    await place.bob.hear_until(notice("saving_again"))
    await place.check_saving()


async def test_a_sync_that_fails_once(place: RoomOnDisk[FaultyDisk]) -> None:
    await place.say(place.ada, "before")
    place.disk.fails("sync", once=True)
    await place.say(place.ada, "written, and who knows whether synced")
    assert place.disk.has_failed
    await place.readiness(200)
    await place.check_saving()


async def test_a_disk_that_fails_until_the_server_is_started_again(
    place: RoomOnDisk[FaultyDisk],
) -> None:
    await place.say(place.ada, "before")
    place.disk.fails("any")
    id = await place.ada.say("say", text="into the fault")
    await place.bob.hear_until(notice("cannot_save"))
    await place.server.kill()
    place.disk.works()
    await place.server.start()
    await place.come_back()
    await place.ada.say("say", id=id, text="into the fault")  # asked again as it was
    await place.answered(place.ada, id, "into the fault")
    assert place.done[-2:] == ["before", "into the fault"]
    await place.check_saving()


async def test_a_disk_that_hangs(place: RoomOnDisk[FaultyDisk]) -> None:
    await place.say(place.ada, "before")
    with place.disk.hanging():
        id = await place.ada.say("say", text="into the fault")
        message = await place.bob.hear_until(notice("cannot_save"))
        assert message["message"] == "no moves can be made now: the disk is too slow"
        await place.readiness(503)
    await place.bob.hear_until(notice("saving_again"))
    assert (await place.answered(place.ada, id, "into the fault"))["type"] == "done"


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
async def test_a_disk_that_fails_while_commits_are_filed(tmp_path: Path, error: int) -> None:
    async with room_on_faulty_disk(tmp_path) as place:  # nothing else is saved there meanwhile
        for number in range(20):
            await place.say(place.ada, f"line {number}")
        place.disk.fails("write", error)
        async with asyncio.timeout(LIMIT_S):
            while "can't be compacted yet" not in place.server.logged_errors():
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.05):
                        await place.ada.hear()
        place.disk.works()
        await place.readiness(200)
        await place.check_saving()


async def test_a_real_disk_that_fills_up(tmp_path: Path) -> None:
    with small_disk(tmp_path / "kept") as disk:
        server = ServerProcess(
            free_port(),
            tmp_path / "errors",
            *(*NO_LIMITS, "--chat-per-s", "1000000", "--chat-burst", "1000000"),
            *("--data", str(disk.path / "data")),
            within=disk.within,
        )
        async with room_on(disk, server) as place:
            while not place.refused:
                await place.say(place.ada, f"{len(place.done)} {'x' * 400}")
            disk.works()
            await place.readiness(200)
            await place.check_saving()


async def test_a_server_that_is_stopped_with_commands_on_the_way(
    place: RoomOnDisk[FaultyDisk],
) -> None:
    await place.say(place.ada, "before")
    texts = {await place.ada.say("say", text=f"line {it}"): f"line {it}" for it in range(50)}
    stopping = asyncio.create_task(place.server.stop())
    assert (await place.ada.close_code())[0] == 1012
    assert (await place.bob.close_code())[0] == 1012
    assert await stopping == 0
    for talk in (place.ada, place.bob):
        (message,) = filter(notice("stopping"), talk.heard)
        assert message["retry_ms"] >= 500
    answered = {it["id"]: it["seq"] for it in place.ada.heard if it["type"] == "done"}

    await place.server.start()
    await place.come_back()
    assert place.ada.room is not None
    assert [holder.member for holder in place.ada.room.seats] == ["Ada", "Bob"]
    for id, text in texts.items():
        seq = await place.ada.do("say", id=id, text=text)
        assert seq == answered.get(id, seq)
        place.done.append(text)
