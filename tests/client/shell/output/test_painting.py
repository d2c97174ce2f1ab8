"""Colours, glyphs and sizes."""

import re
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.common.streams import Stream

from boxroom_client.shell.output.painting import (
    Canvas,
    Colours,
    colours_of,
    in_ascii,
    paint,
)
from boxroom_engine.games.drawing import Drawing, Ink, Size, Span
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.games.registry import make_game


def position(rows: int, cols: int, *moves: str) -> State:
    state = make_game("dots", {"rows": rows, "cols": cols}, 2).initial()
    for move in moves:
        state = state.play(state.game.parse_move(move))
    return state


ONE_BOX_TAKEN = position(1, 2, "h0", "h1", "v0", "h2", "v2", "v1")


# What a terminal can show


@each(
    "environ, colours",
    [
        ({"TERM": "xterm"}, Colours.INDEXED),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, Colours.TRUE),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, Colours.TRUE),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Colours.NONE),
        ({"TERM": "xterm", "NO_COLOR": ""}, Colours.INDEXED),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, Colours.NONE),
        ({}, Colours.NONE),
    ],
)
def test_colours_are_what_the_environment_says(
    environ: Mapping[str, str], colours: Colours
) -> None:
    assert colours_of(Stream(), environ) is colours
    assert colours_of(Stream(is_terminal=False), environ) is Colours.NONE


@given(text=st.text())
def test_in_ascii_everything_is_ascii(text: str) -> None:
    assert in_ascii(text).isascii()


# Paint


def rows() -> tuple[tuple[Span, ...], ...]:
    return (
        (
            Span("•", Ink.DOT),
            Span("━", Ink.DRAWN, Seat(1)),
            Span("━", Ink.DRAWN, Seat(1), fresh=True),
            Span("┃", Ink.DRAWN),
            Span(" h1", Ink.NUMBER),
            Span("··", Ink.OPEN),
            Span("  ", Ink.GAP),
        ),
    )


def test_without_colours_there_is_only_text() -> None:
    assert paint(rows(), Colours.NONE, [0, 1]) == "•━━┃ h1··"


def test_every_meaning_has_its_style() -> None:
    assert paint(rows(), Colours.INDEXED, [5, 0]) == (
        "•\x1b[1;38;5;25m━\x1b[0m\x1b[1;38;5;25;7m━\x1b[0m\x1b[1m┃\x1b[0m\x1b[38;5;244m h1··\x1b[0m"
    )
    assert "\x1b[1;38;2;0;114;178m" in paint(rows(), Colours.TRUE, [5, 0])


@given(colours=st.sampled_from(Colours), first=st.integers(0, 20), second=st.integers(0, 20))
def test_colours_change_no_character(colours: Colours, first: int, second: int) -> None:
    canvas = Canvas(colours=colours)
    drawing = canvas.board(ONE_BOX_TAKEN, [first, second], 80, None)
    painted = canvas.paint(drawing.rows, [first, second])
    plain = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert [line.rstrip() for line in plain.split("\n")] == drawing.plain().split("\n")


# Sizes


def drawn(state: State, size: Size) -> Drawing:
    return Canvas(size=size).board(state, [0, 1], 1, 1)


@each(
    "columns, lines, size",
    [
        (80, 50, Size.LARGE),
        (80, 12, Size.NORMAL),
        (80, 5, Size.NORMAL),
        (80, None, Size.NORMAL),
        (28, 50, Size.COMPACT),
        (5, 5, Size.COMPACT),
        (5, None, Size.COMPACT),
    ],
)
def test_the_largest_size_that_fits_is_taken(columns: int, lines: int | None, size: Size) -> None:
    state = position(5, 5)
    assert Canvas().board(state, [0, 1], columns, lines) == drawn(state, size)


@each("ascii_only", [False, True])
def test_a_game_may_have_marks_of_its_own(ascii_only: bool) -> None:
    """Such marks belong to seats, colours to people."""
    canvas = Canvas(colours=Colours.INDEXED, ascii_only=ascii_only)
    state = make_game("noughts", {}, 2).initial()
    rows = canvas.board(state.play(Move(4)), [1, 0], 80, None).rows
    assert "\x1b[1;38;5;166;7m  x  \x1b[0m" in canvas.paint(rows, [1, 0])


def test_a_board_in_ascii_is_ascii() -> None:
    canvas = Canvas(ascii_only=True, numbers=False)
    text = canvas.paint(canvas.board(ONE_BOX_TAKEN, [0, 1], 80, None).rows, [0, 1])
    assert text.isascii()
    assert "B" in text
    assert "h" not in text
