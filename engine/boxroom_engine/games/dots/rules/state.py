"""The rules of Dots and Boxes: the game, its positions and moves.

Playing a move changes one or two integers and looks at the one or two boxes beside the edge;
it never looks at the rest of the board. The last edge always completes a box, so the end by
a full board is only looked for after one.
"""

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import NoReturn, Self

import msgspec

from boxroom_engine.games import turn_order
from boxroom_engine.games.base import GameBase, StateBase
from boxroom_engine.games.dots.rules import drawing, geometry, notation
from boxroom_engine.games.dots.rules.grid import Border, Grid, grid_of, select
from boxroom_engine.games.dots.rules.symmetry import symmetry_of
from boxroom_engine.games.drawing import Drawing, Look
from boxroom_engine.games.errors import GameIsOver, IllegalMove, MoveOutOfRange, OptionError
from boxroom_engine.games.geometry import Geometry
from boxroom_engine.games.protocol import (
    Game,
    GameKind,
    Move,
    Option,
    OptionValue,
    Outcome,
    Seat,
    State,
)
from boxroom_engine.phrases import Phrase, phrase

MOST_BOXES = 10_000
"""The largest board: its tables (see `Grid`) take 60 MB, and grow with the square of this."""

MOST_BOXES_SMALL = 16
"""A board with at most so many boxes is small: up to 4×4."""

MOST_BOXES_MEDIUM = 36
"""With at most so many it is medium: up to 6×6."""

FEWEST_SEATS = 1
"""A single player draws all lines, and takes all boxes."""


class AlreadyDrawn(IllegalMove):
    """The edge was drawn before, by a player or by the border."""

    code = "already_drawn"


class Dots(
    GameBase, msgspec.Struct, frozen=True, dict=True
):  # dict: the cached properties live there
    """Dots and Boxes on `rows × cols` boxes for `seats` players.

    Raises:
        OptionError: the board is too small or too large or has no free edge, or
            there is no seat.
    """

    rows: int
    cols: int
    border: Border
    seats: int

    def __post_init__(self) -> None:
        board = f"{self.rows}×{self.cols}"
        if self.rows < 1 or self.cols < 1:
            raise OptionError(phrase("option.dots.small", board=board))
        if self.rows * self.cols > MOST_BOXES:
            raise OptionError(
                phrase("option.dots.large", n=MOST_BOXES, board=board, boxes=self.rows * self.cols)
            )
        if self.rows * self.cols == 1 and self.border is Border.FULL:
            raise OptionError(phrase("option.dots.border"))
        if self.seats < FEWEST_SEATS:
            raise OptionError(
                phrase(
                    "option.few_seats", game=phrase("title.dots"), n=FEWEST_SEATS, seats=self.seats
                )
            )

    @property
    def kind(self) -> GameKind:
        return KIND

    @property
    def options(self) -> Mapping[str, OptionValue]:
        return {"rows": self.rows, "cols": self.cols, "border": self.border.value}

    @cached_property
    def grid(self) -> Grid:
        """The board's numbering and tables."""
        return grid_of(self.rows, self.cols, self.border)

    @property
    def longest(self) -> int:
        """The number of moves in every game played to the end: one for each free edge.

        Counted without the grid, so that a board which is too large costs nothing to refuse.
        """
        sides = {Border.NONE: 0, Border.HALF: 1, Border.FULL: 2}[self.border]
        return self.work - sides * (self.rows + self.cols)

    @property
    def work(self) -> int:
        """The number of edges, those of the border as well."""
        return 2 * self.rows * self.cols + self.rows + self.cols

    @property
    def rules(self) -> Phrase:
        """The rules for this number of players."""
        return phrase("game_rules.dots.several" if self.seats > 1 else "game_rules.dots.alone")

    @property
    def how_to_move(self) -> Phrase:
        """Instructions for entering a move, for new players."""
        return notation.how_to_move(self.grid)

    def geometry(self) -> Geometry:
        return geometry.geometry_of(self.grid)

    def initial(self) -> "Position":
        nothing = (0,) * self.seats
        return Position.of(self, self.grid.start, nothing, nothing, Seat(0))

    def looks_like_move(self, text: str) -> bool:
        return notation.looks_like_move(text)

    def parse_move(self, text: str) -> Move:
        move = self.grid.by_name.get(text)
        return notation.parse_move(self.grid, text) if move is None else move

    def format_move(self, move: Move) -> str:
        return self.grid.names[move]

    def parse_position(self, text: str) -> "Position":
        edges, boxes_of, to_move, withdrawn = notation.parse_position(self.grid, self.seats, text)
        return Position.of(self, edges, boxes_of, (0,) * self.seats, to_move, withdrawn=withdrawn)

    def format_position(self, state: State) -> str:
        assert isinstance(state, Position)
        assert state.game == self
        fields = notation.PositionFields(
            state.edges, state.boxes_of, state.to_move, state.withdrawn
        )
        return notation.format_position(self.grid, fields)


