"""A run in lines for people: what was played, how everybody did, and what went wrong."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from boxroom_client.arena.outcome import Outcome
from boxroom_client.shell import room_settings
from boxroom_engine.arena.playing import GRACE_S, FaultKind
from boxroom_engine.arena.rating import Rating
from boxroom_engine.arena.summary import Blame, Estimate, Meeting, Standing
from boxroom_engine.room.room import Settings
from boxroom_engine.room.text import clean
from boxroom_engine.wording import listed

_UNKNOWN = "?"
_MOST_GAMES_NAMED = 8

_LOST_BY = {
    FaultKind.TIME: "on time",
    FaultKind.ILLEGAL: "by an illegal move",
    FaultKind.ERROR: "by an error",
    FaultKind.DIED: "because its process died",
}


def report(outcome: Outcome, shown: Callable[[str], str] = str) -> Iterator[str]:
    """All lines of it, in the characters that `shown` leaves of any text."""
    yield from map(shown, _headline(outcome))
    if not outcome.summary.games:
        return
    for table in _tables(outcome):
        yield ""
        yield from _laid_out([[shown(text) for text in row] for row in table])
    yield ""
    yield from map(shown, _notes(outcome))


def _tables(outcome: Outcome) -> Iterator[list[list[str]]]:
    """Each with its head."""
    names, summary = outcome.contest.names, outcome.summary
    head = ["Elo", "95 %", "games", "won", "drawn", "lost", "score", "ahead by"]
    ranked = sorted(range(len(names)), key=lambda one: _place(summary.standings[one]))
    yield [["bot", *head, "a move", "longest"]] + [
        [names[one], *_standing(summary.standings[one]), *_times(summary.standings[one])]
        for one in ranked
    ]
    if len(names) > 2:
        yield [["pair", *head]] + [
            [f"{names[each.one]} – {names[each.other]}", *_standing(each)]
            for each in summary.meetings
            if each.score.games
        ]


def _notes(outcome: Outcome) -> Iterator[str]:
    names, summary = outcome.contest.names, outcome.summary
    yield f"Elo is counted from {names[0]}, which is named first."
    yield from _late(names, summary.standings)
    yield from _faults(names, summary.faults)


def _headline(outcome: Outcome) -> Iterator[str]:
    contest, game = outcome.contest, outcome.contest.game
    settings = Settings(game.kind.name, dict(game.options), game.seats)
    games = f"{outcome.summary.games:,} games"
    if not outcome.is_whole:
        games = f"{outcome.summary.games:,} of {contest.total:,} games, then interrupted"
    seats = f", {game.seats} seats" if game.seats != 2 else ""
    yield f"{room_settings.in_words(settings)}{seats}: {games}."
    yield (
        f"{contest.limit_s:g} s a move, openings of {contest.plies} moves, seed {contest.seed};"
        f" it took {duration(outcome.seconds)}, {outcome.jobs} at once."
    )


def _place(standing: Standing) -> tuple[bool, float]:
    """The best first, and last who has no rating."""
    rating = standing.rating
    return rating is None, -rating.elo if rating is not None else 0.0


def _standing(standing: Standing | Meeting) -> Iterator[str]:
    rating, score = standing.rating, standing.score
    yield _elo(rating.elo) if rating is not None else _UNKNOWN
    yield interval(rating)
    yield from map(str, (score.games, score.wins, score.draws, score.losses))
    yield f"{100 * score.share:.1f} %" if score.share is not None else _UNKNOWN
    yield ahead(standing.margin)


def _times(standing: Standing) -> Iterator[str]:
    mean_s = standing.times.mean_s
    if mean_s is None:
        yield from (_UNKNOWN, _UNKNOWN)
    else:
        yield from (duration(mean_s), duration(standing.times.longest_s))


def _elo(elo: float) -> str:
    return f"{elo:+.0f}" if elo else "0"


def interval(rating: Rating | None) -> str:
    """The interval of a rating: `+120 … +180`, `> +500` where it is open; empty for a zero."""
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
    """A margin with its standard error: `+2.4 ± 0.3`."""
    if margin is None:
        return _UNKNOWN
    return f"{margin.mean:+.2f}" + (f" ± {margin.error:.2f}" if margin.error is not None else "")


def duration(seconds: float) -> str:
    """`0.02 ms`, `31 ms`, `1.2 s`, `3:05 min`."""
    if seconds < 0.01:
        return f"{1000 * seconds:.2f} ms"
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, left = divmod(round(seconds), 60)
    return f"{minutes}:{left:02} min"


def _laid_out(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as what is in them, the first one to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        first, *others = (
            text.ljust(width) if place == 0 else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((first, *others)).rstrip()


def _late(names: Sequence[str], standings: Sequence[Standing]) -> Iterator[str]:
    for name, standing in zip(names, standings, strict=True):
        if late := standing.times.late:
            moves = "1 move" if late == 1 else f"{late:,} moves"
            yield f"{name} made {moves} after the limit, but within {GRACE_S:g} s; they count."


def _faults(names: Sequence[str], faults: Sequence[Blame]) -> Iterator[str]:
    """A line for each bot and kind of fault: in how many games, which, and what it said."""

    def sort(blame: Blame) -> tuple[int, str]:
        return blame.contender, blame.fault.kind

    for _, same in groupby(sorted(faults, key=sort), sort):
        blames = list(same)
        numbers = [str(blame.number) for blame in blames[:_MOST_GAMES_NAMED]]
        if len(blames) > len(numbers):
            numbers.append(f"{len(blames) - len(numbers):,} more")
        fault = blames[0].fault
        games = "game" if len(blames) == 1 else "games"
        yield (
            f"{names[blames[0].contender]} lost {len(blames):,} {games} {_LOST_BY[fault.kind]}"
            f" ({games} {listed(numbers)}; first: {clean(fault.detail)})."
        )
