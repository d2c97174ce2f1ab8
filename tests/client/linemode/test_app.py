"""Line mode in a room without sockets: transcripts of whole games, and exit codes."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each
from tests.client.fake_connection import (
    CODE,
    LIMITS,
    PAD,
    FakeConnection,
    Keyboard,
    Pipe,
    small,
)
from tests.engine.room.hosting import HostedRoom

from boxroom_client.linemode.app import LineMode
from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.printer import Printer
from boxroom_client.link.updates import (
    BotThinking,
    ConnectionLost,
    ConnectionRestored,
    EnteredRoom,
    HintReceived,
    NoticeReceived,
    ServerResponding,
    ServerSilent,
    SessionEnded,
    Update,
)
from boxroom_client.servers.address import Address
from boxroom_client.shell.frontend import Interrupted
from boxroom_client.shell.output.painting import Canvas
from boxroom_common.exits import Exit
from boxroom_engine.phrases import verbatim
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Audience, ChatTo, OnDrop, Reaction, Settings
from boxroom_engine.wire.messages import RoomListed

Golden = Callable[[str, str], None]


async def play(connection: FakeConnection, lines: Lines, **options: Any) -> Exit:
    printer = Printer(Canvas(), is_terminal=lines.is_terminal)
    async with asyncio.timeout(20):
        ending = await LineMode(connection, lines, printer, **options).run()
    assert connection.left
    return ending


async def transcript(
    capsys: pytest.CaptureFixture[str], connection: FakeConnection, *lines: str, **options: Any
) -> str:
    """Return the output of a script of `lines`, which succeeds."""
    assert await play(connection, Pipe(*lines), **options) is Exit.DONE
    return capsys.readouterr().out


async def seen(capsys: pytest.CaptureFixture[str], text: str) -> str:
    """Wait until `text` has been printed, and return all output."""
    shown = ""
    async with asyncio.timeout(20):
        while text not in shown:
            await asyncio.sleep(0)
            shown += capsys.readouterr().out
    return shown


# Whole games


async def test_a_game_against_a_bot(capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    connection = FakeConnection(small(2, 2), bots=["greedy"], start=True)
    edges = [f"h{n}" for n in range(6)] + [f"v{n}" for n in range(6)]
    golden("against_greedy", await transcript(capsys, connection, *edges, "/record"))


async def test_a_brief_game_has_boards_on_request_only(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(2, 2), bots=["greedy"], start=True)
    edges = [f"h{n}" for n in range(6)] + [f"v{n}" for n in range(6)]
    lines = "/free|/box 2|/box 2,2|/box 9|/box|h0|/board", *edges, "/box 1", "/free", "/board"
    script = "|".join(lines).split("|")
    golden("brief", await transcript(capsys, connection, *script, brief=True))


@each("watch", [False, True])
async def test_draughts_are_seen_from_the_side_of_who_plays(
    capsys: pytest.CaptureFixture[str], *, watch: bool
) -> None:
    """In the English rules the player in the first seat, as which others watch, has square 1."""
    others = ["Bob", "Cleo"] if watch else ["Bob"]
    connection = FakeConnection(Settings(game="draughts"), others=others, watch=watch)
    text = await transcript(capsys, connection, "/start", "/board", "/quit")
    board = [row for row in text.splitlines() if "░" in row]
    numbers = [int(word) for row in board[:8] for word in re.findall(r"\d+", row)]
    assert numbers == list(range(32, 0, -1))


async def test_boxes_are_of_dots_and_boxes_alone(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(Settings(game="noughts"))
    text = await transcript(capsys, connection, "/free", "/box 1", "/board")
    assert "Noughts and Crosses has no boxes." in text
    assert text.count("there is no board yet") == 2


async def test_three_people_at_one_keyboard(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(1, 2, seats=3))
    script = "/sit Bob|/sit Cleo|/start|h0|v0|h2|V1|hello|v1|/resign Cleo|v2|h1|h3|/rematch|h0"
    golden("three_at_one_keyboard", await transcript(capsys, connection, *script.split("|")))


async def test_bots_are_watched(capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    connection = FakeConnection(small(2, 2), bots=["greedy", "random"], watch=True, start=True)
    text = await transcript(capsys, connection, watching=True, until_end=True)
    golden("watching", text)


async def test_noughts_and_crosses(capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    settings = Settings(game="noughts", seats=3)
    connection = FakeConnection(settings, bots=["greedy", "random"], start=True)
    connection.tell(NoticeReceived("stopping", verbatim("the server is stopping")))
    golden("noughts", await transcript(capsys, connection, "4", "4", "9", "1,5", "/resign"))


async def test_hints_are_asked_for_and_given(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(2, 2, hints=True), bots=["greedy"], start=True)
    script = "/hint|h0|/hint please|/hint|v0|h2|/hint"
    golden("hints", await transcript(capsys, connection, *script.split("|")))


TWO_BOXES = "h0|h2|v0|h1|v1|h3|v2"
"""A game of 1×2 boxes: Ada should begin in the middle, and Bob leaves a box with h1."""


async def test_a_review_names_the_move_that_lost_it_with_the_board(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(1, 2))
    script = f"/sit Bob|/start|/review|{TWO_BOXES}|/review|/explain half-hearted"
    golden("review", await transcript(capsys, connection, *script.split("|")))


async def test_a_game_is_not_played_again_from_a_move_of_the_game_before(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(1, 2))
    script = f"/sit Bob|/start|{TWO_BOXES}|/review|/rematch|/resign Ada|/review"
    text = await transcript(capsys, connection, *script.split("|"))
    advice = "Try it again from there"
    assert text.count("> /review") == 2
    assert text.count(advice) == 1


async def test_any_move_of_a_game_that_is_over_is_judged(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(1, 2))
    asked = "/judge|/judge 4|/judge 4 v1|/judge all|/judge 1|/judge 7|/judge 8|/judge 4 h3 v1"
    script = f"/sit Bob|/judge|/start|{TWO_BOXES}|{asked}|/again"
    golden("judge", await transcript(capsys, connection, *script.split("|")))


async def test_a_position_of_a_running_game_is_judged_where_there_are_hints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(1, 2, hints=True))
    text = await transcript(
        capsys, connection, *["/sit Bob", "/start", "h0", "/judge", "/judge h1"]
    )
    assert "Best for move 2: " in text
    assert "With best play you then win" not in text, "several of them sit at this keyboard"
    assert "h1 costs" in text
    connection = FakeConnection(small(1, 2))
    text = await transcript(capsys, connection, *["/sit Bob", "/start", "h0", "/judge"])
    assert "There are no hints in this room" in text


async def test_who_isnt_the_host_is_told_how_to_play_again_from_a_move(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(1, 2))
    connection.enters("Bob", watch=True)
    script = f"/sit Cem|/start|{TWO_BOXES}|/host Bob|/again 4"
    text = await transcript(capsys, connection, *script.split("|"))
    assert "Only Bob, the host, can do that here." in text
    assert "boxroom play --from FILE --to 3" in " ".join(text.split())


async def test_a_lost_game_is_played_again_from_the_move_that_lost_it(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(1, 2))
    script = f"/again|/sit Bob|/start|{TWO_BOXES}|/review|/again|/undo|v1"
    golden("again", await transcript(capsys, connection, *script.split("|")))


async def test_a_game_is_played_again_from_any_of_its_moves(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(1, 2))
    script = f"/sit Bob|/start|{TWO_BOXES}|/again|/again x|/again 9|/again 3|/settings|/again 1"
    text = await transcript(capsys, connection, *script.split("|"))
    assert text.count("From which move on?") == 2
    assert "That game has 7 moves: name one of 1 to 7." in text
    assert "The first 2 moves were played before." in text
    assert "starts after 2 moves" in text
    assert "A game is on" in text
    assert connection.room is not None
    assert len(connection.room.tokens) == 2


async def test_a_game_is_not_played_again_from_where_a_player_had_given_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(1, 2, seats=3))
    script = "/sit Bob|/sit Cem|/start|h0|/resign Cem|h1|/resign Bob|/again 4"
    text = await transcript(capsys, connection, *script.split("|"))
    assert "A player had given up before that move: start earlier." in text


async def test_what_cant_be_reviewed_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(Settings(game="noughts"))
    script = "/sit Bob|/start|0|3|1|4|2|/review"
    text = await transcript(capsys, connection, *script.split("|"))
    assert "Moves of Noughts and Crosses can't be reviewed" in text
    connection = FakeConnection(small(1, 1, seats=3))
    script = "/sit Bob|/sit Cem|/start|h0|h1|v0|v1|/review"
    text = await transcript(capsys, connection, *script.split("|"))
    assert "Only games of two can be reviewed" in text
    connection = FakeConnection(small(1, 1, seats=1))
    text = await transcript(capsys, connection, *["/start", "h0", "h1", "v0", "v1", "/review"])
    assert "A single player gets every box" in text
    assert "When every line is drawn, all boxes are yours." in " ".join(text.split())
    assert "most boxes win" not in " ".join(text.split())
    assert "Room attic: Dots and Boxes (rows 1, cols 1, border none), 1 seat." in text


@pytest.mark.parametrize(
    "instead",
    [
        NoticeReceived("no_hint", verbatim("no hint was found in time: ask again")),
        HintReceived(0, "h1", 7, 1, "greedy"),
        ConnectionLost("the server is gone", 0.5),
    ],
    ids=lambda instead: type(instead).__name__,
)
async def test_a_pipe_goes_on_when_no_hint_comes(
    instead: Update, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = FakeConnection(small(2, 2, hints=True), bots=["greedy"], start=True)
    connection.instead_of_hint = instead
    text = await transcript(capsys, connection, "/hint", "h0")
    assert "> h0\nAda plays h0." in text


async def test_a_hint_that_comes_too_late_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(2, 2, hints=True), bots=["greedy"], start=True)
    connection.instead_of_hint = HintReceived(0, "h1", 7, 1, "greedy")
    text = await transcript(capsys, connection, "/hint")
    assert "The hint came too late: the game has gone on." in text


async def test_where_hints_are_off_the_host_is_told_how_to_turn_them_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(2, 2), bots=["greedy"], start=True)
    text = await transcript(capsys, connection, "/hint")
    assert "its host can allow them. /set hints on does" in text


async def test_every_mistake_is_answered(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(2, 2), bots=["greedy"], start=True)
    script = (
        "/remtach|/|/s|/xyzzy|/bot|/bot gready|/bot greedy 9|/bot greedy 2|/fill|/fill greedy"
        "|/mute|/mute greedy|/unmute"
        "|/kick|/kick greedy|/kick Zoe|/host|/host Ada|/unseat|/unseat Zoe|/sit|/sit 2|/stand"
        "|/start|/start now|/set rows|/set rwos 3|/set rows 0|/set rows 3|/size XL|/numbers maybe"
        "|/say|/spectators|/spectators psst|/rematch|h99|h1x|h-1|help|/help nonsense|/resign Zoe"
    )
    golden("mistakes", await transcript(capsys, connection, *script.split("|")))


async def test_everything_that_can_be_looked_at(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(1, 2, seats=3), others=["Bob"])
    connection.rooms = [
        RoomListed("attic", small(1, 2, seats=3), "waiting", "Ada", 2, 0, 1, 0),
        RoomListed("den", Settings(clock_s=30), "playing", "Cleo", 1, 1, 0, 2),
    ]
    script = (
        "/help|/help bot|/help q|/members|/settings|/rooms|/board|/record|/save"
        "|/set cols 3 clock 30|/settings|/bot greedy|/start|/members|/board|/numbers off|/size S"
        "|/record||//shrug|/say h3|/invite"
    )
    golden("looking", await transcript(capsys, connection, *script.split("|")))


async def test_the_link_of_the_room_is_printed_for_programs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(1, 2))
    link = connection.let_guests_in(Address("192.168.1.5"))
    piped = await transcript(capsys, connection, "/qr")
    assert f"> /qr\n{link}\n" in piped
    assert "█" not in piped


async def test_a_link_for_ones_own_phone_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for watch, end in ((False, ""), (True, "&watch=1")):
        connection = FakeConnection(small(1, 2), watch=watch)
        assert "at this computer only" in await transcript(capsys, connection, "/phone")
        connection = FakeConnection(small(1, 2), watch=watch)
        connection.let_guests_in(Address("192.168.1.5"))
        said = await transcript(capsys, connection, "/phone")
        assert "Whoever opens it plays as you" in said
        link = f"http://192.168.1.5:8765/#identity={PAD}.{CODE}&room={connection.room.code}{end}"
        assert f"\n{link}\n" in said


async def test_a_server_that_is_gone_makes_no_link(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(1, 2))
    connection.let_guests_in(Address("192.168.1.5"))
    connection.rooms = None
    assert "Nothing answers at kiwa:8765." in await transcript(capsys, connection, "/phone")


async def test_a_link_that_leads_nowhere_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(1, 2))
    assert "at this computer only" in await transcript(capsys, connection, "/qr")
    connection = FakeConnection(small(1, 2))
    connection.guests_address = Address("192.168.1.5")
    assert "has no page for browsers" in await transcript(capsys, connection, "/qr")
    connection = FakeConnection(small(1, 2))
    connection.let_guests_in(Address("localhost"))
    said = await transcript(capsys, connection, "/qr")
    assert "http://localhost:8765/ works on this machine only" in said


async def test_a_link_that_is_too_long_for_a_code_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(1, 2))
    link = connection.let_guests_in(Address("192.168.1.5", path="/long" * 1000))
    said = await transcript(capsys, connection, "/qr")
    assert f"The link is too long for a QR code:\n{link}\n" in said


async def test_what_others_do_is_told(capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    connection = FakeConnection(
        small(1, 3, seats=3, clock_s=30, on_drop=OnDrop.BOT), others=["Bob", "Cleo"]
    )
    connection.enters("Dan", watch=True)
    connection.does("Bob", cmd.Say, text="hello")
    connection.does("Ada", cmd.Start)
    connection.does("Dan", cmd.Say, text="Bob is bad", to=ChatTo.SPECTATORS)
    connection.plays("Ada", "h0")
    connection.plays("Bob", "h1")
    connection.drops("Cleo")
    connection.enters("Cleo")
    connection.does("Cleo", cmd.Leave)
    connection.does("Ada", cmd.Kick, member="Bob")
    connection.does("Ada", cmd.Resign, seat=0)
    connection.does("Dan", cmd.Leave)
    golden("others", await transcript(capsys, connection))


# Piped moves wait for their turn, or are tried when it can't come


async def test_a_piped_move_waits_for_its_turn(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(others=["Bob"], start=True)
    playing = asyncio.create_task(transcript(capsys, connection, "h0", "hi", "h1"))
    shown = await seen(capsys, "Ada: hi")
    connection.plays("Bob", "h3")
    text = shown + await playing
    assert text.index("Ada: hi") < text.index("Bob plays h3.") < text.index("Ada plays h1.")


async def test_so_does_a_hint_which_is_for_the_position_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(1, 2, hints=True), others=["Bob"], start=True)
    playing = asyncio.create_task(transcript(capsys, connection, "h0", "hi", "/hint"))
    shown = await seen(capsys, "Ada: hi")
    connection.plays("Bob", "h3")
    text = shown + await playing
    assert text.index("Bob plays h3.") < text.index("Ada asks for a hint.")
    assert "Hint: greedy would play " in text


async def test_a_spectator_gets_no_hint(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(hints=True), bots=["greedy", "greedy"], watch=True)
    text = await transcript(capsys, connection, "/hint")
    assert "You are watching: hints are for those who play." in text


@each("line", ["h0", "h99"])
async def test_a_spectators_move_is_answered_at_once(
    capsys: pytest.CaptureFixture[str], line: str
) -> None:
    connection = FakeConnection(bots=["greedy", "greedy"], watch=True)
    assert f"You are watching, so you can't play {line}." in await transcript(
        capsys, connection, line
    )


async def test_a_hosts_move_before_the_game_is_tried_at_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = await transcript(capsys, FakeConnection(), "h0")
    assert "The game hasn't started: the host starts it. /start starts it." in text


async def test_a_guests_move_waits_for_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(others=["Bob"], me="Bob")
    playing = asyncio.create_task(transcript(capsys, connection, "h1"))
    await asyncio.sleep(0)
    connection.does("Ada", cmd.Start)
    connection.plays("Ada", "h0")
    assert "Bob plays h1." in await playing


async def test_after_the_game_moves_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(bots=["greedy"], start=True)
    text = await transcript(capsys, connection, "/resign", "h0")
    assert "The game is over: ask for a rematch to play again. /rematch does that." in text


async def test_a_player_who_gave_up_waits_for_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(seats=3), others=["Bob", "Cleo"], start=True)
    assert "It is Bob's turn." in await transcript(capsys, connection, "/resign", "h0")


async def test_at_the_end_of_a_pipe_the_bots_move_is_still_seen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = await transcript(capsys, FakeConnection(bots=["greedy"], start=True), "h0")
    assert "greedy plays" in text.partition("Ada plays h0.")[2]


# How it ends


@each(
    "code, ending",
    [
        ("left", Exit.DONE),
        ("closed", Exit.DONE),
        ("kicked", Exit.FAILED),
        ("replaced", Exit.FAILED),
        ("no_such_room", Exit.FAILED),
        ("gave_up", Exit.UNREACHABLE),
    ],
)
async def test_when_the_connection_is_finished_so_is_line_mode(code: str, ending: Exit) -> None:
    connection = FakeConnection()
    connection.tell(SessionEnded(code, verbatim("that's it")))
    assert await play(connection, Keyboard()) is ending


@each(
    "lines, ending",
    [(["/quit", "y"], Exit.DONE), ([None], Exit.DONE), ([Interrupted()], Exit.INTERRUPTED)],
)
async def test_a_person_can_leave(lines: list[str | Exception | None], ending: Exit) -> None:
    keyboard = Keyboard()
    keyboard.type(*lines)
    assert await play(FakeConnection(), keyboard) is ending


async def test_a_person_is_asked_in_the_prompt_and_enter_means_no(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(2, 2), others=["Bob"], start=True)
    keyboard = Keyboard()
    playing = asyncio.create_task(play(connection, keyboard))
    keyboard.type("/resign", "", "hello")
    await seen(capsys, "Ada: hello")
    keyboard.type("/resign", "/bot expert")
    assert "There was no answer" in await seen(capsys, "A game is on")
    assert not connection.state.withdrawn
    keyboard.type("/resign", "y")
    await seen(capsys, "Ada gives up")
    keyboard.type("/quit", None)
    assert await playing is Exit.DONE
    assert keyboard.prompt() == "Leave the room? y/N > "


async def test_a_failure_of_the_client_isnt_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("boxroom_client.linemode.app.parse", fail)
    with pytest.raises(ZeroDivisionError):
        await play(FakeConnection(), Pipe("h0"))


async def test_a_spectator_is_asked_once_to_play_in_the_next_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(2, 2), watch=True, others=("Bob", "Cleo"), start=True)
    keyboard = Keyboard()
    playing = asyncio.create_task(play(connection, keyboard))
    keyboard.type("hello")
    await seen(capsys, "Ada: hello")
    assert keyboard.prompt() == "> "
    connection.does("Bob", cmd.Leave)
    await seen(capsys, "Bob leaves")
    assert keyboard.prompt() == "Do you want to play in the next game? y/N > "
    keyboard.type("y")
    await seen(capsys, "You have a seat in the next game")
    keyboard.type("/stand", "hello again")
    await seen(capsys, "hello again")
    assert keyboard.prompt() == "> "
    keyboard.type(None)
    assert await playing is Exit.DONE


async def test_who_came_to_watch_is_not_asked_to_play(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(2, 2), watch=True, others=("Bob", "Cleo"), start=True)
    keyboard = Keyboard()
    playing = asyncio.create_task(play(connection, keyboard, watching=True))
    connection.does("Bob", cmd.Leave)
    await seen(capsys, "Bob leaves")
    assert keyboard.prompt() == "> "
    keyboard.type(None)
    assert await playing is Exit.DONE


async def test_being_cancelled_keeps_the_seat() -> None:
    connection = FakeConnection()
    playing = asyncio.create_task(play(connection, Keyboard()))
    await asyncio.sleep(0)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert not connection.left


# In a terminal


async def test_a_move_out_of_turn_is_answered_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(others=["Bob"], start=True)
    keyboard = Keyboard()
    playing = asyncio.create_task(play(connection, keyboard))
    keyboard.type("h0", "h1")
    await seen(capsys, "It is Bob's turn.")
    assert keyboard.prompt() == "> "
    connection.plays("Bob", "h3")
    await seen(capsys, "Your turn, Ada.")
    assert keyboard.prompt() == "Ada> "
    keyboard.type(None)
    assert await playing is Exit.DONE


async def test_the_prompt_tells_who_thinks(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(others=["Bob"], bots=["greedy"], settings=small(seats=3))
    keyboard = Keyboard()
    playing = asyncio.create_task(play(connection, keyboard))
    connection._let_bots_play = lambda: None  # type: ignore[method-assign]
    connection.does("Ada", cmd.Start)
    connection.plays("Ada", "h0")
    connection.plays("Bob", "h1")
    connection.tell(BotThinking(2, "greedy"))
    await seen(capsys, "Bob plays h1.")
    assert keyboard.prompt() == "(greedy thinks) > "
    keyboard.type("/quit", "y")
    await playing


async def test_a_lost_connection_is_told_and_so_is_its_return(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(bots=["greedy"], start=True)
    keyboard = Keyboard()
    happenings: list[Update] = [
        ConnectionLost("the server hung up", 0.2),
        ConnectionLost("nothing answers", 0.4),
        ConnectionLost("nothing answers", 3.2),
        ConnectionRestored(),
        ConnectionLost("the server hung up", 0.2),
    ]
    for happening in happenings:
        connection.tell(happening)
    connection.tell(EnteredRoom(connection.room, "Ada", Audience.PLAYER, back=True))
    connection.tell(SessionEnded("no_such_room", verbatim("there is no room attic here")))
    assert await play(connection, keyboard) is Exit.FAILED
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("The connection is lost: the server hung up.")
    assert lines[start + 1 : start + 5] == [
        "You can go on typing; it is sent when the connection is back.",
        "Still no connection. The next try is in 3 s.",
        "Connected again.",
        "The connection is lost: the server hung up.",
    ]
    assert "Connected again. This is how things stand now:" in lines
    assert lines[-1] == "The room was closed, or its server was started anew and had kept nothing."


# Saving


async def test_a_saved_game_never_replaces_another(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    connection = FakeConnection(bots=["greedy"], start=True)
    (tmp_path / "friday.txt").write_text("precious")
    text = await transcript(
        capsys, connection, "/save", "/save friday.txt", "/save no/such/folder.txt"
    )
    record = "dots rows=1 cols=2 border=none | Ada, greedy (bot) |"
    assert (tmp_path / "boxroom-attic-1.txt").read_text() == f"{record}\n"
    assert (tmp_path / "friday.txt").read_text() == "precious"
    assert (tmp_path / "friday-2.txt").read_text() == f"{record}\n"
    assert "There is a file friday.txt already, so it has another name." in text
    assert "It can't be saved as no/such/folder.txt: No such file or directory." in text


async def test_the_table_of_games_is_shown_and_saved(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    connection = FakeConnection(bots=["greedy"], start=True)
    text = await transcript(
        capsys, connection, "/table", "/table e.json", "/resign", "/table", "/table e.json"
    )
    before, after = text.split("> /resign")
    assert before.count("No game has ended here yet.") == 2
    assert re.search(r"greedy +1 +1 +0 +2\n", after)
    rows = json.loads((tmp_path / "e.json").read_text())["table"]
    assert [(row["name"], row["points"]) for row in rows] == [("greedy", 2), ("Ada", 0)]


async def test_a_series_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(bots=["greedy"])
    games = ("/start", "/resign") * 2
    text = await transcript(capsys, connection, "/best", "/best x", "/best 3", *games, "/table")
    assert "How many games?" in text
    assert "best of 3" in text
    assert text.index("Best of 3: greedy 1 : 0 Ada.") < text.index("Best of 3: greedy 2 : 0 Ada.")
    assert "greedy has won the best of 3!" in text
    assert re.search(r"greedy +2 +2 +0 +1 +4\n", text)


async def test_an_unreachable_list_of_rooms_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection()
    connection.rooms = None
    assert "Nothing answers at kiwa:8765." in await transcript(capsys, connection, "/rooms")


async def test_a_silent_server_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(start=False)
    connection.tell(ServerSilent())
    connection.tell(ServerResponding())
    text = await transcript(capsys, connection, "/quit")
    assert "The server doesn't answer. What you type is kept until it does." in text
    assert "The server answers again." in text


async def test_moves_are_taken_back_against_a_bot(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(1, 3), bots=["greedy"], start=True)
    lines = ("h0", "/undo", "/undo", "h1", "/accept", "/decline", "/takeback")
    golden("takebacks", await transcript(capsys, connection, *lines))


async def test_a_takeback_is_agreed_on_or_declined(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(1, 3), others=["Bob"], start=True)
    connection.plays("Ada", "h0")
    connection.plays("Bob", "h1")
    keyboard = Keyboard()
    running = asyncio.create_task(play(connection, keyboard))
    connection.does("Bob", cmd.Undo, ply=2)
    await seen(capsys, "Bob asks to take back h1: /undo agrees, /decline declines.")
    keyboard.type("/decline")
    await seen(capsys, "Ada declines the takeback.")
    connection.does("Bob", cmd.Undo, ply=2)
    keyboard.type("/undo")
    await seen(capsys, "Bob takes back h1, and is to move.")
    assert connection.room.tokens == ("h0",)
    keyboard.type("/undo")
    await seen(capsys, "You ask to take back h0: Bob decides.")
    keyboard.type(None)
    await running


async def test_the_next_game_is_one_step_away(
    capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    connection = FakeConnection(small(1, 2), bots=["greedy"], start=True)
    lines = (
        "/resign",
        "/next rows",
        "/next rows x",
        "/next first Bob",
        "/next bot nobody",
        "/next bot random rows 2 cols 1 first ada",
        "/resign",
        "/bot greedy",
        "/bot greedy 2",
        "/next first greedy",
    )
    golden("next_game", await transcript(capsys, connection, *lines))


async def test_a_turn_that_takes_long_is_told_of_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Time is as the test says: it wakes those who sleep."""
    slept: asyncio.Queue[float] = asyncio.Queue()
    wake = asyncio.Event()

    async def sleep(seconds: float) -> None:
        slept.put_nowait(seconds)
        await wake.wait()

    keyboard = Keyboard()
    connection = FakeConnection(small(1, 2), others=["Bob"])
    playing = asyncio.ensure_future(play(connection, keyboard, sleep=sleep))
    keyboard.type("/start")
    keyboard.type("h0")
    await seen(capsys, "Ada plays h0")
    async with asyncio.timeout(20):
        assert await slept.get() == 60
    wake.set()
    text = await seen(capsys, "Bob has been thinking for 1:00.")
    assert "/nudge Bob rings there; /standin Bob lets a bot play." in " ".join(text.split())
    connection.plays("Bob", "h1")
    await seen(capsys, "Bob plays h1")
    assert slept.empty()
    keyboard.type("/quit", "y")
    await playing


