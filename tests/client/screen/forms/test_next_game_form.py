"""The form of the next game: what it offers, what it checks, and the commands that it leads to."""

from msgspec.structs import replace
from tests.client.fake_connection import FakeConnection, small

from boxroom_client.screen.forms.form_state import FormState
from boxroom_client.screen.forms.next_game_form import next_game_form, next_game_from
from boxroom_client.shell.next_game import planned_game
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import RequestedSettings, Room

BOTS = ("random", "easy", "greedy", "hard", "expert")


async def finished(*, bots: tuple[str, ...] = ("greedy",), seats: int = 2) -> Room:
    connection = FakeConnection(small(2, 3, seats=seats), bots=bots, start=True)
    await connection.ask(cmd.Resign(1, 0))
    if seats == 2:
        assert connection.room.phase == "over"
    return connection.room


def filled(room: Room, **values: str) -> FormState:
    return replace_values(next_game_form(room, BOTS), values)


def replace_values(form: FormState, values: dict[str, str]) -> FormState:
    return FormState(form.title, form.make_fields, form.done, values=values)


async def test_without_changes_the_next_player_begins() -> None:
    room = await finished()
    form = next_game_form(room, BOTS)
    labels = [field.label for field in form.fields]
    assert labels == ["Opponent", "  plays as", "Rows", "Cols", "Border", "Begins"]
    assert form.fields[-1].shown == "greedy"
    assert next_game_from({}, room, BOTS).commands(planned_game(room), room) == (cmd.Start(0, 1),)


async def test_the_suggested_level_takes_the_place_of_one_that_plays_alone() -> None:
    room = with_level(await finished(), "easy")
    form = next_game_form(room, BOTS, "hard")
    assert form.fields[0].shown == "Hard (suggested)"
    assert next_game_from({}, room, BOTS, "hard").commands(planned_game(room), room) == (
        cmd.SeatBot(0, "hard", 1),
        cmd.Start(0, 1),
    )
    stays = next_game_from({}, await finished(), BOTS, "hard")
    assert stays.bots == {1: "greedy"}


def with_level(room: Room, level: str) -> Room:
    return replace(room, seats=(room.seats[0], replace(room.seats[1], bot=level, name=level)))


async def test_only_what_is_changed_is_sent() -> None:
    room = await finished()
    values = {"bot 1": "expert", "rows": "4", "first": "0"}
    form = filled(room, **values)
    assert form.is_valid
    settings = replace(room.settings, options={"rows": 4, "cols": 3})
    assert next_game_from(form.values, room, BOTS).commands(planned_game(room), room) == (
        cmd.Configure(0, RequestedSettings.of(settings)),
        cmd.SeatBot(0, "expert", 1),
        cmd.Start(0),
    )


async def test_who_begins_is_called_like_the_new_bot() -> None:
    form = filled(await finished(), **{"bot 1": "expert"})
    assert form.fields[-1].shown == "Expert"


async def test_a_mistake_stands_beside_its_field() -> None:
    form = filled(await finished(), rows="0")
    assert not form.is_valid
    assert [field.name for field in form.fields if field.mistake] == ["rows"]


async def test_each_bot_of_several_has_a_field() -> None:
    room = await finished(bots=("greedy", "random"), seats=3)
    form = filled(room)
    assert [field.label for field in form.fields][::2][:2] == ["Bot in seat 2", "Bot in seat 3"]


async def test_a_bot_with_options_can_stay() -> None:
    room = await finished()
    seats = (room.seats[0], replace(room.seats[1], bot="greedy:ply=3"))
    room = replace(room, seats=seats)
    assert [field.shown for field in filled(room).fields][:2] == ["more…", "greedy:ply=3"]
    assert next_game_from({}, room, BOTS).commands(planned_game(room), room) == (cmd.Start(0, 1),)
