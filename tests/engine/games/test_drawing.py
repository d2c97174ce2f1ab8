"""Where things are in a drawing, for any game."""

from boxroom_engine.games.drawing import Drawing, Ink, Span
from boxroom_engine.games.protocol import Move

DRAWING = Drawing(
    (
        (Span("  ", Ink.GAP), Span("abc", Ink.OPEN, move=Move(1)), Span("+", Ink.DOT)),
        (
            Span("x", Ink.OPEN, move=Move(2)),
            Span("   ", Ink.GAP),
            Span("y", Ink.NUMBER, move=Move(1)),
        ),
        (Span("x", Ink.OPEN, move=Move(2)),),
        (Span("x", Ink.OPEN, move=Move(2)),),
    )
)


def test_size_is_that_of_the_longest_row() -> None:
    assert (DRAWING.width, DRAWING.height) == (6, 4)
    assert (Drawing(()).width, Drawing(()).height) == (0, 0)


def test_move_at() -> None:
    moves = [[DRAWING.move_at(x, y) for x in range(-1, 7)] for y in range(-1, 2)]
    assert moves == [
        [None] * 8,
        [None, None, None, 1, 1, 1, None, None],
        [None, 2, None, None, None, 1, None, None],
    ]
    assert DRAWING.move_at(0, 4) is None


def test_place_of_is_the_middle_of_the_longest_span() -> None:
    assert DRAWING.place_of(Move(1)) == (3, 0)


def test_place_of_is_the_middle_one_of_equal_spans() -> None:
    assert DRAWING.place_of(Move(2)) == (0, 2)


def test_place_of_a_move_that_is_not_drawn() -> None:
    assert DRAWING.place_of(Move(3)) is None


def test_plain_cuts_trailing_spaces() -> None:
    drawing = Drawing(((Span("a", Ink.DOT), Span("  ", Ink.GAP)), (Span(" b", Ink.DOT),)))
    assert drawing.plain() == "a\n b"
