"""Rules of draughts: the game, its positions and its outcome.

A player without a move has lost. The game is a draw when a position occurs for the third time with
the same player to move, after some moves without progress (`rules`), and after `MOST_PLIES`.

A position as text is the squares in order, each `.`, the seat whose man stands there, or `A` or
`B` for a king of seat 0 or 1; the ply; the plies that an ending with few pieces may still last, or
`-`; the earlier positions since the last capture or move of a man, or `-`; the seat whose turn it
is, also after the end; the seat to move and the seats withdrawn. An earlier position has the seat
whose turn it was, and the squares of the kings: `0:5,9:30`; `;` stands between two::

    A...............B./57/10/0:6:17;1:1:17/0/0/-
"""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from boxroom_engine.games import turn_order
from boxroom_engine.games.base import GameBase, StateBase
from boxroom_engine.games.draughts import drawing, evaluation, geometry, notation
from boxroom_engine.games.draughts.board import SIZES, Board, Squares, board_of
from boxroom_engine.games.draughts.moves import Step, captured_along, moves_of
from boxroom_engine.games.draughts.pieces import Pieces, at_start
from boxroom_engine.games.draughts.rules import MOST_PLIES, RULE_SETS, RuleSet
from boxroom_engine.games.draughts.text import (
    Earlier,
    format_earlier,
    format_pieces,
    parse_earlier,
    parse_number,
    parse_pieces,
)
from boxroom_engine.games.drawing import Drawing, Look
from boxroom_engine.games.errors import AmbiguousMove, FormatError, GameIsOver, IllegalMove
from boxroom_engine.games.geometry import Geometry
from boxroom_engine.games.notation import (
    check_to_move,
    format_to_move,
    format_withdrawn,
    parse_seat,
    parse_to_move,
    parse_withdrawn,
)
from boxroom_engine.games.protocol import (
    GameKind,
    Move,
    Option,
    OptionValue,
    Outcome,
    Seat,
    State,
)
from boxroom_engine.phrases import Phrase, phrase

SEATS = 2

_RULES = Option("game.draughts.rules", default="english", choices=tuple(RULE_SETS))
_SIZE = Option("game.draughts.size", default="usual", choices=("usual", *map(str, SIZES)))

_MOST_NAMED = 8
"""Moves that a refusal names: a king can have hundreds."""

_WORK_OF_FLYING_KINGS = {12: 55_000}
"""Most pairs that were found of a square that a king can come to and the pieces captured till then.

On smaller boards they are some thousand; see ADR 28.
"""

_OCCURRENCES = 3
"""A position that occurs so often is a draw."""


