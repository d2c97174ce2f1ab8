"""`boxroom backup`: its output and exit codes, and servers that go on with its copies."""

import asyncio
import resource
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each
from tests.cluster.etcd import ctl
from tests.cluster.shared import new_address
from tests.server.manual_clock import ManualClock
from tests.server.storage.sqlite.data_folders import data_folder, finished
from tests.server.stores import url_of
from tests.server.talk import ONE_BOX, Lobby, Talk, lobby, say_hello

from boxroom_client.main import main
from boxroom_server.admin import messages as admin
from boxroom_server.storage.etcd import contents, identity
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.storage import etcd_storage
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.storage import sqlite_storage
from boxroom_server.storage.storage import Storage

ONE_LOOP = True
Output = pytest.CaptureFixture[str]


def test_it_says_what_is_in_the_copy(tmp_path: Path, capsys: Output) -> None:
    data = data_folder(tmp_path / "data", finished(1), finished(2)).path
    copy = tmp_path / "copy.db"
    assert main(["backup", str(copy), "--data", str(data)]) == 0
    assert capsys.readouterr().out == (
        f"{copy} is the copy; it holds rooms: 1, names: 0, finished games: 2.\n"
    )


def test_it_overwrites_nothing(tmp_path: Path, capsys: Output) -> None:
    data = data_folder(tmp_path / "data").path
    assert main(["backup", str(tmp_path), "--data", str(data)]) == 1
    assert capsys.readouterr().err == (
        f"boxroom: there is a file {tmp_path} already: name another one\n"
    )