# eq: written out below, because three fields are for the eye only. gc: positions can't be part
# of a reference cycle, and a search makes millions that the collector needn't look at.
class Position(StateBase, msgspec.Struct, frozen=True, eq=False, gc=False):
    """One position. Sets of edges and of boxes are integers, see `grid`.

    It is made by `Dots.initial`, `Dots.parse_position`, `play` and `withdraw`; nothing checks
    one that is made by hand, for which there is `of`.
    """

    game: Dots
    edges: int
    """The edges drawn, the border's among them."""
    boxes_of: tuple[int, ...]
    """For each seat the boxes that it owns."""
    drawn_by: tuple[int, ...]
    """For each seat the edges that it drew, as far as known. For display only."""
    to_move: Seat | None
    """The seat to move, or None when the game is over."""
    ply: int
    """How many edges players drew and how many seats withdrew."""
    scores: tuple[int, ...]
    """Boxes so far, one number a seat. It follows from `boxes_of`; to count takes longer."""
    withdrawn: frozenset[Seat] = frozenset()
    """The seats that gave up."""
    last: Move | None = None
    """The last edge drawn, if known. For display only."""
    taken: tuple[int, ...] = ()
    """The boxes that the last edge completed. For display only."""

    @classmethod
    def of(
        cls,
        game: Dots,
        edges: int,
        boxes_of: tuple[int, ...],
        drawn_by: tuple[int, ...],
        to_move: Seat | None,
        *,
        withdrawn: frozenset[Seat] = frozenset(),
    ) -> Self:
        """The position with these values; ply and scores follow from them."""
        ply = edges.bit_count() - game.grid.start.bit_count() + len(withdrawn)
        scores = tuple(map(int.bit_count, boxes_of))
        return cls(game, edges, boxes_of, drawn_by, to_move, ply, scores, withdrawn)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.edges == other.edges
            and self.to_move == other.to_move
            and self.boxes_of == other.boxes_of
            and self.withdrawn == other.withdrawn
            and self.game == other.game
        )

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct without `eq` brings its own, which asks for identity

    def __hash__(self) -> int:
        return hash((self.edges, self.to_move, self.boxes_of, self.withdrawn))

    @property
    def key(self) -> Hashable:
        """The undrawn edges, for all the same that turning makes the same, and the scores.

        Who owns which box makes no difference, only how many.
        """
        undrawn = self.game.grid.all_drawn & ~self.edges
        same = symmetry_of(self.game.grid).canonical(undrawn)
        return same, self.scores, self.to_move, self.withdrawn

    @property
    def outcome(self) -> Outcome | None:
        """The seats with the most boxes among those that stayed, or None before the end.

        Only a single player who gave up leaves no seat that stayed, and so no winner.
        """
        if self.to_move is not None:
            return None
        scores = self.scores
        stayed = [seat for seat in self._seats() if seat not in self.withdrawn]
        most = max((scores[seat] for seat in stayed), default=0)
        return Outcome(scores, tuple(seat for seat in stayed if scores[seat] == most))

    def legal_moves(self) -> tuple[Move, ...]:
        if self.to_move is None:
            return ()
        grid = self.game.grid
        return select(grid.moves, grid.all_drawn & ~self.edges)

    def play(self, move: Move) -> "Position":
        """The position after `move`: who completes one or two boxes owns them and moves again."""
        game, seat = self.game, self.to_move
        grid = game.grid
        if seat is None or not 0 <= move < grid.edges:
            self._refuse(move)
        bit = grid.bits[move]
        if self.edges & bit:
            self._refuse(move)
        edges = self.edges | bit
        drawn_by = _add(self.drawn_by, seat, bit)
        won = 0
        taken: tuple[int, ...] = ()
        for box, sides in grid.boxes_beside[move]:
            if edges & sides == sides:
                won |= 1 << box
                taken = (*taken, box)
        boxes_of, ply, scores, out = self.boxes_of, self.ply + 1, self.scores, self.withdrawn
        if not won:
            after = turn_order.seat_after(seat, game.seats, out)
            return Position(game, edges, boxes_of, drawn_by, after, ply, scores, out, move)
        again = None if edges == grid.all_drawn else seat
        boxes_of = _add(boxes_of, seat, won)
        scores = (*scores[:seat], scores[seat] + len(taken), *scores[seat + 1 :])
        return Position(game, edges, boxes_of, drawn_by, again, ply, scores, out, move, taken)

    def withdraw(self, seat: Seat) -> "Position":
        """The position without `seat`, which keeps its boxes; the turn passes on if it was its."""
        withdrawn, to_move = turn_order.withdraw(
            seat, self.game.seats, self.to_move, self.withdrawn
        )
        return msgspec.structs.replace(self, withdrawn=withdrawn, to_move=to_move, ply=self.ply + 1)

    def evaluate(self, seat: Seat) -> float:
        """The boxes of `seat` with an equal share of those to come; of two in play, its lead."""
        scores, in_play = self.scores, set(self._seats()) - self.withdrawn
        if len(in_play) == 2:
            return float(scores[seat] - max(scores[rival] for rival in in_play - {seat}))
        to_come = 0 if self.is_over else self.game.grid.boxes - sum(scores)
        return scores[seat] + to_come / max(len(in_play), 1)

    def draw(self, look: Look) -> Drawing:
        return drawing.draw(self.game.grid, self, look)

    def _seats(self) -> tuple[Seat, ...]:
        return tuple(map(Seat, range(self.game.seats)))

    def _refuse(self, move: Move) -> NoReturn:
        """Raise the error for a `move` that can't be played; kept out of `play` for speed."""
        grid = self.game.grid
        if self.to_move is None:
            raise GameIsOver(phrase("move.over"))
        if not 0 <= move < grid.edges:
            raise MoveOutOfRange(
                phrase(
                    "move.dots.number",
                    move=move,
                    board=f"{grid.rows}×{grid.cols}",
                    last=grid.edges - 1,
                )
            )
        free = grid.names[self._free_edge_like(move)]
        raise AlreadyDrawn(phrase("move.dots.drawn", move=grid.names[move], free=free))

    def _free_edge_like(self, move: Move) -> Move:
        """A free edge to offer instead of `move`: of its direction if any, near in number."""
        horizontals = self.game.grid.horizontals
        return min(
            self.legal_moves(),
            key=lambda free: ((free < horizontals) != (move < horizontals), abs(free - move)),
        )


