"""Drawings of Stonehenge."""

from collections.abc import Callable

from tests.cases import each
from tests.engine.games.stonehenge.pictures import PICTURES

from boxroom_engine.games.drawing import Drawing, Ink, Look, Size, Span
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.games.stonehenge import Position, Stonehenge

ASCII = Look(("1", "2"), ascii_only=True)
UNICODE = Look(("1", "2"))


def played(size: int, letters: str) -> Position:
    state = Stonehenge(size).initial()
    for letter in letters:
        state = state.play(state.game.parse_move(letter))
    return state


def spans(drawing: Drawing) -> list[Span]:
    return [span for row in drawing.rows for span in row]


@each("size", PICTURES)
def test_it_is_drawn_as_the_assignment_does(size: int) -> None:
    assert Stonehenge(size).initial().draw(ASCII).plain() == PICTURES[size]


def test_all_sizes(golden: Callable[[str, str], None]) -> None:
    boards = (
        played(size, letters).draw(ASCII).plain()
        for size, midgame in enumerate(("A", "AD", "ADHE", "AQJCGN", "ALCGBKWY"), 1)
        for letters in ("", midgame)
    )
    golden("stonehenge-sizes", "\n\n".join(boards) + "\n")


def test_all_looks(golden: Callable[[str, str], None]) -> None:
    state = played(3, "ADHE")
    looks = [
        Look(("1", "2"), size, ascii_only, numbers)
        for size in Size
        for ascii_only, numbers in ((False, True), (True, False))
    ]
    golden("stonehenge-drawings", "\n\n".join(state.draw(look).plain() for look in looks) + "\n")


@each("size", Size)
def test_no_row_ends_in_a_space(size: Size) -> None:
    for state in (Stonehenge(3).initial(), played(3, "ADHE")):
        for numbers in (True, False):
            for row in state.draw(Look(("1", "2"), size, numbers=numbers)).rows:
                assert row[-1].text == row[-1].text.rstrip()


def test_cells_and_ley_lines_show_the_number_of_their_owner() -> None:
    board = played(2, "AD").draw(ASCII).plain()
    assert board.splitlines()[2] == "  1 - 1 - B   @"
    assert board.splitlines()[4] == "@ - C - 2 - E"


def test_what_the_last_move_did_is_fresh() -> None:
    fresh = [span for span in spans(played(2, "AD").draw(UNICODE)) if span.fresh]
    assert [(span.text, span.ink, span.seat) for span in fresh] == [(" 2 ", Ink.DRAWN, 1)]
    fresh = [span for span in spans(played(2, "ADC").draw(UNICODE)) if span.fresh]
    assert [(span.text, span.ink) for span in fresh] == [(" 1 ", Ink.DRAWN), ("1", Ink.OWNED)]


def test_a_click_beside_a_letter_means_it_too() -> None:
    drawing = Stonehenge(2).initial().draw(ASCII)
    row = drawing.plain().splitlines()[2]
    at = row.index("B")
    assert [drawing.move_at(x, 2) for x in range(at - 2, at + 3)] == [None, 1, 1, 1, None]
    assert drawing.place_of(Move(1)) == (at, 2)


def test_nothing_can_be_claimed_once_the_game_is_over() -> None:
    state = played(2, "A").withdraw(Seat(1))
    assert {span.move for span in spans(state.draw(ASCII))} == {None}