@dataclass(frozen=True, slots=True)
class Draughts(GameBase):
    """Draughts by one of the `RULE_SETS`."""

    rule_set: str
    size: str
    """The number of rows, or `usual`."""

    @property
    def kind(self) -> GameKind:
        return KIND

    @property
    def seats(self) -> int:
        return SEATS

    @property
    def options(self) -> Mapping[str, OptionValue]:
        return {_RULES.name: self.rule_set, _SIZE.name: self.size}

    @property
    def board(self) -> Board:
        return board_of(self.differences.usual_size if self.size == "usual" else int(self.size))

    @property
    def differences(self) -> RuleSet:
        return RULE_SETS[self.rule_set]

    @property
    def longest(self) -> int:
        """The number of moves after which any game is a draw."""
        return MOST_PLIES

    @property
    def work(self) -> int:
        """The number of moves of the longest game, or more where one capture takes more work."""
        if not self.differences.kings_fly:
            return self.longest
        return max(self.longest, _WORK_OF_FLYING_KINGS.get(self.board.size, 0))

    @property
    def rules(self) -> Phrase:
        """The rules of this set."""
        return phrase(f"game_rules.draughts.{self.rule_set}")

    @property
    def how_to_move(self) -> Phrase:
        """Sentences that tell a new player how to enter a move."""
        first = self.initial().legal_moves()[0]
        return phrase("how_to_move.draughts", move=self.format_move(first))

    def crowning(self, seat: int) -> Squares:
        """Return the row on which the men of a seat become kings."""
        return self.board.rows[-1 if self.differences.moves_down(Seat(seat)) else 0]

    def geometry(self) -> Geometry:
        return geometry.geometry_of(self.board, self.initial().pieces, self.crowning)

    def initial(self) -> "Position":
        return Position(self, at_start(self.board, self.differences), Seat(0))

    def position(self, pieces: Pieces, turn: Seat) -> "Position":
        """Return a position as if a game began there.

        Raises:
            FormatError: no game can have these pieces.
        """
        state = Position(self, pieces, turn, ending=pieces.ending_plies(self.differences))
        _check(state)
        return state

    def looks_like_move(self, text: str) -> bool:
        """Whether `text` is or might be meant as a move: squares with `-` or `x` between them."""
        return notation.looks_like_move(text)

    def parse_move(self, text: str) -> Move:
        name = notation.parse_name(text, self.board, self.differences)
        return notation.encode(name, self.board)

    def format_move(self, move: Move) -> str:
        return str(notation.decode(move, self.board, self.differences))

    def parse_position(self, text: str) -> "Position":
        parts = text.split("/")
        if len(parts) != 7:
            raise FormatError(
                "a position has 7 parts, squares/ply/rest of an ending/earlier positions/turn"
                f"/to move/withdrawn, not {len(parts)}"
            )
        state = Position(
            self,
            parse_pieces(parts[0], self.board),
            parse_seat(parts[4], SEATS),
            parse_number(parts[1], MOST_PLIES),
            None if parts[2] == "-" else parse_number(parts[2], MOST_PLIES),
            parse_earlier(parts[3], self.board),
            parse_withdrawn(parts[6], SEATS),
        )
        _check(state)
        to_move = parse_to_move(parts[5], SEATS)
        check_to_move(to_move, state.withdrawn, is_over=state.is_over)
        if to_move not in (None, state.turn):
            raise FormatError(f"it is the turn of seat {state.turn}, not of {to_move}")
        return state

    def format_position(self, state: State) -> str:
        assert isinstance(state, Position)
        assert state.game == self
        return "/".join(
            (
                format_pieces(state.pieces, self.board),
                str(state.ply),
                "-" if state.ending is None else str(state.ending),
                format_earlier(state.earlier, self.board),
                str(state.turn),
                format_to_move(state.to_move),
                format_withdrawn(state.withdrawn),
            )
        )


