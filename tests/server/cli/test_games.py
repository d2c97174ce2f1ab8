"""`boxroom games`: its output and exit codes."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.cases import each
from tests.cluster.shared import new_address
from tests.faults.server_process import free_port
from tests.server.manual_clock import NOON_MS, ManualClock
from tests.server.storage.sqlite.data_folders import (
    DAY_MS,
    LIVING,
    ONE_BOX,
    begin_living_room,
    data_folder,
    finished,
)
from tests.server.stores import url_of

from boxroom_client.main import main
from boxroom_client.shell.record_files import read_games
from boxroom_server.storage.etcd import feed, identity
from boxroom_server.storage.etcd import games as etcd_games
from boxroom_server.storage.etcd.storage import etcd_storage
from boxroom_server.storage.sqlite.backup import back_up

ONE_LOOP = True
MOST_MS = 2**50
"""A time after all games."""

Output = pytest.CaptureFixture[str]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Data folder of a server with three games."""
    games = (finished(1), finished(2, days=2, room="cellar"), finished(3, days=1))
    return data_folder(tmp_path / "data", *games).path


def games(*arguments: str | Path, data: Path) -> int:
    return main(["games", *map(str, arguments), "--data", str(data)])


def local(days: int) -> str:
    return f"{datetime.fromtimestamp((NOON_MS + days * DAY_MS) / 1000):%Y-%m-%d %H:%M}"  # noqa: DTZ006


def test_a_line_for_each_game_the_newest_first(data: Path, capsys: Output) -> None:
    assert games("list", data=data) == 0
    what = "dots rows=1 cols=1 border=none  Ada 0, Bob 1"
    assert capsys.readouterr().out.splitlines() == [
        f"     2  {local(2)}  cellar        {what}",
        f"     3  {local(1)}  attic         {what}",
        f"     1  {local(0)}  attic         {what}",
    ]
    assert games("list", "--last", "1", data=data) == 0
    assert capsys.readouterr().out.startswith("     2 ")


def test_options_may_stand_before_the_subcommand_or_behind_it(data: Path, capsys: Output) -> None:
    assert main(["games", "--data", str(data), "--json", "list"]) == 0
    before = capsys.readouterr().out
    assert games("list", "--json", data=data) == 0
    assert capsys.readouterr().out == before != ""


def test_without_a_game_it_says_so(tmp_path: Path, capsys: Output) -> None:
    data = data_folder(tmp_path).path
    assert games("list", data=data) == 0
    assert capsys.readouterr().out == "No game has been finished yet.\n"
    assert games("list", "--json", data=data) == 0
    assert json.loads(capsys.readouterr().out) == {"format": "boxroom-games-1", "games": []}


def test_all_that_is_known_of_a_game(data: Path, capsys: Output) -> None:
    assert games("show", "2", data=data) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Game 2: dots rows=1 cols=1 border=none",
        f"Room cellar, {local(2)}",
        "      0  Ada",
        "      1  Bob won",
        ONE_BOX,
    ]


def test_the_same_in_json(data: Path, capsys: Output) -> None:
    assert games("show", "2", "--json", data=data) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown.pop("format") == "boxroom-game-1"
    assert shown == {
        "id": 2,
        "room": "cellar",
        "ended": "2023-11-16T22:13:20+00:00",
        "game": "dots rows=1 cols=1 border=none",
        "players": ["Ada", "Bob"],
        "scores": [0, 1],
        "winners": [1],
        "winning_players": [2],
        "record": ONE_BOX,
    }
    assert games("list", "--json", data=data) == 0
    listed = json.loads(capsys.readouterr().out)["games"]
    assert [game["id"] for game in listed] == [2, 3, 1]
    assert listed[0] == shown
    assert games("export", "2", "--json", data=data) == 0
    assert json.loads(capsys.readouterr().out)["games"] == [shown]


def test_what_is_exported_can_be_read_again(data: Path, tmp_path: Path, capsys: Output) -> None:
    assert games("export", "3", "2", data=data) == 0
    assert capsys.readouterr().out == f"{ONE_BOX}\n" * 2
    out = tmp_path / "games.txt"
    assert games("export", "--all", "--out", out, data=data) == 0
    assert capsys.readouterr().out == ""
    assert [game.record().players for game in read_games(str(out))] == [("Ada", "Bob")] * 3
    assert main(["replay", str(out), "--game", "2", "--plain"]) == 0


