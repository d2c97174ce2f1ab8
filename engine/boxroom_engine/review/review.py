"""Review of a game that is over: its costly moves, better ones, and the facts about both.

It goes from the end of the game to its beginning with a judge (see `judging`), until the judge
can't tell any more. The facts are data, so that each client words them in its own language.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from boxroom_engine.games.abilities import JsonFact, Judgement, MoveFacts
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.review.judging import Judge, JudgedGame, JudgedMove, judgement_of


def obstacle_to_review(game: Game) -> Phrase | None:
    """Return the reason why no game like `game` can be reviewed; None if there is none."""
    seats = game.kind.reviewed_seats
    if game.seats in seats:
        return None
    if not seats:
        return phrase("refusal.no_review.game", game=game.kind.named)
    if game.seats == 1:
        return phrase("refusal.no_review.alone")
    return phrase("refusal.no_review.many")


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
    facts: tuple[JsonFact, ...]
    """Its effects; `MoveFacts.read` of the game reads them."""
    better: str
    better_facts: tuple[JsonFact, ...]

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
            facts=_in_json(facts_to_tell(judged, judged.move)),
            better=game.format_move(better),
            better_facts=_in_json(facts_to_tell(judged, better)),
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

    def __init__(self, positions: Sequence[State], judge: Judge) -> None:
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
    facts_of = facts_for(move).of
    facts = facts_of(move.before, move.move)
    differ = (each for each in move.better if facts_of(move.before, each) != facts)
    return next(differ, move.better[0])


def facts_to_tell(judged: JudgedMove, move: Move) -> tuple[Any, ...]:
    """Return the facts about `move`, the judged one or a better one, that explain its value."""
    is_good = move != judged.move or not judged.is_costly
    to_tell = facts_for(judged).to_tell
    return to_tell(judged.before, move, None if judged.lost is None else is_good)


def facts_for(judged: JudgedMove) -> MoveFacts[Any]:
    """Return the facts of the game in which a judge has judged a move."""
    return judged.before.game.kind.abilities.facts


def _in_json(facts: Iterable[Any]) -> tuple[JsonFact, ...]:
    return tuple(map(msgspec.to_builtins, facts))
