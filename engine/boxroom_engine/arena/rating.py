"""Elo ratings from comparisons: the model of Bradley and Terry, with intervals.

**The model.** In a comparison, one contender takes a point from the other with the probability
`1 / (1 + 10 ** (-difference / 400))`, where `difference` is that of their ratings; a draw is half
a point to each. The ratings are those that make the results most likely (R. Bradley and M. Terry,
Rank analysis of incomplete block designs, Biometrika 39, 1952; D. Hunter, MM algorithms for
generalized Bradley–Terry models, Annals of Statistics 32, 2004), found by Newton's method.

**One drawn game** is added between any two that have met. Otherwise a contender that has won
everything would have an infinite rating (L. Ford, Solution of a ranking problem from binary
comparisons, American Mathematical Monthly 64, 1957). For two it is equivalent to Jeffreys' prior
(D. Firth, Bias reduction of maximum likelihood estimates, Biometrika 80, 1993), which makes the
estimate better at any score, and with dozens of games hardly changes it.

**The intervals** are profile likelihoods: all ratings for which the others can be chosen so that
the likelihood isn't too far below the greatest (D. Venzon and S. Moolgavkar, Applied Statistics
37, 1988). Where results are lopsided the intervals are, too. If the comparisons alone leave a
rating unbounded in one direction, its interval is open there.

**Comparisons of one opening aren't independent**: the same opening played with both orders mostly
gives one point to each, and of three at a table everybody is compared with both others. So the
threshold of the likelihood is scaled by the design effect: the variance of the difference as
estimated from the scatter between openings, divided by that of independent comparisons (J. Rao
and A. Scott, Annals of Statistics 12, 1984; the scatter is that of K.-Y. Liang and S. Zeger,
Biometrika 73, 1986). A few openings say little about it, so ten that behave as if independent are
added.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

ELO = 400 / math.log(10)
"""Elo points in one unit of the model's own (logistic) scale."""

_DRAWN_GAMES = 1
_INDEPENDENT_OPENINGS = 10
_CHI2_95 = 3.841459
"""The 95 % quantile of χ² with one degree of freedom."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The points, 1, 1/2 or 0, that contender `one` took from `other`."""

    one: int
    other: int
    points: float
    opening: Hashable
    """Comparisons with the same opening aren't independent."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo with its 95 % interval; an open bound is None."""

    elo: float
    low: float | None
    high: float | None


def ratings(
    contenders: int, comparisons: Sequence[Comparison], anchor: int = 0
) -> tuple[Rating | None, ...]:
    """Return all ratings relative to `anchor`; None for contenders without a connection to it."""
    fit = _Fit(contenders, comparisons, anchor)
    return tuple(fit.rating(each) for each in range(contenders))


def elo_of_score(score: float) -> float:
    """Return the difference in Elo at which `score`, above 0 and below 1, is the expectation."""
    return ELO * math.log(score / (1 - score))


def expected_score(difference: float) -> float:
    """Return the expected share of points for a lead of `difference` Elo."""
    return _logistic(difference / ELO)


