"""Drawings of a board, and the places to click on it."""

import random
from collections.abc import Callable, Iterator
from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.drawing import Drawing, Ink, Look, Size, Span
from boxroom_engine.games.protocol import Move, Seat

GLYPHS = tuple("ABCDEFGH")
LONG = tuple(str(number) for number in range(100, 108))
"""Glyphs of players of whom there are more than there are characters."""

looks = st.builds(
    Look, st.sampled_from([GLYPHS, LONG]), st.sampled_from(Size), st.booleans(), st.booleans()
)


def midgame(game: Dots, moves: int) -> Position:
    state, rng = game.initial(), random.Random(1)
    for _ in range(moves):
        state = state.play(state.legal_moves()[rng.randrange(len(state.legal_moves()))])
    return state


@st.composite
def positions(draw: st.DrawFn) -> Position:
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(2, 6) | st.integers(7, 40))
    game = Dots(rows, cols, draw(st.sampled_from(Border)), draw(st.integers(2, 8)))
    return midgame(game, draw(st.integers(0, game.longest)))


def spans(drawing: Drawing) -> Iterator[Span]:
    return (span for row in drawing.rows for span in row)


@given(positions(), looks)
def test_every_open_edge_can_be_hit_and_nothing_else(state: Position, look: Look) -> None:
    drawing = state.draw(look)
    for move in state.legal_moves():
        place = drawing.place_of(move)
        assert place is not None
        assert drawing.move_at(*place) == move
    assert {span.move for span in spans(drawing)} - {None} == set(state.legal_moves())


@given(positions(), looks)
def test_open_edges_and_no_others_carry_moves(state: Position, look: Look) -> None:
    for span in spans(state.draw(look)):
        assert span.text
        if span.ink is Ink.OPEN:
            assert span.move is not None
        elif span.ink is not Ink.NUMBER:  # numbers of edges do, numbers of rulers don't
            assert span.move is None


@given(positions(), looks)
def test_all_rows_are_equally_wide_and_all_characters_fit_a_cell(
    state: Position, look: Look
) -> None:
    drawing = state.draw(look)
    assert {sum(len(span.text) for span in row) for row in drawing.rows} == {drawing.width}
    allowed = set(" +-|.:,") if look.ascii_only else set(" •━┃·┊+:,")
    for span in spans(drawing):
        letters = set(span.text) - allowed
        assert all(char.isascii() and char.isalnum() for char in letters)


@given(positions(), looks)
def test_drawn_edges_and_boxes_are_in_the_colours_of_their_seats(
    state: Position, look: Look
) -> None:
    drawing = state.draw(look)
    lines: dict[Seat | None, int] = {}
    for span in spans(drawing):
        if span.ink is Ink.DRAWN:
            lines[span.seat] = lines.get(span.seat, 0) + 1
    height = 3 if look.size is Size.LARGE else 1
    grid = state.game.grid
    horizontals = (1 << grid.horizontals) - 1

    def rows(edges: int) -> int:
        """How many spans the edges make: a vertical one makes one in each of its rows."""
        horizontal = (edges & horizontals).bit_count()
        return horizontal + (edges.bit_count() - horizontal) * height

    expected: dict[Seat | None, int] = {
        Seat(seat): rows(edges) for seat, edges in enumerate(state.drawn_by) if edges
    }
    if grid.start:
        expected[None] = rows(grid.start)
    assert lines == expected
    glyphs = "".join(span.text for span in spans(drawing) if span.ink is Ink.OWNED)
    assert [glyphs.count(glyph) for glyph in look.marks[: state.game.seats]] == list(state.scores)


@given(positions(), looks)
def test_only_what_the_last_move_did_is_fresh(state: Position, look: Look) -> None:
    fresh = [span for span in spans(state.draw(look)) if span.fresh]
    boxes = sum(span.ink is Ink.OWNED and bool(span.text.strip()) for span in fresh)
    assert boxes == len(state.taken)
    assert any(span.ink is Ink.DRAWN for span in fresh) == (state.last is not None)


