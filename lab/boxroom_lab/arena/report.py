"""The report of a run as text: settings, tables of results, and faults."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from boxroom_client.shell import room_settings
from boxroom_client.text_width import column_widths, left_aligned, right_aligned
from boxroom_engine.arena.playing import GRACE_S, FaultKind
from boxroom_engine.arena.rating import Rating
from boxroom_engine.arena.running_game import VoidGame
from boxroom_engine.arena.summary import ContenderStats, Estimate, GameFault, PairStats
from boxroom_engine.room.room import Settings
from boxroom_engine.room.text import clean
from boxroom_engine.wording import listed
from boxroom_lab.arena.run import ArenaRun

_UNKNOWN = "?"
_MOST_GAMES_NAMED = 8

_LOST_BY = {
    FaultKind.TIME: "on time",
    FaultKind.ILLEGAL: "by an illegal move",
    FaultKind.ERROR: "by an error",
    FaultKind.DIED: "because its process died",
}


def report(run: ArenaRun, shown: Callable[[str], str] = str) -> Iterator[str]:
    """Yield all lines, each text passed through `shown`, which may replace characters."""
    yield from map(shown, headline(run))
    for table in tables(run):
        yield ""
        yield from _laid_out([[shown(text) for text in row] for row in table])
    if below := list(notes(run)):
        yield ""
        yield from map(shown, below)


def tables(run: ArenaRun) -> Iterator[list[list[str]]]:
    """Yield the tables, each with its header row."""
    names, summary = run.contest.names, run.summary
    if not summary.games:
        return
    head = ["Elo", "95 %", "games", "won", "drawn", "lost", "score", "ahead by"]
    ranked = sorted(range(len(names)), key=lambda one: _sort_key(summary.contender_stats[one]))
    yield [["bot", *head, "a move", "longest"]] + [
        [
            names[one],
            *_stats_cells(summary.contender_stats[one]),
            *_times_cells(summary.contender_stats[one]),
        ]
        for one in ranked
    ]
    if len(names) > 2:
        yield [["pair", *head]] + [
            [f"{names[each.one]} – {names[each.other]}", *_stats_cells(each)]
            for each in summary.pair_stats
            if each.score.games
        ]


def notes(run: ArenaRun) -> Iterator[str]:
    """Yield sentences on the ratings, late moves, faults and void games."""
    names, summary = run.contest.names, run.summary
    if run.void:
        yield _void(run.void)
    if not summary.games:
        return
    yield f"Elo is counted from {names[0]}, which is named first."
    yield from _late(names, summary.contender_stats)
    yield from _faults(names, summary.faults)


def headline(run: ArenaRun) -> Iterator[str]:
    """Yield sentences on the game, the number of games and the settings."""
    contest, game = run.contest, run.contest.game
    settings = Settings(game.kind.name, dict(game.options), game.seats)
    games = f"{run.summary.games:,} games"
    if not run.is_whole:
        games = f"{run.summary.games:,} of {contest.total:,} games, then interrupted"
    elif run.void:
        games = f"{run.summary.games:,} of {contest.total:,} games, without {len(run.void):,} void"
    seats = f", {game.seats} seats" if game.seats != 2 else ""
    moves = f"{contest.plies} move{'s' * (contest.plies != 1)}"
    yield f"{room_settings.in_words(settings)}{seats}: {games}."
    yield (
        f"{contest.limit_s:g} s a move, openings of {moves}, seed {contest.seed};"
        f" it took {duration(run.seconds)}, {run.jobs} at once."
    )


def _sort_key(stats: ContenderStats) -> tuple[bool, float]:
    """Return a sort key: the best first, contenders without a rating last."""
    rating = stats.rating
    return rating is None, -rating.elo if rating is not None else 0.0


def _stats_cells(stats: ContenderStats | PairStats) -> Iterator[str]:
    rating, score = stats.rating, stats.score
    yield _elo(rating.elo) if rating is not None else _UNKNOWN
    yield interval(rating)
    yield from map(str, (score.games, score.wins, score.draws, score.losses))
    yield f"{100 * score.share:.1f} %" if score.share is not None else _UNKNOWN
    yield ahead(stats.margin)


def _times_cells(stats: ContenderStats) -> Iterator[str]:
    mean_s = stats.times.mean_s
    if mean_s is None:
        yield from (_UNKNOWN, _UNKNOWN)
    else:
        yield from (duration(mean_s), duration(stats.times.longest_s))


def _elo(elo: float) -> str:
    return f"{elo:+.0f}" if elo else "0"


def interval(rating: Rating | None) -> str:
    """Return the interval of a rating: `+120 … +180`, or `> +500` if open; empty for the anchor."""
    match rating:
        case None | Rating(low=0.0, high=0.0):
            return ""
        case Rating(low=None, high=None):
            return _UNKNOWN
        case Rating(low=None, high=high):
            return f"< {high:+.0f}"
        case Rating(low=low, high=None):
            return f"> {low:+.0f}"
        case Rating(low=low, high=high):
            return f"{low:+.0f} … {high:+.0f}"


def ahead(margin: Estimate | None) -> str:
    """Return a margin with its standard error: `+2.4 ± 0.3`."""
    if margin is None:
        return _UNKNOWN
    return f"{margin.mean:+.2f}" + (f" ± {margin.error:.2f}" if margin.error is not None else "")


def duration(seconds: float) -> str:
    """Return a time as text: `0.02 ms`, `31 ms`, `1.2 s`, `3:05 min`."""
    if seconds < 0.01:
        return f"{1000 * seconds:.2f} ms"
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, left = divmod(round(seconds), 60)
    return f"{minutes}:{left:02} min"


def _laid_out(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows with aligned columns, the first one to the left, the others to the right."""
    widths = list(column_widths(table))
    for row in table:
        first, *others = (
            left_aligned(text, width) if place == 0 else right_aligned(text, width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((first, *others)).rstrip()


def _late(names: Sequence[str], contender_stats: Sequence[ContenderStats]) -> Iterator[str]:
    for name, stats in zip(names, contender_stats, strict=True):
        if late := stats.times.late:
            moves = "1 move" if late == 1 else f"{late:,} moves"
            yield f"{name} made {moves} after the limit, but within {GRACE_S:g} s; they count."


def _faults(names: Sequence[str], faults: Sequence[GameFault]) -> Iterator[str]:
    """Yield a line for each bot and kind of fault: count, games, and detail of the first."""

    def sort(fault: GameFault) -> tuple[int, str]:
        return fault.contender, fault.fault.kind

    for _, same in groupby(sorted(faults, key=sort), sort):
        same_kind = list(same)
        first = same_kind[0].fault
        games = "game" if len(same_kind) == 1 else "games"
        name = names[same_kind[0].contender]
        yield (
            f"{name} lost {len(same_kind):,} {games} {_LOST_BY[first.kind]}"
            f" ({_which([fault.number for fault in same_kind])}; first: {clean(first.detail)})."
        )


def _void(games: Sequence[VoidGame]) -> str:
    """Return a sentence on the games that don't count."""
    what = (
        "1 game is void and doesn't count"
        if len(games) == 1
        else (f"{len(games):,} games are void and don't count")
    )
    numbers = [game.match.number for game in games]
    return f"{what}: that was no bot's fault ({_which(numbers)}; first: {clean(games[0].reason)})."


def _which(numbers: Sequence[int]) -> str:
    """Return the numbers of games in words, not more than a few."""
    named = list(map(str, numbers[:_MOST_GAMES_NAMED]))
    if len(numbers) > len(named):
        named.append(f"{len(numbers) - len(named):,} more")
    return f"{'game' if len(numbers) == 1 else 'games'} {listed(named)}"
