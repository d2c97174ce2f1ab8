"""The form of a new room: what it offers, what it checks, and the request that it leads to."""

from collections.abc import Callable
from dataclasses import replace

from tests.client.screen.looks import plain

from boxroom_client.link.join_request import Create
from boxroom_client.screen.forms.form_state import FormState
from boxroom_client.screen.forms.room_form import room_form, room_from
from boxroom_client.shell.room_settings import HOSTED
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.registry import KINDS, kind_of
from boxroom_engine.room.room import Settings

SUGGESTED = dict.fromkeys(KINDS, "easy")
NEW = Create(Settings(), room="den", watch=True)


def filled(**values: str) -> FormState:
    return replace(room_form(NEW, SUGGESTED), values=values)


def made(**values: str) -> Create:
    form = filled(**values)
    assert form.is_valid, [each.mistake for each in form.fields]
    return room_from(form.values, NEW, SUGGESTED)


def mistakes(**values: str) -> dict[str, str]:
    return {each.label: each.mistake for each in filled(**values).fields if each.mistake}


def test_everything_can_be_chosen_that_a_room_has() -> None:
    assert tuple(each.label for each in filled().fields) == (
        *("Game", "Rows", "Cols", "Border", "Seats", "Bots"),
        *("Clock", "Hints", "Takebacks", "Best of", "Private"),
    )
    assert "  They play" in [each.label for each in filled(bots="1").fields]
    assert "  password" in [each.label for each in filled(private="yes").fields]


def test_without_changes_it_is_the_room_that_was_asked_for() -> None:
    options: dict[str, int | str] = {"rows": 5, "cols": 5, "border": "none"}
    assert made() == replace(NEW, settings=Settings(options=options))


def test_what_is_entered_is_asked_for() -> None:
    values = {"dots rows": "7", "seats": "3", "clock": "30", "hints": "on", "takebacks": "off"}
    values |= {"best": "5"}
    options: dict[str, int | str] = {"rows": 7, "cols": 5, "border": "none"}
    settings = Settings(options=options, seats=3, clock_s=30, hints=True, takebacks=0, best_of=5)
    assert made(**values) == replace(NEW, settings=settings)


def test_bots_take_some_of_the_seats() -> None:
    assert made(seats="4", bots="2").bots == ("easy", "easy")
    assert made(bots="1", bot="hard").bots == ("hard",)
    assert made(bots="0", bot="hard").bots == ()
    before = replace(NEW, bots=("expert",))
    assert room_from({}, before, SUGGESTED).bots == ("expert",)
    assert [*mistakes(seats="3", bots="3")] == ["Bots"]
    assert made(seats="2-6", bots="5").bots == ("easy",) * 5
    assert [*mistakes(seats="2-6", bots="6")] == ["Bots"]
    assert [*mistakes(seats="nine", bots="1")] == ["Seats"]


def test_a_bot_that_doesnt_play_another_game_makes_room_for_one_that_does() -> None:
    form = filled(game="subtract-square", bots="1", bot="hard")
    (bot,) = room_from(form.values, NEW, SUGGESTED).bots
    assert bot_of(bot).supports(kind_of("subtract-square"))


def test_a_private_room_has_a_password_which_isnt_shown() -> None:
    values = {"private": "yes", "password": "sesame"}
    request = made(**values)
    assert (request.settings.private, request.password) == (True, "sesame")
    form = replace(filled(**values), index=11)
    for look in (form, form.typed("left"), form.moved_to(0)):
        drawn = plain(look.rows(80, 24))
        assert "sesame" not in drawn
        assert "******" in drawn
    assert form.cursor_at(80, 24) is not None


def test_without_a_password_it_isnt_made() -> None:
    assert mistakes(private="yes") == {"  password": "a private room needs a password"}
    assert made(private="no", password="sesame").password is None


def test_mistakes_stand_where_they_are() -> None:
    assert [*mistakes(**{"dots rows": "0"})] == ["Rows"]
    assert [*mistakes(clock="soon")] == ["Clock"]
    assert [*mistakes(seats="0", takebacks="many")] == ["Seats", "Takebacks"]


def test_every_game_has_a_form_without_mistakes() -> None:
    for request in (NEW, replace(NEW, settings=HOSTED)):
        for name in KINDS:
            form = replace(room_form(request, SUGGESTED), values={"game": name})
            assert form.is_valid
            assert room_from(form.values, request, SUGGESTED).settings.game == name


def test_a_new_room(golden: Callable[[str, str], None]) -> None:
    form = filled(private="yes")
    looks = [form.rows(80, 24), form.refused().rows(40, 16), filled(game="noughts").rows(120, 20)]
    golden("room_form", "=\n".join(map(plain, looks)))
