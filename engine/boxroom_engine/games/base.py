"""Bases of games and positions: all that follows from the rest of the protocol.

A game inherits them, and defines itself what it does otherwise, or faster. They have no attributes,
so that the classes of games choose how theirs are stored.
"""

from collections.abc import Hashable, Mapping

from boxroom_engine.games.picture import picture_of_game, picture_of_state
from boxroom_engine.games.protocol import Game, OptionValue, Seat, State


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
    def rules(self: Game) -> str:
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
    def is_over(self: State) -> bool:
        """Whether no seat is to move."""
        return self.to_move is None

    def evaluate(self: State, seat: Seat) -> float:
        """Return 1 for a win, -1 for a loss, else 0."""
        outcome = self.outcome
        if outcome is None or not outcome.winners:
            return 0.0
        return 1.0 if seat in outcome.winners else -1.0

    _repr_svg_ = picture_of_state


class EqualByKey(StateBase):
    """The part of a `State` whose key says all that later play depends on."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, type(self)) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct without `eq` brings its own, which asks for identity

    def __hash__(self) -> int:
        return hash(self.key)
