"""`boxroom admin` against a real server."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cases import each
from tests.e2e.serving import boxroom, serving
from tests.server.talk import ONE_BOX

from boxroom_client.main import main
from boxroom_server.admin import messages as m
from boxroom_server.cli import admin as admin_command

Output = pytest.CaptureFixture[str]
ONE_LOOP = True


async def test_all_commands_from_beginning_to_end(tmp_path: Path, capsys: Output) -> None:
    async def run(*arguments: str) -> tuple[int, str, str]:
        arguments = ("admin", *arguments, "--data", str(tmp_path))
        return await asyncio.to_thread(main, arguments), *capsys.readouterr()

    async def admin(*arguments: str) -> list[str]:
        code, out, err = await run(*arguments)
        assert (code, err) == (0, "")
        return out.splitlines()

    async with serving(tmp_path) as server:
        code, out, err = await run("show", "attic")
        assert (code, out) == (1, "")
        assert err.startswith("boxroom: there is no room 'attic' here")
        code, out, err = await run("close", "attic", "--json")
        assert (code, json.loads(out)["answer"], err) == (1, "refused", "")
        ada = await server.call("Ada")
        await ada.do("create_room", token="12345678", settings=ONE_BOX, room="attic")
        bob = await server.call("Bob")
        await bob.do("join_room", room="attic")
        await ada.do("start")
        line, total = await admin("list")
        assert line.split()[:3] == ["attic", "playing", "dots"]
        assert total == "rooms: 1"
        shown = await admin("show", "attic")
        assert shown[0].startswith("attic: playing, seq ")
        assert "seat 0: Ada (Ada)" in shown
        assert any(line.startswith("member Ada: 127.0.0.1 for ") for line in shown)
        assert [line.split()[-1] for line in (await admin("names", "a"))] == ["here", "1"]
        assert await admin("ban", "Bob", "--reason", "rude") == ["the name bob is banned."]
        assert (await bob.close_code())[0] == 4003
        await ada.event("kicked", member="Bob")
        (ban, total) = await admin("bans")
        assert ban.split()[2:] == ["name", "bob", "rude"]
        assert total == "bans: 1"
        assert "sent out: Bob" in await admin("show", "attic")
        assert await admin("unban", "Bob") == ["the name bob is not banned any more."]
        (rooms,) = await admin("list", "--json")
        assert json.loads(rooms)["rooms"][0]["bots"] == 1
        assert "out of attic" in (await admin("kick", "attic", "Ada"))[0]
        assert not any(line.startswith("member ") for line in await admin("show", "attic"))
        assert await admin("close", "attic") == ["attic is closed."]
        (released,) = await admin("release", "Ada")
        assert released == ("Ada is released: the next player who takes the name gets its seats.")
        assert await admin("drain") == ["this server stops; members are told."]
        assert await server.process.wait() == 0


async def test_a_server_without_a_folder_can_have_a_socket(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    async with serving(None, "--memory", "--admin-socket", str(path)):
        assert await boxroom("admin", "list", "--admin-socket", str(path)) == (0, "rooms: 0\n", "")
    assert not path.exists()


def test_where_nobody_answers_is_one_sentence_and_69(tmp_path: Path, capsys: Output) -> None:
    assert main(["admin", "list", "--data", str(tmp_path)]) == 69
    assert capsys.readouterr().err == (
        f"boxroom: no server answers at {tmp_path / 'admin.sock'}:"
        " name the data folder of one that runs with --data\n"
    )


@each("arguments", [[], ["dance"], ["kick", "attic"], ["list", "attic"]])
def test_what_makes_no_sense_is_a_usage_error(arguments: list[str]) -> None:
    assert main(["admin", *arguments]) == 2


@contextmanager
def strange_server(path: Path, answer: bytes) -> Iterator[None]:
    """Answer one connection at `path` with `answer`, which no server would send."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield
        thread.join()


@pytest.mark.parametrize("answer", [b"", b"\n", b"hello\n", b'{"answer":"tomorrow"}\n', b"\xff\n"])
def test_what_is_no_server_is_told(answer: bytes, tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "s"
    with strange_server(path, answer):
        assert main(["admin", "list", "--admin-socket", str(path)]) == 69
    assert "isn't a server that this boxroom understands" in capsys.readouterr().err


def test_a_server_that_takes_too_long_is_told(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boxroom_server.cli.admin.ANSWER_TIMEOUT_S", 0.01)
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(path))
        silent.listen()
        assert main(["admin", "list", "--admin-socket", str(path)]) == 69
    assert "doesn't answer in 0 s" in capsys.readouterr().err


def test_what_cant_be_a_socket_is_told(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / ("x" * 150)
    assert main(["admin", "list", "--admin-socket", str(path)]) == 69
    assert "can't be asked: " in capsys.readouterr().err


async def test_where_there_can_be_no_socket_the_server_runs_without_one(tmp_path: Path) -> None:
    data = tmp_path / ("x" * 120)
    async with serving(data) as server:
        assert (await server.call("Ada")).name == "Ada"


def test_who_is_away_and_how_old_things_are_is_said_in_words() -> None:
    room = m.RoomDetails(
        room="attic",
        log="4711",
        phase="waiting",
        host="Ada",
        seq=3,
        age_s=200_000,
        settings={},
        seats=(m.SeatInfo(None, None, None), m.SeatInfo("Bob", "Bob", "greedy")),
        members=(
            m.MemberInfo("Ada", "::1", 7_300),
            m.MemberInfo("Bob", None, None),
            m.MemberInfo("Cleo", None, None, "0a1b2c3d"),
        ),
        barred=(),
        events=(),
    )
    assert list(admin_command._lines(room)) == [
        "attic: waiting, seq 3, 2 days old, log 4711",
        "settings: {}",
        "seat 0: - (empty)",
        "seat 1: Bob (Bob, bot greedy)",
        "member Ada: ::1 for 2 h, host",
        "member Bob: away",
        "member Cleo: at the server 0a1b2c3d",
    ]
    names = m.NameList((m.NameInfo("Ada", 0, False),), left_out=1_000)
    assert list(admin_command._lines(names))[1] == "names: 1, and 1,000 more"
