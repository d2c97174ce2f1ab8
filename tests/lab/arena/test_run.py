"""Runs in worker processes: reproducible with any number of them, and robust against bad bots."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from tests.cases import each
from tests.lab.arena import bad_bots

from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.playing import Fault, FaultKind, Segment
from boxroom_engine.arena.running_game import Result
from boxroom_engine.arena.summary import summarise
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import make_game
from boxroom_lab.arena.run import ArenaRun, play_games
from boxroom_lab.arena.workers import FindBot, Workers, WorkerStartError

KIND_OF_FAULT = {
    "sleeps": FaultKind.TIME,
    "is late": FaultKind.TIME,
    "crashes": FaultKind.DIED,
    "raises": FaultKind.ERROR,
    "cheats": FaultKind.ILLEGAL,
}


def contest(*bots: str, seats: int = 2, games: int = 2, limit_s: float = 0.1) -> Contest:
    game = make_game("dots", {"rows": 2, "cols": 2}, seats)
    return Contest(game, bots, games, plies=2, limit_s=limit_s, seed=1)


def played(
    made: Contest,
    jobs: int = 1,
    find: FindBot = bad_bots.bad_or_good,
    stop: Callable[[], bool] = lambda: False,
) -> list[Result]:
    with Workers(jobs, made, find) as workers:
        found = list(play_games(made, workers, stop))
    assert not multiprocessing.active_children()
    results = [each for each in found if isinstance(each, Result)]
    assert len(results) == len(found)
    return sorted(results, key=lambda result: result.match.number)


def records(made: Contest, found: list[Result]) -> list[str]:
    return [result.record(made.names).format() for result in found]


def test_the_number_of_processes_doesnt_change_the_games() -> None:
    made = contest("random", "careless", "greedy", "greedy", seats=3, games=10, limit_s=60)
    alone, together = played(made, jobs=1, find=bot_of), played(made, jobs=2, find=bot_of)
    assert [result.match.number for result in alone] == list(range(1, made.total + 1))
    assert records(made, alone) == records(made, together)
    assert summarise(4, alone).pair_stats == summarise(4, together).pair_stats


@each("bad, kind", KIND_OF_FAULT.items())
def test_a_bad_bot_loses_and_the_run_continues(bad: str, kind: FaultKind) -> None:
    made = contest(bad, "greedy")
    found = played(made)
    assert len(found) == 2
    for result in found:
        (fault,) = result.faults
        assert result.match.contenders[fault.seat] == 0
        assert fault.kind is kind
        assert fault.detail
        assert fault.ply >= (2 if bad == "cheats" else 4)
        assert result.final.outcome is not None
        assert [result.match.contenders[seat] for seat in result.final.outcome.winners] == [1]
        assert result.record(made.names).final() == result.final


def test_the_others_at_the_table_play_on() -> None:
    made = contest("crashes", "raises", "greedy", "random", seats=4, games=4)
    found = played(made)
    assert len(found) == 4
    for result in found:
        assert len(result.final.withdrawn) == len(result.faults) == 2
        assert not result.tokens[-1].startswith("~")
        assert result.final.is_over
        assert sum(result.final.scores) == 4
        assert result.record(made.names).final() == result.final


def test_all_bots_may_be_bad() -> None:
    made = contest("cheats", "crashes", "raises", seats=3, games=3)
    for result in played(made):
        assert len(result.faults) == 2
        assert result.final.is_over


def test_processes_are_used_again_and_replaced_when_they_are_lost() -> None:
    made = contest("aborts", "greedy", "random", games=2)
    found = played(made, jobs=1)
    assert len(found) == made.total
    assert {fault.kind for result in found for fault in result.faults} == {FaultKind.DIED}
    for fault in (fault for result in found for fault in result.faults):
        assert fault.detail.startswith("its process was ended by SIGABRT, in ")


@each(
    "bot, reason",
    [
        ("is killed", "its process was ended by SIGKILL"),
        ("loads slowly", "loads slowly takes too long to load"),
        ("can't be started", "can't be started can't be started: Cannot allocate memory"),
        ("dies loading", "its process ended with code 4"),
    ],
)
def test_a_game_that_the_machine_or_the_arena_ends_is_void(bot: str, reason: str) -> None:
    made = contest("greedy", bot, "random", games=2)
    with Workers(1, made, bad_bots.bad_or_good) as workers:
        found = list(play_games(made, workers, lambda: False))
    run = ArenaRun.of(made, found, 1, 1.0)
    assert [game.match.number for game in run.void] == [1, 2, 5, 6]  # those of `bot`
    assert {game.reason for game in run.void} == {reason}
    assert run.is_whole
    assert run.summary.games == 2
    assert not run.summary.faults
    assert run.summary.contender_stats[1].score.games == 0


def test_what_was_played_counts_when_further_processes_cant_start(tmp_path: Path) -> None:
    made = contest("aborts", "greedy", games=4)
    with Workers(1, made, bad_bots.FatalLater(tmp_path / "marker")) as workers:
        found = list(play_games(made, workers, lambda: False))
    run = ArenaRun.of(made, found, 1, 1.0)
    assert run.summary.games == 1
    assert {game.reason for game in run.void} == {
        "a process for games can't start: its process ended with code 9"
    }
    assert run.is_whole


def test_a_robot_that_fails_while_it_is_loaded_loses_whoever_is_to_move() -> None:
    made = contest("greedy", "fails loading", "random", seats=3, games=3)
    for result in played(made):
        (fault,) = result.faults
        assert (result.match.contenders[fault.seat], fault.kind) == (1, FaultKind.ERROR)
        assert fault.detail == "no module of that name"
        assert result.final.is_over
        assert sum(result.final.scores) == 4  # the others have played on


def test_a_bot_isnt_late_when_the_whole_machine_was_held_up() -> None:
    made = contest("sleeps", "greedy", limit_s=1.0)
    with Workers(1, made, bad_bots.bad_or_good) as workers:
        workers.start_game(next(made.games_to_play()))
        (worker,) = workers._busy.values()
        game, shared = worker.game, worker._shared_game
        while len(list(shared.moves(game.state))) < 2 or (since_s := shared.since_s) is None:
            pass  # until `sleeps` thinks, for an hour
        worker.note_hold_up(60.0)
        late = Segment((), Fault(Seat(0), 4, FaultKind.TIME, "thought for too long"))
        assert not worker.hangs(since_s + 61.0)
        assert worker.judged(late, since_s + 61.0).void == (
            "the machine was held up while a bot was thinking"
        )
        assert worker.hangs(since_s + 62.0)
        assert worker.judged(late, since_s + 62.0) == late


def test_a_process_that_dies_with_nothing_to_do_is_no_loss() -> None:
    made = contest("random", "greedy", games=2)
    first, second, *_ = made.games_to_play()
    with Workers(1, made, bot_of) as workers:
        workers.start_game(first)
        while not list(workers.finished_segments(1.0)):
            pass
        (process,) = multiprocessing.active_children()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        workers.start_game(second)
        while not (segments := list(workers.finished_segments(1.0))):
            pass
        assert [(running_game, segment.fault) for running_game, segment in segments] == [
            (second, None)
        ]


def test_a_bot_that_moves_just_before_its_process_is_killed_has_no_fault() -> None:
    made = contest("random", "greedy")
    running_game = next(made.games_to_play())
    with Workers(1, made, bot_of) as workers:
        workers.start_game(running_game)
        (worker,) = workers._busy.values()
        segment = worker.stop_hanging()
        assert segment.fault is None
        running_game.add(segment)
        assert len(running_game.tokens) == 2 + len(segment.moves)
        workers._busy.clear()


def test_without_processes_there_is_no_arena() -> None:
    with pytest.raises(WorkerStartError, match="can't start: its process ended with code 9"):
        played(contest("random", "greedy"), find=bad_bots.Fatal())


def test_a_stopped_run_ends_with_games_in_progress() -> None:
    made = contest("random", "greedy", "sleeps", games=1000, limit_s=1000)
    looks = count()
    found = played(made, stop=lambda: next(looks) > 10, jobs=2)
    assert len(found) < 30


LEFT_ALONE = """
from time import sleep
from tests.lab.arena.bad_bots import bad_or_good
from tests.lab.arena.test_run import contest
from boxroom_lab.arena.workers import Workers

if __name__ == "__main__":
    made = contest("spins", "greedy", limit_s=1000)
    with Workers(1, made, bad_or_good) as workers:
        workers.start_game(next(made.games_to_play()))
        (worker,) = workers._busy.values()
        while len(list(worker._shared_game.moves(worker.game.state))) < 2:
            pass
        print("spins", flush=True)
        sleep(1000)
"""


def test_a_bot_that_hangs_ends_with_the_parent_process(tmp_path: Path) -> None:
    script = tmp_path / "left_alone.py"
    script.write_text(LEFT_ALONE, encoding="utf-8")
    root = str(Path(__file__).parents[3])
    with subprocess.Popen(
        [sys.executable, script],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"spins\n"
        parent.kill()
        _, said = parent.communicate(timeout=30)  # the process of the bot keeps stderr open
        assert said == b""


def test_output_of_a_bot_is_discarded(capfd: pytest.CaptureFixture[str]) -> None:
    assert len(played(contest("prints", "greedy"))) == 2
    assert capfd.readouterr().out == ""
