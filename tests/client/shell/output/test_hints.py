"""Hints as sentences, in positions given by their moves."""

from tests.cases import each
from tests.client.fake_connection import small
from tests.engine.room.hosting import HostedRoom

from boxroom_client.link.updates import CoachSpoke, HintReceived
from boxroom_client.shell.output.hints import coach_sentences, hint_sentence, hinted_move
from boxroom_engine.phrases import verbatim
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Room, Settings
from boxroom_engine.wire.messages import Coaching


def room_after(*moves: str, settings: Settings) -> Room:
    """Return a room after `moves`, all by Ada."""
    room = HostedRoom(settings)
    room.ask("Ada", cmd.Sit, seat=1, name="Bob")
    room.ask("Ada", cmd.Start)
    room.plays("Ada", *moves)
    return room.room


def hint_in(room: Room, move: str) -> HintReceived:
    assert room.state is not None
    return HintReceived(0, move, room.state.ply, room.game_number, "greedy")


def on_row(*moves: str, cols: int) -> Room:
    """Return a room with a single row of boxes: h0 … above, as many below, v0 … between."""
    return room_after(*moves, settings=small(1, cols))


NEUTRAL = ", which is safe: nobody can take a box after it (neutral)"


@each(
    "room, move, what",
    [
        (on_row(cols=2), "h0", NEUTRAL),
        (on_row("h0", "h2", "v0", cols=2), "v1", ", which takes a box"),
        (
            on_row("h0", "h1", "h2", "h3", "v0", "v2", cols=2),
            "v1",
            ", which takes 2 boxes with one line",
        ),
        (
            on_row("h0", "h1", "h2", "h3", "v0", cols=2),
            "v2",
            (
                ", which leaves 2 boxes so that the other player takes them and must move again"
                " (a double-dealing move)"
            ),
        ),
        (on_row("h0", "h3", "v0", cols=3), "h1", ", which leaves a box that could be taken"),
        (
            on_row("h0", "h2", "h1", "h3", cols=2),
            "v0",
            ", which gives away 2 boxes (a half-hearted handout), as few as any move does",
        ),
        (
            on_row("h0", "h3", cols=3),
            "v0",
            ", which gives away a box while there were moves that give none (a handout)",
        ),
    ],
)
def test_it_says_what_the_move_does(room: Room, move: str, what: str) -> None:
    assert hint_sentence(hint_in(room, move), room) == f"Hint: greedy would play {move}{what}."


def test_a_single_player_hears_that_any_line_will_do() -> None:
    hosted = HostedRoom(small(1, 2, seats=1, hints=True), others=())
    hosted.ask("Ada", cmd.Start)
    assert hint_sentence(hint_in(hosted.room, "h1"), hosted.room) == (
        "Hint: any line will do, such as h1. A single player gets every box."
    )


def test_games_without_such_words_have_the_move_alone() -> None:
    room = room_after("5", settings=Settings(game="noughts"))
    assert hint_sentence(hint_in(room, "1"), room) == "Hint: greedy would play 1."


@each(
    "late",
    [
        HintReceived(0, "h0", 0, 1, "greedy"),  # another ply
        HintReceived(0, "h0", 1, 2, "greedy"),  # another game
        HintReceived(0, "v0", 1, 1, "greedy"),  # drawn already
        HintReceived(0, "nonsense", 1, 1, "greedy"),
    ],
)
def test_a_hint_for_another_position_is_none(late: HintReceived) -> None:
    room = on_row("v0", cols=2)
    assert hinted_move(late, room) is None
    assert hint_sentence(late, room) == "The hint came too late: the game has gone on."


def test_nor_is_there_one_when_the_game_is_over() -> None:
    room = on_row("h0", "h1", "v0", "v1", cols=1)
    assert hint_sentence(HintReceived(0, "h0", 4, 1, "greedy"), room).startswith(
        "The hint came too late"
    )


SAID = verbatim("h0 was bad.")


@each(
    "coaching, text",
    [
        (Coaching(0, 1, "", SAID, "h0"), "Coach: h0 was bad."),
        (Coaching(0, 1, "", SAID, "h0", can_undo=True), "Coach: h0 was bad. /undo takes it back."),
        (
            Coaching(0, 1, "", SAID, theme="give"),
            "Coach: h0 was bad. boxroom puzzle give has puzzles for it.",
        ),
    ],
)
def test_the_coach_speaks_with_what_can_be_done_about_it(coaching: Coaching, text: str) -> None:
    assert coach_sentences(CoachSpoke(coaching, SAID)) == text
