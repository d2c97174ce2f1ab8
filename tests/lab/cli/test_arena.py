"""`boxroom arena`: from the command line to the report, in processes."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each
from tests.engine.bots.choosy import Choosy
from tests.lab.arena import bad_bots
from tests.results import RESULT

from boxroom_client.main import main
from boxroom_common.exits import Exit, UsageError
from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.running_game import Result
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.registry import make_game
from boxroom_lab.arena.records import RecordFile
from boxroom_lab.cli.arena import contest_from, parser

SMALL = ("--grid", "2x3", "--games", "4", "--seed", "1", "--time", "60")
"""A contest in which no game is void, nor lost on time, as the machine is busy."""
TINY = ("--grid", "2x2", "--games", "2", "--opening", "0", "--jobs", "1")


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def _bad_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxroom_lab.cli.arena.contender_name", str)
    for finds in ("cli.arena.contender", "robots.isolated_robot.load_arena_player"):
        monkeypatch.setattr(f"boxroom_lab.{finds}", bad_bots.bad_or_good)


def contest(*arguments: str) -> Contest:
    return contest_from(parser().parse_args(arguments))


def objects(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["arena", *arguments, "--json"]) == Exit.DONE
    said = capsys.readouterr()
    assert said.err == ""
    read: dict[str, Any] = json.loads(said.out)
    return read


# The command line


def test_learners_are_contenders_at_dots_and_boxes() -> None:
    assert contest("learner-taker", "greedy").bots == ("learner-taker", "greedy")
    with pytest.raises(UsageError, match="doesn't play noughts"):
        contest("learner-taker", "greedy", "--game", "noughts")


def test_what_nobody_says_is_as_usual() -> None:
    made = contest("random", "greedy")
    board = make_game("dots", {"rows": 5, "cols": 5}, 2)
    assert made == Contest(board, ("random", "greedy"), 100, 7, 0.2, made.seed)
    assert contest("random", "greedy").seed != contest("random", "greedy").seed


def test_what_is_said() -> None:
    made = contest(
        *("random", "greedy", "greedy", "--games", "7", "--grid", "3X4", "--border", "half"),
        *("--seats", "3", "--time", "0.05", "--seed", "-5", "--opening", "2"),
    )
    board = make_game("dots", {"rows": 3, "cols": 4, "border": "half"}, 3)
    assert made == Contest(board, ("random", "greedy", "greedy"), 7, 2, 0.05, -5)
    assert contest("random", "greedy", "--rows", "3").game.options["rows"] == 3
    assert contest("random", "greedy", "--game", "noughts").game.kind.name == "noughts"


def test_bots_may_have_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "choosy", Choosy())
    made = contest("choosy:time=1.50,ply=08", "choosy", "greedy")
    assert made.names == ("choosy:ply=8,time=1.5", "choosy", "greedy")


@each(
    "arguments, why",
    [
        ("greedy", "^greedy needs an opponent"),
        ("greedy gready", "there is no bot 'gready': did you mean greedy?"),
        ("greedy random:depth=3", "the bot random has no options: write just random"),
        ("greedy random --seats 3", "3 seats need as many bots, not 2; the same one may be named"),
        ("greedy random --seats 1", "at least 2 seats: a single player has nobody to beat"),
        ("greedy random --game noughts --seats 1", "at least 2 seats"),
        ("greedy random --games 0", "--games is 1 to 100,000, not 0"),
        ("greedy random --time 0", "--time is a number of seconds above 0, up to 3600"),
        ("greedy random --time nan", "--time is a number"),
        ("greedy random --opening -1", "--opening is 0 to 60 on this board, not -1"),
        ("greedy random --opening 61", "--opening is 0 to 60 on this board, not 61"),
        ("greedy random --grid 5", "--grid is rows, an x and columns, such as 5x5, not '5'"),
        ("greedy random --grid 0x5", "rows must be 1 to 1000, not 0"),
        ("greedy random --grid 5x5 --rows 5", "leave one of them out"),
        ("greedy random --game noughts --grid 3x3", "Noughts and Crosses has no --grid"),
        ("greedy random --game noughts --rows 3", "Noughts and Crosses has no --rows"),
        ("greedy random --border some", "border is one of"),
    ],
)
def test_a_contest_that_cant_be_is_a_usage_error(arguments: str, why: str) -> None:
    with pytest.raises(UsageError, match=why.replace("?", r"\?")):
        contest(*arguments.split())


@each(
    "arguments, why",
    [
        (("greedy", "gready"), "did you mean greedy?"),
        (("greedy", "random", "--jobs", "0"), "--jobs is 1 or more, not 0"),
        (("greedy", "random", "--games", "many"), "a whole number, not 'many'"),
        (("--games", "3"), "arguments are required: BOT"),
    ],
)
def test_mistakes_end_with_a_sentence(
    arguments: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments]) == Exit.USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert why in said.err


def test_a_bot_must_play_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "choosy", Choosy())
    with pytest.raises(UsageError, match="the bot choosy doesn't play noughts"):
        contest("greedy", "choosy", "--game", "noughts")


# Robots

CLASSIC = """
import os, signal, time
from boxroom_engine.robots import Board, Line, make_random_move

