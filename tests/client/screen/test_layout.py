"""The layout of the panes, on screens of all sizes."""

from collections.abc import Callable
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.screen.layout import (
    LEAST_COLUMNS,
    LEAST_LINES,
    NOWHERE,
    Arrangement,
    PaneLayout,
    Rect,
    lay_out,
)

PLAYABLE = {
    "columns": st.integers(LEAST_COLUMNS, 300),
    "lines": st.integers(LEAST_LINES, 120),
    "board": st.tuples(st.integers(1, 500), st.integers(1, 500)),
    "seats": st.integers(1, 40),
    "banner": st.integers(0, 2),
}
ANY = PLAYABLE | {"columns": st.integers(1, 300), "lines": st.integers(1, 120)}

NORMAL_5X5 = (33, 11)
LARGE_5X5 = (53, 21)
NORMAL_8X8 = (51, 17)
COMPACT_30X30 = (66, 64)


@given(**ANY)
def test_the_panes_are_the_whole_screen_and_none_covers_another(
    columns: int, lines: int, board: tuple[int, int], seats: int, banner: int
) -> None:
    panes = [*lay_out(columns, lines, board=board, seats=seats, banner=banner).panes()]
    for pane in panes:
        assert pane.x >= 0 <= pane.y
        assert pane.columns > 0 < pane.lines
        assert pane.x + pane.columns <= columns
        assert pane.y + pane.lines <= lines
    assert not any(_overlap(one, other) for one, other in combinations(panes, 2))
    assert sum(pane.columns * pane.lines for pane in panes) == columns * lines


def _overlap(one: Rect, other: Rect) -> bool:
    beside = one.x + one.columns <= other.x or other.x + other.columns <= one.x
    above = one.y + one.lines <= other.y or other.y + other.lines <= one.y
    return not (beside or above)


@given(**ANY)
def test_there_is_a_game_or_a_notice(
    columns: int, lines: int, board: tuple[int, int], seats: int, banner: int
) -> None:
    arranged = lay_out(columns, lines, board=board, seats=seats, banner=banner)
    is_playable = columns >= LEAST_COLUMNS and lines >= LEAST_LINES
    assert (arranged.arrangement is not Arrangement.TOO_SMALL) == is_playable
    assert (arranged.notice is None) == is_playable
    for pane in (arranged.title, arranged.board, arranged.input):
        assert (pane != NOWHERE) == is_playable
    assert (arranged.banner is not None) == (banner > 0 and is_playable)


@given(**PLAYABLE)
def test_the_board_has_what_it_wants_or_half_of_the_lines(
    columns: int, lines: int, board: tuple[int, int], seats: int, banner: int
) -> None:
    arranged = lay_out(columns, lines, board=board, seats=seats, banner=banner)
    top = arranged.title.lines + (arranged.banner.lines if arranged.banner else 0)
    free = arranged.input.y - top
    assert arranged.board.lines >= min(board[1], free / 2)


@given(**PLAYABLE)
def test_the_talk_is_always_seen(
    columns: int, lines: int, board: tuple[int, int], seats: int, banner: int
) -> None:
    arranged = lay_out(columns, lines, board=board, seats=seats, banner=banner)
    assert arranged.players is not None
    assert arranged.log is not None
    assert arranged.log.columns >= 30
    assert arranged.log.lines >= (3 if lines >= 24 else 2)


@given(**PLAYABLE)
def test_a_larger_screen_shows_no_less_of_the_board(
    columns: int, lines: int, board: tuple[int, int], seats: int, banner: int
) -> None:
    smaller = lay_out(columns, lines, board=board, seats=seats, banner=banner)
    larger = lay_out(columns + 1, lines + 1, board=board, seats=seats, banner=banner)
    if smaller.board.holds(board):
        assert larger.board.holds(board)


@given(**{name: values for name, values in PLAYABLE.items() if name != "banner"})
def test_nothing_changes_places_for_a_banner(
    columns: int, lines: int, board: tuple[int, int], seats: int
) -> None:
    without = lay_out(columns, lines, board=board, seats=seats, banner=0)
    below = lay_out(columns, lines, board=board, seats=seats, banner=1)
    assert below.arrangement is without.arrangement
    assert below.input == without.input
    assert below.board.columns == without.board.columns


def test_usual_screens(golden: Callable[[str, str], None]) -> None:
    screens = [
        ("5 by 5 boxes", lay_out(80, 24, board=NORMAL_5X5, seats=2, banner=0)),
        ("5 by 5 boxes, and a banner", lay_out(80, 24, board=NORMAL_5X5, seats=2, banner=1)),
        ("8 by 8 boxes", lay_out(80, 24, board=NORMAL_8X8, seats=3, banner=0)),
        ("no end of boxes and players", lay_out(80, 24, board=COMPACT_30X30, seats=9, banner=1)),
        ("large boxes", lay_out(80, 40, board=LARGE_5X5, seats=4, banner=0)),
        ("no end of boxes", lay_out(120, 30, board=COMPACT_30X30, seats=4, banner=0)),
        ("much space", lay_out(200, 60, board=NORMAL_5X5, seats=4, banner=0)),
        ("few lines", lay_out(80, 12, board=NORMAL_5X5, seats=9, banner=0)),
        ("few columns", lay_out(40, 40, board=NORMAL_5X5, seats=2, banner=0)),
        ("the least", lay_out(40, 12, board=NORMAL_5X5, seats=2, banner=0)),
        ("the least, and a banner", lay_out(40, 12, board=NORMAL_5X5, seats=2, banner=1)),
        ("too small", lay_out(39, 12, board=NORMAL_5X5, seats=2, banner=0)),
    ]
    golden("layouts", "\n".join(f"{_listed(name, screen)}\n" for name, screen in screens))


def _listed(name: str, arranged: PaneLayout) -> str:
    """Return the panes and their rectangles as text."""
    panes = {
        "title": arranged.title,
        "banner": arranged.banner,
        "board": arranged.board,
        "players": arranged.players,
        "log": arranged.log,
        "input": arranged.input,
        "footer": arranged.footer,
        "notice": arranged.notice,
    }
    rects = [*panes.items(), *(("rule", rule) for rule in arranged.rules)]
    lines = [_line(pane, rect) for pane, rect in rects if rect is not None and rect != NOWHERE]
    columns = max(rect.x + rect.columns for rect in arranged.panes())
    height = max(rect.y + rect.lines for rect in arranged.panes())
    return "\n".join([f"{columns} x {height}, {arranged.arrangement.value}: {name}", *lines])


def _line(pane: str, rect: Rect) -> str:
    last = rect.y + rect.lines - 1
    lines = f"line {rect.y}" if last == rect.y else f"lines {rect.y} to {last}"
    return f"  {pane:<8} {lines}, {rect.columns} columns from {rect.x}"
