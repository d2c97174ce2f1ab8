"""Review of a game of Dots and Boxes that is over: the move that lost it, and better ones.

Positions are judged from the end of the game to its beginning, in a thread, so that the shell goes
on meanwhile. Each costly move of the players under review is reported as it is found.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass

from boxroom_client.shell.judge import TimedJudge
from boxroom_client.shell.output.facts import advice, effect_of
from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.dots.theory.judging import JudgedGame, JudgedMove, Judgement, judgement_of
from boxroom_engine.games.protocol import Move, Seat

_POSITION_S = 2.0
"""Seconds for a position at most; earlier positions would take longer still."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A costly move, and one that was better."""

    move: JudgedMove
    better: Move

    def in_short(self, who: str) -> str:
        """Return the finding in one short sentence about `who`."""
        game, number = self.move.before.game, self.move.number
        name, better = game.format_move(self.move.move), game.format_move(self.better)
        about = "" if self.move.exact else "about "
        lost = f"{about}{self.move.lost or 0:.0f} of the margin"
        return f"Move {number}: {who} lost {lost} with {name}; {better} was better."

    def sentence(self, lead: str) -> str:
        """Return the finding after `lead`, such as "You lost it with"."""
        game, number = self.move.before.game, self.move.number
        name, better = game.format_move(self.move.move), game.format_move(self.better)
        return (
            f"{lead} {name}, move {number}: it {effect_of(self.move, self.move.move)}."
            f" {better} was better: it {effect_of(self.move, self.better)}."
        )


class GameReview:
    """The review of the game that went through `positions`, for the players in `seats`."""

    def __init__(
        self, positions: Sequence[Position], seats: Collection[Seat], is_to_stop: Callable[[], bool]
    ) -> None:
        self._positions = positions
        self._seats = seats
        self._is_to_stop = is_to_stop
        # From the end: judgements of the last positions, in the order of the game.
        self._judgements: list[Judgement | None] = []

    async def findings(self) -> AsyncIterator[Finding]:
        """Yield the costly moves of the players, from the end to the beginning."""
        judge = await asyncio.to_thread(self._judge)
        for number in range(len(self._positions), 0, -1):
            position = self._positions[number - 1]
            judgement = await asyncio.to_thread(judgement_of, position, judge)
            self._judgements.insert(0, judgement)
            if judgement is None and not position.is_over:
                return
            if number < len(self._positions):
                move = self._game.moves[0]
                if move.is_costly and move.seat in self._seats:
                    yield Finding(move, advice(move))

    def decisive(self) -> Finding | None:
        """Return the player's last move that changed who would win; else the one that lost most."""
        moves = [move for move in self._game.moves if move.is_costly and move.seat in self._seats]
        turned = self._game.turning_point
        if turned is None or turned not in moves:
            turned = max(moves, key=lambda move: move.lost or 0.0, default=None)
        return None if turned is None else Finding(turned, advice(turned))

    @property
    def first_judged(self) -> int:
        """The number of the first move that was judged."""
        return len(self._positions) - len(self._judgements) + 1

    @property
    def _game(self) -> JudgedGame:
        return JudgedGame(
            tuple(self._positions[len(self._positions) - len(self._judgements) :]),
            tuple(self._judgements),
            len(self._positions) - len(self._judgements),
        )

    def _judge(self) -> TimedJudge:
        game = self._positions[0].game
        assert isinstance(game, Dots)
        return TimedJudge(game, _POSITION_S, self._is_to_stop)