def robot(board: Board) -> list[Line]:
    return make_random_move(board)

def moody(state):
    return state.legal_moves()[0] if state.ply < 4 else "nothing"

def meddler(state):
    from boxroom_engine.bots.greedy import GreedyBot
    GreedyBot.choose = None
    print("he")
    return state.legal_moves()[0]

def slow(state):
    time.sleep(3600)

def killer(state):
    os.kill(os.getppid(), signal.SIGKILL)

def mortal(state):
    os._exit(3)
"""


def test_a_robot_is_ranked_and_its_mistakes_are_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(CLASSIC)
    arguments = ("mine.py:robot", "mine.py:moody", "random", *TINY, "--records", "games.txt")
    assert main(["arena", *arguments]) == Exit.DONE
    said = capsys.readouterr().out
    assert "\nmine.py " in said
    assert "mine.py:moody lost 4 games by an illegal move" in said
    assert "the robot answered 'nothing': " in said
    for line in Path("games.txt").read_text("utf-8").splitlines():
        assert main(["replay", line]) == Exit.DONE


def test_a_robot_cant_meddle_with_its_opponent(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(CLASSIC)
    assert main(["arena", "mine.py:meddler", "greedy", *TINY]) == Exit.DONE
    said = capfd.readouterr()
    assert "lost" not in said.out.partition("Elo is counted")[2]
    assert "\nhe\n" not in said.out + said.err


@pytest.mark.parametrize(
    ("robot", "why"),
    [
        ("slow", "lost 2 games on time (games 1 and 2; first: in "),
        ("mortal", "lost 2 games because its process died (games 1 and 2; first: in "),
    ],
)
def test_a_robot_that_gives_no_answer_loses(
    robot: str, why: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(CLASSIC)
    assert main(["arena", f"mine.py:{robot}", "random", *TINY, "--time", "0.01"]) == Exit.DONE
    assert f"mine.py:{robot} {why}" in capsys.readouterr().out


def test_games_are_void_if_their_process_is_killed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(CLASSIC)
    arguments = ("mine.py:killer", "random", "greedy", *TINY, "--records", "games.txt")
    assert main(["arena", *arguments]) == Exit.FAILED
    said = capsys.readouterr().out
    assert said.startswith(
        "Dots and Boxes (rows 2, cols 2, border none): 2 of 6 games, without 4 void.\n"
    )
    assert (
        "4 games are void and don't count: that was no bot's fault"
        " (games 1, 2, 3 and 4; first: its process was ended by SIGKILL)."
    ) in said
    assert "lost" not in said.partition("Elo is counted")[2]
    assert len(Path("games.txt").read_text("utf-8").splitlines()) == 2


@each(
    "arguments, why",
    [
        ("nobody.py greedy", "there is no file nobody.py"),
        ("mine.py:nobody greedy", "mine.py has no function nobody"),
        ("mine.py greedy --grid 2x3", "plays on square boards, for two"),
        ("mine.py greedy --game noughts", "doesn't play noughts"),
    ],
)
def test_a_robot_must_be_there_and_play_the_game(arguments: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CLASSIC)
    with pytest.raises(UsageError, match=why):
        contest(*arguments.split())


# The results


def test_a_run_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "random", "greedy", *SMALL, "--jobs", "1"]) == Exit.DONE
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.startswith("Dots and Boxes (rows 2, cols 3, border none): 4 games.\n")
    assert "seed 1" in said.out
    assert "\ngreedy " in said.out


def test_the_same_seed_gives_the_same_games_on_any_number_of_cores(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ("random", "careless", "greedy", *SMALL)
    one, two = (
        objects(capsys, *arguments, "--jobs", jobs, "--records", f"{jobs}.txt")
        for jobs in ("1", "2")
    )
    assert (one.pop("jobs"), two.pop("jobs")) == (1, 2)
    for made in (one, two):
        for bot in made["bots"]:
            assert bot.pop("mean_s") <= bot.pop("longest_s")
        assert made.pop("seconds") > 0
    assert one == two
    records = Path("1.txt").read_text("utf-8")
    assert records == Path("2.txt").read_text("utf-8")
    assert records.count("\n") == one["games"] == 12


def test_every_record_can_be_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    made = objects(capsys, "random", "greedy", "careless", *SMALL, "--seats", "3",
                   "--jobs", "1", "--records", "games.txt")  # fmt: skip
    lines = Path("games.txt").read_text("utf-8").splitlines()
    assert len(lines) == made["games"] == 6
    for line in lines:
        assert main(["replay", line]) == Exit.DONE
        assert RESULT.search(capsys.readouterr().out)


def test_records_are_never_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("games.txt").write_text("precious", encoding="utf-8")
    assert main(["arena", "random", "greedy", "--records", "games.txt"]) == Exit.USAGE
    assert "games.txt is there already" in capsys.readouterr().err
    assert Path("games.txt").read_text("utf-8") == "precious"


def test_records_that_cant_be_written_are_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "random", "greedy", "--records", "no/games.txt"]) == Exit.FAILED
    assert capsys.readouterr().err == (
        "boxroom: can't write no/games.txt: No such file or directory\n"
    )


@pytest.mark.usefixtures("_bad_bots")
def test_bad_bots_lose_and_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    bad = ("sleeps", "crashes", "cheats", "raises")
    arguments = ("greedy", *bad, *TINY, "--seats", "5", "--time", "0.05", "--records", "games.txt")
    assert main(["arena", *arguments]) == Exit.DONE
    said = capsys.readouterr().out
    assert "sleeps lost 5 games on time (games 1, 2, 3, 4 and 5; first: gave no answer in" in said
    assert "crashes lost 5 games because its process died" in said
    assert "first: its process ended with code 3, in " in said
    assert "cheats lost 5 games by an illegal move" in said
    assert "raises lost 5 games by an error" in said
    assert "first: RuntimeError: no idea)." in said
    for line in Path("games.txt").read_text("utf-8").splitlines():
        assert main(["replay", line]) == Exit.DONE


@pytest.mark.usefixtures("_bad_bots")
def test_faults_are_counted_in_the_object(capsys: pytest.CaptureFixture[str]) -> None:
    made = objects(capsys, "cheats", "greedy", *TINY)
    cheats, greedy = made["bots"]
    assert cheats["faults"] == {"time": 0, "illegal": 2, "error": 0, "died": 0}
    assert (greedy["wins"], greedy["margin"]) == (2, None)
    assert [fault["name"] for fault in made["faults"]] == ["cheats"] * 2


@pytest.mark.usefixtures("_bad_bots")
def test_what_a_bot_prints_doesnt_spoil_the_object(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "prints", "greedy", *TINY, "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["games"] == 2


def test_processes_that_cant_start_are_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    contest_as_ever = contest_from

    def then_break(args: Any) -> Contest:
        made = contest_as_ever(args)
        monkeypatch.setattr("boxroom_lab.robots.isolated_robot.load_arena_player", bad_bots.Fatal())
        return made

    monkeypatch.setattr("boxroom_lab.cli.arena.contest_from", then_break)
    assert main(["arena", "random", "greedy", *SMALL]) == Exit.FAILED
    assert "boxroom: a process for games can't start: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "code", "flag"),
    [
        (signal.SIGINT, Exit.INTERRUPTED, "--json"),
        (signal.SIGTERM, Exit.TERMINATED, "--opening=1"),
    ],
)
def test_interrupted_it_tells_what_was_measured_so_far(
    number: signal.Signals,
    code: Exit,
    flag: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    add = RecordFile.add

    def interrupted(records: RecordFile, result: Result) -> None:
        add(records, result)
        if result.match.number == 5:
            signal.raise_signal(number)

    monkeypatch.setattr(RecordFile, "add", interrupted)
    arguments = ("--games", "100000", "--records", "games.txt", flag)
    assert main(["arena", "random", "greedy", *arguments]) == code
    said = capsys.readouterr().out
    games = len(Path("games.txt").read_text("utf-8").splitlines())
    assert 3 <= games < 50  # other games may end before or after
    if flag == "--json":
        made = json.loads(said)
        assert (made["games"], made["games_planned"]) == (games, 100_000)
        assert made["interrupted"]
    else:
        assert said.splitlines()[0].endswith(f": {games} of 100,000 games, then interrupted.")
