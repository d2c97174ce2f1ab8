"""The board's pane with its cursor; the board is drawn again only when it has changed."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from boxroom_client.screen.board.cursor import (
    Cell,
    Cursor,
    Direction,
    MoveCells,
    cursor_on,
    cycle,
    move_cells,
    nearest,
    step,
)
from boxroom_client.screen.board.viewport import (
    Viewport,
    board_rows,
    changes,
    choose_drawing,
    move_at,
    scrolled_to,
)
from boxroom_client.screen.text.rows import Row
from boxroom_client.shell.output.painting import look_for
from boxroom_engine.games.drawing import Drawing, Size
from boxroom_engine.games.protocol import Move, Seat, State


@dataclass(frozen=True, slots=True)
class BoardLook:
    """The look of a board in a pane of a given size."""

    numbers: tuple[int, ...]
    """The glyph number of each seat."""
    columns: int
    lines: int
    size: Size | None
    ascii_only: bool
    names: bool
    side: Seat
    """The seat that looks at the board."""


class BoardPane:
    """The visible part of a board, and the cursor, if there is one."""

    def __init__(self) -> None:
        self._state: State | None = None  # the position that is drawn
        self._since: State | None = None  # the position after which moves are marked
        # Cache of `_drawn_before`.
        self._before: tuple[State, BoardLook, Drawing] | None = None
        self._look: BoardLook | None = None  # of the drawing; None before the first
        self._drawing = Drawing(())  # of `_state` with `_look`
        self._cells: MoveCells = move_cells(self._drawing)  # for the cursor
        self._recent: frozenset[tuple[int, int]] = frozenset()  # cells of what is marked
        self._viewport = Viewport(0, 0, 0, 0)  # the visible part of `_drawing`
        self._cursor: Cursor | None = None  # None until a key or a click puts one
        # Cache of `size_of`.
        self._sizes: dict[tuple[object, ...], tuple[int, int]] = {}

    def show(self, state: State, look: BoardLook, since: State | None = None) -> None:
        """Show `state` with `look`, and mark what was played after the position `since`."""
        if state is self._state and look == self._look and since is self._since:
            return
        self._since = since
        drawing = _drawn(state, look)
        is_another_game = self._state is None or state.game != self._state.game
        is_another_look = look != self._look
        self._state, self._look, self._drawing = state, look, drawing
        self._cells = move_cells(drawing)
        self._recent = frozenset()
        if since is not None:
            self._recent = changes(drawing, self._drawn_before(since, look))
        viewport = replace(self._viewport, columns=look.columns, lines=look.lines)
        if is_another_game:
            self._cursor = None
            viewport = Viewport(0, 0, look.columns, look.lines)
        # A move doesn't scroll the board; another size has to.
        self._viewport = scrolled_to(drawing, viewport, self.move if is_another_look else None)

    def size_of(self, state: State, size: Size, ascii_only: bool, names: bool) -> tuple[int, int]:
        """Return the width and height of the board in that size; moves don't change them."""
        key = (state.game, size, ascii_only, names)
        if key not in self._sizes:
            game = state.game
            look = look_for(game.kind, (0,) * game.seats, ascii_only=ascii_only, names=names)
            drawing = game.initial().draw(replace(look, size=size))
            self._sizes[key] = drawing.width, drawing.height
        return self._sizes[key]

    @property
    def move(self) -> Move | None:
        """The open move that the cursor is on."""
        if self._cursor is None or self._cursor.move not in self._cells.by_move:
            return None
        return self._cursor.move

    @property
    def is_empty(self) -> bool:
        """Whether no position has been shown yet."""
        return self._state is None

    @property
    def has_cursor(self) -> bool:
        """Whether the cursor was put on a move of this game, also one that was played since."""
        return self._cursor is not None

    def rows(self, *, is_fresh_bright: bool, marked: Collection[Move] = ()) -> list[Row]:
        """Return the pane as rows; `marked` are open moves, such as one that waits for its turn."""
        assert self._look is not None
        return board_rows(
            self._drawing,
            self._viewport,
            numbers=self._look.numbers,
            recent=self._recent,
            cursor=self.move,
            marked=marked,
            is_fresh_bright=is_fresh_bright,
            ascii_only=self._look.ascii_only,
        )

    def move_at(self, x: int, y: int) -> Move | None:
        """Return the move under that cell of the pane, if any."""
        return move_at(self._drawing, self._viewport, x, y)

    def put_cursor(self, move: Move) -> None:
        """Put the cursor on an open move."""
        self._move_to(cursor_on(self._cells, move))

    def step(self, direction: Direction) -> None:
        """Move the cursor to the next move in `direction`."""
        self._move_to(step(self._cells, self._cursor, direction))

    def cycle(self, by: int) -> None:
        """Move the cursor by that many moves in reading order."""
        self._move_to(cycle(self._cells, self._cursor, by))

    def scroll(self, columns: int, lines: int) -> None:
        """Show another part of a board that is larger than the pane."""
        view = self._viewport
        moved = Viewport(view.x + columns, view.y + lines, view.columns, view.lines)
        self._viewport = scrolled_to(self._drawing, moved)

    def scroll_pages(self, columns: int, lines: int) -> None:
        """Scroll by so many halves of the pane."""
        view = self._viewport
        self.scroll(columns * max(1, view.columns // 2), lines * max(1, view.lines // 2))

    def cursor_near(self, before: State, move: Move) -> None:
        """Put the cursor near `move`, which was open in the position `before`, and show both."""
        if self._look is None:
            return
        place = self._drawn_before(before, self._look).place_of(move)
        self.reveal(before, move)
        if place is not None:
            cursor = nearest(self._cells, Cell(*place))
            if cursor is not None:
                self._move_to(cursor)

    def reveal(self, before: State, move: Move) -> None:
        """Scroll to `move`, which was open in the position `before`."""
        look, view = self._look, self._viewport
        is_whole = self._drawing.width <= view.columns and self._drawing.height <= view.lines
        if look is not None and not is_whole:
            self._viewport = scrolled_to(self._drawn_before(before, look), view, move)

    def _drawn_before(self, state: State, look: BoardLook) -> Drawing:
        """Return the drawing of an earlier position, which is needed again after the next move."""
        known = self._before
        if known is None or known[0] is not state or known[1] != look:
            is_shown = state is self._state and look == self._look
            self._before = known = (
                state,
                look,
                self._drawing if is_shown else _drawn(state, look),
            )
        return known[2]

    def _move_to(self, cursor: Cursor | None) -> None:
        self._cursor = cursor
        self._viewport = scrolled_to(self._drawing, self._viewport, self.move)


def _drawn(state: State, look: BoardLook) -> Drawing:
    return choose_drawing(
        state,
        look.numbers,
        columns=look.columns,
        lines=look.lines,
        size=look.size,
        ascii_only=look.ascii_only,
        names=look.names,
        side=look.side,
    )
