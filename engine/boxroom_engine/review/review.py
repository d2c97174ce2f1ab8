"""Review of a game that is over: its costly moves, better ones, and the facts about both.

It goes from the end of the game to its beginning with a judge (see `judging`), until the judge
can't tell any more. The facts are data, so that each client words them in its own language.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace as instead
from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from boxroom_engine.games.abilities import JsonFact, Judge, Judgement, MoveFacts
from boxroom_engine.games.protocol import Game, Move, Seat, State
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.review.judging import JudgedGame, JudgedMove, in_play, judgement_of


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


class Effect(StrEnum):
    """Effect of a costly move on the result, by what best play from then on leads to."""

    LOST_GAME = "lost_game"
    """Its player could have won or drawn, and loses: the result changed for the last time."""
    LOST_WIN = "lost_win"
    """Its player could have won alone, and doesn't: the result changed for the last time."""
    LOST_RESULT = "lost_result"
    """Its player could have had a better result, which changed later once more, or was behind from
    the first judged move on."""
    LOST_BOXES = "lost_boxes"
    """The result is the same."""
    LOST_ANYWAY = "lost_anyway"
    """The result is the same: its player loses."""


_BY_WEIGHT = tuple(Effect)


class LineEffects(msgspec.Struct, frozen=True, omit_defaults=True):
    """Effects of the moves of a line, for clients that know no rules, as a room has them."""

    movers: tuple[int, ...] = ()
    """Seat of each move."""
    taken: tuple[tuple[int, ...], ...] = ()
    """For each move that took something: its index in the line, and the numbers of what it took."""

    @classmethod
    def of(cls, position: State, line: Iterable[Move]) -> "LineEffects":
        """Return the effects of legal moves from `position` on."""
        movers, taken = list[int](), list[tuple[int, ...]]()
        for index, move in enumerate(line):
            assert position.to_move is not None, "the move is legal"
            movers.append(position.to_move)
            position = position.play(move)
            if position.taken:
                taken.append((index, *position.taken))
        return cls(tuple(movers), tuple(taken))


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
    """Those that tell it from the better move; `MoveFacts.read` of the game reads them."""
    better: str
    better_facts: tuple[JsonFact, ...]
    line: tuple[str, ...] = ()
    """Best play from the move on, that move included, as far as it is known."""
    better_line: tuple[str, ...] = ()
    """Best play from the better move on."""
    effect: Effect = Effect.LOST_BOXES
    line_effects: LineEffects = LineEffects()
    better_effects: LineEffects = LineEffects()
    theme: str | None = None
    """The idea that would have found the better moves, if one does and they are all known."""

    @classmethod
    def of(cls, judged: JudgedMove, judge: Judge) -> "Finding":
        """Return the finding about a costly move, as `judge` has judged it."""
        before, better = judged.before, advice(judged)
        game, about = before.game, facts_for(judged)
        played, instead = judge.outlook(before, judged.move), judge.outlook(before, better)
        facts, better_facts = about.contrast(
            (*about.of(before, judged.move), *played.facts),
            (*about.of(before, better), *instead.facts),
        )
        return cls(
            number=judged.number,
            seat=judged.seat,
            move=game.format_move(judged.move),
            lost=judged.lost or 0.0,
            exact=judged.exact,
            facts=_in_json(facts),
            better=game.format_move(better),
            better_facts=_in_json(better_facts),
            line=tuple(map(game.format_move, played.line)),
            better_line=tuple(map(game.format_move, instead.line)),
            line_effects=LineEffects.of(before, played.line),
            better_effects=LineEffects.of(before, instead.line),
            theme=about.theme(before, judged.better) if judged.exact else None,
        )


class Review(msgspec.Struct, frozen=True):
    """The result of the review of a game."""

    findings: tuple[Finding, ...]
    """The costly moves of all seats: by their effect, then by their loss, the dearest first."""
    first_judged: int
    """Number of the first move that was judged; 1 if all were."""
    turning_point: int | None = None
    """Number of the last move that changed the winner; None if no move is known to have."""
    behind: int | None = None
    """Seat that was losing before the first judged move; None if no seat was."""
    margins: tuple[float | None, ...] = ()
    """Margin at the end by best play from each position on; see `JudgedGame.margins`."""

    def of(self, seats: Collection[int]) -> tuple[Finding, ...]:
        """Return the findings about `seats`."""
        return tuple(finding for finding in self.findings if finding.seat in seats)


