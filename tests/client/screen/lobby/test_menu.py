"""The state of a menu, without a terminal."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from tests.client.screen.looks import fills, plain

from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.lobby.menu import ChooserState, Item, Menu
from boxroom_client.screen.themes.symbols import ASCII

COLUMNS = st.integers(LEAST_COLUMNS, 130)
LINES = st.integers(LEAST_LINES, 60)
KEYS = st.lists(st.integers(0, 99).map(str), unique=True, max_size=40)


def menu(*keys: str, headings: bool = False) -> Menu[str]:
    items = tuple(Item(key, (f"item {key}", "what it is"), key) for key in keys)
    return Menu("Things", items, ("Name", "About") if headings else (), ("Choose one.",))


@st.composite
def states(draw: st.DrawFn) -> ChooserState[str]:
    """Draw a menu with any current item."""
    state = ChooserState(menu(*draw(KEYS), headings=draw(st.booleans())))
    return state.moved_to(draw(st.integers(-5, 50)))


@given(states(), st.integers(1, 130), st.integers(1, 60))
def test_any_terminal_is_filled(state: ChooserState[str], columns: int, lines: int) -> None:
    assert fills(state.rows(columns, lines), columns, lines)


@given(states(), COLUMNS, LINES)
def test_the_current_item_is_seen_and_marked(
    state: ChooserState[str], columns: int, lines: int
) -> None:
    marked = [line for line in plain(state.rows(columns, lines)).splitlines() if "▶" in line]
    if state.current is None:
        assert marked == []
    else:
        assert state.index in state.visible(columns, lines)
        assert len(marked) == 1
        assert f"item {state.current.key}" in marked[0]


@given(states(), COLUMNS, LINES)
def test_a_line_belongs_to_the_item_that_is_drawn_there(
    state: ChooserState[str], columns: int, lines: int
) -> None:
    found = []
    for y, line in enumerate(plain(state.rows(columns, lines)).splitlines()):
        index = state.index_at(y, columns, lines)
        assert ("item" in line) == (index is not None)
        if index is not None:
            assert f"item {state.menu.items[index].key} " in f"{line} "
            found.append(index)
    assert found == list(state.visible(columns, lines))


@given(states(), st.lists(st.integers(-9, 9)))
def test_every_item_can_be_reached_and_no_step_leads_out(
    state: ChooserState[str], steps: list[int]
) -> None:
    for by in steps:
        state = state.moved(by)
        assert state.index in range(max(1, len(state.menu.items)))
    state, reached = state.moved_to(0), []
    for _ in state.menu.items:
        assert state.current is not None
        reached.append(state.current)
        state = state.moved(1)
    assert reached == list(state.menu.items)


@given(states(), KEYS)
def test_the_person_stays_on_an_item_even_if_it_is_gone(
    state: ChooserState[str], keys: list[str]
) -> None:
    other = state.showing(menu(*keys))
    if state.current is None:
        assert other.index == 0
        return
    assert other.current is not None
    assert other.current.key == state.current.key
    is_gone = state.current.key not in keys
    assert bool(other.current.obstacle) == is_gone
    assert [item.key for item in other.menu.items if not item.obstacle] == keys


@given(KEYS)
def test_the_first_item_is_chosen_without_a_step(keys: list[str]) -> None:
    current = ChooserState(menu()).showing(menu(*keys)).current
    assert current is None if not keys else current is not None
    assert current is None or current.key == keys[0]


def test_a_last_resort_is_left_for_something_better_unless_somebody_went_to_it() -> None:
    resort = Item("other", ("another…",), "other", is_fallback=True)
    alone = Menu("Things", (resort,))
    both = Menu("Things", (*menu("1").items, resort))
    state = ChooserState(alone)
    assert state.showing(alone).current == resort
    assert state.showing(both).index == 0
    assert state.moved(1).showing(both).current == resort


def test_what_is_gone_keeps_its_place_until_the_person_moves() -> None:
    state = ChooserState(menu("a", "b", "c")).moved_to(1)
    without = state.showing(menu("a", "c")).showing(menu("a", "c"))
    assert [item.key for item in without.menu.items] == ["a", "b", "c"]
    moved = without.moved(1).showing(menu("a", "c"))
    assert [item.key for item in moved.menu.items] == ["a", "c"]
    assert moved.current is not None
    assert moved.current.key == "c"
    back = without.showing(menu("a", "b", "c")).current
    assert back is not None
    assert not back.obstacle


def test_digits_choose_while_one_digit_is_enough() -> None:
    few, many = ChooserState(menu(*"abc")), ChooserState(menu(*"abcdefghij"))
    assert [few.index_of_digit(digit) for digit in (1, 3, 4)] == [0, 2, None]
    assert many.index_of_digit(1) is None
    assert "1 item a" in plain(few.rows(80, 24))
    assert "1 item a" not in plain(many.rows(80, 24))


def test_a_list_to_choose_from(golden: Callable[[str, str], None]) -> None:
    blocked = Item("b", ("item b", "what it is"), "b", obstacle="It is broken.")
    last = Item("z", ("another…",), "z", "It takes longer.")
    items = (*menu("a").items, blocked, last)
    shown = Menu("Things", items, ("Name", "About"), ("Choose one.",), "No news.", (("q", "ends"),))
    long = menu(*map(str, range(30)), headings=True)
    looks = [
        ChooserState(shown).rows(60, 14),
        ChooserState(shown).moved(1).rows(40, 12),
        ChooserState(shown, symbols=ASCII).moved(2).rows(40, 12),
        ChooserState(long).moved(17).rows(40, 16),
        ChooserState(menu()).rows(40, 12),
        ChooserState(menu("a")).rows(39, 12),
    ]
    golden("menu", "=\n".join(map(plain, looks)))
