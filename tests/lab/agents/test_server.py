"""Our bots as agents, over real sockets, with a referee and agents like the course's."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import each
from tests.lab.agents.course import CourseAgent, lines_of, referee
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from boxroom_client.linemode.printer import Printer
from boxroom_client.servers.address import Address
from boxroom_client.shell.output.painting import Canvas
from boxroom_lab.agents.messages import decode_answer, encode
from boxroom_lab.agents.server import AgentServer, ConnectionHandler
from boxroom_lab.robots.file import RobotLoadError
from boxroom_lab.robots.process import RobotProcess

PAGE = Printer(Canvas(), is_terminal=False)
PATIENTLY_S = 20.0
COURSE_PAGE = "http://127.0.0.1:8080"
START = {"type": "start", "player": 1, "timelimit": 5, "grid": [1, 1], "game": "g"}

Said = pytest.CaptureFixture[str]

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[AgentServer]:
    """An agent that `greedy` plays, and that pages of the course may connect to."""
    async with AgentServer("greedy", "127.0.0.1", 0, PAGE, origins={COURSE_PAGE}) as server:
        yield server


def url_of(server: AgentServer) -> str:
    return f"ws://127.0.0.1:{server.port}"


@asynccontextmanager
async def talking(server: AgentServer) -> AsyncIterator[ClientConnection]:
    async with connect(url_of(server)) as connection, asyncio.timeout(PATIENTLY_S):
        yield connection


async def line_after(connection: ClientConnection, **message: Any) -> tuple[int, int, str]:
    """Send a message, and return the line of the answer."""
    await connection.send(json.dumps(message))
    answer = json.loads(await connection.recv())
    return (*answer["location"], answer["orientation"])


@each("rows, tells_end", [(2, True), (3, False)])
async def test_it_plays_to_the_end_against_an_agent(
    server: AgentServer, rows: int, *, tells_end: bool
) -> None:
    async with CourseAgent().listening() as port:
        urls = (url_of(server), f"ws://127.0.0.1:{port}")
        for order in (urls, urls[::-1]):
            winner = await referee(
                (order[0], order[1]), rows, 3, limit_s=PATIENTLY_S, tells_end=tells_end
            )
            assert winner in (0, 1, 2)


async def test_it_plays_against_itself(server: AgentServer, capsys: Said) -> None:
    url = url_of(server)
    await referee((url, url), 2, 2, limit_s=PATIENTLY_S)
    said = capsys.readouterr().out.splitlines()
    assert sorted(said)[:2] == ["Game 2x2 begins, as player 1.", "Game 2x2 begins, as player 2."]
    assert sum("Game 2x2 is over: " in line for line in said) == 2


async def test_a_line_that_was_refused_is_ignored(server: AgentServer) -> None:
    async with talking(server) as connection:
        first = await line_after(connection, **START)
        row, column, orientation = first
        told = {"type": "action", "game": "g", "player": 1, "score": [0, 0], "nextplayer": 2}
        told |= {"location": [row, column], "orientation": orientation}
        await connection.send(json.dumps(told))
        again = await line_after(connection, **told | {"player": 2, "nextplayer": 1})
        assert again in lines_of(1, 1) - {first}


async def test_without_a_next_player_the_rules_say_who_is_next(server: AgentServer) -> None:
    async with talking(server) as connection:
        await connection.send(json.dumps(START | {"player": 2}))
        told = {"type": "action", "game": "g", "location": [0, 0], "orientation": "h"}
        assert await line_after(connection, **told) in lines_of(1, 1) - {(0, 0, "h")}


async def test_one_connection_may_have_both_players(server: AgentServer) -> None:
    async with talking(server) as connection:
        first = await line_after(connection, **START)
        await connection.send(json.dumps(START | {"player": 2}))
        row, column, orientation = first
        told = {"type": "action", "game": "g", "player": 1, "nextplayer": 2}
        told |= {"location": [row, column], "orientation": orientation}
        assert await line_after(connection, **told) in lines_of(1, 1) - {first}


async def test_other_games_and_texts_are_reported_and_ignored(
    server: AgentServer, capsys: Said
) -> None:
    async with talking(server) as connection:
        await connection.send("hello")
        await connection.send(b"\xff\xff")
        await connection.send(json.dumps(START | {"grid": [1000, 1000], "game": 7}))
        elsewhere = {"location": [0, 0], "orientation": "h", "nextplayer": 1}
        await connection.send(json.dumps({"type": "action", "game": "other", **elsewhere}))
        await connection.send(json.dumps({"type": "end", "game": "other"}))
        assert await line_after(connection, **START) in lines_of(1, 1)
    said = capsys.readouterr().out
    assert said.count("This is no message of an agents' server: ") == 2
    assert "Game 7 can't be played: a board has at most 10000 boxes" in said
    assert "Game other hasn't begun here, and gets no answer." in said
    assert "Game other is over: the server names no winner." in said


# Web pages


def said_in(capsys: Said) -> str:
    """Return what was said, without the breaks of lines."""
    return " ".join(capsys.readouterr().out.split())


@each("origin", ["https://evil.example", "null", "http://127.0.0.1:8081"])
async def test_a_web_page_cant_connect_unless_its_origin_is_allowed(
    server: AgentServer, origin: str, capsys: Said
) -> None:
    url = url_of(server)
    for _ in range(3):
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, origin=Origin(origin))
        assert refused.value.response.status_code == 403
    async with connect(url, origin=Origin(COURSE_PAGE)) as connection:
        assert await line_after(connection, **START) in lines_of(1, 1)
    assert said_in(capsys).count(f"pages of {origin} may not connect") == 1


async def test_pages_cant_fill_the_terminal_with_refusals(capsys: Said) -> None:
    async with AgentServer("greedy", "127.0.0.1", 0, PAGE) as server:
        for number in range(30):
            with pytest.raises(InvalidStatus):
                await connect(url_of(server), origin=Origin(f"http://e{number}"))
    assert said_in(capsys).count("A connection was refused") == 10


@each("name", ["evil.example", "localhost.evil.example", "127.0.0.1.nip.example"])
async def test_a_name_that_others_let_point_here_is_refused(
    server: AgentServer, name: str, capsys: Said
) -> None:
    port = server.port
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://{name}:{port}", host="127.0.0.1", port=port)
    assert refused.value.response.status_code == 403
    async with connect(f"ws://localhost:{port}", host="127.0.0.1") as connection:
        assert await line_after(connection, **START) in lines_of(1, 1)
    assert f"{name}:{port} may not be the name of this agent" in said_in(capsys)


# Games


async def test_of_games_that_never_end_the_oldest_is_forgotten(server: AgentServer) -> None:
    async with talking(server) as connection:
        for name in range(10):
            await line_after(connection, **START | {"game": name})
        told = {"type": "action", "location": [0, 0], "orientation": "h", "nextplayer": 1}
        await connection.send(json.dumps(told | {"game": 0}))
        assert await line_after(connection, **told, game=9) in lines_of(1, 1) - {(0, 0, "h")}


async def test_a_robot_that_is_wrong_answers_nothing_and_says_why(
    tmp_path: Path, capsys: Said
) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def robot(state): return 99 if state.ply == 0 else 2", encoding="utf-8")
    async with (
        AgentServer(str(path), "127.0.0.1", 0, PAGE) as server,
        talking(server) as connection,
    ):
        await connection.send(json.dumps(START))
        told = {"type": "action", "game": "g", "location": [0, 0], "orientation": "h"}
        assert await line_after(connection, **told, nextplayer=1) == (0, 0, "v")
    said = " ".join(capsys.readouterr().out.split())
    assert "the robot answered 99: line 99 is not on a 1×1 board" in said
    assert "Game g gets no answer to that." in said


async def test_there_is_an_end_to_connections() -> None:
    async with AgentServer("random", "127.0.0.1", 0, PAGE, most=2) as server:
        url = url_of(server)
        async with connect(url) as first, connect(url) as second:
            for connection in (first, second):
                await line_after(connection, **START)
            async with connect(url) as late:
                await late.wait_closed()
                assert late.close_code == 1013


async def test_a_player_that_doesnt_exist_isnt_offered() -> None:
    with pytest.raises(RobotLoadError, match=r"there is no file no\.py"):
        await AgentServer("no.py", "127.0.0.1", 0, PAGE).__aenter__()


async def test_a_port_in_use_is_an_error(server: AgentServer) -> None:
    with pytest.raises(OSError, match="in use"):
        await AgentServer("random", "127.0.0.1", server.port, PAGE).__aenter__()


@each(
    "host, shown",
    [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("localhost", "127.0.0.1")],
)
async def test_the_address_that_it_shows_is_that_of_its_socket(host: str, shown: str) -> None:
    async with AgentServer("random", host, 0, PAGE) as server:
        assert server.host == shown
        await (await connect(Address(server.host, server.port).url)).close()


# Random messages


@pytest.fixture(scope="module")
def process() -> Iterator[RobotProcess]:
    with RobotProcess("random") as process:
        yield process


SIZES = st.integers(1, 3)
STARTS = st.fixed_dictionaries(
    {
        "type": st.just("start"),
        "player": st.integers(0, 3),
        "timelimit": st.sampled_from([5, 5.0, 1e300, 0, "soon"]),
        "grid": st.tuples(SIZES, SIZES) | st.just((10**6, 10**6)) | st.just((2,)),
        "game": st.integers(0, 1),
    }
)
ACTIONS = st.fixed_dictionaries(
    {
        "type": st.just("action"),
        "game": st.integers(0, 1) | st.text(max_size=2),
        "location": st.tuples(st.integers(-1, 3), st.integers(0, 3) | st.just(10**6)),
        "orientation": st.sampled_from(["h", "v", "v", "x"]),
    },
    optional={"nextplayer": st.integers(0, 3) | st.none(), "score": st.text()},
)
ENDS = st.fixed_dictionaries({"type": st.just("end"), "game": st.integers(0, 1) | st.none()})
MESSAGES = STARTS | ACTIONS | ENDS


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(MESSAGES.map(json.dumps) | st.text() | st.binary(), max_size=12))
async def test_no_message_gets_any_answer_but_a_line(
    process: RobotProcess, said: list[str | bytes]
) -> None:
    handler = ConnectionHandler(process, PAGE)
    for message in said:
        answer = await handler.handle(message)
        if answer is not None:
            assert decode_answer(encode(answer)) == answer