def test_where_there_is_nothing_to_copy_a_sentence_says_so(tmp_path: Path, capsys: Output) -> None:
    assert main(["backup", str(tmp_path / "copy.db"), "--data", str(tmp_path)]) == 1
    assert "boxroom: no server has saved anything in" in capsys.readouterr().err
    (tmp_path / "boxroom.db").write_bytes(b"")
    assert main(["backup", str(tmp_path / "copy.db"), "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        f"boxroom: {tmp_path / 'boxroom.db'} isn't a database of Boxroom\n"
    )


def test_a_full_disk_is_one_sentence(tmp_path: Path, capsys: Output) -> None:
    data = data_folder(tmp_path / "data", *(finished(number) for number in range(1000))).path
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, limits[1]))
    try:
        assert main(["backup", str(tmp_path / "copy.db"), "--data", str(data)]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert capsys.readouterr().err.startswith("boxroom: the copy can't be written: ")


# Other stores


def test_it_says_what_is_in_each_copy(tmp_path: Path, capsys: Output) -> None:
    data = data_folder(tmp_path / "data", finished(1), finished(2)).path
    one, other = new_address(), new_address()
    folder = f"sqlite:{tmp_path / 'folder'}"
    for target, source, place in (
        (url_of(one), ("--data", str(data)), f"{one}, under {one.prefix}/,"),
        (url_of(other), ("--store", url_of(one)), f"{other}, under {other.prefix}/,"),
        (folder, ("--store", url_of(other)), str(tmp_path / "folder")),
        (str(tmp_path / "copy.db"), ("--store", folder), str(tmp_path / "copy.db")),
    ):
        assert main(["backup", target, *source]) == 0
        assert capsys.readouterr().out == (
            f"{place} is the copy; it holds rooms: 1, names: 0, finished games: 2.\n"
        )
    assert stat.S_IMODE((tmp_path / "folder").stat().st_mode) == 0o700
    assert DataFolder(tmp_path / "folder")._used.exists(), "its loss would be noticed"


def test_the_environment_can_name_the_source(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = data_folder(tmp_path / "data", finished(1)).path
    monkeypatch.setenv("BOXROOM_STORE", f"sqlite:{data}")
    assert main(["backup", str(tmp_path / "copy.db")]) == 0
    assert "finished games: 1." in capsys.readouterr().out


@each(
    "arguments, line",
    [
        (("redis://here",), "a store is sqlite:DIR, memory or etcd://HOST:PORT,…, not redis:"),
        (("sqlite:",), "a store is sqlite:DIR"),
        (("etcd://here:http",), "'here' has no valid port"),
        (("copy.db", "--store", "redis://here"), "a store is sqlite:DIR"),
        (("copy.db", "--store", "memory"), "only the server itself can read its memory"),
        (("copy.db", "--store", "sqlite:d", "--data", "d"), "--store names the store: leave out"),
    ],
)
def test_wrong_usage_is_a_sentence_and_exit_2(
    arguments: tuple[str, ...],
    line: str,
    capsys: Output,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BOXROOM_DATA", str(data_folder(tmp_path / "data").path))
    assert main(["backup", *arguments]) == 2
    assert f"boxroom backup: {line}" in capsys.readouterr().err


@each("arguments", ["{etcd} --data {data}", "copy --store {etcd}"])
def test_no_etcd_at_the_address_is_a_sentence_and_exit_1(
    arguments: str, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (identity, contents):
        monkeypatch.setattr(module, "START_S", 0.0)
    data = data_folder(tmp_path / "data").path
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:  # a port on which nothing listens
        taken.bind(("127.0.0.1", 0))
        endpoint = f"127.0.0.1:{taken.getsockname()[1]}"
        words = arguments.format(etcd=f"etcd://{endpoint}", data=data).split()
        assert main(["backup", *words]) == 1
    assert capsys.readouterr().err.startswith(f"boxroom: etcd at {endpoint} can't be used: ")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_missing_extra_is_a_sentence_and_exit_1(tmp_path: Path) -> None:
    (tmp_path / "aetcd.py").write_text("raise ModuleNotFoundError(name='aetcd')\n")
    run = "import sys; from boxroom_client.main import main; sys.exit(main(sys.argv[1:]))"
    data = data_folder(tmp_path / "data").path
    ended = subprocess.run(
        [sys.executable, "-c", run, "backup", "etcd://127.0.0.1", "--data", str(data)],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(tmp_path)},
    )
    assert (ended.returncode, ended.stderr) == (
        1,
        "boxroom: aetcd isn't installed: pip install 'boxroom[cluster]' brings it\n",
    )


def test_a_folder_or_an_etcd_that_is_used_stays_as_it_is(tmp_path: Path, capsys: Output) -> None:
    data, address = data_folder(tmp_path / "data", finished(1)), new_address()
    from_data, from_etcd = ("--data", str(data.path)), ("--store", url_of(address))
    assert main(["backup", url_of(address), *from_data]) == 0
    before = etcdctl(address, "get", "--prefix", address.prefix)
    assert main(["backup", url_of(address), *from_data]) == 1
    assert "boxroom: there is something in etcd under" in capsys.readouterr().err
    assert etcdctl(address, "get", "--prefix", address.prefix) == before
    assert main(["backup", f"sqlite:{data.path}", *from_etcd]) == 1
    assert f"boxroom: there is something in {data.path} already" in capsys.readouterr().err
    assert main(["backup", str(data.database), *from_etcd]) == 1
    assert f"boxroom: there is a file {data.database} already" in capsys.readouterr().err


def test_damage_in_etcd_is_a_sentence_and_leaves_no_copy(tmp_path: Path, capsys: Output) -> None:
    address = new_address()
    data = data_folder(tmp_path / "data", finished(1))
    assert main(["backup", url_of(address), "--data", str(data.path)]) == 0
    etcdctl(address, "put", f"{address.prefix}/name/ada", "no JSON")
    capsys.readouterr()
    assert main(["backup", f"sqlite:{tmp_path / 'copy'}", "--store", url_of(address)]) == 1
    line = "boxroom: the value of name/ada in etcd is damaged: "
    assert capsys.readouterr().err.startswith(line)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_damage_in_sqlite_is_a_sentence_and_leaves_no_copy(tmp_path: Path, capsys: Output) -> None:
    data, address = data_folder(tmp_path / "data", finished(1)), new_address()
    with closing(sqlite3.connect(data.database)) as connection, connection:
        connection.execute("UPDATE entries SET checksum = 1")
    assert main(["backup", url_of(address), "--data", str(data.path)]) == 1
    assert capsys.readouterr().err.startswith("boxroom: room cellar is damaged: ")
    assert etcdctl(address, "get", "--prefix", address.prefix) == ""


def etcdctl(address: EtcdAddress, *words: str) -> str:
    return asyncio.run(ctl(address.endpoints[0], *words))


# Servers that go on with a copy

PRIVATE: dict[str, Any] = {"settings": {**ONE_BOX, "private": True}, "password": "open sesame"}
ONCE: dict[str, Any] = {"id": 1000, "text": "once"}


@asynccontextmanager
async def served(
    opened: AbstractAsyncContextManager[Storage], clock: ManualClock
) -> AsyncIterator[tuple[Storage, Lobby]]:
    async with opened as storage, lobby(storage=storage, clock=clock) as place:
        yield storage, place


async def backup(*arguments: str) -> int:
    """Run `boxroom backup`, which has an event loop of its own."""
    return await asyncio.to_thread(main, ["backup", *arguments])


async def test_people_go_on_where_they_were_in_each_copy(tmp_path: Path) -> None:
    data, copy, address, clock = tmp_path / "data", tmp_path / "copy", new_address(), ManualClock()
    async with served(sqlite_storage(DataFolder(data), clock), clock) as (storage, place):
        bob = await play(place)
        said, id = await bob.do("say", **ONCE), storage.server_id
        assert await backup(url_of(address), "--data", str(data)) == 0, "while it runs"
        await bob.do("say", id=ONCE["id"] + 1, text="after the copy")
    clock.advance(30)
    async with served(etcd_storage(address, clock), clock) as (storage, place):
        assert (storage.server_id, storage.down_ms) == (id, 30_000)
        await go_on(place, bob, said, stranger="Cy")
        assert await backup(f"sqlite:{copy}", "--store", url_of(address)) == 0, "while it runs"
    clock.advance(30)
    async with served(sqlite_storage(DataFolder(copy), clock), clock) as (storage, place):
        assert (storage.server_id, storage.down_ms) == (id, 30_000)
        await go_on(place, bob, said, stranger="Dan")


async def play(place: Lobby) -> Talk:
    """Have Ada and Bob play a game in a private room, ban Eve, and return Bob."""
    ada = await place.create("Ada", **PRIVATE)
    bob = await place.join("Bob", password="open sesame")
    await ada.event("sat", member="Bob")
    await ada.do("start")
    for ply, move in enumerate(["h0", "h1", "v0", "v1"]):
        await (ada, bob)[ply % 2].do("play", seat=ply % 2, move=move, ply=ply)
    await bob.event("ended")
    await place.until_owned()
    await place.server.admin_commands.execute(admin.Ban("Eve"), lambda: None)
    return bob


async def go_on(place: Lobby, bob: Talk, said: int, *, stranger: str) -> None:
    """Check that all is as Bob has left it, when his `said` was the last event."""
    assert await greeting(place, "Bob", secret="the secret of somebody else") == "name_taken"
    assert await greeting(place, "Eve") == "banned"
    back = await place.call("Bob")
    await back.do("join_room", room="attic", log=bob.seen.log, after=said - 1)
    assert back.resumed_after == said - 1
    assert await back.do("say", **ONCE) == said, "a repeat gets its first answer"
    (game,) = (await back.ask("list_games"))["games"]
    assert game["scores"] == [0, 1]
    other = await place.call(stranger)
    assert await other.refusal("join_room", room="attic") == "wrong_password"
    await other.do("join_room", room="attic", password="open sesame")
    assert [line.text for line in place.room().chat] == ["once"]
    assert (await other.ask("list_games"))["games"] == []


async def greeting(place: Lobby, name: str, **fields: Any) -> str:
    """Greet as `name`, and return the code of the refusal."""
    talk = await place.connect(name)
    await say_hello(talk, **fields)
    return str((await talk.hear())["code"])
