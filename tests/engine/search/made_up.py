"""Games that are nothing but a tree of positions, any tree that Hypothesis thinks of.

Nobody could play them, but to a search they are games like any other, and nastier: the same seat
may be to move several times, and what one wins needn't be what another loses.
"""

from dataclasses import dataclass
from typing import NoReturn, cast

from hypothesis import strategies as st

from boxroom_engine.games.drawing import Drawing, Look
from boxroom_engine.games.protocol import Game, Move, Outcome, Seat


@dataclass(frozen=True)
class Table:
    """As much of a game as a search asks about."""

    seats: int


@dataclass(frozen=True)
class Tree:
    """A position: who is to move and what moves lead to, or how it ended."""

    seats: int
    to_move: Seat | None
    after: tuple["Tree", ...] = ()
    ends: tuple[int, ...] = ()
    """For each seat its score, at the end."""
    guess: int = 0
    """What `evaluate` says of seat 0, and the opposite of all others, before the end."""

    @property
    def game(self) -> Game:
        return cast("Game", Table(self.seats))

    @property
    def key(self) -> "Tree":
        return self

    @property
    def is_over(self) -> bool:
        return self.to_move is None

    @property
    def outcome(self) -> Outcome | None:
        if self.to_move is not None:
            return None
        winners = tuple(Seat(s) for s in range(self.seats) if self.ends[s] == max(self.ends))
        return Outcome(self.ends, winners)

    def legal_moves(self) -> tuple[Move, ...]:
        return tuple(map(Move, range(len(self.after))))

    def play(self, move: Move) -> "Tree":
        return self.after[move]

    def evaluate(self, seat: Seat) -> float:
        if self.to_move is None:
            return float(self.ends[seat])
        return float(self.guess if seat == 0 else -self.guess)

    # What no search asks for.
    ply = 0
    scores = taken = ()
    withdrawn: frozenset[Seat] = frozenset()

    def withdraw(self, seat: Seat) -> NoReturn:
        raise NotImplementedError

    def with_to_move(self, seat: Seat) -> NoReturn:
        raise NotImplementedError

    def draw(self, look: Look) -> Drawing:
        raise NotImplementedError

    def _repr_svg_(self) -> str:
        raise NotImplementedError


def end(*scores: int) -> Tree:
    """A game that is over."""
    return Tree(len(scores), None, ends=scores)


def turn(seat: int, *after: Tree, guess: int = 0) -> Tree:
    """A position in which `seat` may go on to those."""
    return Tree(after[0].seats, Seat(seat), after, guess=guess)


def trees(seats: int) -> st.SearchStrategy[Tree]:
    """Positions of games for so many; for two, what one wins the other loses."""
    score = st.integers(-3, 3)
    if seats == 2:
        ends = score.map(lambda own: end(own, -own))
    else:
        ends = st.tuples(*[score] * seats).map(lambda scores: end(*scores))

    def turns(positions: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        seat, after = st.integers(0, seats - 1), st.lists(positions, min_size=1, max_size=4)
        return st.tuples(seat, after, score).map(lambda t: turn(t[0], *t[1], guess=t[2]))

    return turns(st.recursive(ends, turns, max_leaves=25))