@dataclass(frozen=True, slots=True)
class Position(StateBase):
    """One position, made by `Draughts.initial` and `parse_position`, `play` and `withdraw`."""

    game: Draughts
    pieces: Pieces
    turn: Seat
    """The seat whose turn it is, or would be if the game weren't over."""
    ply: int = 0
    ending: int | None = None
    """Number of plies that an ending with few pieces may still last; None: it isn't one."""
    earlier: tuple[Earlier, ...] = field(default=(), hash=False)
    """The positions since the last capture or move of a man, without this one, in sorted order."""
    withdrawn: frozenset[Seat] = frozenset()
    """The seat that withdrew, if any."""
    last: Step | None = field(default=None, compare=False)
    """The last move, if known; only drawings use it, so equal positions can differ."""
    taken: tuple[int, ...] = field(default=(), compare=False)
    """Numbers, from 0, of the squares on which the last move captured."""
    _steps: dict[Move, Step] | None = field(default=None, init=False, compare=False, repr=False)
    """The value of `steps`, once it was asked for."""

    @property
    def key(self) -> Hashable:
        """The position itself: whether it is a draw depends on the earlier ones too."""
        return self

    @property
    def steps(self) -> dict[Move, Step]:
        """The moves of the seat whose turn it is, by their shortest names, even in a draw."""
        if self._steps is None:
            board, rules = self.game.board, self.game.differences
            steps = moves_of(board, rules, self.pieces.side(self.turn, rules))
            object.__setattr__(self, "_steps", notation.named(steps, board))
        assert self._steps is not None
        return self._steps

    @property
    def movable(self) -> tuple[int, ...]:
        """The squares of the pieces that can move, square 1 as the thing 0; ascending."""
        starts = {self.steps[move].path[0] for move in self.legal_moves()}
        return tuple(sorted(self.game.board.number[start] - 1 for start in starts))

    @property
    def to_move(self) -> Seat | None:
        return None if self.is_over else self.turn

    @property
    def scores(self) -> tuple[int, ...]:
        """Number of pieces that each seat has captured."""
        start = at_start(self.game.board, self.game.differences)
        return tuple(
            start.of(other).bit_count() - self.pieces.of(other).bit_count() for other in (1, 0)
        )

    @property
    def is_over(self) -> bool:
        return bool(self.withdrawn) or not self.steps or self._is_drawn

    @property
    def _is_drawn(self) -> bool:
        return (
            len(self.earlier) >= self.game.differences.plies_without_progress
            or self.ending == 0
            or self.ply >= MOST_PLIES
            or self.earlier.count(self.now) >= _OCCURRENCES - 1
        )

    @property
    def now(self) -> Earlier:
        """This position as one of the earlier ones of those that follow."""
        return Earlier(self.turn, self.pieces.kings)

    @property
    def outcome(self) -> Outcome | None:
        """A seat without a move has lost, and so has one that withdrew; else it is a draw."""
        if not self.is_over:
            return None
        if self.withdrawn:
            winners = tuple(Seat(seat) for seat in range(SEATS) if seat not in self.withdrawn)
        else:
            winners = () if self.steps else (Seat(1 - self.turn),)
        return Outcome(self.scores, winners)

    def legal_moves(self) -> tuple[Move, ...]:
        return () if self.is_over else tuple(self.steps)

    def play(self, move: Move) -> "Position":
        """Return the position after `move`, by any name of it."""
        if self.is_over:
            raise GameIsOver(phrase("move.over"))
        return self._after(self.steps.get(move) or self._step_named(move))

    def _step_named(self, move: Move) -> Step:
        """Return the legal move of which `move` isn't the shortest name."""
        name = notation.decode(move, self.game.board, self.game.differences)
        texts = {self.game.format_move(each): step for each, step in self.steps.items()}
        fitting = {text: step for text, step in texts.items() if self._has_name(step, name)}
        if len(fitting) > 1:
            raise AmbiguousMove(
                phrase("move.draughts.ambiguous", move=str(name), moves=_some(fitting))
            )
        if not fitting:
            raise IllegalMove(self._why_illegal(name))
        return next(iter(fitting.values()))

    def _has_name(self, step: Step, name: notation.Name) -> bool:
        """Whether a legal move has the name: by its ends, or by a path on which it is possible."""
        bits, rules = self.game.board.bits, self.game.differences
        path = tuple(bits[square - 1] for square in name.squares)
        if (path[0], path[-1]) != (step.path[0], step.path[-1]):
            return False
        if name.is_capture != bool(step.captured):
            return False
        if len(path) == 2:
            return True
        side = self.pieces.side(self.turn, rules)
        return captured_along(self.game.board, rules, side, path) == step.captured

    def _why_illegal(self, name: notation.Name) -> Phrase:
        """Return why no legal move has `name`, with what could be played instead."""
        start = self.game.board.bits[name.squares[0] - 1]
        texts = {self.game.format_move(move): step for move, step in self.steps.items()}
        if not start & self.pieces.of(self.turn):
            return phrase("move.draughts.no_piece", square=name.squares[0])
        if any(step.captured for step in texts.values()):
            if self.game.differences.takes_most:
                return phrase("move.draughts.capture_most", move=str(name), moves=_some(texts))
            return phrase("move.draughts.capture", move=str(name), moves=_some(texts))
        square, moved = name.squares[0], str(name)
        own = [text for text, step in texts.items() if step.path[0] == start]
        if not own:
            return phrase("move.draughts.stuck", square=square, move=moved)
        return phrase("move.draughts.piece", square=square, move=moved, moves=_some(own))

    def _after(self, step: Step) -> "Position":
        board, seat = self.game.board, self.turn
        pieces = self.pieces.after(step, seat, self.game.crowning(seat))
        has_progress = bool(step.captured or step.path[0] & self.pieces.men[seat])
        return Position(
            self.game,
            pieces,
            Seat(1 - seat),
            self.ply + 1,
            self._ending_with(pieces),
            () if has_progress else tuple(sorted((*self.earlier, self.now))),
            last=step,
            taken=tuple(number - 1 for number in board.numbers(step.captured)),
        )

    def _ending_with(self, pieces: Pieces) -> int | None:
        """Return how many plies the ending may still last after a move to `pieces`.

        Its limit counts from the move that led to it. Fewer pieces make it shorter, never longer.
        """
        most = pieces.ending_plies(self.game.differences)
        if most is None or self.ending is None:
            return most
        return min(most, self.ending - 1)

    def withdraw(self, seat: Seat) -> "Position":
        withdrawn, _ = turn_order.withdraw(seat, SEATS, self.to_move, self.withdrawn)
        return replace(self, ply=self.ply + 1, withdrawn=withdrawn, taken=())

    def with_to_move(self, seat: Seat) -> "Position":
        turn_order.check_can_move(seat, SEATS, self.to_move, self.withdrawn)
        after = replace(self, turn=seat)
        if after.is_over:
            raise IllegalMove(phrase("move.draughts.over_at_turn", seat=seat))
        return after

    def evaluate(self, seat: Seat) -> float:
        """Return 1 for a win, 0 for a draw, -1 for a loss; earlier, the mean to be expected."""
        if not self.is_over:
            return evaluation.expected(self, seat)
        return super(Position, self).evaluate(seat)

    def starts_at_top(self, seat: Seat) -> bool:
        """Whether the men of `seat` start at the top, and move down."""
        return self.game.differences.moves_down(seat)

    def draw(self, look: Look) -> Drawing:
        return drawing.draw(self.game.board, self, look)


