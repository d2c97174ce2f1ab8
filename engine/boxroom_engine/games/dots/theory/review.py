"""Review of a game that is over: its costly moves, better ones, and the facts about both.

It goes from the end of the game to its beginning with a judge (see `judging`), until the judge
can't tell any more. The facts are data, so that each client words them in its own language.
"""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.facts import (
    Change,
    ChangesControl,
    Fact,
    Waits,
    facts_of,
    seats_in_play,
)
from boxroom_engine.games.dots.theory.judging import (
    Judge,
    JudgedGame,
    JudgedMove,
    Judgement,
    judgement_of,
)
from boxroom_engine.games.protocol import Move

_FOR_OTHER = (Change.GIVES, Change.GIVES_UP)
_FOR_ITSELF = (Change.GAINS,)


class Finding(msgspec.Struct, frozen=True):
    """A costly move, and one that was better."""

    number: int
    """Its place in the record, from 1, where withdrawals have numbers too."""
    seat: int
    move: str
    lost: float
    """Loss of margin: boxes of the player less those of the others."""
    exact: bool
    """Whether `lost` is known, and no estimate."""
    facts: tuple[Fact, ...]
    better: str
    better_facts: tuple[Fact, ...]

    @classmethod
    def of(cls, judged: JudgedMove) -> "Finding":
        """Return the finding about a costly move."""
        game, better = judged.before.game, advice(judged)
        return cls(
            number=judged.number,
            seat=judged.seat,
            move=game.format_move(judged.move),
            lost=judged.lost or 0.0,
            exact=judged.exact,
            facts=facts_to_tell(judged, judged.move),
            better=game.format_move(better),
            better_facts=facts_to_tell(judged, better),
        )


class Review(msgspec.Struct, frozen=True):
    """The result of the review of a game."""

    findings: tuple[Finding, ...]
    """The costly moves of all seats, the last one first."""
    first_judged: int
    """Number of the first move that was judged; 1 if all were."""
    turning_point: int | None = None
    """Number of the last move that changed the winner; None if no move is known to have."""

    def decisive(self, seats: Collection[int]) -> Finding | None:
        """Return the move of `seats` that was the turning point; else the one that lost most."""
        findings = [finding for finding in self.findings if finding.seat in seats]
        turned = (each for each in findings if each.number == self.turning_point)
        return next(turned, None) or max(findings, key=lambda each: each.lost, default=None)


class Reviewing:
    """The review of the game that went through `positions`, as far as `judge` can tell."""

    def __init__(self, positions: Sequence[Position], judge: Judge) -> None:
        self._positions = positions
        self._judge = judge
        # Judgements of the last positions, in the order of the game.
        self._judgements: list[Judgement] = []
        self._findings: list[Finding] = []

    def findings(self) -> Iterator[Finding]:
        """Yield the costly moves as they are found, from the end to the beginning.

        The judge works meanwhile, which may take long.
        """
        for position in reversed(self._positions):
            judgement = judgement_of(position, self._judge)
            if judgement is None:
                return
            self._judgements.insert(0, judgement)
            for move in self._judged(2).moves:
                if move.is_costly:
                    self._findings.append(Finding.of(move))
                    yield self._findings[-1]

    def result(self) -> Review:
        """Return what has been found so far."""
        turned = self._judged(len(self._judgements)).turning_point
        return Review(
            tuple(self._findings),
            min(len(self._positions) - len(self._judgements) + 1, len(self._positions)),
            None if turned is None else turned.number,
        )

    def _judged(self, most: int) -> JudgedGame:
        """Return the first of the judged positions as a game, at most so many."""
        left_out = len(self._positions) - len(self._judgements)
        positions = self._positions[left_out : left_out + most]
        return JudgedGame(tuple(positions), tuple(self._judgements[:most]), left_out)


def advice(move: JudgedMove) -> Move:
    """Return one of the better moves than this costly one.

    It is the first of those whose facts differ, or the first of all if none do.
    """
    facts = facts_of(move.before, move.move)
    differ = (each for each in move.better if facts_of(move.before, each) != facts)
    return next(differ, move.better[0])


def facts_to_tell(judged: JudgedMove, move: Move) -> tuple[Fact, ...]:
    """Return the facts about `move`, the judged one or a better one, that explain its value.

    Control is a forecast as long as chains can change, and so is parity as long as there is a
    choice of neutral moves. A forecast that the value of the move contradicts is left out, and so
    is parity with more than two seats in play, where it decides nothing.
    """
    is_good = move != judged.move or not judged.is_costly
    contradicted = _FOR_OTHER if is_good else _FOR_ITSELF
    has_parity = seats_in_play(judged.before) == 2
    told: list[Fact] = []
    for fact in facts_of(judged.before, move):
        match fact:
            case Waits(int(room)) if not has_parity or (
                judged.lost is not None and (room % 2 == 1) == is_good
            ):
                told.append(Waits(None))
            case ChangesControl(change, is_forecast=True) if (
                judged.lost is not None and change in contradicted
            ):
                pass
            case _:
                told.append(fact)
    return tuple(told)
