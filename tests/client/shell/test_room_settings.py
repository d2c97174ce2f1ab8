"""Settings that people change, and names of the players of a local game."""

import pytest
from tests.cases import each

from boxroom_client.shell.room_settings import (
    BEST,
    CLOCK,
    HINTS,
    HOSTED,
    ON_DROP,
    SEATS,
    TAKEBACKS,
    changed,
    in_short,
    in_words,
    mistake_in_name,
    rows,
    seats_of,
    with_seats,
)
from boxroom_common.phrases import is_known
from boxroom_engine.games.errors import OptionError
from boxroom_engine.room.room import Settings


def test_numbers_that_an_old_room_has_as_text_are_sent_as_numbers() -> None:
    settings = Settings(options={"rows": "1", "cols": "1"})
    assert changed(settings, {"rows": "2"}).options == {"rows": 2, "cols": 1}
    assert changed(settings, {"clock": "30"}).options == {"rows": 1, "cols": 1}


@each(
    "name, others, why",
    [
        ("Ada", [], None),
        ("Ada", ["Bob"], None),
        ("Jean-Luc O'Neil", ["Bob"], None),
        ("", [], "can't be a name"),
        ("!", [], "can't be a name"),
        ("x" * 25, [], "1 to 24"),
        ("ADA", ["Bob", "Ada"], "two people are called ADA"),
    ],
)
def test_a_mistake_in_a_name_is_told(name: str, others: list[str], why: str | None) -> None:
    mistake = mistake_in_name(name, others)
    assert mistake is None if why is None else why in (mistake or "")


@each("text, number, shown", [("3", 3, "3"), ("off", 0, "off")])
def test_takebacks_are_limited_or_off(text: str, number: int, shown: str) -> None:
    settings = changed(Settings(), {"takebacks": text})
    assert settings.takebacks == number
    assert shown in [value for name, value, _ in rows(settings) if name == "takebacks"]


@each("text", ["many", "-1", "1001"])
def test_a_wrong_number_of_takebacks_is_told(text: str) -> None:
    with pytest.raises(OptionError, match="takebacks"):
        changed(Settings(), {"takebacks": text})


@each("text, number, shown", [("5", 5, "5"), ("off", 0, "off")])
def test_a_series_has_a_number_of_games_or_is_off(text: str, number: int, shown: str) -> None:
    settings = changed(Settings(best_of=3), {"best": text})
    assert settings.best_of == number
    assert shown in [value for name, value, _ in rows(settings) if name == "best"]


@each("text, seats, seat_range", [("4", 4, None), ("2-6", 2, (2, 6))])
def test_seats_are_a_number_or_a_range(
    text: str, seats: int, seat_range: tuple[int, int] | None
) -> None:
    settings = with_seats(Settings(seats=3, seat_range=(3, 5)), text)
    assert (settings.seats, settings.seat_range) == (seats, seat_range)
    assert seats_of(settings) == text


@each("text", ["", "-", "2-", "2-6-8", "-3", "many", "0-4", "6-2"])
def test_other_seats_are_a_mistake(text: str) -> None:
    with pytest.raises(OptionError):
        with_seats(Settings(), text)


def test_a_range_has_to_fit_the_game() -> None:
    with pytest.raises(OptionError):
        changed(Settings(), {"game": "noughts", "seats": "2-9"})


@each(
    "changes, seats",
    [
        ({"game": "noughts"}, "2-3"),
        ({"game": "noughts", "dims": "4,4"}, "2-5"),
        ({"game": "stonehenge"}, "2"),
        ({"rows": "3"}, "2-8"),
    ],
)
def test_a_range_becomes_as_narrow_as_another_game_needs_it(
    changes: dict[str, str], seats: str
) -> None:
    assert seats_of(changed(HOSTED, changes)) == seats


def test_no_number_is_chosen_that_wasnt_in_the_range() -> None:
    for settings in (Settings(seats=4), Settings(seats=3, seat_range=(3, 5))):
        with pytest.raises(OptionError):
            changed(settings, {"game": "stonehenge"})


def test_the_settings_of_rooms_have_words() -> None:
    for option in (SEATS, CLOCK, ON_DROP, HINTS, TAKEBACKS, BEST):
        assert is_known(option.help)
    for option in (SEATS, CLOCK, HINTS, TAKEBACKS, BEST):
        assert is_known(option.label)
        assert all(is_known(option.in_words(choice)) for choice in option.choices)


@pytest.mark.usefixtures("german")
def test_a_game_is_told_in_the_readers_language() -> None:
    settings = changed(Settings(), {"border": "half", "clock": 30})
    assert in_words(settings) == "Käsekästchen (Reihen: 5, Spalten: 5, Rand: halb, Uhr: 30 s)"
    assert in_short(settings.make_game()) == "Käsekästchen 5×5, Rand: halb"
