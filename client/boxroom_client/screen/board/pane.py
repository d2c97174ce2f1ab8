"""The board in its pane, with the cursor on it: drawn again only when something has changed."""

from dataclasses import dataclass, replace

from boxroom_client.screen.board.cursor import (
    Cursor,
    Direction,
    Places,
    cursor_on,
    cycle,
    places_of,
    step,
)
from boxroom_client.screen.board.viewport import (
    Viewport,
    board_rows,
    choose_drawing,
    move_at,
    scrolled_to,
)
from boxroom_client.screen.text.styled import Row
from boxroom_client.shell.output.painting import look_for
from boxroom_engine.games.drawing import Drawing, Size
from boxroom_engine.games.protocol import Move, State


@dataclass(frozen=True, slots=True)
class BoardLook:
    """How a board is drawn: for a pane of that many cells, with those glyphs."""

    numbers: tuple[int, ...]
    """The glyph number of each seat."""
    columns: int
    lines: int
    size: Size | None
    ascii_only: bool
    names: bool


class BoardPane:
    """What is shown of a board, and the cursor, if there is one."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._look: BoardLook | None = None
        self._drawing = Drawing(())
        self._places: Places = places_of(self._drawing)
        self._viewport = Viewport(0, 0, 0, 0)
        self._cursor: Cursor | None = None
        self._sizes: dict[tuple[object, ...], tuple[int, int]] = {}

    def show(self, state: State, look: BoardLook) -> None:
        """Show `state` in that way."""
        if state is self._state and look == self._look:
            return
        drawing = _drawn(state, look)
        is_another_game = self._state is None or state.game != self._state.game
        is_another_look = look != self._look
        self._state, self._look, self._drawing = state, look, drawing
        self._places = places_of(drawing)
        viewport = replace(self._viewport, columns=look.columns, lines=look.lines)
        if is_another_game:
            self._cursor = None
            viewport = Viewport(0, 0, look.columns, look.lines)
        # A move leaves in sight what somebody has scrolled to; another size can't.
        self._viewport = scrolled_to(drawing, viewport, self.move if is_another_look else None)

    def size_of(self, state: State, size: Size, ascii_only: bool, names: bool) -> tuple[int, int]:
        """The width and height of the board in that size: of the first position, as it lasts."""
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
        if self._cursor is None or self._cursor.move not in self._places.of:
            return None
        return self._cursor.move

    def rows(self, *, is_fresh_bright: bool) -> list[Row]:
        """The pane as rows."""
        assert self._look is not None
        return board_rows(
            self._drawing,
            self._viewport,
            numbers=self._look.numbers,
            cursor=self.move,
            is_fresh_bright=is_fresh_bright,
            ascii_only=self._look.ascii_only,
        )

    def move_at(self, x: int, y: int) -> Move | None:
        """The move under that cell of the pane."""
        return move_at(self._drawing, self._viewport, x, y)

    def put_cursor(self, move: Move) -> None:
        """Put the cursor on an open move."""
        self._move_to(cursor_on(self._places, move))

    def step(self, direction: Direction) -> None:
        """Move the cursor by one place."""
        self._move_to(step(self._places, self._cursor, direction))

    def cycle(self, by: int) -> None:
        """Move the cursor to the next place, or one before, as one reads."""
        self._move_to(cycle(self._places, self._cursor, by))

    def scroll(self, columns: int, lines: int) -> None:
        """Show another part of a board that is larger than the pane."""
        view = self._viewport
        moved = Viewport(view.x + columns, view.y + lines, view.columns, view.lines)
        self._viewport = scrolled_to(self._drawing, moved)

    def reveal(self, before: State, move: Move) -> None:
        """Scroll to the place of `move`, which was open in the position `before`."""
        look, view = self._look, self._viewport
        is_whole = self._drawing.width <= view.columns and self._drawing.height <= view.lines
        if look is not None and not is_whole:
            self._viewport = scrolled_to(_drawn(before, look), view, move)

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
    )
