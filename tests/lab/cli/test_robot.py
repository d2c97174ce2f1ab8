"""`boxroom robot`: errors of its command line, and the robot that it writes."""

from pathlib import Path

import pytest
from tests.cases import each
from tests.engine.arena.games import RecordingObserver
from tests.engine.clocks import ticking

from boxroom_client.linemode import servers as finding
from boxroom_client.main import main
from boxroom_client.servers.discovery import SearchResult
from boxroom_common.exits import Exit
from boxroom_engine.arena.playing import TimeControl, play
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.registry import make_game
from boxroom_lab.robots.file import RobotFile


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))


def test_a_new_robot_plays_and_takes_what_there_is() -> None:
    assert main(["robot", "new", "mine.py"]) == Exit.DONE
    robot = RobotFile(Path("mine.py")).load()
    assert robot.is_classic
    state = make_game("dots", {"rows": 3, "cols": 3}, 2).initial()
    segment = play(
        state, (robot, bot_of("random")), TimeControl(1.0, ticking()), "1", RecordingObserver()
    )
    assert segment.fault is None
    assert "boxroom arena mine.py greedy" in Path("mine.py").read_text("utf-8")


def test_a_file_is_never_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.py").write_text("precious", encoding="utf-8")
    assert main(["robot", "new", "mine.py"]) == Exit.USAGE
    assert "mine.py is there already" in capsys.readouterr().err
    assert Path("mine.py").read_text("utf-8") == "precious"


@each(
    "arguments, code, why",
    [
        ("new", Exit.USAGE, "boxroom robot new FILE.py"),
        ("new mine.txt", Exit.USAGE, "boxroom robot new FILE.py"),
        ("new no/mine.py", Exit.FAILED, "can't write no/mine.py: No such file"),
        ("new mine.py --room den", Exit.USAGE, "--room has no meaning with new: leave it out"),
        ("mine.py other.py", Exit.USAGE, "after mine.py comes no other robot: other.py"),
        ("mine.py --port 1", Exit.USAGE, "--port has no meaning with mine.py: leave it out"),
        ("mine.py --time 0", Exit.USAGE, "--time is a number of seconds above 0, up to 3600"),
        (
            "mine --server kiwa",
            Exit.USAGE,
            "a robot of yours is named by its file, such as mine.py",
        ),
        ("mine.py:a:b --server kiwa", Exit.USAGE, "robot.py or robot.py:NAME, not 'mine.py:a:b'"),
        ("ftp://kiwa", Exit.USAGE, "an address starts with ws://, wss://, http:// or https://"),
        ("serve greedy --host a:b", Exit.USAGE, "--host: 'a:b' isn't an IPv6 address"),
        ("ws://ann:secret@kiwa", Exit.USAGE, "an address has no @: leave out user name and"),
        ("ws://127.0.0.1:1", Exit.UNREACHABLE, "no agent answers at ws://127.0.0.1:1"),
        ("serve", Exit.USAGE, "name what is to be offered: boxroom robot serve expert"),
        ("serve experts", Exit.USAGE, "there is no bot"),
        (
            "serve greedy --origins evil.example",
            Exit.USAGE,
            "--origins: an origin is like https://",
        ),
        ("mine.py --origins http://a", Exit.USAGE, "--origins has no meaning with mine.py"),
        ("serve greedy --port 70000", Exit.USAGE, "--port is 0 to 65535, not 70000"),
        ("serve greedy --create", Exit.USAGE, "--create has no meaning with serve: leave it out"),
        ("serve mine.py", Exit.FAILED, "there is no file mine.py"),
        ("serve greedy --host 192.0.2.1", Exit.FAILED, "can't listen on 192.0.2.1:8001: "),
        ("mine.py --server kiwa", Exit.FAILED, "there is no file mine.py"),
    ],
)
def test_mistakes_end_with_a_sentence(
    arguments: str, code: Exit, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["robot", *arguments.split()]) == code
    assert why in capsys.readouterr().err


def test_without_an_address_a_server_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def search() -> SearchResult:
        return SearchResult(())

    monkeypatch.setattr(finding, "search", search)
    assert main(["robot", "greedy"]) == Exit.UNREACHABLE
    assert "name one with --server ADDRESS" in capsys.readouterr().err
