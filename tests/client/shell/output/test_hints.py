"""A hint in a sentence. Positions are those after the moves that are given."""

import pytest
from tests.client.fake_connection import small
from tests.engine.room.hosting import HostedRoom

from boxroom_client.link.updates import Hinted
from boxroom_client.shell.output.hints import advice, hinted_move
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Room, Settings


def room_after(*moves: str, settings: Settings) -> Room:
    """Ada plays for both seats."""
    room = HostedRoom(settings)
    room.ask("Ada", cmd.Sit, seat=1, name="Bob")
    room.ask("Ada", cmd.Start)
    room.plays("Ada", *moves)
    return room.room


def hint_in(room: Room, move: str) -> Hinted:
    assert room.state is not None
    return Hinted(0, move, room.state.ply, room.game_number, "greedy")


def on_row(*moves: str, cols: int) -> Room:
    """A single row of boxes: h0 … above, as many below, v0 … between."""
    return room_after(*moves, settings=small(1, cols))


@pytest.mark.parametrize(
    ("room", "move", "what"),
    [
        (on_row(cols=2), "h0", ", which is neutral: it gives nothing away"),
        (on_row("h0", "h2", "v0", cols=2), "v1", ", which takes 1 box"),
        (on_row("h0", "h1", "h2", "h3", "v0", "v2", cols=2), "v1", ", which takes 2 boxes"),
        (
            on_row("h0", "h1", "h2", "h3", "v0", cols=2),
            "v2",
            ", which is a double-dealing move: it gives up the last boxes on offer to keep control",
        ),
        (on_row("h0", "h3", "v0", cols=3), "h1", ", which leaves what is on offer"),
        (
            on_row("h0", "h2", "h1", "h3", cols=2),
            "v0",
            ", which gives away 2 boxes, as few as any move does",
        ),
        (on_row("h0", "h3", cols=3), "v0", ", which gives away 1 box"),
    ],
)
def test_it_says_what_the_move_does(room: Room, move: str, what: str) -> None:
    assert advice(hint_in(room, move), room) == f"Hint: greedy would play {move}{what}."


def test_games_without_such_words_have_the_move_alone() -> None:
    room = room_after("5", settings=Settings(game="noughts"))
    assert advice(hint_in(room, "1"), room) == "Hint: greedy would play 1."


@pytest.mark.parametrize(
    "late",
    [
        Hinted(0, "h0", 0, 1, "greedy"),  # another ply
        Hinted(0, "h0", 1, 2, "greedy"),  # another game
        Hinted(0, "v0", 1, 1, "greedy"),  # drawn already
        Hinted(0, "nonsense", 1, 1, "greedy"),
    ],
)
def test_a_hint_for_another_position_is_none(late: Hinted) -> None:
    room = on_row("v0", cols=2)
    assert hinted_move(late, room) is None
    assert advice(late, room) == "The hint came too late: the game has gone on."


def test_nor_is_there_one_when_the_game_is_over() -> None:
    room = on_row("h0", "h1", "v0", "v1", cols=1)
    assert advice(Hinted(0, "h0", 4, 1, "greedy"), room).startswith("The hint came too late")
