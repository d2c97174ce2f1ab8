"""The viewport: the visible part of a board, and clicks on it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.cases import each
from tests.client.screen.boards import (
    NUMBERS,
    dots,
    drawings,
    midgame,
    noughts,
    positions,
)

from boxroom_client.screen.board.viewport import (
    Viewport,
    board_rows,
    cell_at,
    changes,
    choose_drawing,
    move_at,
    scrolled_to,
)
from boxroom_client.screen.text.rows import Row, row_width
from boxroom_client.shell.output.painting import look_for
from boxroom_engine.games.drawing import Drawing, Ink, Size, Span
from boxroom_engine.games.protocol import Game, Move, Seat, State
from boxroom_engine.games.registry import make_game

panes = st.builds(
    Viewport, st.integers(-9, 80), st.integers(-9, 40), st.integers(0, 90), st.integers(0, 30)
)
usable_panes = st.builds(Viewport, st.just(0), st.just(0), st.integers(1, 120), st.integers(1, 40))
few = settings(max_examples=settings().max_examples // 2)

large_boards = positions(st.integers(1, 40), st.integers(1, 60))


def rows_of(drawing: Drawing, viewport: Viewport, cursor: Move | None = None) -> list[Row]:
    return board_rows(drawing, viewport, numbers=NUMBERS, cursor=cursor)


def text_of(row: Row) -> str:
    return "".join(text for _, text in row)


def cells_of(row: Row) -> list[tuple[str, str]]:
    """Return the style and the character of each cell of a row."""
    return [(style, char) for style, text in row for char in text]


def spans_by_cell(drawing: Drawing) -> dict[tuple[int, int], tuple[str, Span]]:
    """Return the character and the span of each cell of a drawing."""
    cells: dict[tuple[int, int], tuple[str, Span]] = {}
    for y, row in enumerate(drawing.rows):
        flat = [(char, span) for span in row for char in span.text]
        cells |= {(x, y): cell for x, cell in enumerate(flat)}
    return cells


def moves_of(drawing: Drawing) -> list[Move]:
    return sorted({span.move for row in drawing.rows for span in row if span.move is not None})


def is_seen_whole(drawing: Drawing, viewport: Viewport) -> bool:
    return drawing.width <= viewport.columns and drawing.height <= viewport.lines


def lines_for_board(drawing: Drawing, viewport: Viewport) -> int:
    """Return the number of lines of the pane above the sign, if it has one."""
    has_sign = viewport.lines > 1 and not is_seen_whole(drawing, viewport)
    return viewport.lines - 1 if has_sign else viewport.lines


# What is seen and what a click means


@given(drawings(), panes, st.booleans())
def test_the_pane_is_full_to_the_last_cell(
    drawing: Drawing, viewport: Viewport, is_scrolled: bool
) -> None:
    if is_scrolled:
        viewport = scrolled_to(drawing, viewport)
    rows = rows_of(drawing, viewport)
    assert len(rows) == viewport.lines
    assert all(row_width(row) == viewport.columns for row in rows)


@few
@given(drawings(), panes, st.booleans(), st.data())
def test_a_click_means_what_is_seen_under_it(
    drawing: Drawing, viewport: Viewport, is_scrolled: bool, data: st.DataObject
) -> None:
    if is_scrolled:
        viewport = scrolled_to(drawing, viewport)
    cursor = data.draw(st.sampled_from([None, *moves_of(drawing)]))
    shown = rows_of(drawing, viewport, cursor)[: lines_for_board(drawing, viewport)]
    expected = spans_by_cell(drawing)
    empty = " ", Span(" ", Ink.GAP)
    for y, row in enumerate(shown):
        for x, (style, char) in enumerate(cells_of(row)):
            expected_char, span = expected.get(cell_at(drawing, viewport, x, y), empty)
            is_cut_name = char == " " and span.ink is Ink.NUMBER
            assert char == expected_char or is_cut_name
            assert f"class:board.{span.ink.value}" in style.split()
            assert move_at(drawing, viewport, x, y) == span.move
            assert ("class:board.cursor" in style.split()) == (
                cursor is not None and span.move == cursor
            )


@given(drawings(), panes, st.integers(-3, 95), st.integers(-3, 35))
def test_outside_and_on_the_sign_there_is_no_move(
    drawing: Drawing, viewport: Viewport, x: int, y: int
) -> None:
    viewport = scrolled_to(drawing, viewport)
    is_inside = 0 <= x < viewport.columns and 0 <= y < lines_for_board(drawing, viewport)
    assert is_inside or move_at(drawing, viewport, x, y) is None


@settings(max_examples=40)
@given(drawings(large_boards), usable_panes, st.data())
def test_every_open_place_can_be_scrolled_to_and_hit(
    drawing: Drawing, viewport: Viewport, data: st.DataObject
) -> None:
    moves = moves_of(drawing)
    assume(moves)
    for move in data.draw(st.lists(st.sampled_from(moves), min_size=1, max_size=6)):
        viewport = scrolled_to(drawing, viewport, move)
        place = drawing.place_of(move)
        assert place is not None
        x, y = place[0] - viewport.x, place[1] - viewport.y
        assert 0 <= x < viewport.columns
        assert 0 <= y < lines_for_board(drawing, viewport)
        assert cell_at(drawing, viewport, x, y) == place
        assert move_at(drawing, viewport, x, y) == move


# Scrolling


def is_clamped(start: int, shown: int, size: int) -> bool:
    if size > shown:
        return 0 <= start <= size - shown
    before, behind = -start, shown - size + start
    return before >= 0 and behind >= 0 and abs(before - behind) <= 3


@given(drawings(), panes, st.data())
def test_no_space_is_wasted_and_what_fits_is_in_the_middle(
    drawing: Drawing, viewport: Viewport, data: st.DataObject
) -> None:
    move = data.draw(st.sampled_from([None, *moves_of(drawing), Move(10_000)]))
    scrolled = scrolled_to(drawing, viewport, move)
    assert (scrolled.columns, scrolled.lines) == (viewport.columns, viewport.lines)
    assert is_clamped(scrolled.x, viewport.columns, drawing.width)
    assert is_clamped(scrolled.y, lines_for_board(drawing, viewport), drawing.height)
    assert scrolled_to(drawing, scrolled, move) == scrolled


@given(drawings(), usable_panes, st.data())
def test_scrolling_moves_no_further_than_it_has_to(
    drawing: Drawing, viewport: Viewport, data: st.DataObject
) -> None:
    moves = moves_of(drawing)
    assume(moves)
    move = data.draw(st.sampled_from(moves))
    before = scrolled_to(drawing, viewport, data.draw(st.sampled_from(moves)))
    after = scrolled_to(drawing, before, move)
    cells = [place for place, (_, span) in spans_by_cell(drawing).items() if span.move == move]
    xs, ys = {x for x, _ in cells}, {y for _, y in cells}
    lines = lines_for_board(drawing, viewport)
    columns, rows = drawing.head
    if before.x + columns <= min(xs) - 6 and max(xs) + 6 < before.x + viewport.columns:
        assert after.x == before.x
    if before.y + rows <= min(ys) - 2 and max(ys) + 2 < before.y + lines:
        assert after.y == before.y
    if after.x < before.x:  # a cell less, and the margin would be smaller
        assert min(xs) - after.x <= 6 + columns
    elif after.x > before.x:
        assert after.x + viewport.columns - 1 - max(xs) <= 6
    if after.y < before.y:
        assert min(ys) - after.y <= 2 + rows
    elif after.y > before.y:
        assert after.y + lines - 1 - max(ys) <= 2


def test_around_a_move_there_is_a_margin() -> None:
    state = midgame(dots(30, 30), 0)
    drawing = in_size(state, Size.NORMAL)
    viewport = start = Viewport(0, 0, 60, 15)
    for name in ("h0", "h6", "v4", "v129"):  # all of them are seen from the start, with some air
        assert scrolled_to(drawing, start, state.game.parse_move(name)) == start
    for name in ("h315", "v500", "h18", "v885"):
        move = state.game.parse_move(name)
        viewport = scrolled_to(drawing, viewport, move)
        rows = rows_of(drawing, viewport, move)[:-1]
        marked = [
            (x, y)
            for y, row in enumerate(rows)
            for x, (style, _) in enumerate(cells_of(row))
            if "cursor" in style
        ]
        assert min(x for x, _ in marked) >= 6
        assert max(x for x, _ in marked) < 60 - 6
        assert max(y for _, y in marked) < 14 - 2
        assert min(y for _, y in marked) >= (0 if name == "h18" else 2)  # that is the first line


@each("columns", [20, 21])
def test_a_board_that_gets_narrower_stays_where_it_is(columns: int) -> None:
    """A board gets narrower when the last move named at its right is played."""
    before = midgame(dots(1, 1), 0)
    after = before.play(before.game.parse_move("v1"))
    viewport = Viewport(0, 0, columns, 5)
    widths, dots_at = [], []
    for drawing in (in_size(before, Size.NORMAL), in_size(after, Size.NORMAL)):
        viewport = scrolled_to(drawing, viewport)
        widths.append(drawing.width)
        dots_at.append(text_of(rows_of(drawing, viewport)[1]).index("•"))
    assert widths[0] > widths[1]
    assert dots_at[0] == dots_at[1]


# Sizes


def chosen(state: State, columns: int, lines: int, size: Size | None = None) -> Drawing:
    return choose_drawing(state, NUMBERS, columns=columns, lines=lines, size=size)


def in_size(state: State, size: Size) -> Drawing:
    look = look_for(state.game.kind, NUMBERS, ascii_only=False, names=True)
    return state.draw(replace(look, size=size))


@each(
    "game, columns, lines, size",
    [
        (dots(5, 5), 80, 24, Size.LARGE),
        (dots(5, 5), 53, 21, Size.LARGE),
        (dots(5, 5), 52, 21, Size.NORMAL),
        (dots(5, 5), 33, 11, Size.NORMAL),
        (dots(5, 5), 30, 11, Size.COMPACT),
        (dots(30, 30), 80, 66, Size.COMPACT),
        (dots(30, 30), 120, 40, Size.COMPACT),
        (dots(30, 30), 80, 17, Size.COMPACT),
        (dots(10, 10), 80, 17, Size.NORMAL),
        (dots(30, 30), 40, 12, Size.NORMAL),
        (dots(30, 30), 39, 40, Size.COMPACT),
        (dots(30, 30), 65, 11, Size.COMPACT),
        (dots(3, 60), 80, 8, Size.NORMAL),
        (dots(60, 2), 20, 24, Size.NORMAL),
        (dots(5, 5), 5, 5, Size.COMPACT),
        (noughts(), 29, 11, Size.LARGE),
        (noughts(), 28, 11, Size.NORMAL),
        (noughts(), 4, 4, Size.COMPACT),
        (noughts(), 0, 0, Size.COMPACT),
    ],
)
def test_the_size_suits_the_pane(game: Game, columns: int, lines: int, size: Size) -> None:
    assert chosen(game.initial(), columns, lines) == in_size(game.initial(), size)


@given(positions(), st.integers(1, 90), st.integers(1, 40))
def test_nothing_larger_would_fit(state: State, columns: int, lines: int) -> None:
    initial = state.game.initial()
    drawing = chosen(initial, columns, lines)
    larger = [in_size(initial, size) for size in (Size.LARGE, Size.NORMAL, Size.COMPACT)]
    fitting = [one for one in larger if one.width <= columns and one.height <= lines]
    assert drawing in (fitting[:1] or larger[1:])


@given(positions(), st.integers(1, 90), st.integers(1, 40))
def test_no_move_changes_the_size(state: State, columns: int, lines: int) -> None:
    initial = chosen(state.game.initial(), columns, lines)
    assert chosen(state, columns, lines).height == initial.height


@each("size", Size)
def test_somebody_who_chooses_a_size_gets_it(size: Size) -> None:
    state = midgame(dots(9, 9), 40)
    assert chosen(state, 20, 5, size) == in_size(state, size)


# Styles


def test_every_meaning_has_its_classes() -> None:
    drawing = Drawing(
        (
            (
                Span("•", Ink.DOT),
                Span("━", Ink.DRAWN, Seat(1)),
                Span("━", Ink.DRAWN, Seat(0), fresh=True),
                Span("┃", Ink.DRAWN),
                Span("h1", Ink.NUMBER, move=Move(1)),
                Span("··", Ink.OPEN, move=Move(2)),
                Span("A", Ink.OWNED, Seat(2), fresh=True),
                Span(" ", Ink.GAP),
            ),
        )
    )
    viewport = Viewport(0, 0, 10, 1)
    assert board_rows(drawing, viewport, numbers=(7, 2, 5), cursor=Move(2)) == [
        [
            ("class:board.dot", "•"),
            ("class:board.drawn class:seat2", "━"),
            ("class:board.drawn class:seat1 class:board.last", "━"),
            ("class:board.drawn", "┃"),
            ("class:board.number", "h1"),
            ("class:board.open class:board.cursor", "··"),
            ("class:board.owned class:seat5 class:board.last", "A"),
            ("class:board.gap", " "),
        ]
    ]
    bright = board_rows(drawing, viewport, numbers=(7, 2, 5), is_fresh_bright=True)
    assert bright[0][2] == ("class:board.drawn class:seat1 class:board.fresh", "━")
    assert bright[0][5] == ("class:board.open", "··")


def test_a_cursor_on_nothing_marks_nothing() -> None:
    drawing = in_size(midgame(dots(2, 2), 12), Size.NORMAL)
    viewport = scrolled_to(drawing, Viewport(0, 0, 30, 10))
    rows = rows_of(drawing, viewport, Move(3))
    assert not any("cursor" in style for row in rows for style, _ in row)


# The sign


HOW_TO_SCROLL = "Shift and arrow keys scroll"


def sign(viewport: Viewport, game: Game | None = None, *, ascii_only: bool = False) -> str:
    drawing = in_size((game or dots(30, 30)).initial(), Size.NORMAL)
    rows = board_rows(drawing, viewport, numbers=NUMBERS, ascii_only=ascii_only)
    assert {style for style, _ in rows[-1]} == {"class:board.sign"}
    return text_of(rows[-1]).rstrip()


def test_the_sign_tells_the_visible_part_in_boxes() -> None:
    assert sign(Viewport(0, 0, 60, 15)) == "    ▼ ►  rows 1–7 of 30, columns 1–8 of 30"
    assert sign(Viewport(2, 20, 60, 15)) == "◄ ▲ ▼ ►  rows 11–17 of 30, columns 1–8 of 30"
    assert sign(Viewport(0, 0, 214, 15)) == f"    ▼    rows 1–7 of 30; {HOW_TO_SCROLL}"
    in_ascii = sign(Viewport(2, 9, 60, 9), ascii_only=True)
    assert in_ascii == "< ^ v >  rows 5-8 of 30, columns 1-8 of 30"
    assert sign(Viewport(0, 0, 9, 60), noughts_on(9, 9)).startswith("      ►")
    assert sign(Viewport(0, 0, 60, 3), noughts_on(9, 9)).startswith("    ▼    row 1 of 9")


def noughts_on(*dims: int) -> Game:
    return make_game("noughts", {"dims": ",".join(map(str, dims))}, 2)


def test_a_board_in_slices_has_only_arrows() -> None:
    shown = sign(Viewport(0, 0, 60, 4), noughts_on(3, 3, 3))
    assert shown == "    ▼    Shift and arrow keys scroll"


def test_a_narrow_pane_has_the_arrows_alone() -> None:
    assert sign(Viewport(2, 20, 20, 15)) == "◄ ▲ ▼ ►"
    assert sign(Viewport(2, 20, 3, 15)) == "◄ ▲"


@few
@given(positions(st.integers(1, 30), st.integers(1, 30)), st.sampled_from(Size), st.booleans())
def test_the_boxes_are_where_the_drawing_says(state: State, size: Size, ascii_only: bool) -> None:
    look = look_for(state.game.kind, NUMBERS, ascii_only=ascii_only, names=True)
    drawing = state.draw(replace(look, size=size))
    assert drawing.axes is not None
    expected = spans_by_cell(drawing)
    across, down = drawing.axes
    for row in range(down.count):
        for column in range(across.count):
            x = across.first + column * across.step + across.size // 2
            y = down.first + row * down.step + down.size // 2
            ink = expected[x, y][1].ink
            is_grid = state.game.kind.name == "dots"
            assert ink in ((Ink.GAP, Ink.OWNED) if is_grid else (Ink.NUMBER, Ink.DRAWN, Ink.OWNED))


# Names and heads


@settings(max_examples=40)
@given(drawings(large_boards), usable_panes, st.integers(0, 300), st.integers(0, 100))
def test_names_are_shown_whole_or_not_at_all(
    drawing: Drawing, pane: Viewport, x: int, y: int
) -> None:
    viewport = scrolled_to(drawing, replace(pane, x=x, y=y))
    names = {
        word
        for row in drawing.rows
        for span in row
        if span.ink is Ink.NUMBER
        for word in span.text.split()
    }
    for row in rows_of(drawing, viewport)[: lines_for_board(drawing, viewport)]:
        for style, text in row:
            if "board.number" in style:
                assert set(text.split()) <= names


def test_a_scrolled_board_with_rulers_keeps_them() -> None:
    drawing = in_size(midgame(dots(30, 30), 0), Size.COMPACT)
    texts = [text_of(row) for row in rows_of(drawing, Viewport(20, 20, 40, 15))]
    ruler = [str(number % 10) for number in range(10, 27)]
    assert texts[1].split() == ruler
    assert [text.split()[0] for text in texts[2:5]] == ["h300", "v310", "h330"]
    assert texts[-1].startswith("◄ ▲ ▼ ►  rows 11–16 of 30")


def test_changes_are_what_was_drawn_and_won_since() -> None:
    before = midgame(dots(2, 2), 0)
    names = ("h0", "v0", "v1", "h2")
    after = before
    for name in names:
        after = after.play(after.game.parse_move(name))
    drawing = in_size(after, Size.NORMAL)
    recent = changes(drawing, in_size(before, Size.NORMAL))
    rows = board_rows(drawing, Viewport(0, 0, 20, 5), numbers=NUMBERS, recent=recent)
    marked = [text for row in rows for style, text in row if "board.last" in style]
    assert [text.strip() for text in marked] == ["━━━━━", "┃", "□", "┃", "━━━━━"]
    assert changes(drawing, drawing) == frozenset()


def test_a_single_line_is_for_the_board() -> None:
    drawing = in_size(midgame(dots(5, 5), 0), Size.NORMAL)
    assert "h0" in text_of(rows_of(drawing, Viewport(0, 0, 20, 1))[0])


@given(positions(), usable_panes, st.booleans())
def test_in_ascii_all_is_ascii(state: State, viewport: Viewport, names: bool) -> None:
    drawing = choose_drawing(state, NUMBERS, columns=40, lines=12, ascii_only=True, names=names)
    viewport = scrolled_to(drawing, viewport)
    rows = board_rows(drawing, viewport, numbers=NUMBERS, ascii_only=True)
    assert all(text_of(row).isascii() for row in rows)


# Golden screens


def pane(
    state: State, columns: int, lines: int, *, ascii_only: bool = False, names: bool = True
) -> str:
    """Return the pane's text in a frame, which marks its size."""
    drawing = choose_drawing(
        state, NUMBERS, columns=columns, lines=lines, ascii_only=ascii_only, names=names
    )
    viewport = scrolled_to(drawing, Viewport(0, 0, columns, lines))
    return framed(board_rows(drawing, viewport, numbers=NUMBERS, ascii_only=ascii_only))


