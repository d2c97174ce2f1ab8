"""Drawings of draughts."""

import re
from collections.abc import Callable

from tests.cases import each
from tests.engine.games.draughts.positions import position

from boxroom_engine.games.draughts import Draughts
from boxroom_engine.games.drawing import Drawing, Look, Size
from boxroom_engine.games.protocol import Seat

SEAT_0 = Seat(0)


def numbers_of(drawing: Drawing) -> list[str]:
    """Return the numbers of the squares in reading order."""
    return re.findall(r"\d+", drawing.plain())


def test_drawings(golden: Callable[[str, str], None]) -> None:
    states = [
        Draughts("english", "6").initial(),
        position("international", ((33, 12), (19,)), ((46, 37), (5,)), size="10"),
    ]
    looks = [
        Look(("b", "w"), size, ascii_only, numbers)
        for size, ascii_only, numbers in (
            (Size.NORMAL, False, True),
            (Size.NORMAL, True, False),
            (Size.COMPACT, True, True),
            (Size.LARGE, False, True),
        )
    ]
    drawings = [state.draw(look).plain() for state in states for look in looks]
    golden("draughts-drawings", "\n\n".join(drawings) + "\n")


def test_a_square_is_divided_between_the_moves_that_end_there() -> None:
    state = position("english", kings=((9, 10), (32,)))
    drawing = state.draw(Look(("b", "w")))
    shared = {state.game.parse_move(text) for text in ("9-14", "10-14")}
    row = [span for row in drawing.rows for span in row if span.move in shared]
    assert [span.text for span in row] == ["14 ", "  "]
    assert [span.move for span in row] == sorted(shared)


def test_moves_without_room_stand_below_the_board() -> None:
    state = position("international", kings=((1, 5, 46, 50), (25,)), size="10")
    drawing = state.draw(Look(("b", "w"), Size.COMPACT))
    below = {span.move for row in drawing.rows[10:] for span in row} - {None}
    within = {span.move for row in drawing.rows[:10] for span in row} - {None}
    assert below | within == set(state.legal_moves())
    assert (drawing.axes is None) == bool(below)


@each("rules, seat_at_top", [("english", 0), ("international", 1)])
def test_each_player_has_the_own_men_at_the_bottom(rules: str, seat_at_top: int) -> None:
    state = Draughts(rules, "6").initial()
    as_numbered = state.draw(Look(("b", "w")))
    turned = state.draw(Look(("b", "w"), side=Seat(seat_at_top)))
    assert state.draw(Look(("b", "w"), side=Seat(1 - seat_at_top))) == as_numbered
    assert numbers_of(turned) == numbers_of(as_numbered)[::-1]
    (lowest,) = {span.seat for span in turned.rows[-1] if span.seat is not None}
    assert lowest == seat_at_top


def test_a_pointer_stands_before_each_piece_that_can_move() -> None:
    state = position("english", men=((9, 1), (32,)), kings=((10,), ()))
    shown = {
        span.text
        for row in state.draw(Look(("b", "w"))).rows
        for span in row
        if span.seat is not None
    }
    assert shown == {">b ", " w ", ">b]"}
    without = state.draw(Look(("b", "w"), numbers=False)).plain()
    assert ">" not in without


@each("size", Size)
def test_a_turned_board_has_every_move_on_the_opposite_place(size: Size) -> None:
    state = position("english", kings=((9, 10), (32,)))
    as_numbered, turned = (state.draw(Look(("b", "w"), size, side=side)) for side in (None, SEAT_0))
    assert as_numbered.axes is not None
    last_row = as_numbered.height // as_numbered.axes[1].step - 1
    for move in state.legal_moves():
        (x, y), (turned_x, turned_y) = (
            drawing.place_of(move) or (0, 0) for drawing in (as_numbered, turned)
        )
        rows = (at // as_numbered.axes[1].step for at in (y, turned_y))
        columns = (at // as_numbered.axes[0].step for at in (x, turned_x))
        assert sum(rows) == last_row
        assert sum(columns) == last_row


@each("size", Size)
def test_long_marks_make_the_squares_wider(size: Size) -> None:
    state = position("international", ((33, 12), (19,)), ((46, 37), (5,)), size="10")
    drawing = state.draw(Look(("75", "b"), size))
    assert len({sum(len(span.text) for span in row) for row in drawing.rows}) == 1
    pieces = [span.text for row in drawing.rows for span in row if span.seat == 0]
    assert {text.strip(" []>") for text in pieces} == {"75"}
