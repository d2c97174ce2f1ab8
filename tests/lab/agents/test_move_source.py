"""An agent that plays in a room: a real agent on a socket, in a simulated room."""

import asyncio

import pytest
from tests.cases import each
from tests.client.fake_connection import ClosingConnection, is_over, small
from tests.lab.agents.course import CourseAgent
from websockets.asyncio.server import ServerConnection, serve

from boxroom_client.linemode.printer import Printer
from boxroom_client.servers.address import Address
from boxroom_client.shell.output.painting import Canvas
from boxroom_common.exits import Exit, Failure
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Phase, Room
from boxroom_lab.agents.move_source import AgentMoveSource
from boxroom_lab.robots.room_player import RobotPlayer

PAGE = Printer(Canvas(), is_terminal=False)
PATIENTLY_S = 20.0

Said = pytest.CaptureFixture[str]


async def stay(
    connection: ClosingConnection, agent: CourseAgent, limit_s: float = PATIENTLY_S
) -> Room:
    """Let the agent play until the connection closes, and return the room."""
    async with (
        asyncio.timeout(PATIENTLY_S),
        agent.listening() as port,
        AgentMoveSource(Address("127.0.0.1", port), limit_s) as move_source,
    ):
        assert await RobotPlayer(connection, move_source, PAGE).run() is Exit.DONE
    return connection.room


@each("seed", range(3))
async def test_it_plays_a_game_to_the_end(seed: int) -> None:
    agent = CourseAgent(seed)
    room = await stay(ClosingConnection(small(2, 2), bots=["greedy"]), agent)
    assert room.phase is Phase.OVER
    assert len(room.tokens) == 12
    start, *actions, end = agent.told
    assert start["type"] == "start"
    assert (start["player"], start["timelimit"], start["grid"]) == (1, PATIENTLY_S, [2, 2])
    assert [told["type"] for told in actions] == ["action"] * 11
    assert end["type"] == "end"
    assert room.state is not None
    assert room.state.outcome is not None
    winners = room.state.outcome.winners
    assert end["winner"] == (winners[0] + 1 if len(winners) == 1 else 0)


async def test_it_joins_a_running_game() -> None:
    connection = ClosingConnection(small(2, 2), bots=["greedy"], start=True)
    connection.plays("Ada", "h0")
    connection.plays("Ada", "h5")
    agent = CourseAgent()
    room = await stay(connection, agent)
    assert room.phase is Phase.OVER
    assert room.state is not None
    assert not room.state.withdrawn
    assert len({told["game"] for told in agent.told}) == 1


async def test_it_plays_again_when_others_want_to() -> None:
    connection = ClosingConnection(
        small(1, 1),
        others=["Bob"],
        start=True,
        is_enough=lambda room: room.game_number == 2 and is_over(room),
    )
    for mover, move in (("Ada", "h0"), ("Bob", "h1"), ("Ada", "v0"), ("Bob", "v1")):
        connection.plays(mover, move)
    connection.does("Bob", cmd.Rematch)
    agent = CourseAgent()
    async with asyncio.TaskGroup() as tasks:
        staying = tasks.create_task(stay(connection, agent))
        await connection.until(lambda room: room.game_number == 2)
        connection.does("Bob", cmd.Resign, seat=0)
    assert staying.result().phase is Phase.OVER
    start, end = agent.told
    assert start["player"] == 2  # the seats have rotated
    assert end == {"type": "end", "game": start["game"], "winner": 2}


async def test_an_agent_takes_its_seat_back_from_a_bot() -> None:
    connection = ClosingConnection(small(2, 2, clock_s=5), others=["Bob"], start=True)
    while connection.room.seats[0].bot is None:
        connection.misses_the_clock()
        connection.plays("Bob", connection.free()[-1])
    agent = CourseAgent()
    async with asyncio.TaskGroup() as tasks:
        staying = tasks.create_task(stay(connection, agent))
        await connection.until(lambda room: room.seats[0].bot is None)
        connection.does("Bob", cmd.Resign, seat=1)
    assert staying.result().phase is Phase.OVER


async def test_an_agent_is_told_the_game_anew_when_a_move_is_taken_back() -> None:
    connection = ClosingConnection(small(1, 3), others=["Bob"], start=True)
    agent = CourseAgent()
    async with asyncio.TaskGroup() as tasks:
        staying = tasks.create_task(stay(connection, agent))
        await connection.until(lambda room: len(room.tokens) == 1)
        connection.plays("Bob", connection.free()[-1])
        await connection.until(lambda room: len(room.tokens) == 3)
        connection.does("Bob", cmd.Undo, ply=3)
        await connection.until(lambda room: len(room.tokens) == 1)
        connection.plays("Bob", connection.free()[-2])
        await connection.until(lambda room: len(room.tokens) == 3)
        connection.does("Bob", cmd.Resign, seat=1)
    room = staying.result()
    assert room.state is not None
    assert room.state.withdrawn == {1}
    assert [told["type"] for told in agent.told].count("start") == 2
    assert len({told["game"] for told in agent.told}) == 2


# Faults


@each(
    "answer, why",
    [
        ("h3", "the agent answered h3: JSON is malformed"),
        ('{"type":"action"}', "the agent answered"),
        (
            '{"type":"action","location":[9,0],"orientation":"h"}',
            "h at [9, 0] isn't on a board of 1×2: rows go from 0 to 1 there",
        ),
        ('{"type":"action","location":[0,0],"orientation":"h"}', "h0 is already drawn"),
        (None, "gave no answer: it took more than 0.01 s"),
    ],
)
async def test_an_agent_that_is_wrong_gives_up_with_a_reason(
    answer: str | None, why: str, capsys: Said
) -> None:
    connection = ClosingConnection(small(), bots=["greedy"], start=True)
    connection.plays("Ada", "h0")
    # The answer to the start message, which is out of date.
    before = '{"type":"action","location":[0,0],"orientation":"h"}'
    room = await stay(connection, CourseAgent(answers=[before, answer]), 0.01)
    said = " ".join(capsys.readouterr().out.split())
    assert why in said
    assert "With that it gives this game up." in said
    assert room.state is not None
    assert room.state.withdrawn == {0}


async def test_games_that_agents_cant_play_are_given_up(capsys: Said) -> None:
    agent = CourseAgent()
    await stay(ClosingConnection(small(seats=3), bots=["greedy", "greedy"], start=True), agent)
    assert "agents play Dots and Boxes for two" in " ".join(capsys.readouterr().out.split())
    assert agent.told == []


async def test_an_agent_that_closes_the_connection_gives_up(capsys: Said) -> None:
    async def hang_up(connection: ServerConnection) -> None:
        await connection.close(1001, "tea time")

    async with serve(hang_up, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        connection = ClosingConnection(small(), bots=["greedy"], start=True)
        async with AgentMoveSource(Address("127.0.0.1", port), PATIENTLY_S) as move_source:
            await RobotPlayer(connection, move_source, PAGE).run()
    said = " ".join(capsys.readouterr().out.split())
    assert "it closed the connection (tea time)" in said


async def test_without_an_agent_there_is_no_start() -> None:
    async with CourseAgent().listening() as port:
        pass
    with pytest.raises(Failure, match=f"no agent answers at ws://127.0.0.1:{port}") as caught:
        await AgentMoveSource(Address("127.0.0.1", port), 1.0).__aenter__()
    assert caught.value.code is Exit.UNREACHABLE


async def test_something_else_is_no_agent() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Failure, match="is no agent: "):
            await AgentMoveSource(Address("127.0.0.1", port), 1.0).__aenter__()
