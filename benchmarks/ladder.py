"""Strength of bots by the processor's clock: the ladder of docs/reference/bots.md, in Markdown.

The contest is the one of `boxroom arena` with the same arguments. But a bot that searches is as
strong as its time is long, and when the machine has other things to do, the arena's clock runs on
while the bot waits. Here `--time` is time of the processor, so the result doesn't depend on its
load. All games are played in one process, one after the other.

    python benchmarks/ladder.py greedy chain expert --grid 5x5 --games 12 --time 0.1 --seed 1
"""

import time
from collections.abc import Iterable

from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.playing import TimeControl, TimedMove, play
from boxroom_engine.arena.running_game import Result, RunningGame
from boxroom_engine.arena.summary import ContenderStats, summarise
from boxroom_lab.arena.report import ahead, duration, interval
from boxroom_lab.cli.arena import contest_from, parser
from boxroom_lab.learners.named import contender


class IgnoringObserver:
    """A `GameObserver` that records nothing."""

    def started_thinking(self, now_s: float) -> None:
        pass

    def moved(self, timed: TimedMove) -> None:
        pass


def played(contest: Contest, running_game: RunningGame) -> Result:
    """Play a game of the contest, from its opening to its end."""
    while not running_game.state.is_over:
        task = contest.task(running_game)
        bots = [contender(bot) for bot in task.bots]
        time_control = TimeControl(task.limit_s, time.process_time)
        running_game.add(play(task.state, bots, time_control, task.seed, IgnoringObserver()))
    return running_game.result()


def row_of(name: str, stats: ContenderStats) -> list[str]:
    """Return the line of a bot in the table."""
    rating, score, times = stats.rating, stats.score, stats.times
    assert rating is not None
    assert score.share is not None
    assert times.mean_s is not None
    return [
        f"`{name}`",
        f"{rating.elo:+.0f}" if rating.elo else "0",
        interval(rating).replace(" … ", " to ").replace("> ", "over ").replace("< ", "under "),
        f"{score.share:.1%}".replace("%", " %"),
        ahead(stats.margin),
        duration(times.mean_s),
        duration(times.longest_s),
    ]


def main() -> None:
    """Play, and print the ratings, the best first."""
    contest = contest_from(parser().parse_args())
    results = [played(contest, running_game) for running_game in contest.games_to_play()]
    summary = summarise(len(contest.bots), results)
    rows = zip(contest.names, summary.contender_stats, strict=True)
    ranked = sorted(rows, key=lambda row: row[1].rating.elo if row[1].rating else 0, reverse=True)
    print("| bot | Elo | 95 % | score | boxes ahead | a move | longest |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, stats in ranked:
        print(line(row_of(name, stats)))
    print("\n| pair | won | drawn | lost | boxes ahead |")
    print("| --- | --- | --- | --- | --- |")
    for pair_stats in summary.pair_stats:
        pair = f"`{contest.names[pair_stats.one]}` – `{contest.names[pair_stats.other]}`"
        score = pair_stats.score
        counts = map(str, (score.wins, score.draws, score.losses))
        print(line([pair, *counts, ahead(pair_stats.margin)]))
    print(f"\n{summary.games} games, {len(summary.faults)} lost by a fault.")


def line(cells: Iterable[str]) -> str:
    """Return a line of a table in Markdown, with real minus signs."""
    return f"| {' | '.join(cells)} |".replace(" -", " −")


if __name__ == "__main__":
    main()