class _Fit:
    """The ratings of maximum likelihood, on the logistic scale."""

    def __init__(self, contenders: int, comparisons: Sequence[Comparison], anchor: int) -> None:
        self.anchor = anchor
        self.comparisons = comparisons
        self.taken = [[0.0] * contenders for _ in range(contenders)]
        """`taken[one][other]`: points that `one` has taken from `other`."""
        for each in comparisons:
            self.taken[each.one][each.other] += each.points
            self.taken[each.other][each.one] += 1 - each.points
        self.rivals = [
            [
                other
                for other in range(contenders)
                if self.taken[one][other] + self.taken[other][one] > 0
            ]
            for one in range(contenders)
        ]
        """The contenders that each has met."""
        self.connected = _reached(anchor, lambda one: self.rivals[one])
        """The contenders that comparisons connect with the anchor, directly or through others."""
        self.best = self._most_likely({anchor: 0.0})
        """The ratings of maximum likelihood; 0 for the anchor."""
        self.greatest = self._log_likelihood(self.best)
        """The log likelihood of `best`."""

    def rating(self, one: int) -> Rating | None:
        if one == self.anchor:
            return Rating(0.0, 0.0, 0.0)
        if one not in self.connected:
            return None
        bounded_above = one in _reached(self.anchor, self._beaten_by)
        bounded_below = self.anchor in _reached(one, self._beaten_by)
        effect, deviation = self._scatter(one)
        if not (bounded_above and bounded_below):
            effect = 1.0  # one-sided results don't allow an estimate
        step = deviation * math.sqrt(effect)
        return Rating(
            ELO * self.best[one],
            ELO * self._bound(one, effect, -step) if bounded_below else None,
            ELO * self._bound(one, effect, step) if bounded_above else None,
        )

    def _beaten_by(self, one: int) -> Iterable[int]:
        return (other for other in self.rivals[one] if self.taken[one][other] > 0)

    # The most likely ratings

    def _most_likely(
        self, fixed: Mapping[int, float], near: Sequence[float] | None = None
    ) -> list[float]:
        """Return the most likely ratings, given those in `fixed`, by Newton's method."""
        at = list(near) if near is not None else [0.0] * len(self.rivals)
        for one, value in fixed.items():
            at[one] = value
        free = sorted(self.connected - set(fixed))
        while free:
            slope, curvature = self._derivatives(at, free)
            step = _solved(curvature, slope)
            largest = max(map(abs, step))
            scale = min(1.0, 2.0 / largest) if largest else 1.0  # far out it would overshoot
            for one, change in zip(free, step, strict=True):
                at[one] += scale * change
            if largest < 1e-9:
                break
        return at

    def _derivatives(
        self, at: Sequence[float], free: Sequence[int]
    ) -> tuple[list[float], list[list[float]]]:
        """Return the gradient of the log likelihood, and its negative second derivatives."""
        place = {one: index for index, one in enumerate(free)}
        slope = [0.0] * len(free)
        curvature = [[0.0] * len(free) for _ in free]
        for one, row in place.items():
            for other in self.rivals[one]:
                points, games = self._with_drawn(one, other)
                expected = _logistic(at[one] - at[other])
                slope[row] += points - games * expected
                bend = games * expected * (1 - expected)
                curvature[row][row] += bend
                if other in place:
                    curvature[row][place[other]] -= bend
        return slope, curvature

    def _with_drawn(self, one: int, other: int) -> tuple[float, float]:
        """Return points and games of `one` against `other`, with the drawn game added."""
        points = self.taken[one][other] + _DRAWN_GAMES / 2
        return points, self.taken[one][other] + self.taken[other][one] + _DRAWN_GAMES

    def _log_likelihood(self, at: Sequence[float]) -> float:
        return sum(
            self._with_drawn(one, other)[0] * _log_logistic(at[one] - at[other])
            for one in self.connected
            for other in self.rivals[one]
        )

    # Intervals

    def _bound(self, one: int, effect: float, step: float) -> float:
        """Return the end of the interval in the direction of `step`, by bisection."""
        inside = self.best[one]
        while self._fall(one, inside + step) < _CHI2_95 * effect:
            inside += step
            step *= 1.5
        outside = inside + step
        while abs(outside - inside) > 1e-4:
            middle = (inside + outside) / 2
            if self._fall(one, middle) < _CHI2_95 * effect:
                inside = middle
            else:
                outside = middle
        return (inside + outside) / 2

    def _fall(self, one: int, value: float) -> float:
        """Return twice the fall of the log likelihood if the rating of `one` is `value`."""
        at = self._most_likely({self.anchor: 0.0, one: value}, near=self.best)
        return 2 * (self.greatest - self._log_likelihood(at))

    def _scatter(self, one: int) -> tuple[float, float]:
        """Return the design effect for the rating of `one`, and its raw deviation."""
        free = sorted(self.connected - {self.anchor})
        _, curvature = self._derivatives(self.best, free)
        unit = [float(each == one) for each in free]
        weights = dict(zip(free, _solved(curvature, unit), strict=True))
        variance = weights[one]
        influence: dict[Hashable, float] = defaultdict(float)
        for each in self.comparisons:
            if each.one in self.connected:
                surprise = each.points - _logistic(self.best[each.one] - self.best[each.other])
                pull = weights.get(each.one, 0.0) - weights.get(each.other, 0.0)
                influence[each.opening] += surprise * pull
        openings = len(influence)
        if openings < 2:
            return 1.0, math.sqrt(variance)
        robust = sum(each**2 for each in influence.values()) * openings / (openings - 1)
        seen, added = len(self._openings_of(one)), _INDEPENDENT_OPENINGS
        effect = (seen * robust / variance + added) / (seen + added)
        return effect, math.sqrt(variance)

    def _openings_of(self, one: int) -> Collection[Hashable]:
        return {each.opening for each in self.comparisons if one in (each.one, each.other)}


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _log_logistic(x: float) -> float:
    return -math.log1p(math.exp(-x)) if x >= 0 else x - math.log1p(math.exp(x))


def _reached(start: int, following: Callable[[int], Iterable[int]]) -> set[int]:
    """Return all nodes that are reachable from `start`."""
    reached, waiting = {start}, [start]
    while waiting:
        for each in following(waiting.pop()):
            if each not in reached:
                reached.add(each)
                waiting.append(each)
    return reached


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a system of linear equations by elimination; the matrix must be positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for pivot, row in enumerate(rows):
        for below in rows[pivot + 1 :]:
            factor = below[pivot] / row[pivot]
            for column in range(pivot, len(row)):
                below[column] -= factor * row[column]
    found = [0.0] * len(rows)
    for index in reversed(range(len(rows))):
        row = rows[index]
        known = sum(row[column] * found[column] for column in range(index + 1, len(rows)))
        found[index] = (row[-1] - known) / row[index]
    return found
