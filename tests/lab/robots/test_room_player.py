"""A robot in a simulated room: it plays, gives up with a reason, and plays again."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.client.fake_connection import ClosingConnection, FakeConnection, small
from tests.results import RESULT

from boxroom_client.linemode.printer import Printer
from boxroom_client.link.updates import ConnectionLost, ServerSilent, SessionEnded
from boxroom_client.shell.frontend import JoinOptions
from boxroom_client.shell.output.painting import Canvas
from boxroom_common.exits import Exit
from boxroom_engine.phrases import verbatim
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Phase
from boxroom_engine.wire.messages import RoomListed
from boxroom_lab.robots.move_source import ProcessMoveSource
from boxroom_lab.robots.process import RobotProcess
from boxroom_lab.robots.room_player import RobotFrontend, RobotPlayer

FIRST = "def robot(state): return state.legal_moves()[0]"
PAGE = Printer(Canvas(), is_terminal=False)


async def played(folder: Path, connection: FakeConnection, source: str = FIRST) -> Exit:
    """Let a robot play, and return the exit code."""
    path = folder / "mine.py"
    path.write_text(source, encoding="utf-8")
    async with asyncio.timeout(20), ProcessMoveSource(RobotProcess(str(path)), 20.0) as move_source:
        return await RobotPlayer(connection, move_source, PAGE).run()


async def test_it_starts_the_room_that_it_made_and_plays_to_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = ClosingConnection(small(), bots=["greedy"])
    assert await played(tmp_path, connection) is Exit.DONE
    assert connection.left
    assert len(connection.room.tokens) == 7
    said = capsys.readouterr().out
    assert said.startswith("Ada is in the room attic.\n")
    assert RESULT.search(said)
    assert "that was all" in said.lower()


async def test_a_robot_that_is_wrong_gives_up_with_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = ClosingConnection(small(), bots=["greedy"], start=True)
    await played(tmp_path, connection, "def robot(state): return 99")
    said = " ".join(capsys.readouterr().out.split())
    assert "the robot answered 99: line 99 is not on a 1×2 board" in said
    assert "With that it gives this game up." in said
    assert connection.state.withdrawn == {0}


async def test_it_plays_again_when_others_want_to(tmp_path: Path) -> None:
    connection = ClosingConnection(
        small(1, 1), others=["Bob"], start=True, is_enough=lambda room: room.game_number == 2
    )
    for mover, move in (("Ada", "h0"), ("Bob", "h1"), ("Ada", "v0"), ("Bob", "v1")):
        connection.plays(mover, move)
    connection.does("Bob", cmd.Rematch)
    assert await played(tmp_path, connection) is Exit.DONE
    assert connection.room.phase is Phase.PLAYING


@pytest.mark.parametrize("games", [1, 2])
async def test_it_leaves_after_as_many_games_as_it_is_to_play(games: int, tmp_path: Path) -> None:
    connection = FakeConnection(small(1, 1), others=["Bob"], start=True)
    for mover, move in (("Ada", "h0"), ("Bob", "h1"), ("Ada", "v0"), ("Bob", "v1")):
        connection.plays(mover, move)
    if games == 2:
        connection.does("Bob", cmd.Rematch)
        connection.does("Ada", cmd.Rematch)
        connection.does("Bob", cmd.Resign, seat=connection.room.seats_of("Bob")[0])
    path = tmp_path / "mine.py"
    path.write_text(FIRST, encoding="utf-8")
    async with asyncio.timeout(20), ProcessMoveSource(RobotProcess(str(path)), 20.0) as move_source:
        assert await RobotPlayer(connection, move_source, PAGE, games).run() is Exit.DONE
    assert connection.left
    assert connection.room.game_number == games


async def test_without_an_empty_seat_it_leaves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = FakeConnection(small(), bots=["greedy", "random"], watch=True)
    assert await played(tmp_path, connection) is Exit.FAILED
    assert connection.left
    assert "seat" in capsys.readouterr().out


async def test_a_lost_connection_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = FakeConnection(small(), others=["Bob"])
    connection.tell(ConnectionLost("the cat", 1.0))
    connection.tell(ServerSilent())
    connection.tell(SessionEnded("gave_up", verbatim("it doesn't come back")))
    assert await played(tmp_path, connection) is Exit.UNREACHABLE
    assert "The connection is lost: " in capsys.readouterr().out


async def test_a_room_is_chosen_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    async def none() -> list[RoomListed]:
        return []

    front = RobotFrontend(ProcessMoveSource(RobotProcess("mine.py"), 1.0), PAGE)
    front.say("hello")
    assert await front.choose_room(none, JoinOptions(), "kiwa") == JoinOptions().to_create()
    assert capsys.readouterr().out.startswith("hello\n")


async def test_it_agrees_that_a_person_takes_a_move_back(tmp_path: Path) -> None:
    connection = ClosingConnection(small(1, 3), others=["Bob"], start=True)
    running = asyncio.create_task(played(tmp_path, connection))

    async def until_tokens(number: int) -> None:
        await connection.until(lambda room: len(room.tokens) == number)

    await until_tokens(1)
    connection.plays("Bob", "v0")
    await until_tokens(3)
    connection.does("Bob", cmd.Undo, ply=3)
    await until_tokens(1)
    connection.plays("Bob", "v1")
    await until_tokens(3)
    assert connection.room.tokens[:2] == ("h0", "v1")
    running.cancel()
    await asyncio.wait([running])


THINKING = """
from pathlib import Path
from time import sleep

def robot(state):
    Path({asked!r}).touch()
    while not Path({go!r}).exists():
        sleep(0.001)
    return state.legal_moves()[0]
"""


async def test_a_move_that_comes_in_a_pause_is_played_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, go = tmp_path / "asked", tmp_path / "go"
    connection = ClosingConnection(
        small(), others=["Bob"], start=True, is_enough=lambda room: room.ply == 1
    )
    source = THINKING.format(asked=str(asked), go=str(go))
    playing = asyncio.ensure_future(played(tmp_path, connection, source))
    await until(asked.exists)
    connection.does("Ada", cmd.Pause)
    go.touch()
    said = ""

    def is_refused() -> bool:
        nonlocal said
        said += capsys.readouterr().out
        return "The game is paused" in said

    await until(is_refused)
    connection.does("Ada", cmd.Unpause)
    assert await playing is Exit.DONE
    assert connection.room.ply == 1


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110  # a file, and standard output, notify nobody
            await asyncio.sleep(0)
