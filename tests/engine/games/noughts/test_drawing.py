"""Drawings of noughts and crosses."""

from collections.abc import Callable

from tests.engine.games.noughts.boards import CUBE, TWO, make, played

from boxroom_engine.games.drawing import Ink, Look, Size


def test_golden(golden: Callable[[str, str], None]) -> None:
    state = played(TWO, 4, 0, 2, 6, 3)
    looks = [
        Look(("x", "o"), size, ascii_only, numbers)
        for size in Size
        for ascii_only, numbers in ((False, True), (True, False))
    ]
    golden("noughts-drawings", "\n\n".join(state.draw(look).plain() for look in looks) + "\n")


def test_the_last_move_is_fresh_and_the_winning_row_is_won() -> None:
    state = played(TWO, 0, 3, 1, 4, 2)
    spans = [span for row in state.draw(Look(("x", "o"))).rows for span in row]
    assert [span.seat for span in spans if span.ink is Ink.OWNED] == [0, 0, 0]
    assert [span.seat for span in spans if span.ink is Ink.DRAWN] == [1, 1]
    assert [span.ink for span in spans if span.fresh] == [Ink.OWNED]


def test_slices(golden: Callable[[str, str], None]) -> None:
    boards = [
        (CUBE, Size.COMPACT, False),
        (CUBE, Size.NORMAL, True),
        (make(2, dims="2,2,3,2", line=2), Size.COMPACT, False),
        (make(2, dims="4,4,4", line=4), Size.NORMAL, False),
        (make(2, dims="2,2,3", line=3), Size.LARGE, False),
        (make(2, dims="2,2,2", line=2), Size.COMPACT, False),
        (make(2, dims="9"), Size.NORMAL, False),
    ]
    drawings = (
        played(game, 4, 0).draw(Look(("x", "o"), size, ascii_only, not ascii_only)).plain()
        for game, size, ascii_only in boards
    )
    golden("noughts-slices", "\n\n".join(drawings) + "\n")


def test_a_line_through_slices_is_drawn_as_won() -> None:
    rows = played(CUBE, 0, 1, 13, 2, 26).draw(Look(("x", "o"))).rows
    owned = [span for row in rows for span in row if span.ink is Ink.OWNED]
    assert [span.seat for span in owned] == [0, 0, 0]
