"""Names that look alike, and names that no new person can take."""

import string

from confusable_homoglyphs.confusables import confusables_data
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_common.look_alikes import look_alike, looks, mistake_in_new_name, skeleton
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.room.text import fold


@each(
    "one, other",
    [
        ("Aurоra", "Aurora"),
        ("PauI", "Paul"),
        ("Ada1", "Adal"),
        ("B0b", "BOB"),
        ("Torn", "Tom"),
        ("НОВА", "hoba"),
        ("нова", "Hoba"),
        ("ѕсоре", "scope"),
        ("ⅼucy", "Lucy"),
        ("Ｂｏｂ", "bob"),
        ("カ", "力"),
        ("٥", "o"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert look_alike(one, ["Zoe", other]) == other
    assert look_alike(other, ["Zoe", one]) == one


@each(
    "one, other",
    [("Lila", "Ilia"), ("Ali", "All"), ("Zoë", "Zoe"), ("Ада", "Ada"), ("Ada 2", "Ada 3")],
)
def test_names_that_differ(one: str, other: str) -> None:
    assert look_alike(one, [other]) is None


@given(st.text(string.ascii_letters + string.digits + " _-.'"))
def test_ascii_has_the_skeletons_of_the_table(text: str) -> None:
    pairs = {char: confusables_data.get(char, []) for char in text}
    table = {char: found[0]["c"] for char, found in pairs.items() if len(found) == 1}
    assert skeleton(text) == "".join(table.get(char, char) for char in text)


@given(st.text())
def test_a_name_looks_like_itself_in_any_case(name: str) -> None:
    assert not looks(name).isdisjoint(looks(fold(name)))


def test_letters_that_are_a_pair_of_the_table_look_alike() -> None:
    pairs = [(char, pair["c"]) for char in confusables_data for pair in confusables_data[char]]
    letters = [pair for pair in pairs if all(len(each) == 1 and each.isalpha() for each in pair)]
    assert [pair for pair in letters if len({*map(skeleton, pair)}) > 1] == []


@each(
    "name",
    [
        "Ünal",
        "Иван",
        "Μαρία 2",
        "O'Neil",
        "たなか太郎A",
        "김철수 Lee",
        "ㄅㄆ王",
        "王小明",
        "Ада-1",
        "R2",
    ],
)
def test_names_that_anybody_can_take(name: str) -> None:
    assert mistake_in_new_name(name) is None


@each(
    "name, why",
    [
        ("2", "is a number"),
        ("٢", "is a number"),
        ("２.５", "is a number"),
        ("Aurоra", "mixes letters of Cyrillic and Latin"),
        ("Ali عمر", "mixes letters of Arabic and Latin"),
        ("たЛ", "mixes letters of Cyrillic and Hiragana"),
        ("Expert", "looks like the name of the bot expert"),
        ("Anfänger 2", "looks like the name of the bot beginner"),
        ("GREEDY 2", "looks like the name of the bot greedy"),
        ("rnedium", "looks like the name of the bot medium"),
    ],
)
def test_names_that_nobody_can_take(name: str, why: str) -> None:
    assert why in str(mistake_in_new_name(name))


def test_no_person_is_called_like_a_bot() -> None:
    assert all(mistake_in_new_name(bot) for bot in BOTS)
