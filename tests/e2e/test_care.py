"""Maintenance of a running server: its finished games, backups, kicks and bans."""

import asyncio
import json
from itertools import count
from pathlib import Path

from tests.e2e.piped import Piped
from tests.e2e.serving import RunningServer, boxroom, serving
from tests.server.talk import ONE_BOX, Talk, until

ROOMS = 6


async def test_a_game_that_was_just_finished_is_there(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ada = await server.call("Ada")
        await ada.do("create_room", token="12345678", settings=ONE_BOX, room="attic")
        await ada.do("sit", seat=1, name="Bob")
        await ada.do("start")
        for ply, (seat, move) in enumerate([(0, "h0"), (1, "h1"), (0, "v0"), (1, "v1")]):
            await ada.do("play", seat=seat, move=move, ply=ply)
        data = ("--data", str(tmp_path))
        code, out, _ = await boxroom("games", "list", "--json", *data)
        (game,) = json.loads(out)["games"]
        assert (code, game["players"], game["scores"]) == (0, ["Ada", "Bob"], [0, 1])
        await boxroom("games", "export", "--all", "--out", str(tmp_path / "game.txt"), *data)
        code, out, _ = await boxroom("replay", "--plain", str(tmp_path / "game.txt"))
        assert code == 0
        assert "Bob won with 1 box." in out
        code, out, _ = await boxroom("games", "delete", str(game["id"]), *data)
        assert (code, out) == (0, "1 game is deleted.\n")
    async with serving(tmp_path):
        pass  # the room of that game wakes
    assert await boxroom("games", "list", *data) == (0, "No game has been finished yet.\n", "")


class Chatterer:
    """A member alone in a room, who says numbers as fast as the server answers."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.answered = 0

    async def count(self) -> None:
        for number in count(1):
            await self.talk.do("say", text=str(number))
            self.answered = number


async def chatterer(server: RunningServer, number: int) -> Chatterer:
    talk = await server.call(f"Ada {number}")
    await talk.do("create_room", token="12345678", settings=ONE_BOX, room=f"room {number}")
    return Chatterer(talk)


async def test_a_backup_under_load_holds_all_that_was_answered_before_it(tmp_path: Path) -> None:
    copy = tmp_path / "new" / "boxroom.db"
    copy.parent.mkdir()
    hurry = ("--messages-per-s", "100000", "--burst", "100000", "--chat-per-s", "100000")
    async with serving(tmp_path / "data", *hurry) as server:
        crowd = [await chatterer(server, number) for number in range(ROOMS)]
        chatter = [asyncio.create_task(each.count()) for each in crowd]
        await until(lambda: min(each.answered for each in crowd) >= 100)
        before = [each.answered for each in crowd]
        code, out, err = await boxroom("backup", str(copy), "--data", str(tmp_path / "data"))
        assert (code, err) == (0, "")
        assert f"rooms: {ROOMS}, names: {ROOMS}" in out
        after = [each.answered for each in crowd]
        for task in chatter:
            task.cancel()
    assert all(was < now for was, now in zip(before, after, strict=True)), "it was under load"
    async with serving(copy.parent) as restored:
        for number in range(ROOMS):
            talk = await restored.call(f"Ada {number}")
            await talk.do("join_room", room=f"room {number}")
            assert talk.room is not None
            said = [int(line.text) for line in talk.room.chat]
            assert said == list(range(said[0], said[-1] + 1)), "nothing is missing in between"
            assert before[number] <= said[-1] <= after[number] + 1


async def test_who_is_shown_out_is_told_why_and_stays_away(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))
    async with serving(tmp_path / "data") as server:
        address = f"127.0.0.1:{server.port}"
        ada = await server.call("Ada")
        await ada.do("create_room", token="12345678", settings=ONE_BOX, room="attic")
        for deed, name in (("ban", "Bob"), ("release", "Cleo"), ("kick", "Dan"), ("close", "Eve")):
            with Piped("join", address, "--room", "attic", "--name", name) as client:
                client.wait_for("/quit leaves.")
                await ada.event("joined", member=name)
                whom = {"kick": ("attic", name), "close": ("attic",)}.get(deed, (name,))
                assert (await boxroom("admin", deed, *whom, *data))[0] == 0
                client.wait_for(LAST_WORDS[deed])
                assert client.close() == 1
        code, _, err = await boxroom("join", address, "--name", "Bob")
        assert code == 1
        assert "Bob is banned from this server" in err


LAST_WORDS = {
    "ban": "The operator of this server has sent you away",
    "release": "The operator of this server has sent you away",
    "kick": "You were sent out of the room.",
    "close": "The room was closed, or its server was started anew",
}