def _check(state: Position) -> None:
    """Check that a position that was read doesn't contradict itself.

    Raises:
        FormatError: it does.
    """
    start, pieces = at_start(state.game.board, state.game.differences), state.pieces
    for seat in range(SEATS):
        if pieces.of(seat).bit_count() > start.of(seat).bit_count():
            raise FormatError(f"a player has at most {start.of(seat).bit_count()} pieces")
        if pieces.men[seat] & state.game.crowning(seat):
            raise FormatError(f"the men of seat {seat} are kings on the last row")
    most = pieces.ending_plies(state.game.differences)
    if (state.ending is None) != (most is None) or (state.ending or 0) > (most or 0):
        limit = "no limit" if most is None else f"a limit of {most} plies"
        raise FormatError(f"an ending with these pieces has {limit}")
    _check_earlier(state)


def _check_earlier(state: Position) -> None:
    pieces, rules = state.pieces, state.game.differences
    for earlier in state.earlier:
        for own, kings in zip(pieces.kings, earlier.kings, strict=True):
            if own.bit_count() != kings.bit_count() or kings & (pieces.men[0] | pieces.men[1]):
                raise FormatError("in earlier positions only the kings stand elsewhere")
        if earlier.kings[0] & earlier.kings[1]:
            raise FormatError("in an earlier position two kings stand on one square")
    if len(state.earlier) > min(rules.plies_without_progress, state.ply):
        raise FormatError("there are more earlier positions than moves or than a game can have")
    if max(Counter(state.earlier).values(), default=0) >= _OCCURRENCES:
        raise FormatError(f"a position that occurs {_OCCURRENCES} times ends the game")


def _some(names: Collection[str]) -> Phrase:
    """Return a choice of moves, of which a refusal names a few at most."""
    more = len(names) - _MOST_NAMED
    first = list(islice(names, _MOST_NAMED))
    if more > 0:
        return phrase("move.or_more", moves=", ".join(first), more=more)
    return phrase("move.one_of", moves=first)


def _build(options: Mapping[str, OptionValue], seats: int) -> Draughts:
    return Draughts(str(options[_RULES.name]), str(options[_SIZE.name]))


def _must_capture(state: State) -> bool:
    assert isinstance(state, Position)
    return any(step.captured for step in state.steps.values())


KIND = GameKind(
    name="draughts",
    options=(_RULES, _SIZE),
    fewest_seats=SEATS,
    most_seats=SEATS,
    build=_build,
    only_the_win_counts=True,
    prize=("piece", "pieces"),
    is_unsettled=_must_capture,
)
"""Draughts in the registry."""