def _add(sets: tuple[int, ...], seat: Seat, members: int) -> tuple[int, ...]:
    """`sets` with `members` added to the one of `seat`."""
    added = list(sets)
    added[seat] |= members
    return tuple(added)


def _build(options: Mapping[str, OptionValue], seats: int) -> Dots:
    border = Border(str(options["border"]))
    return Dots(int(options["rows"]), int(options["cols"]), border, seats)


def _size(game: Game) -> str:
    assert isinstance(game, Dots)
    boxes = game.grid.rows * game.grid.cols
    if boxes <= MOST_BOXES_SMALL:
        return "small"
    return "medium" if boxes <= MOST_BOXES_MEDIUM else "large"


KIND = GameKind(
    name="dots",
    options=(
        Option("game.dots.rows", default=5, least=1, most=1000),
        Option("game.dots.cols", default=5, least=1, most=1000),
        Option(
            "game.dots.border",
            default=Border.NONE.value,
            choices=tuple(border.value for border in Border),
        ),
    ),
    fewest_seats=FEWEST_SEATS,
    most_seats=None,
    build=_build,
    prize=("box", "boxes"),
    reviewed_seats=(2,),
    uses_kernel=True,
    size=_size,
    abilities_module="boxroom_engine.games.dots.abilities",
)
"""Dots and Boxes in the registry. Every option is bounded, and `Dots` bounds their product."""