def framed(rows: Sequence[Row]) -> str:
    return "".join(f"|{text_of(row)}|\n" for row in rows)


def test_golden_small_boards(golden: Callable[[str, str], None]) -> None:
    marked = midgame(noughts(), 5)
    parts = {
        "1×1, 24×7": pane(midgame(dots(1, 1), 1), 24, 7),
        "5×5, 76×22": pane(midgame(dots(5, 5), 30), 76, 22),
        "5×5, 40×12, ascii": pane(midgame(dots(5, 5), 30), 40, 12, ascii_only=True),
        "5×5, 25×11, without names": pane(midgame(dots(5, 5), 30), 25, 11, names=False),
        "5×5, 16×6": pane(midgame(dots(5, 5), 30), 16, 6),
        "noughts, 40×13": pane(marked, 40, 13),
        "noughts, 20×5": pane(marked, 20, 5),
        "noughts, 9×3": pane(marked, 9, 3),
    }
    golden("board-small", "\n".join(f"# {title}\n{text}" for title, text in parts.items()))


def test_golden_scrolled_board(golden: Callable[[str, str], None]) -> None:
    """30×30 boxes in 60×15 cells, while the cursor moves."""
    state = midgame(dots(30, 30), 900)
    drawing = choose_drawing(state, NUMBERS, columns=60, lines=15)
    viewport, parts = Viewport(0, 0, 60, 15), []
    moves = state.legal_moves()
    for move in (moves[0], moves[-1], moves[len(moves) // 3]):
        name = state.game.format_move(move)
        viewport = scrolled_to(drawing, viewport, move)
        parts.append(f"# {name}\n{framed(rows_of(drawing, viewport, move))}")
    golden("board-scrolled", "\n".join(parts))
