"""`boxroom replay` of the link of a game that ended on a server."""

from pathlib import Path

from msgspec.structs import replace
from tests.e2e.conversations import run
from tests.e2e.terminal import PROGRAM
from tests.engine.games.dots.recorded_games import SMALL
from tests.server.storage.sqlite.data_folders import finished
from tests.server.talk import lobby

from boxroom_engine.wire.links import PageUrl
from boxroom_server.clock import SystemClock
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.storage import sqlite_storage

LINK = "dQw4w9WgXcQ-_dQw4w9WgA"


async def test_a_game_is_replayed_by_its_link(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    async with sqlite_storage(folder, SystemClock()) as storage:
        storage.ledger.save_game(replace(finished(1, record=SMALL), link=LINK))
    async with (
        sqlite_storage(folder, SystemClock()) as storage,
        lobby(storage=storage) as place,
    ):
        link = PageUrl("127.0.0.1", place.server.port).to_game(LINK)
        printed = await run(PROGRAM, "replay", link, "--plain")
        assert "7. Bob takes 1 box (v2)." in printed
