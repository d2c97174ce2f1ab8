"""Statistics of any number of games: scores, margins, ratings, times and faults.

In a game of more than two, each contender is compared with each other one: a winner ranks above
the others, more points above fewer, and a withdrawn contender below all others.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from boxroom_engine.arena.playing import Fault, FaultKind
from boxroom_engine.arena.rating import Comparison, Rating, ratings
from boxroom_engine.arena.running_game import Result, Times
from boxroom_engine.games.protocol import Seat


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error; the error needs at least two openings, else it is None."""

    mean: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Score:
    """Wins, draws, losses and points of one side over a number of games."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    """Points taken from others; each comparison is for one point."""
    comparisons: int = 0

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float | None:
        """Share of the points, 0 to 1; None without a game."""
        return self.points / self.comparisons if self.comparisons else None


@dataclass(frozen=True, slots=True)
class ContenderStats:
    """Statistics of one contender against all others."""

    score: Score
    margin: Estimate | None
    """Points ahead of the best other, in games without faults."""
    rating: Rating | None
    """Elo relative to the first contender; None if no games connect the two."""
    times: Times
    faults: Mapping[FaultKind, int]


@dataclass(frozen=True, slots=True)
class PairStats:
    """Statistics of one contender against another."""

    one: int
    other: int
    score: Score
    margin: Estimate | None
    rating: Rating | None
    """Elo relative to the other, from their own games."""


@dataclass(frozen=True, slots=True)
class GameFault:
    """A fault with its game's number and its contender."""

    number: int
    contender: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class Summary:
    """All statistics after `games` games."""

    games: int
    contender_stats: tuple[ContenderStats, ...]
    """One for each contender, in order."""
    pair_stats: tuple[PairStats, ...]
    faults: tuple[GameFault, ...]


def summarise(contenders: int, results: Sequence[Result]) -> Summary:
    """Compute the statistics of `results`, given in any order."""
    in_order = sorted(results, key=lambda result: result.match.number)
    compared = [each for result in in_order for each in _comparisons(result)]
    rated = ratings(contenders, compared)
    return Summary(
        len(in_order),
        tuple(
            _contender_stats(each, in_order, compared, rated[each]) for each in range(contenders)
        ),
        tuple(
            _pair_stats(one, other, in_order, compared)
            for one, other in combinations(range(contenders), 2)
        ),
        tuple(
            GameFault(result.match.number, result.match.contenders[fault.seat], fault)
            for result in in_order
            for fault in result.faults
        ),
    )


def mean_by_openings(values: Iterable[tuple[Hashable, float]]) -> Estimate | None:
    """Return the mean of `values`, each with its opening; those of one opening aren't independent.

    The error is that of a ratio of sums over clusters (W. Cochran, Sampling Techniques, 3rd
    edition, 1977, section 9.2).
    """
    of_opening: dict[Hashable, list[float]] = defaultdict(list)
    for opening, value in values:
        of_opening[opening].append(value)
    count = sum(map(len, of_opening.values()))
    if not count:
        return None
    mean = math.fsum(map(math.fsum, of_opening.values())) / count
    openings = len(of_opening)
    if openings < 2:
        return Estimate(mean, None)
    scatter = math.fsum(
        math.fsum(value - mean for value in each) ** 2 for each in of_opening.values()
    )
    return Estimate(mean, math.sqrt(scatter * openings / (openings - 1)) / count)


def _contender_stats(
    one: int, results: Sequence[Result], compared: Iterable[Comparison], rated: Rating | None
) -> ContenderStats:
    mine = [result for result in results if one in result.match.contenders]
    seats = [Seat(result.match.contenders.index(one)) for result in mine]
    outcomes = Counter(map(_outcome, mine, seats))
    own = [each for each in compared if one in (each.one, each.other)]
    times = (result.times[seat] for result, seat in zip(mine, seats, strict=True))
    faults = Counter(
        fault.kind
        for result, seat in zip(mine, seats, strict=True)
        for fault in result.faults
        if fault.seat == seat
    )
    return ContenderStats(
        Score(
            outcomes["win"],
            outcomes["draw"],
            outcomes["loss"],
            sum(each.points if each.one == one else 1 - each.points for each in own),
            len(own),
        ),
        mean_by_openings(
            (_opening(result), _margin(result, seat, result.final.scores))
            for result, seat in zip(mine, seats, strict=True)
            if not result.faults
        ),
        rated,
        sum(times, Times()),
        {kind: faults[kind] for kind in FaultKind},
    )


def _pair_stats(
    one: int, other: int, results: Iterable[Result], compared: Iterable[Comparison]
) -> PairStats:
    own = [each for each in compared if {each.one, each.other} == {one, other}]
    points = [each.points if each.one == one else 1 - each.points for each in own]
    both = [result for result in results if {one, other} <= set(result.match.contenders)]
    margins = []
    for result in both:
        if not result.faults:
            mine, yours = (result.match.contenders.index(each) for each in (one, other))
            ahead = result.final.scores[mine] - result.final.scores[yours]
            margins.append((_opening(result), float(ahead)))
    pair = [Comparison(0, 1, point, each.opening) for point, each in zip(points, own, strict=True)]
    return PairStats(
        one,
        other,
        Score(points.count(1), points.count(0.5), points.count(0), sum(points), len(points)),
        mean_by_openings(margins),
        ratings(2, pair, anchor=1)[0],
    )


def _comparisons(result: Result) -> Iterable[Comparison]:
    seats = range(len(result.match.contenders))
    for one, other in combinations(seats, 2):
        mine, yours = _rank(result, Seat(one)), _rank(result, Seat(other))
        points = 0.5 if mine == yours else float(mine > yours)
        contenders = result.match.contenders
        yield Comparison(contenders[one], contenders[other], points, _opening(result))


def _rank(result: Result, seat: Seat) -> tuple[bool, bool, int]:
    """Return the rank of a seat as a sort key: the greater, the better."""
    outcome = result.final.outcome
    assert outcome is not None
    stayed = seat not in result.final.withdrawn
    return stayed, seat in outcome.winners, outcome.scores[seat] if stayed else 0


def _outcome(result: Result, seat: Seat) -> str:
    outcome = result.final.outcome
    assert outcome is not None
    if outcome.winners == (seat,):
        return "win"
    drawn = seat in outcome.winners or not outcome.winners
    return "draw" if drawn and seat not in result.final.withdrawn else "loss"


def _margin(result: Result, seat: Seat, scores: Sequence[int]) -> float:
    return float(scores[seat] - max(score for at, score in enumerate(scores) if at != seat))


def _opening(result: Result) -> Hashable:
    """Return the key that dependent results have in common: the group and its opening."""
    return result.match.group, result.match.opening
