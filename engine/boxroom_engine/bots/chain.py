"""`chain`: a bot that plays for the parity of long chains, and declines boxes to keep control.

It is the student's General Solution (https://github.com/ArthurConmy/EPQ) on any grid, with his
`max_ply`. While two are in play::

    are only chains and loops left?  yes: play them perfectly
           no
    is something on offer?           yes: take it, down to what can be declined; then take that or
           no                             decline it, whichever is worth more
    are there neutral moves?         yes: no more than `max_ply` one after the other: minimax over
           no                             all of them; more: one at random
    give away what leaves the other least

Positions at the end of the neutral moves are valued by `forecast`. While there are too many moves
to search, everything on offer is taken.

With three or more in play no player is in control: a player that declines boxes leaves them to the
next one, and it is a third who has to move on. Then it plays as `greedy` does.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.options import BotOption, Value
from boxroom_engine.games.dots import KIND, Position
from boxroom_engine.games.dots.play.neutral_search import NeutralSearch, can_stay_neutral
from boxroom_engine.games.dots.play.offers import Offer, offer_in
from boxroom_engine.games.dots.theory.captures import after_taking_all, neutral, sacrifices
from boxroom_engine.games.dots.theory.endgame import best_endgame_moves, is_endgame
from boxroom_engine.games.dots.theory.forecast import forecast
from boxroom_engine.games.dots.theory.strings import Chain, Loop, parts_of
from boxroom_engine.games.protocol import GameKind, Move, Option, State
from boxroom_engine.stopping import Limit, SearchStopped

_MAX_PLY = Option(
    "max_ply",
    "how many neutral moves it looks ahead, all that are left or none: 4 is fast, 12 slow",
    default=6,
    least=1,
    most=12,
)


@dataclass(frozen=True, slots=True)
class ChainBot:
    """`chain`: beats bots that never decline a box, and loses to those that look further ahead."""

    max_ply: int = int(_MAX_PLY.default)

    name = "chain"
    strength = 12
    description = "plays for long chains, and declines boxes to keep control"
    options: ClassVar[tuple[BotOption, ...]] = (_MAX_PLY,)

    def with_options(self, chosen: Mapping[str, Value]) -> "ChainBot":
        """The one with this `max_ply`."""
        return ChainBot(int(chosen[_MAX_PLY.name]))

    def supports(self, kind: GameKind) -> bool:
        """Dots and Boxes alone: other games have no chains."""
        return kind == KIND

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """The move of the flow chart, equals at random; when `limit` expires, the best so far."""
        assert isinstance(state, Position)
        if state.game.seats - len(state.withdrawn) != 2:
            return GreedyBot().choose(state, limit, rng)
        if is_endgame(state):
            return rng.choice(best_endgame_moves(state))
        if offer := offer_in(state):
            return self._take_or_decline(state, offer, limit)
        if neutrals := neutral(state):
            return self._play_neutral(state, rng.sample(neutrals, len(neutrals)), limit)
        return _give_away(state, limit, rng)

    def _take_or_decline(self, position: Position, offer: Offer, limit: Limit) -> Move:
        if offer.decline is None:
            return offer.take
        rest = after_taking_all(position)
        if can_stay_neutral(rest, self.max_ply):
            return offer.take
        try:
            value = NeutralSearch(position.game.grid, limit.expired).value(rest)
        except SearchStopped:
            return offer.take
        return offer.take if offer.is_worth_taking(value) else offer.decline

    def _play_neutral(self, position: Position, neutrals: list[Move], limit: Limit) -> Move:
        if can_stay_neutral(position, self.max_ply):
            return neutrals[0]
        return NeutralSearch(position.game.grid, limit.expired).best(position, neutrals)


def _give_away(position: Position, limit: Limit, rng: random.Random) -> Move:
    """The opening worth most to the seat to move, of those looked at, the smallest gift first."""
    costs = sacrifices(position)
    parts = parts_of(position)
    strings: list[Chain | Loop] = [*parts.chains, *parts.loops]
    openings = [string.opening for string in strings]
    rng.shuffle(openings)
    openings.sort(key=costs.__getitem__)
    best, least = openings[0], _worth_to_other(position.play(openings[0]))
    for opening in openings[1:]:
        if limit.expired():
            break
        worth = _worth_to_other(position.play(opening))
        if worth < least:
            best, least = opening, worth
    return best


def _worth_to_other(opened: Position) -> int:
    """The forecast margin to come for the player to move in `opened`, where boxes are on offer."""
    offer = offer_in(opened)
    assert offer is not None, "without neutral edges every move gives something away"
    return offer.value(forecast(parts_of(after_taking_all(opened))))