async def test_after_a_pause_the_time_that_is_left_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(1, 2, clock_s=60), others=["Bob"], start=True)
    connection.waits(20)
    text = await transcript(capsys, connection, "/pause", "/unpause", "/resign", "/quit")
    assert "Ada pauses the game" in text
    assert "Ada goes on with the game." in text
    assert "You have 40 s." in text


# Talking


async def test_who_is_ignored_is_not_heard_until_listened_to_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(others=["Bob", "Cleo"], watch=True)
    keyboard = Keyboard()
    playing = asyncio.create_task(play(connection, keyboard))
    keyboard.type("/ignore", "/ignore BOB", "/ignore Dora", "/ignore Ada", "/members")
    shown = await seen(capsys, "Bob (ignored)")
    assert "You ignore nobody." in shown
    assert "You don't see any more what Bob says." in shown
    assert "Nobody called Dora is here" in shown
    assert "You can't ignore yourself." in shown
    connection.does("Bob", cmd.Say, text="one")
    connection.does("Bob", cmd.Tell, to="Ada", text="two")
    connection.does("Bob", cmd.React, reaction=Reaction.WOW)
    connection.does("Cleo", cmd.Say, text="three")
    shown = await seen(capsys, "Cleo: three")
    assert "Bob" not in shown
    keyboard.type("/ignore", "/unignore Cleo", "/unignore bob")
    shown = await seen(capsys, "You see again what bob says.")
    assert shown.count("You ignore Bob.") == 2
    connection.does("Bob", cmd.Say, text="four")
    await seen(capsys, "Bob: four")
    keyboard.type("/clear", "/quit", "y")
    assert await playing is Exit.DONE
    assert keyboard.is_cleared


