"""Themes of positions that were made by hand, and what each theme means on the board."""

import pytest
from hypothesis import given
from tests.engine.games.dots.boards import drawn_but, positions

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.theory.captures import captures, captures_after, neutral
from boxroom_engine.games.dots.theory.theme import FEW_SAFE, Theme, theme_of
from boxroom_engine.games.protocol import Move


def theme_by_name(position: Position, *names: str) -> Theme | None:
    return theme_of(position, tuple(map(position.game.parse_move, names)))


@pytest.mark.parametrize(
    ("rows", "cols", "undrawn", "best", "theme"),
    [
        pytest.param(1, 2, "v1 v2", "v2", Theme.LEAVE_TWO, id="the last two of a chain"),
        pytest.param(1, 2, "v1 v2", "v1", Theme.TAKE_ALL, id="taken"),
        pytest.param(2, 2, "h3 v1 v4", "h3", Theme.LEAVE_FOUR, id="the last four of a loop"),
        pytest.param(2, 2, "h3 v1 v4", "v1 v4", Theme.TAKE_ALL, id="taken from either end"),
        pytest.param(1, 1, "v0", "v0", None, id="no choice but to take"),
        pytest.param(1, 2, "v0 v1 v2", "v1", Theme.NO_CHOICE, id="the middle of two boxes"),
        pytest.param(1, 2, "v0 v1 v2", "v0 v2", Theme.COUNT, id="either end of two boxes"),
        pytest.param(1, 2, "v0 v1 v2", "v0 v1 v2", Theme.COUNT, id="any line of two boxes"),
        pytest.param(1, 3, "h0 h3 v0 v1 h1", "v1 h1", Theme.GIVE, id="a box, though others wait"),
        pytest.param(1, 3, "h0 h3 v0 v1 h1", "h0", Theme.LAST_SAFE, id="one of three safe lines"),
        pytest.param(1, 3, "h0 h3 v0 v1 h1", "h0 v1", None, id="moves of two themes"),
        pytest.param(1, 3, "h0 v0 v1 v2 v3", "h0", Theme.MAKE_CHAIN, id="a chain of three"),
        pytest.param(2, 3, "h0 v4 v5 v6 v7", "v4", None, id="a box is left for a chain"),
    ],
)
def test_theme(rows: int, cols: int, undrawn: str, best: str, theme: Theme | None) -> None:
    assert theme_by_name(drawn_but(rows, cols, undrawn), *best.split()) == theme


def test_safe_lines_are_no_theme_while_there_are_many() -> None:
    position = Dots(2, 2, Border.NONE, 2).initial()
    assert len(neutral(position)) > FEW_SAFE
    assert theme_by_name(position, "h0") is None


def test_three_players_have_no_themes() -> None:
    assert theme_by_name(Dots(1, 2, Border.NONE, 3).initial(), "h0") is None


@given(positions())
def test_a_theme_says_what_the_move_takes_and_gives(position: Position) -> None:
    grid = position.game.grid
    for move in position.legal_moves():
        taken = len(position.play(move).taken)
        given = captures_after(grid, position.edges, move)
        offered = len(captures(position))
        assert is_true(theme_of(position, (move,)), taken, given, offered)


def is_true(theme: Theme | None, taken: int, given: int, offered: int) -> bool:
    """Return whether a move of that theme may take, give and find so many boxes."""
    match theme:
        case Theme.TAKE_ALL:
            return taken > 0 and offered >= 2
        case Theme.LEAVE_TWO:
            return (taken, given, offered) == (0, 2, 2)
        case Theme.LEAVE_FOUR:
            return (taken, given, offered) == (0, 4, 4)
        case Theme.NO_CHOICE:
            return (taken, given, offered) == (0, 2, 0)
        case Theme.GIVE | Theme.COUNT:
            return taken == offered == 0 < given
        case Theme.LAST_SAFE | Theme.MAKE_CHAIN:
            return (taken, given, offered) == (0, 0, 0)
        case None:
            return True


@given(positions())
def test_the_theme_of_several_moves_is_one_that_each_has(position: Position) -> None:
    moves: tuple[Move, ...] = position.legal_moves()
    shared = theme_of(position, moves) if moves else None
    if shared not in (None, Theme.COUNT):
        assert {theme_of(position, (move,)) for move in moves} == {shared}