def test_an_export_overwrites_nothing(data: Path, tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / "games.txt"
    out.write_text("precious", encoding="utf-8")
    assert games("export", "--all", "--out", out, data=data) == 1
    assert capsys.readouterr().err == (
        f"boxroom: there is a file {out} already: name another one\n"
    )
    assert out.read_text(encoding="utf-8") == "precious"


def test_an_export_that_fails_leaves_no_file(data: Path, tmp_path: Path, capsys: Output) -> None:
    with closing(sqlite3.connect(data / "boxroom.db", isolation_level=None)) as connection:
        connection.execute("UPDATE games SET winners = 'all' WHERE id = 2")
    assert games("export", "--all", "--out", tmp_path / "games.txt", data=data) == 1
    assert "is damaged, or no database: game 2 can't be read" in capsys.readouterr().err
    assert not (tmp_path / "games.txt").exists()


def test_games_are_deleted_by_number_or_by_age(data: Path, capsys: Output) -> None:
    assert games("delete", "3", data=data) == 0
    assert capsys.readouterr().out == "1 game is deleted.\n"
    assert games("delete", "--before", "2023-11-17", "--json", data=data) == 0
    assert json.loads(capsys.readouterr().out) == {"format": "boxroom-deleted-1", "deleted": 2}
    assert games("delete", "--before", "2023-11-17T08:00", data=data) == 0
    assert capsys.readouterr().out == "0 games are deleted.\n"


def test_nothing_is_deleted_unless_all_of_them_are_there(data: Path, capsys: Output) -> None:
    assert games("delete", "1", "9", data=data) == 1
    assert capsys.readouterr().err == (
        "boxroom: there is no game 9: boxroom games list lists all of them\n"
    )
    assert games("show", "1", data=data) == 0


@each("command", ["export", "delete"])
def test_nothing_named_and_everything_named_are_usage_errors(
    command: str, data: Path, capsys: Output
) -> None:
    all_of_them = {"export": ["--all"], "delete": ["--before", "2023-11-17"]}[command]
    assert games(command, data=data) == 2
    assert games(command, "1", *all_of_them, data=data) == 2
    message = f"boxroom games: name the games to {command} by their numbers"
    assert capsys.readouterr().err.count(message) == 2


@each(
    "arguments", [["show", "0"], ["show", "x"], ["show", str(2**63)], ["delete", "--before", "x"]]
)
def test_what_is_no_number_and_no_date_is_a_usage_error(arguments: list[str], data: Path) -> None:
    assert games(*arguments, data=data) == 2


def test_a_backup_will_do_as_well(data: Path, tmp_path: Path, capsys: Output) -> None:
    back_up(data / "boxroom.db", tmp_path / "copy.db")
    assert games("list", data=tmp_path / "copy.db") == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_where_nothing_is_a_sentence_says_so(tmp_path: Path, capsys: Output) -> None:
    assert games("list", data=tmp_path / "nowhere") == 1
    assert capsys.readouterr().err == (
        f"boxroom: there is no folder {tmp_path / 'nowhere'}: name the server's with --data\n"
    )
    assert games("list", data=tmp_path) == 1
    assert capsys.readouterr().err == (
        f"boxroom: no server has saved anything in {tmp_path}: name its folder with --data\n"
    )


def test_the_default_folder_comes_from_the_environment(
    data: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOXROOM_DATA", str(data))
    assert main(["games", "list", "--last", "1"]) == 0
    assert "cellar" in capsys.readouterr().out


def test_a_file_that_cant_be_written_is_one_sentence(
    data: Path, tmp_path: Path, capsys: Output
) -> None:
    out = tmp_path / "no" / "games.txt"
    assert games("export", "--all", "--out", out, data=data) == 1
    assert capsys.readouterr().err == f"boxroom: {out} can't be used: No such file or directory\n"


def test_whoever_has_read_enough_of_a_long_list_leaves_no_mess(tmp_path: Path) -> None:
    data = data_folder(tmp_path, *(finished(number) for number in range(1000))).path
    command = [sys.executable, "-m", "boxroom_client", "games", "list", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as listing:
        assert listing.stdout is not None
        assert listing.stderr is not None
        listing.stdout.readline()
        listing.stdout.close()
        assert listing.stderr.read() == b""
    assert listing.returncode == 0


# Other stores


@pytest.fixture
def store(data: Path) -> str:
    """URL of an etcd with the three games."""
    url = url_of(new_address())
    assert main(["backup", url, "--data", str(data)]) == 0
    return url


def in_store(store: str, *arguments: str) -> int:
    return main(["games", *arguments, "--store", store])


def listed(capsys: Output) -> list[dict[str, Any]]:
    """Return the games that were printed, which have other ids in each store."""
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["games"]
    for game in found:
        del game["id"]
    return found


def test_a_folder_is_a_store_as_well(data: Path, capsys: Output) -> None:
    assert games("list", data=data) == 0
    expected = capsys.readouterr().out
    assert in_store(f"sqlite:{data}", "list") == 0
    assert main(["games", "--store", f"sqlite:{data / 'boxroom.db'}", "list"]) == 0
    assert capsys.readouterr().out == expected * 2


@each("page", [1, 2, 3, 1000])
def test_etcd_has_the_same_games(
    page: int, data: Path, store: str, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (feed, etcd_games):
        monkeypatch.setattr(module, "PAGE", page)
    capsys.readouterr()
    for command in ("list", "list --last 2", "list --last 9", "export --all"):
        arguments = (*command.split(), "--json")
        assert games(*arguments, data=data) == 0
        expected = listed(capsys)
        assert in_store(store, *arguments) == 0
        assert listed(capsys) == expected


def test_a_game_in_etcd_is_shown_exported_and_deleted_by_its_number(
    store: str, capsys: Output
) -> None:
    capsys.readouterr()
    assert in_store(store, "list", "--json") == 0
    newest, *others = (str(game["id"]) for game in json.loads(capsys.readouterr().out)["games"])
    assert in_store(store, "show", newest) == 0
    assert "Room cellar, " in capsys.readouterr().out
    assert in_store(store, "export", newest, others[0]) == 0
    assert capsys.readouterr().out == f"{ONE_BOX}\n" * 2
    assert in_store(store, "delete", newest, "9") == 1
    assert "there is no game 9" in capsys.readouterr().err
    assert in_store(store, "delete", newest) == 0
    assert capsys.readouterr().out == "1 game is deleted.\n"
    assert in_store(store, "show", newest) == 1
    assert in_store(store, "delete", "--before", "2023-11-15T12:00") == 0
    assert capsys.readouterr().out == "1 game is deleted.\n"
    assert in_store(store, "list", "--json") == 0
    assert [str(game["id"]) for game in json.loads(capsys.readouterr().out)["games"]] == others[:1]


async def test_a_deleted_game_of_a_room_in_etcd_does_not_come_back() -> None:
    address, game = new_address(), finished(1, log=LIVING)
    async with etcd_storage(address, ManualClock()) as storage:
        begin_living_room(storage)
        storage.ledger.save_game(replace(game, people=("ada",)))
    async with etcd_games.opened_games(address) as stored:
        assert await stored.delete_before(MOST_MS) == 1
    async with etcd_storage(address, ManualClock()) as storage:
        storage.ledger.save_game(game)
        assert not await asyncio.to_thread(storage.ledger.newest_games_of, "ada", MOST_MS, 9)
    async with etcd_games.opened_games(address) as stored:
        assert [each async for each in stored.oldest()] == []


def test_the_environment_can_name_the_store(
    data: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOXROOM_STORE", f"sqlite:{data}")
    assert main(["games", "show", "2"]) == 0
    assert "Room cellar, " in capsys.readouterr().out


@each(
    "arguments, line",
    [
        (["--store", "redis://here"], "a store is sqlite:DIR, memory or etcd://HOST:PORT,…"),
        (["--store", "memory"], "only the server itself can read its memory"),
        (["--store", "sqlite:here", "--data", "here"], "--store names the store: leave out --data"),
    ],
)
def test_a_store_that_cannot_be_read_is_a_usage_error(
    arguments: list[str], line: str, capsys: Output
) -> None:
    assert main(["games", *arguments, "list"]) == 2
    assert main(["games", "list", *arguments]) == 2
    assert capsys.readouterr().err.count(line) == 2


def test_an_etcd_that_is_not_there_is_one_sentence(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "START_S", 0.0)
    assert in_store(f"etcd://127.0.0.1:{free_port()}", "list") == 1
    err = capsys.readouterr().err
    assert err.startswith("boxroom: etcd at 127.0.0.1:")
    assert err.count("\n") == 1