async def test_who_is_gone_for_a_moment_is_told_and_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(2, 2), others=["Bob"], start=True)
    shown = await transcript(capsys, connection, "/away the door", "/members", "/back", "/back")
    assert "Ada is gone for a moment: the door" in shown
    assert "Ada (you, host, back soon: the door)" in shown
    assert "Ada is back at the game." in shown
    assert "You aren't away." in shown


async def test_another_name_is_taken_between_games(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(2, 2), others=["Bob"])
    lines = "/nick", "/nick BOB", "/nick Anna", "hello", "/members", "/start", "/name Ada"
    shown = await transcript(capsys, connection, *lines)
    assert "Which name?" in shown
    assert "The name BOB is taken here" in shown
    assert "Ada is now called Anna." in shown
    assert "Anna: hello" in shown
    assert "Anna (you, host)" in shown
    assert "A game is on: you can take another name when it is over" in shown


async def test_who_is_ignored_stays_so_under_another_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(others=["Bob"])
    keyboard = Keyboard()
    playing = asyncio.create_task(play(connection, keyboard))
    keyboard.type("/ignore Bob")
    await seen(capsys, "You don't see any more")
    connection.enters("Bert", former_name="Bob")
    connection.does("Bert", cmd.Say, text="it is me")
    keyboard.type("/members")
    shown = await seen(capsys, "Bert (ignored)")
    assert "Bob is now called Bert." in shown
    assert "it is me" not in shown
    keyboard.type("/quit", "y")
    assert await playing is Exit.DONE


