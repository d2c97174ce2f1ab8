"""Bases of games and positions: all that follows from the rest of the protocol.

A game inherits them, and defines itself what it does otherwise, or faster. They have no attributes,
so that the classes of games choose how theirs are stored.
"""

from collections.abc import Hashable, Mapping
from dataclasses import is_dataclass, replace
from typing import Any, TypeVar

import msgspec

from boxroom_engine.games import turn_order
from boxroom_engine.games.picture import picture_of_game, picture_of_state
from boxroom_engine.games.protocol import Game, OptionValue, Seat, State
from boxroom_engine.phrases import Phrase

AnyStateT = TypeVar("AnyStateT", bound=State)


class GameBase:
    """The part of a `Game` that follows from its kind and its other properties."""

    __slots__ = ()

    @property
    def options(self: Game) -> Mapping[str, OptionValue]:
        """The attributes with the names of the options."""
        return {option.name: getattr(self, option.name) for option in self.kind.options}

    @property
    def work(self: Game) -> int:
        """The number of moves: no move has more to look at."""
        return self.longest

    @property
    def rules(self: Game) -> Phrase:
        """The rules of the kind, which are the same for all options."""
        return self.kind.rules

    _repr_svg_ = picture_of_game


class StateBase:
    """The part of a `State` that follows from its seat to move and its outcome."""

    __slots__ = ()

    @property
    def key(self) -> Hashable:
        """The position itself."""
        return self

    @property
    def taken(self) -> tuple[int, ...]:
        """Always empty: moves win nothing but the game."""
        return ()

    @property
    def movable(self) -> tuple[int, ...]:
        """Always empty: moves don't begin at a thing."""
        return ()

    @property
    def is_over(self: State) -> bool:
        """Whether no seat is to move."""
        return self.to_move is None

    def with_to_move(self: AnyStateT, seat: Seat) -> AnyStateT:
        """Return the position with `seat` to move.

        Raises:
            GameIsOver: no seat can move any more.
            IllegalMove: there is no such seat, or it has withdrawn.
        """
        turn_order.check_can_move(seat, self.game.seats, self.to_move, self.withdrawn)
        changed: AnyStateT = _replace(self)(self, to_move=seat)
        return changed

    def evaluate(self: State, seat: Seat) -> float:
        """Return 1 for a win, -1 for a loss, else 0."""
        outcome = self.outcome
        if outcome is None or not outcome.winners:
            return 0.0
        return 1.0 if seat in outcome.winners else -1.0

    _repr_svg_ = picture_of_state


class EqualByIdentity(StateBase):
    """The part of a `State` that is equal to others with the same `identity`."""

    __slots__ = ()

    @property
    def identity(self) -> Hashable:
        """All that later play depends on: by default the key."""
        return self.key

    def __eq__(self, other: object) -> bool:
        return self.identity == other.identity if isinstance(other, type(self)) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct without `eq` brings its own, which asks for identity

    def __hash__(self) -> int:
        return hash(self.identity)


def _replace(state: object) -> Any:
    """Return the function that changes attributes of a position, of whatever class it is."""
    return replace if is_dataclass(state) else msgspec.structs.replace
