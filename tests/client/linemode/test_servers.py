"""The choice of a server without an address."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.cases import each
from tests.client.fake_connection import Keyboard, Pipe

from boxroom_client.cli import join as join_command
from boxroom_client.cli.arguments import shells
from boxroom_client.linemode import servers as finding
from boxroom_client.linemode.frontend import LineFrontend
from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.printer import Printer
from boxroom_client.linemode.servers import choose_server, first_found, join_found, search
from boxroom_client.link.errors import Unreachable
from boxroom_client.servers.address import Address
from boxroom_client.servers.discovery import FoundServer, SearchResult
from boxroom_client.servers.localhost import LOCALHOST
from boxroom_client.shell.frontend import Interrupted, JoinOptions
from boxroom_client.shell.output.painting import Canvas
from boxroom_common.exits import Exit, Failure
from boxroom_engine.wire.messages import PROTOCOL

PAGE = Printer(Canvas(), is_terminal=True)
HERE = FoundServer("Boxroom on this machine", LOCALHOST, PROTOCOL)
KIWA = FoundServer("Boxroom on kiwa", Address("192.168.1.20"), PROTOCOL)
DEN = FoundServer("Boxroom on den", Address("192.168.1.21", 9001), PROTOCOL)
OLD = FoundServer("Boxroom on attic", Address("192.168.1.22"), PROTOCOL - 1)
NOTHING = SearchResult(())

Said = pytest.CaptureFixture[str]


# Choosing


async def test_the_only_server_is_taken_and_named(capsys: Said) -> None:
    for lines in (Pipe(), Keyboard()):
        assert await choose_server([KIWA], lines, PAGE) == KIWA
        assert capsys.readouterr().out == "Joining Boxroom on kiwa at 192.168.1.20:8765.\n"


async def test_alone_the_first_is_taken_and_the_rest_told(capsys: Said) -> None:
    assert await choose_server([HERE, KIWA], Pipe("2"), PAGE) == HERE
    assert capsys.readouterr().out == (
        "Joining Boxroom on this machine at localhost:8765, the first of 2 servers.\n"
    )


@each(
    "typed, chosen",
    [
        (["2"], DEN),
        (["BOXROOM on kiwa"], KIWA),
        (["", "0", "3", "-1", "den", "1"], KIWA),
        ([None], None),
    ],
)
async def test_a_person_chooses(
    typed: list[str | None], chosen: FoundServer | None, capsys: Said
) -> None:
    keyboard = Keyboard()
    keyboard.type(*typed)
    assert await choose_server([KIWA, DEN], keyboard, PAGE) == chosen
    assert keyboard.prompt() == "Its number or name> "
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == "The servers:"
    assert rest[:2] == [
        "  1  Boxroom on kiwa  192.168.1.20:8765",
        "  2  Boxroom on den   192.168.1.21:9001",
    ]
    assert set(rest[2:]) <= {"Type a number, 1 to 2, or the name of a server."}
    assert len(rest[2:]) == len(typed) - 1


# From nowhere into a room


@dataclass
class World:
    """The servers that are found, and the result of joining one."""

    findings: SearchResult = NOTHING
    ends: Exit | Failure = Exit.DONE
    joined: list[Address] = field(default_factory=list)

    async def search(self) -> SearchResult:
        return self.findings

    async def join(
        self, address: Address, name: str | None, join_options: JoinOptions, front: LineFrontend
    ) -> Exit:
        assert (name, join_options) == ("Ada", JoinOptions(room="den"))
        self.joined.append(address)
        if isinstance(self.ends, Failure):
            raise self.ends
        return self.ends


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World()
    monkeypatch.setattr(finding, "search", world.search)
    monkeypatch.setattr(finding, "join", world.join)
    return world


async def go(lines: Lines) -> Exit:
    return await join_found("Ada", JoinOptions(room="den"), LineFrontend(lines, PAGE))


async def test_what_is_found_is_joined(world: World) -> None:
    world.findings = SearchResult((KIWA, DEN))
    world.ends = Exit.TERMINATED
    assert await go(Pipe()) is Exit.TERMINATED
    assert world.joined == [KIWA.address]


async def test_a_server_that_speaks_otherwise_is_named_and_left(world: World, capsys: Said) -> None:
    world.findings = SearchResult((OLD, KIWA))
    assert await go(Keyboard()) is Exit.DONE
    assert world.joined == [KIWA.address]
    said = " ".join(capsys.readouterr().out.split())
    assert "Boxroom on attic at 192.168.1.22:8765 can't be joined: it is older than" in said


async def test_where_nobody_is_asked_the_first_is_taken(world: World, capsys: Said) -> None:
    world.findings = SearchResult((OLD, KIWA, DEN))
    assert await first_found(PAGE) == KIWA
    assert "the first of 2 servers" in " ".join(capsys.readouterr().out.split())
    world.findings = NOTHING
    assert await first_found(PAGE) is None


@pytest.mark.parametrize(("typed", "ends"), [(None, Exit.DONE), (Interrupted(), Exit.INTERRUPTED)])
async def test_who_thinks_better_of_it_goes_nowhere(
    typed: Exception | None, ends: Exit, world: World
) -> None:
    world.findings = SearchResult((KIWA, DEN))
    keyboard = Keyboard()
    keyboard.type(typed)
    assert await go(keyboard) is ends
    assert world.joined == []


@pytest.mark.parametrize(
    ("findings", "why"),
    [
        (NOTHING, "No server was found on this network: boxroom serve starts one."),
        (
            SearchResult((OLD,)),
            "No server that can be joined was found on this network: boxroom serve starts one.",
        ),
        (
            SearchResult((), "Permission denied"),
            "The network can't be searched for others: Permission denied.",
        ),
    ],
)
async def test_where_there_is_none_two_sentences_say_so(
    findings: SearchResult, why: str, world: World
) -> None:
    world.findings = findings
    world.ends = Unreachable("nothing answers at localhost:8765")
    with pytest.raises(Failure) as failed:
        await go(Pipe())
    assert str(failed.value) == f"nothing answers at localhost:8765. {why}"
    assert failed.value.code is Exit.UNREACHABLE
    assert world.joined == [LOCALHOST]


async def test_a_server_here_that_refuses_is_there_after_all(world: World) -> None:
    world.ends = Failure("the name is taken")
    with pytest.raises(Failure, match=r"^the name is taken$"):
        await go(Pipe())


async def test_a_search_asks_this_machine_and_the_network_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = asyncio.Barrier(2)

    async def find_servers(**_: object) -> SearchResult:
        await both.wait()
        return SearchResult((KIWA,), "one network is out of order")

    async def local_server(**_: object) -> FoundServer:
        await both.wait()
        return HERE

    monkeypatch.setattr(finding, "find_servers", find_servers)
    monkeypatch.setattr(finding, "local_server", local_server)
    async with asyncio.timeout(20):
        assert await search() == SearchResult((HERE, KIWA), "one network is out of order")


def test_without_an_address_one_is_looked_for(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(shells, "lines_from_stdin", Pipe)
    world.findings = SearchResult((DEN,))
    arguments = ["--name", "Ada", "--room", "den", "--plain"]
    assert join_command.run(join_command.parser().parse_args(arguments)) == Exit.DONE
    assert world.joined == [DEN.address]