class Reviewing:
    """The review of the game that went through `positions`, as far as `judge` can tell.

    Its first `opening` moves were played before, and aren't reviewed.
    """

    def __init__(self, positions: Sequence[State], judge: Judge, opening: int = 0) -> None:
        self._positions = positions
        self._opening = opening
        self._judge = judge
        # Judgements of the last positions, in the order of the game.
        self._judgements: list[Judgement] = []
        self._findings: list[Finding] = []

    def findings(self) -> Iterator[Finding]:
        """Yield the costly moves as they are found, from the end to the beginning.

        The judge works meanwhile, which may take long.
        """
        for position in reversed(self._positions[self._opening :]):
            judgement = judgement_of(position, self._judge)
            if judgement is None:
                return
            self._judgements.insert(0, judgement)
            if any(move.is_costly for move in self._judged(2).moves):
                self._look_for_all_best_moves(position, judgement)
            for move in self._judged(2).moves:
                if move.is_costly:
                    self._findings.append(Finding.of(move, self._judge))
                    yield self._findings[-1]

    def _look_for_all_best_moves(self, position: State, judgement: Judgement) -> None:
        best_moves = self._judge.best_moves(position) or judgement.best_moves
        self._judgements[0] = instead(judgement, best_moves=best_moves)

    def result(self) -> Review:
        """Return what has been found so far."""
        game = self._judged(len(self._judgements))
        turned, behind = game.turning_point, _behind(game)
        weighed = [replace(each, effect=effect_of(each, game, behind)) for each in self._findings]
        weighed.sort(key=lambda each: (_BY_WEIGHT.index(each.effect), -each.lost))
        return Review(
            tuple(weighed),
            min(game.left_out + 1, len(self._positions)),
            None if turned is None else turned.number,
            behind,
            self.judged.margins(),
        )

    @property
    def judged(self) -> JudgedGame:
        """The whole game, with the judgements so far."""
        unknown = (None,) * (len(self._positions) - len(self._judgements))
        return JudgedGame(tuple(self._positions), (*unknown, *self._judgements))

    def _judged(self, most: int) -> JudgedGame:
        """Return the first of the judged positions as a game, at most so many."""
        left_out = len(self._positions) - len(self._judgements)
        positions = self._positions[left_out : left_out + most]
        return JudgedGame(tuple(positions), tuple(self._judgements[:most]), left_out)


def advice(move: JudgedMove) -> Move:
    """Return one of the better moves than this costly one.

    It is one that gives the least away, and of these the first whose facts differ, if any do.
    """
    about = facts_for(move)
    facts = about.of(move.before, move.move)

    def weight(better: Move) -> tuple[int, bool]:
        its_facts = about.of(move.before, better)
        return about.given(its_facts), its_facts == facts

    return min(move.better, key=weight)


def _behind(game: JudgedGame) -> Seat | None:
    """Return the seat that loses by best play from the first position on; None if none does."""
    winners = game.expected_winners[0] if game.expected_winners else None
    if winners is None:
        return None
    losers = set(in_play(game.positions[0])) - set(winners)
    return losers.pop() if losers else None


def effect_of(finding: Finding, game: JudgedGame, behind: Seat | None) -> Effect:
    """Return the effect of a costly move of `game`, in which `behind` was losing at first."""
    before, after = game.expected_winners[finding.number - 1 - game.left_out :][:2]
    if before is None or before == after:
        is_lost = before is not None and finding.seat not in before
        return Effect.LOST_ANYWAY if is_lost else Effect.LOST_BOXES
    turned = game.turning_point
    if turned is None or turned.number != finding.number or finding.seat == behind:
        return Effect.LOST_RESULT
    return Effect.LOST_WIN if finding.seat in (after or ()) else Effect.LOST_GAME


def facts_for(judged: JudgedMove) -> MoveFacts[Any]:
    """Return the facts of the game in which a judge has judged a move."""
    return judged.before.game.kind.abilities.facts


def _in_json(facts: Iterable[Any]) -> tuple[JsonFact, ...]:
    return tuple(map(msgspec.to_builtins, facts))
