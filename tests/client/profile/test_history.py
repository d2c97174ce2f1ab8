"""The history of played games: what is kept, deleted, and bounded."""

import shlex
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.namespaces import namespaces

from boxroom_client.profile import history as module
from boxroom_client.profile.history import GameHistory, HistoryError, PlayedGame
from boxroom_engine.games.record import MOST_CHARS

ONE_BOX = "dots rows=1 cols=1 border=none | Ada, greedy (bot) | h0 v0 h1 v1"
GAME = PlayedGame(0, "", "4711", 1, "home", 1000, 0, False, (0, 1), (1,), (None, "greedy"), ONE_BOX)


@pytest.fixture
def history(tmp_path: Path) -> GameHistory:
    return GameHistory(tmp_path / "new" / "history.db")


def numbered(*numbers: int, server: str = "") -> list[PlayedGame]:
    return [replace(GAME, number=number, server=server) for number in numbers]


def test_the_newest_comes_first(history: GameHistory) -> None:
    for game in numbered(1, 2, 3):
        history.add(game)
    assert [game.number for game in history.newest()] == [3, 2, 1]
    assert [game.number for game in history.newest(2)] == [3, 2]
    assert history.find(2) == replace(GAME, id=2, number=2)
    assert history.find(4) is None


def test_nothing_of_a_game_is_lost(history: GameHistory) -> None:
    game = replace(GAME, server="[::1]:8765", seat=None, helped=True, bots=("expert", None))
    history.add(game)
    assert history.newest() == [replace(game, id=1)]
    assert history.newest()[0].heading.players == ("Ada", "greedy (bot)")


def test_a_game_is_added_once(history: GameHistory) -> None:
    for server in ("", "", "example.org", "example.org"):
        history.add(replace(GAME, server=server))
    assert [game.server for game in history.newest()] == ["example.org", ""]


def test_a_game_of_version_0_1_at_an_address_with_a_slash_isnt_added_again(
    history: GameHistory,
) -> None:
    for server in ("ws://a.org:8765/b/", "ws://a.org:8765/b"):
        history.add(replace(GAME, server=server))
    assert [game.server for game in history.newest()] == ["ws://a.org:8765/b"]


def test_a_deleted_game_isnt_added_again(history: GameHistory) -> None:
    for game in numbered(1, 2):
        history.add(game)
    assert history.delete([1, 7]) == 1
    history.add(GAME)
    assert [game.number for game in history.newest()] == [2]
    assert history.find(1) is None
    assert history.delete([1]) == 0


def test_a_server_fills_only_its_own_part(
    history: GameHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_GAMES", 3)
    for game in (*numbered(1, 2), *numbered(*range(10), server="bad.example")):
        history.add(game)
    assert [game.number for game in history.newest() if not game.server] == [2, 1]
    assert [game.number for game in history.newest() if game.server] == [9, 8, 7]
    monkeypatch.setattr(module, "MOST_TOTAL_CHARS", 2 * len(ONE_BOX))
    history.add(replace(GAME, number=10, server="bad.example"))
    assert [game.number for game in history.newest()] == [10, 9, 2, 1]


def test_texts_that_no_server_needs_are_cut(history: GameHistory) -> None:
    history.add(replace(GAME, room="x" * 10_000, log="y" * 10_000, bots=("z" * 10_000, None)))
    history.add(replace(GAME, number=2, record="x" * (MOST_CHARS + 1)))
    (game,) = history.newest()
    assert (len(game.room), len(game.log), len(game.bots[0] or "")) == (200, 200, 200)


def test_several_programs_add_at_once(tmp_path: Path) -> None:
    def add(server: str) -> None:
        for game in numbered(*range(20), server=server):
            GameHistory(tmp_path / "history.db").add(game)

    threads = [threading.Thread(target=add, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(GameHistory(tmp_path / "history.db").newest()) == 60


def test_only_its_owner_may_read_it(history: GameHistory, tmp_path: Path) -> None:
    history.add(GAME)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "new" / "history.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"no database" * 1000, None])
def test_a_file_that_isnt_one_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "history.db"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(HistoryError, match=r"history\.db can't be used: "):
        GameHistory(path).newest()
    with pytest.raises(HistoryError):
        GameHistory(path).add(GAME)


def test_a_damaged_row_is_refused(history: GameHistory, tmp_path: Path) -> None:
    history.add(GAME)
    with sqlite3.connect(tmp_path / "new" / "history.db") as connection:
        connection.execute("UPDATE games SET scores = '[1,'")
    connection.close()
    with pytest.raises(HistoryError):
        history.newest()


LIST = """
import sys
from pathlib import Path
from boxroom_client.profile.history import GameHistory
print([game.number for game in GameHistory(Path(sys.argv[1])).newest()])
"""


def test_on_a_read_only_mount_it_is_listed(history: GameHistory, tmp_path: Path) -> None:
    for game in numbered(1, 2):
        history.add(game)
    folder = shlex.quote(str(tmp_path / "new"))
    mount = f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}"
    with namespaces("mount", prepare=mount) as private:
        read = [*private.within, sys.executable, "-c", LIST, str(tmp_path / "new" / "history.db")]
        done = subprocess.run(read, check=False, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (0, "[2, 1]\n"), done.stderr