# Going to another room


def with_cellar(connection: FakeConnection, password: str | None = None) -> FakeConnection:
    """Let Ada go to the cellar, too, a room with a board of one box."""
    cellar = HostedRoom(small(1, 1), limits=LIMITS, code="cellar")
    connection.other_rooms["cellar"] = cellar, password
    return connection


async def test_a_script_goes_to_another_room_and_stays_where_that_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = with_cellar(FakeConnection(small(2, 2), others=["Bob"], start=True))
    shown = await transcript(capsys, connection, "/join celar", "h0", "/join", "/join cellar", "hi")
    assert "There is no room celar" in shown
    assert "/rooms lists the open rooms" in shown
    assert "Ada plays h0" in shown
    assert "Which room?" in shown
    assert "Room cellar" in shown
    assert connection.room.code == "cellar"
    assert [line.text for line in connection.room.chat] == ["hi"]


async def test_a_script_is_not_asked_for_a_password(capsys: pytest.CaptureFixture[str]) -> None:
    connection = with_cellar(FakeConnection(), password="sesame")
    shown = await transcript(capsys, connection, "/join cellar", "sesame")
    assert "That isn't its password" in shown
    assert connection.room.code == "attic"


async def test_a_person_is_asked_for_the_password_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = with_cellar(FakeConnection(), password="sesame")
    keyboard = Keyboard()
    playing = asyncio.create_task(play(connection, keyboard))
    keyboard.type("/join cellar")
    await seen(capsys, "This room is private.")
    assert keyboard.is_secret()
    assert "Password" in keyboard.prompt()
    keyboard.type("", "/join cellar")
    await seen(capsys, "This room is private.")
    keyboard.type("sesam")
    await seen(capsys, "That isn't its password")
    keyboard.type("sesame")
    await seen(capsys, "oom cellar")
    assert not keyboard.is_secret()
    keyboard.type("/quit", "y")
    assert await playing is Exit.DONE


async def test_who_would_leave_a_game_is_asked_once(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(2, 2), others=["Bob"], start=True)
    keyboard = Keyboard()
    playing = asyncio.create_task(play(with_cellar(connection), keyboard))
    keyboard.type("/join cellar", "n", "hello")
    await seen(capsys, "Ada: hello")
    keyboard.type("/join cellar", "y")
    await seen(capsys, "oom cellar")
    keyboard.type("/quit", "y")
    assert await playing is Exit.DONE