@given(positions(), st.sampled_from(Size), st.booleans())
def test_ascii_changes_nothing_but_the_characters(
    state: Position, size: Size, numbers: bool
) -> None:
    plain = state.draw(Look(GLYPHS, size, ascii_only=True, numbers=numbers)).plain()
    fancy = state.draw(Look(GLYPHS, size, ascii_only=False, numbers=numbers)).plain()
    assert plain.isascii()
    assert fancy.translate(str.maketrans("•━┃·┊", "+-|.:")) == plain


@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from(Size))
def test_every_open_edge_shows_its_name_where_names_fit(rows: int, cols: int, size: Size) -> None:
    state = midgame(Dots(rows, cols, Border.NONE, 2), rows * cols)
    words = set(state.draw(Look(GLYPHS, size)).plain().replace("•", " ").replace("·", " ").split())
    names = {state.game.format_move(move) for move in state.legal_moves()}
    assert names <= words
    assert all(word in names or word[0] not in "hv" for word in words)


def test_names_never_move_the_board() -> None:
    state = midgame(Dots(5, 5, Border.NONE, 2), 30)
    for size in Size:
        named, bare = (state.draw(Look(GLYPHS, size, numbers=on)) for on in (True, False))
        dots = [
            [
                (x, y)
                for y, row in enumerate(drawing.plain().split("\n"))
                for x, char in enumerate(row)
                if char == "•"
            ]
            for drawing in (named, bare)
        ]
        assert dots[0] == dots[1]


def test_a_usual_terminal_is_wide_enough() -> None:
    assert Dots(5, 5, Border.NONE, 2).initial().draw(Look(GLYPHS, Size.LARGE)).width <= 80
    assert Dots(10, 10, Border.NONE, 2).initial().draw(Look(GLYPHS, Size.NORMAL)).width <= 80
    assert Dots(30, 30, Border.NONE, 2).initial().draw(Look(GLYPHS, Size.COMPACT)).width <= 80


@each("cols", range(1, 38))
def test_compact_boards_stay_within_a_usual_terminal(cols: int) -> None:
    drawing = Dots(3, cols, Border.NONE, 2).initial().draw(Look(GLYPHS, Size.COMPACT))
    assert drawing.width <= 80


def test_wide_compact_boards_have_rulers() -> None:
    state = Dots(1, 30, Border.NONE, 2).initial().play(Move(1))
    assert state.draw(Look(GLYPHS, Size.COMPACT)).plain().split("\n") == [
        "                         1                   2",
        "     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9",
        " h0 •·•━" + "•·" * 28 + "•",
        " v0 " + "┊ " * 30 + "┊",
        "h30 " + "•·" * 30 + "•",
        "    add the column: h30 + 7 is h37",
    ]


def test_after_the_game_nothing_can_be_hit() -> None:
    state = Dots(2, 2, Border.NONE, 2).initial().withdraw(Seat(0))
    assert all(span.move is None for span in spans(state.draw(Look(GLYPHS))))
    assert state.draw(Look(GLYPHS)).place_of(Move(0)) is None


def test_golden_drawings(golden: Callable[[str, str], None]) -> None:
    """All ways to draw one position, for review when they change."""
    state = midgame(Dots(3, 4, Border.HALF, 3), 19)
    parts = []
    for size, ascii_only, numbers in product(Size, (False, True), (True, False)):
        title = f"{size.value}, {'ascii' if ascii_only else 'unicode'}, numbers={numbers}"
        text = state.draw(Look(GLYPHS, size, ascii_only, numbers)).plain()
        parts.append(f"# {title}\n{text}\n")
    golden("dots-drawings", "\n".join(parts))


def test_golden_large_board(golden: Callable[[str, str], None]) -> None:
    state = midgame(Dots(30, 30, Border.NONE, 8), 1500)
    golden("dots-30x30-compact", state.draw(Look(GLYPHS, Size.COMPACT)).plain() + "\n")
