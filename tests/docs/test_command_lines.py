"""Every command line on the pages is run, and every file in deploy/, or there is a reason."""

import importlib
import re
import shlex
from pathlib import Path

import pytest
from tests.cases import each
from tests.cluster.etcd import need_etcd
from tests.cluster.proxy import haproxy
from tests.conftest import HEAVY
from tests.docs.command_lines import (
    FILES,
    LINES,
    WITHOUT_VALUES,
    Check,
    Elsewhere,
    Run,
    Start,
    Takes,
    Way,
)
from tests.docs.pages import (
    PAGES,
    ROOT,
    command_lines,
    command_lines_in_text,
    is_test,
    languages,
)
from tests.docs.workplace import Workplace, workplace
from tests.faults.server_process import free_port
from tests.server.talk import ONE_BOX, Talk, say_hello
from websockets.asyncio.client import connect

from boxroom_client.cli.commands import COMMANDS

DATA = {"", "js", "json", "python", "text", "toml", "{eval-rst}", "{toctree}"}
"""Languages of blocks without command lines, other than those behind `$ `."""

ON_A_SERVER = ("docs/how-to/operating.md", "docs/tutorial/operator.md")
"""Pages with lines for a server that runs."""

EVERY = [(page, line, way) for page, lines in LINES.items() for line, way in lines.items()]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


# Nothing is left out


def test_blocks_of_command_lines_are_of_one_language() -> None:
    assert languages() == {"sh", *DATA}


def test_the_pages_exist() -> None:
    assert LINES.keys() <= set(map(name, PAGES))


@each("page", PAGES)
def test_every_line_has_its_way(page: Path) -> None:
    assert command_lines(page) == list(LINES.get(name(page), {}))


def test_every_file_that_is_deployed_has_its_way() -> None:
    deployed = [name(path) for path in sorted((ROOT / "deploy").iterdir())]
    assert [*deployed, "Dockerfile", "docker-compose.yml"] == list(FILES)


@each("way", [*FILES.values(), *(way for _, _, way in EVERY)])
def test_tests_elsewhere_exist(way: Way) -> None:
    assert not isinstance(way, Elsewhere) or is_test(way.test)


# Command lines are understood


def understand(words: list[str]) -> None:
    """Parse the words of a call of `boxroom`; SystemExit if that can't be done."""
    command, *arguments = words
    importlib.import_module(COMMANDS[command].module).parser().parse_args(arguments)


@each("line", [line for _, line, _ in EVERY if re.match(r"\S*boxroom [a-z]", line)])
def test_calls_of_boxroom_are_understood(line: str) -> None:
    understand(shlex.split(line.partition(" > ")[0])[1:])


@each("page", PAGES)
def test_calls_of_boxroom_in_the_text_are_understood(page: Path) -> None:
    for words in command_lines_in_text(page):
        is_name = len(words) == 1 or (words[0] == "admin" and len(words) == 2)
        if is_name or " ".join(words) in WITHOUT_VALUES:
            assert words[0] in {*COMMANDS, "server", "client"}
        elif "--help" not in words:
            understand(words)


@each("line", [line for _, line, way in EVERY if isinstance(way, Check)])
def test_tests_to_be_checked_exist(line: str) -> None:
    variables, _, words = line.partition("./check")
    paths = [ROOT / word for word in words.split() if word.startswith("tests/")]
    assert all(path.exists() for path in paths)
    for variable in re.findall(r"(\w+)=", variables):
        assert f'"{variable}"' in "".join(path.read_text(encoding="utf-8") for path in paths)


# Command lines run


async def play_two_games(port: int) -> list[Talk]:
    """Have Ada and Bob play twice in kiwa-tobe, and stay."""
    talks = []
    for player in ("Ada", "Bob"):
        talk = Talk(await connect(f"ws://127.0.0.1:{port}", compression=None), player)
        await say_hello(talk)
        talks.append(talk)
    ada, bob = talks
    await ada.do("create_room", token="Ada's token", room="kiwa-tobe", settings=ONE_BOX)
    await bob.do("join_room", room="kiwa-tobe")
    for _ in range(2):
        await ada.do("start")
        assert ada.room is not None
        seats = [seat.member for seat in ada.room.seats]
        for ply, move in enumerate(("h0", "h1", "v0", "v1")):
            await talks[seats[ply % 2] == "Bob"].do("play", seat=ply % 2, move=move, ply=ply)
        await ada.event("ended")
    return talks


async def a_server_of_two_players(place: Workplace) -> list[Talk]:
    port = free_port()
    serve = Start("Ctrl-C", stays=True)
    await place.start(f"boxroom serve --host 127.0.0.1 --no-announce --port {port}", serve)
    return await play_two_games(port)


@pytest.mark.parametrize("page", LINES)
async def test_the_lines_of_a_page_run(page: str, tmp_path: Path) -> None:
    if page == "docs/how-to/cluster.md":
        need_etcd()
        haproxy()
    async with workplace(tmp_path) as place:
        talks = await a_server_of_two_players(place) if page in ON_A_SERVER else []
        for line, way in LINES[page].items():
            match way:
                case Run():
                    await place.run(line, way)
                case Start():
                    await place.start(line, way)
                case Takes():
                    await check_flags(place, line)
                case _:
                    pass
        for talk in talks:
            await talk.hang_up()


async def check_flags(place: Workplace, line: str) -> None:
    """Have a script explain its flags, among them those of the line."""
    code, printed = await place.result(f"{line} --help")
    missing = re.search(r"No module named '(\w+)'", printed)
    if missing and missing[1] in HEAVY:
        pytest.skip(f"{missing[1]} isn't installed; ./check --no-skips installs everything")
    assert code == 0, printed
    flags = {word for word in line.split() if word.startswith("--")}
    assert flags <= set(re.findall(r"--[a-z-]+", printed)), line
