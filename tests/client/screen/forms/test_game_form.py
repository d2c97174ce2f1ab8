"""The form of `boxroom play`."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.client.screen.looks import LOOK, fills, plain
from tests.client.screen.playing import a_terminal

from boxroom_client.screen.forms.fields import FIELD_KEYS, Choice
from boxroom_client.screen.forms.form_state import MOVES, FormState
from boxroom_client.screen.forms.game_form import MOST_SEATS, edit_game, game_form, game_from
from boxroom_client.screen.themes.symbols import ASCII
from boxroom_client.shell.room_settings import LocalGame
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import LEVELS
from boxroom_engine.bots.registry import BOTS, bots_for
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game, GameKind, Option, OptionValue
from boxroom_engine.games.registry import DEFAULT, KINDS
from boxroom_engine.phrases import verbatim
from boxroom_engine.room.room import OnDrop, Settings

USUAL = LocalGame(Settings(), ("ada",), ("easy",), None)
OTHERS = [
    USUAL,
    LocalGame(Settings(game="noughts", seats=3), ("Ada", "Bob"), ("random",), None),
    LocalGame(
        Settings(options={"rows": 3, "border": "half"}, clock_s=30, on_drop=OnDrop.WAIT, seats=4),
        ("Ada",),
        ("greedy", "random", "greedy"),
        None,
    ),
]
SUGGESTED = dict.fromkeys(KINDS, "easy")
STRENGTHS = list(LEVELS)
USUALLY = STRENGTHS.index("easy")
TO_A_PERSON = ["right"] * (len(LEVELS) - USUALLY)
"""The keys that lead from the default level past all higher ones."""
TO_AN_ALGORITHM = [*TO_A_PERSON, "right"]
DOWN, RIGHT, LEFT, ENTER, ESC = "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\x1b"


def after(*keys: str, table: LocalGame = USUAL) -> FormState:
    blank = game_form(table, SUGGESTED)
    for key in keys:
        blank = blank.typed(key)
    return blank


def to(field: str, *keys: str, blank: FormState | None = None) -> FormState:
    """Return the form after `keys` in the field labelled `label`."""
    blank = blank or after()
    labels = [each.label.strip() for each in blank.fields]
    blank = blank.moved_to(labels.index(field))
    for key in keys:
        blank = blank.typed(key)
    return blank


def laid(blank: FormState) -> LocalGame:
    assert blank.is_valid
    return game_from(blank.values, USUAL, SUGGESTED)


def mistakes(blank: FormState) -> dict[str, str]:
    return {each.label.strip(): each.mistake for each in blank.fields if each.mistake}


@each("table", OTHERS)
def test_the_form_shows_a_table_and_leaves_it_as_it_is(table: LocalGame) -> None:
    shown = game_from(game_form(table, SUGGESTED).values, table, SUGGESTED)
    assert (shown.people, shown.bots, shown.watcher) == (table.people, table.bots, None)
    assert shown.settings.make_game() == table.settings.make_game()
    assert shown.settings.clock_s == table.settings.clock_s
    assert shown.settings.on_drop == table.settings.on_drop


@given(
    st.sampled_from(OTHERS),
    st.lists(
        st.one_of(st.sampled_from((*MOVES, *FIELD_KEYS)), st.text("0123456789ab", min_size=1)),
        max_size=25,
    ),
    st.integers(1, 100),
    st.integers(1, 40),
)
def test_whatever_is_typed_the_form_is_drawn_and_is_wrong_or_makes_a_game(
    table: LocalGame, keys: list[str], columns: int, lines: int
) -> None:
    blank = after(*keys, table=table)
    assert fills(blank.rows(columns, lines), columns, lines)
    if blank.is_valid:
        result = game_from(blank.values, table, SUGGESTED)
        assert result.settings.make_game().seats == len(result.people) + len(result.bots)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_option_of_every_game_has_a_field(kind: GameKind) -> None:
    shown = after(table=LocalGame(Settings(game=kind.name), ("ada",), ("greedy",), None))
    labels = {field.label.casefold() for field in shown.fields}
    assert labels >= {option.name for option in kind.options}


def test_options_are_chosen() -> None:
    blank = to("Cols", "right", blank=to("Rows", "3", blank=to("Border", "right")))
    blank = to("Clock", "right", blank=blank)
    options: dict[str, int | str] = {"rows": 3, "cols": 6, "border": "half"}
    assert laid(blank).settings == Settings(options=options, clock_s=5)


def test_another_game_has_its_own_options_and_the_first_keeps_what_was_chosen() -> None:
    blank = to("Game", "right", blank=to("Rows", "3"))
    assert [each.label for each in blank.fields][:4] == ["Game", "Dims", "Line", "Opponents"]
    assert laid(blank).settings == Settings(game="noughts", options={"dims": "3,3", "line": 3})
    assert laid(to("Game", "left", blank=blank)).settings.options["rows"] == 3


def test_opponents_are_bots_or_people() -> None:
    blank = to("Opponents", "3")
    blank = to("Opponent 1", *TO_A_PERSON, blank=blank)
    blank = to("called", *"Bob", blank=blank)
    blank = to("Opponent 3", "left", blank=blank)
    table = laid(blank)
    assert table.people == ("ada", "Bob")
    assert table.bots == ("easy", STRENGTHS[USUALLY - 1])
    assert table.settings.seats == 4


def bots_of(field: str, blank: FormState) -> Iterator[str]:
    """Yield the choices of `field`, each of which is described when it is chosen."""
    kind = next(each.kind for each in blank.fields if each.label.strip() == field)
    assert isinstance(kind, Choice)
    for name, _ in kind.choices:
        if name in BOTS:
            assert say(f"style.{name}") in plain(blank.rows(120, 24))
            yield name
        blank = to(field, "right", blank=blank)


def test_a_level_or_an_algorithm_is_chosen_and_described() -> None:
    levels = after()
    while levels.fields[5].value != "child":
        levels = to("Opponent", "left", blank=levels)
    assert list(bots_of("Opponent", levels)) == STRENGTHS
    more = to("Opponent", *TO_AN_ALGORITHM)
    while next(each for each in more.fields if each.label == "  plays as").value != "random":
        more = to("plays as", "left", blank=more)
    algorithms = list(bots_of("plays as", more))
    assert {*algorithms, *STRENGTHS} == set(bots_for(DEFAULT))
    assert laid(to("plays as", "right", blank=more)).bots == (algorithms[1],)


@each(
    "field, keys, where, why",
    [
        ("Rows", "0", "Rows", "rows must be 1 to 1000, not 0"),
        ("Rows", "5000", "Rows", "rows must be 1 to 1000"),
        ("Opponents", "77", "Opponents", "opponents must be 0 to 19, not 77"),
        ("Your name", "!", "Your name", "can't be a name"),
    ],
)
def test_a_mistake_is_told_at_its_field(field: str, keys: str, where: str, why: str) -> None:
    found = mistakes(to(field, *keys))
    assert list(found) == [where]
    assert why in found[where]


def test_a_single_player_can_play_dots_and_nothing_else() -> None:
    alone = to("Opponents", "0")
    assert not mistakes(alone)
    assert (laid(alone).people, laid(alone).bots) == (("ada",), ())
    assert laid(alone).settings.seats == 1
    noughts = mistakes(to("Game", "right", blank=alone))
    assert noughts == {"Opponents": "opponents must be 1 to 9, not 0"}


def test_an_empty_number_is_a_mistake() -> None:
    assert "whole number" in mistakes(to("Rows", "backspace"))["Rows"]
    assert "whole number" in mistakes(to("Clock", "7", "backspace"))["Clock"]


def test_what_is_wrong_together_is_told_where_it_can_be_put_right() -> None:
    large = to("Cols", "900", blank=to("Rows", "900"))
    assert list(mistakes(large)) == ["Rows"]
    assert "at most 10000 boxes" in mistakes(large)["Rows"]
    full = to("Border", "left", blank=to("Cols", "1", blank=to("Rows", "1")))
    assert list(mistakes(full)) == ["Rows"]
    assert "free line" in mistakes(full)["Rows"]


def test_a_game_that_has_no_place_for_so_many_says_so() -> None:
    seven = to("Game", "right", blank=to("Opponents", "7"))
    assert "has at most 3 seats, not 8, with 3 in a row" in mistakes(seven)["Opponents"]
    cube = to("Dims", *"3,3,3", blank=seven)
    assert laid(cube).settings.seats == 8
    stonehenge = to("Game", "right", blank=seven)
    assert mistakes(stonehenge) == {"Opponents": "opponents must be 1 to 1, not 7"}


def test_people_have_different_names() -> None:
    blank = to("called", *"ADA", blank=to("Opponent", *TO_A_PERSON))
    assert list(mistakes(blank)) == ["called"]
    assert "two people are called ADA" in mistakes(blank)["called"]


def test_a_table_with_more_seats_than_others_have_is_shown_too() -> None:
    bots = ("greedy",) * (MOST_SEATS + 5)
    table = LocalGame(Settings(seats=len(bots) + 1), ("ada",), bots, None)
    blank = game_form(table, SUGGESTED)
    assert blank.is_valid
    assert game_from(blank.values, table, SUGGESTED).bots == bots


def test_a_game_that_is_still_to_be_written_has_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(options: Mapping[str, OptionValue], seats: int) -> Game:
        if options["word"] != "good":
            raise OptionError(verbatim(f"nobody plays {options['word']}"))
        return DEFAULT.make({}, seats)

    options = (Option("game.words.word", default="bad"),)
    kind = GameKind("noughts", options, 2, 2, build)
    monkeypatch.setitem(cast(dict[str, GameKind], KINDS), kind.name, kind)
    blank = to("Game", "n")
    assert mistakes(blank) == {"Opponents": "nobody plays bad"}
    assert mistakes(to("Game.words.word.label", *"good", blank=blank)) == {}


async def choose() -> LocalGame | None:
    return await edit_game(USUAL, look=LOOK)


async def test_enter_starts_with_what_is_shown() -> None:
    with a_terminal() as terminal:
        terminal.type(ENTER)
        assert await choose() == LocalGame(
            Settings(options={"rows": 5, "cols": 5, "border": "none"}), ("ada",), ("easy",), None
        )


async def test_a_game_is_put_together_by_keys() -> None:
    with a_terminal() as terminal:
        terminal.type(DOWN + "0" + ENTER)  # which doesn't start it
        terminal.type("3" + DOWN + RIGHT + "\t" + LEFT + DOWN + "2" + DOWN)
        terminal.type(RIGHT * len(TO_A_PERSON) + DOWN + "Bob" + ENTER)
        table = await choose()
        assert table is not None
        assert table.settings.options == {"rows": 3, "cols": 6, "border": "full"}
        assert (table.people, table.bots) == (("ada", "Bob"), ("child",))


def test_the_suggested_level_is_marked_and_another_opponent_at_first() -> None:
    blank = game_form(USUAL, SUGGESTED | {"dots": "hard", "noughts": "child"})
    shown = {each.label: each.shown for each in to("Opponents", "2", blank=blank).fields}
    assert (shown["Opponent 1"], shown["Opponent 2"]) == ("Easy", "Hard (suggested)")
    noughts = to("Opponents", "2", blank=to("Game", "n", blank=blank))
    assert {each.label: each.shown for each in noughts.fields}["Opponent 2"] == "Child (suggested)"


async def test_esc_leaves() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(choose())
        await terminal.sees("Dots and Boxes", "Opponents", "Your name")
        terminal.type(ESC)
        assert await task is None


@pytest.mark.usefixtures("german")
def test_a_game_and_its_options_are_shown_in_the_readers_language() -> None:
    shown = plain(game_form(USUAL, SUGGESTED).rows(120, 24))
    for said in ("Käsekästchen", "Reihen", "Kästchen nebeneinander", "keiner", "Leicht"):
        assert said in shown


def test_the_form_of_play(golden: Callable[[str, str], None]) -> None:
    people = to("Opponent 1", *TO_A_PERSON, blank=to("Opponents", "3"))
    ascii_only = replace(game_form(USUAL, SUGGESTED), symbols=ASCII)
    looks = [
        after().rows(80, 24),
        people.rows(80, 24),
        people.rows(40, 12),
        to("Rows", "0").rows(80, 16),
        to("Rows", "0").rows(40, 12),
        to("Opponent", blank=ascii_only).rows(100, 16),
    ]
    golden("form", "=\n".join(map(plain, looks)))


def test_the_coach_is_offered_to_one_person_against_one_bot() -> None:
    assert not laid(after()).has_coach
    coached = to("Coach", "right")
    assert laid(coached).has_coach
    assert "Coach" in [each.label for each in after(table=laid(coached)).fields]
    for other in (to("Opponents", "right", blank=coached), to("Opponent", *TO_A_PERSON)):
        assert "Coach" not in [each.label for each in other.fields]
    assert not laid(to("Opponents", "right", blank=coached)).has_coach
