"""Layout of drawings, for any game."""

from hypothesis import given
from hypothesis import strategies as st

from boxroom_engine.games.drawing import Drawing, Ink, Span, side_by_side, width_of
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


def block(*lines: str) -> tuple[tuple[Span, ...], ...]:
    return tuple((Span(line, Ink.DOT),) for line in lines)


def test_pictures_stand_side_by_side_in_reading_order() -> None:
    pictures = [block("1", "abc"), block("2"), block("3", "de")]
    assert Drawing(tuple(side_by_side(pictures, columns=10))).plain() == (
        "1      2\n"
        "abc\n"
        "\n"
        "3\n"
        "de"
    )  # fmt: skip


def test_a_picture_that_is_too_wide_stands_alone() -> None:
    rows = side_by_side([block("abc"), block("def")], columns=2)
    assert Drawing(tuple(rows)).plain() == "abc\n\ndef"
    assert side_by_side([], columns=80) == []


@given(
    st.lists(st.lists(st.text("ab", min_size=1, max_size=5), min_size=1, max_size=3), max_size=9),
    st.integers(1, 40),
)
def test_nothing_gets_lost_side_by_side(pictures: list[list[str]], columns: int) -> None:
    rows = side_by_side([block(*lines) for lines in pictures], columns)
    spans = [span.text for row in rows for span in row if span.ink is not Ink.GAP]
    assert sorted(spans) == sorted(line for lines in pictures for line in lines)
    widest = max((len(line) for lines in pictures for line in lines), default=0)
    between = 4
    assert width_of(rows) <= max(columns, widest) + between
