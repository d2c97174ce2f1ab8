"""systemd accepts deploy/boxroom.service, and a server works under the conditions that it sets."""

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.cases import each
from tests.deploy.conditions import (
    DYNAMIC_USER,
    MADE_HERE,
    NOT_MADE_HERE,
    conditions,
    state_folder,
)
from tests.deploy.unit import SERVICE, UNIT, command, environment
from tests.faults.server_process import LIMIT_S, ServerProcess, free_port
from tests.server.talk import Talk, say_hello
from websockets.asyncio.client import connect

from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_client.profile.identity import CONFIG_FOLDER_VARIABLE
from boxroom_common.exits import Exit
from boxroom_engine.room.room import Phase
from boxroom_server.cli.serve import parser
from boxroom_server.options import LOOPBACK
from boxroom_server.storage.sqlite.folder import FOLDER_VARIABLE

MOST_EXPOSURE = 20
"""Limit for `systemd-analyze security`, in tenths."""

PROBE = f"""
import mmap, os, socket
from pathlib import Path

def refused(action, *args):
    try:
        action(*args)
    except OSError as error:
        return error.strerror

print(os.getuid(), os.getgid(), os.path.expanduser("~"), oct(os.umask(0)))
status = dict(line.split(":\\t") for line in Path("/proc/self/status").read_text().splitlines())
print(int(status["CapEff"], 16), status["NoNewPrivs"])
print(refused(Path({str(UNIT)!r}).touch))
print(refused(Path(os.environ[{FOLDER_VARIABLE!r}], "new").touch))
print(refused(socket.socket, socket.AF_PACKET, socket.SOCK_RAW))
print(refused(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW))
print(refused(mmap.mmap, -1, 4096, mmap.MAP_PRIVATE, mmap.PROT_WRITE | mmap.PROT_EXEC))
print(refused(os.sched_setaffinity, 0, [0]))
"""
"""Program that prints what it may do."""

PROBED = f"""\
{DYNAMIC_USER} {DYNAMIC_USER} ~ 0o77
0 1
Read-only file system
None
Address family not supported by protocol
None
Operation not permitted
Operation not permitted
"""


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return state_folder(tmp_path / "state")


@pytest.fixture
def within(state: Path) -> Iterator[Sequence[str]]:
    with conditions(state) as command:
        yield command


def program(*arguments: str) -> list[str]:
    """Return the command line of `boxroom` in the environment of the tests."""
    return [sys.executable, "-m", "boxroom_client", *arguments]


# The unit


@pytest.mark.parametrize("check", ["verify", "security"])
def test_systemd_finds_nothing_wrong(check: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze: apt install systemd")
    unit = tmp_path / UNIT.name
    text = UNIT.read_text(encoding="utf-8")
    # systemd looks for the program, which isn't installed there.
    unit.write_text(text.replace(command()[0], sys.executable), encoding="utf-8")
    flags = ["--offline=true", f"--threshold={MOST_EXPOSURE}"] if check == "security" else []
    done = subprocess.run(
        ["systemd-analyze", "--no-pager", check, *flags, unit],
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""


def test_the_service_starts_a_server_with_flags_that_it_has() -> None:
    path, name, *arguments = command()
    assert (Path(path).name, name) == ("boxroom", "serve")
    assert parser().parse_args(arguments).log_json
    assert SERVICE["RestartPreventExitStatus"] == [str(int(Exit.USAGE))]


def test_the_data_is_in_the_one_folder_that_can_be_written() -> None:
    folder = Path(environment(Path("/state"))[FOLDER_VARIABLE])
    assert [str(folder.relative_to("/state"))] == SERVICE["StateDirectory"]


def test_every_setting_is_made_here_or_there_is_a_reason() -> None:
    assert MADE_HERE.isdisjoint(NOT_MADE_HERE)
    assert MADE_HERE | NOT_MADE_HERE.keys() == SERVICE.keys()


# The server


def test_the_conditions_hold(within: Sequence[str]) -> None:
    done = subprocess.run(
        [*within, sys.executable, "-c", PROBE], check=True, capture_output=True, encoding="utf-8"
    )
    assert done.stdout == PROBED


async def call(server: ServerProcess) -> Talk:
    """Return Ada's connection, welcomed."""
    talk = Talk(await connect(f"ws://127.0.0.1:{server.port}", compression=None), "Ada")
    await say_hello(talk)
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def play(ada: Talk) -> None:
    """Play the first free line whenever it is Ada's turn, until the game is over."""
    while ada.room is not None and ada.room.phase is not Phase.OVER:
        state = ada.room.state
        assert state is not None
        if state.to_move == 0:
            move = state.game.format_move(state.legal_moves()[0])
            await ada.do("play", seat=0, move=move, ply=state.ply)
            await ada.event("played", seat=0, move=move)
        else:
            await ada.event("played", seat=1)
            assert ada.room.state is not None


async def test_a_game_with_a_bot_goes_on_after_a_restart(
    within: Sequence[str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    async with ServerProcess(free_port(), log, *command()[2:], within=within) as server:
        ada = await call(server)
        settings = {"options": {"rows": 2, "cols": 2}}
        await ada.do("create_room", token="Ada's token", room="attic", settings=settings)
        await ada.do("seat_bot", bot="expert:time=0.1")
        await ada.do("start")
        await ada.do("play", seat=0, move="h0", ply=0)
        await ada.event("played", seat=1, by="bot")
        assert await server.stop() == 0

        await server.start()
        ada = await call(server)
        await ada.do("join_room", room="attic")
        await play(ada)
        assert await admin_list(within) == ["attic"]
        assert await server.stop() == 0
    records = [json.loads(line) for line in log.read_text().splitlines()]
    troubles = {record["event"] for record in records if record["level"] != "info"}
    # A busy machine; the fast engine in the cache of the user who runs the tests.
    expected = ("the event loop was held up", "The slow engine is in use.")
    assert [trouble for trouble in troubles if not trouble.startswith(expected)] == []


async def admin_list(within: Sequence[str]) -> list[str]:
    """Return the rooms of the server, as its operator sees them."""
    process = await asyncio.create_subprocess_exec(
        *within, *program("admin", "list", "--json"), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    return [room["room"] for room in json.loads(out)["rooms"]]


@each(
    "arguments, variable",
    [
        (["serve", "--no-announce"], FOLDER_VARIABLE),
        (["history"], GAMES_FOLDER_VARIABLE),
        (["config"], CONFIG_FOLDER_VARIABLE),
    ],
)
def test_a_user_without_a_home_is_told_what_to_set(
    arguments: list[str], variable: str, within: Sequence[str]
) -> None:
    unnamed = ("env", f"--unset={variable}", *program(*arguments))
    done = subprocess.run([*within, *unnamed], check=False, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (1, "")
    told = f"boxroom: this user has no home folder: set {variable} to a folder"
    assert done.stderr.splitlines()[-1] == told


async def test_a_server_whose_user_has_a_home_can_be_announced(within: Sequence[str]) -> None:
    arguments = [word for word in command()[1:] if word != "--no-announce"]
    here = ("--host", LOOPBACK, "--port", "0", "--announce-on", LOOPBACK)
    process = await asyncio.create_subprocess_exec(
        *within, "env", "HOME=/", *program(*arguments, *here), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(LIMIT_S):
            while b"Announced" not in (line := await process.stdout.readline()):
                assert line, "it ended"
    finally:
        process.terminate()
        await process.communicate()
    assert process.returncode == 0
