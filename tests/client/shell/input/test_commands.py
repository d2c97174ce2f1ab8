"""Intents of typed lines: each line has one, and mistakes say how to correct them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.client.fake_connection import small
from tests.engine.room.hosting import HostedRoom

from boxroom_client.shell.input.arguments import UNSENT, Context
from boxroom_client.shell.input.commands import BY_NAME, COMMANDS, parse
from boxroom_client.shell.input.intents import (
    ChangeSettings,
    Clear,
    GoToRoom,
    Help,
    Ignore,
    Intent,
    Mistake,
    Nothing,
    PlayMove,
    Quit,
    Rename,
    RequestHint,
    RequestPause,
    Resize,
    Save,
    SendCommand,
    Show,
    ShowBox,
    ShowNumbers,
    StopIgnoring,
    Switch,
    Toggle,
    UseTheme,
    Viewable,
)
from boxroom_client.shell.input.look_alikes import plain_forms
from boxroom_client.shell.room_settings import changed
from boxroom_engine.games.drawing import Size
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import ChatTo, OnDrop, Settings


def waiting() -> HostedRoom:
    """A room with three seats: Ada, who is the host, Bob, and an empty one."""
    return HostedRoom(small(2, 2, seats=3), others=["Bob"])


def context(room: HostedRoom | None = None, me: str = "Ada") -> Context:
    return Context((room or waiting()).room, me, ("random", "greedy"))


def playing() -> HostedRoom:
    """A game in which Ada has the first seat and, as Cleo, the last; a bot is between them."""
    room = HostedRoom(small(2, 2, seats=3))
    room.ask("Ada", cmd.Sit, seat=2, name="Cleo")
    room.ask("Ada", cmd.Fill, bot="greedy")
    room.ask("Ada", cmd.Start)
    return room


@pytest.mark.usefixtures("german")
@each(
    "line, command",
    [
        ("/bot Schwer 3", cmd.SeatBot(UNSENT, "hard", 2)),
        ("/bot hard 3", cmd.SeatBot(UNSENT, "hard", 2)),
        ("/fill ANFÄNGER", cmd.Fill(UNSENT, "beginner")),
        ("/unseat leicht", cmd.Unseat(UNSENT, 2)),
        ("/unseat easy", cmd.Unseat(UNSENT, 2)),
    ],
)
def test_a_level_is_typed_by_its_name_in_the_language_or_in_english(
    line: str, command: cmd.SeatBot | cmd.Fill | cmd.Unseat
) -> None:
    room = waiting()
    room.ask("Ada", cmd.SeatBot, bot="easy", seat=2)
    assert parse(line, context(room)) == SendCommand(command)


@each(
    "line, intent",
    [
        ("", Nothing()),
        (" \t ", Nothing()),
        ("h3", PlayMove("h3")),
        (" V2 ", PlayMove("v2")),
        ("h 3", PlayMove("h3")),
        ("H3,", PlayMove("h3")),
        ("3", SendCommand(cmd.Say(UNSENT, "3"))),
        ("hello", SendCommand(cmd.Say(UNSENT, "hello"))),
        ("h3 was mean", SendCommand(cmd.Say(UNSENT, "h3 was mean"))),
        ("a\nb", SendCommand(cmd.Say(UNSENT, "a b"))),
        ("//shrug", SendCommand(cmd.Say(UNSENT, "/shrug"))),
        ("//", SendCommand(cmd.Say(UNSENT, "/"))),
        ("/say h3", SendCommand(cmd.Say(UNSENT, "h3"))),
        ("/spectators h3", SendCommand(cmd.Say(UNSENT, "h3", ChatTo.SPECTATORS))),
        ("/me waves", SendCommand(cmd.Say(UNSENT, "waves", action=True))),
        ("/msg Bob good luck", SendCommand(cmd.Tell(UNSENT, "Bob", "good luck"))),
        ("/w bob h3!", SendCommand(cmd.Tell(UNSENT, "Bob", "h3!"))),
        ("/msg Zoe hi", SendCommand(cmd.Tell(UNSENT, "Zoe", "hi"))),
        ("/help", Help(None)),
        ("/help /bot", Help("bot")),
        ("/? who", Help("members")),
        ("/board", Show(Viewable.BOARD)),
        ("/free", Show(Viewable.FREE_MOVES)),
        ("/moves", Show(Viewable.FREE_MOVES)),
        ("/box 7", ShowBox("7")),
        ("/box 2, 2", ShowBox("2, 2")),
        ("/who", Show(Viewable.MEMBERS)),
        ("/settings", Show(Viewable.SETTINGS)),
        ("/set", Show(Viewable.SETTINGS)),
        ("/rooms", Show(Viewable.ROOMS)),
        ("/record", Show(Viewable.RECORD)),
        ("/numbers", ShowNumbers(None)),
        ("/numbers on", ShowNumbers(on=True)),
        ("/numbers OFF", ShowNumbers(on=False)),
        ("/size l", Resize(Size.LARGE)),
        ("/theme", UseTheme(None)),
        ("/theme ~/Mine.toml", UseTheme("~/Mine.toml")),
        ("/confirm on", Toggle(Switch.CONFIRM, on=True)),
        ("/mouse off", Toggle(Switch.MOUSE, on=False)),
        ("/bell", Toggle(Switch.BELL, None)),
        ("/joins off", Toggle(Switch.JOINS, on=False)),
        ("/size Normal", Resize(Size.NORMAL)),
        ("/size auto", Resize(None)),
        ("/save", Save(None)),
        ("/save my games/friday.txt", Save("my games/friday.txt")),
        ("/QUIT", Quit()),
        ("/ready", SendCommand(cmd.Rematch(UNSENT))),
        ("/rematch", SendCommand(cmd.Rematch(UNSENT))),
        ("/players", Show(Viewable.MEMBERS)),
        ("/start", SendCommand(cmd.Start(UNSENT))),
        ("/bot greedy", SendCommand(cmd.SeatBot(UNSENT, "greedy"))),
        ("/bot greedy 3", SendCommand(cmd.SeatBot(UNSENT, "greedy", 2))),
        ("/bot Chain:Max_Ply=8 3", SendCommand(cmd.SeatBot(UNSENT, "chain:max_ply=8", 2))),
        ("/fill Greedy", SendCommand(cmd.Fill(UNSENT, "greedy"))),
        ("/fill chain:max_ply=8,time=1", SendCommand(cmd.Fill(UNSENT, "chain:max_ply=8,time=1"))),
        ("/unseat 2", SendCommand(cmd.Unseat(UNSENT, 1))),
        ("/unseat bob", SendCommand(cmd.Unseat(UNSENT, 1))),
        ("/kick Bob", SendCommand(cmd.Kick(UNSENT, "Bob"))),
        ("/mute Bob", SendCommand(cmd.Mute(UNSENT, "Bob"))),
        ("/pause", RequestPause()),
        ("/unpause", SendCommand(cmd.Unpause(UNSENT))),
        ("/unmute Bob", SendCommand(cmd.Unmute(UNSENT, "Bob"))),
        ("/host Bob", SendCommand(cmd.HandOver(UNSENT, "Bob"))),
        ("/stand", SendCommand(cmd.Stand(UNSENT))),
        ("/stand 1", SendCommand(cmd.Stand(UNSENT, 0))),
        ("/sit Cleo", SendCommand(cmd.Sit(UNSENT, None, "Cleo"))),
        ("/sit 3 Mary Ann", SendCommand(cmd.Sit(UNSENT, 2, "Mary Ann"))),
        ("/hint", RequestHint()),
        ("/coach", SendCommand(cmd.Coach(UNSENT, 0, on=True))),
        ("/coach on", SendCommand(cmd.Coach(UNSENT, 0, on=True))),
        ("/coach off", SendCommand(cmd.Coach(UNSENT, 0, on=False))),
        ("/resign", SendCommand(cmd.Resign(UNSENT, 0))),
    ],
)
def test_a_line_means(line: str, intent: Intent) -> None:
    assert parse(line, context()) == intent


@each(
    "line, settings",
    [
        ("/set rows 3 cols 4", Settings(options={"rows": 3, "cols": 4}, seats=3)),
        ("/set rows=3", Settings(options={"rows": 3, "cols": 2}, seats=3)),
        ("/set seats 5", small(2, 2, seats=5)),
        ("/players 5", small(2, 2, seats=5)),
        ("/best 3", small(2, 2, seats=3, best_of=3)),
        ("/players 2 - 6", small(2, 2, seats=2, seat_range=(2, 6))),
        ("/set clock 30 on_drop wait", small(2, 2, seats=3, clock_s=30, on_drop=OnDrop.WAIT)),
        ("/set game noughts", Settings(game="noughts", seats=3)),
        (
            "/set game noughts dims 3,3,3 line 2",
            Settings(game="noughts", options={"dims": "3,3,3", "line": 2}, seats=3),
        ),
        ("/set hints ON", small(2, 2, seats=3, hints=True)),
        (
            "/set GAME dots Border FULL",
            Settings(options={"rows": 2, "cols": 2, "border": "full"}, seats=3),
        ),
    ],
)
def test_settings_are_changed_by_name(line: str, settings: Settings) -> None:
    intent, typed_in = parse(line, context()), context()
    assert isinstance(intent, ChangeSettings)
    assert changed(typed_in.room.settings, intent.changes) == settings


@each(
    "line, answer",
    [
        ("/remtach", "did you mean /rematch?"),
        ("/re", "did you mean /review, /resign, /ready or /record?"),
        ("/xyzzy", 'To say it, type "//xyzzy".'),
        ("/help remtach", "did you mean /rematch?"),
        ("/bot", "Here are random, greedy."),
        ("/bot greedy 3 4", "for example /bot easy"),
        ("/bot greedy 4", "There is no seat 4: they are 1 to 3."),
        ("/bot greedy 0", "There is no seat 0: they are 1 to 3."),
        ("/bot greedy 2", 'Bob sits in seat 2: type "/unseat 2" first.'),
        ("/sit", 'For another person at this keyboard, type "/sit NAME"'),
        ("/sit 2", "Bob sits in seat 2. Empty seats: 3."),
        ("/stand 2", "Seat 2 isn't yours; you sit in 1."),
        ("/resign Bob", "Seat 2 isn't yours; you sit in 1."),
        ("/unseat 3", "Seat 3 is empty already: a bot can take it."),
        ("/unseat " + "9" * 5000, "There is no seat 999999999: they are 1 to 3."),
        ("/set rows", "A value follows each name."),
        ("/set colls 3", "did you mean cols?"),
        ("/set game chess", "Game is one of dots, noughts"),
        ("/set clock soon", "Clock is a whole number"),
        ("/set seats 0", "Seats must be 1 to 100000, not 0"),
        ("/set game noughts seats 1", "at least 2 seats"),
        ("/set game noughts seats 9", "at most 3 seats"),
        ("/start now", "Type just /start"),
        ("/hint h3", "Type just /hint"),
        ("/set hints maybe", "Hints is one of off, on"),
    ],
)
def test_a_mistake_is_told_what_would_be_right(line: str, answer: str) -> None:
    intent = parse(line, context())
    assert isinstance(intent, Mistake)
    assert answer in intent.sentence


def test_who_watches_cant_play() -> None:
    room = waiting()
    room.enter("Dan", watch=True)
    assert isinstance(parse("h3", context(room, "Dan")), Mistake)
    assert isinstance(parse("/resign", context(room, "Dan")), Mistake)
    assert isinstance(parse("/stand 1", context(room, "Dan")), Mistake)


@each("line", ["3", "h3 v4", "v", "h3x", "h-1", "h3 was mean", "h 3 4"])
def test_only_who_plays_in_a_running_game_could_move_by_mistake(line: str) -> None:
    said = SendCommand(cmd.Say(UNSENT, line))
    assert parse(line, context(waiting())) == said
    room = playing()
    assert parse(line, context(room)) == Mistake(
        f"{line!r} is no move: type h or v and a number, h0 to h5 or v0 to v5."
        ' To say it, type "/say" before it.'
    )
    assert parse(f"/say {line}", context(room)) == said
    room.enter("Dan", watch=True)
    assert parse(line, context(room, "Dan")) == said
    room.ask("Ada", cmd.Resign, seat=0)
    assert isinstance(parse(line, context(room)), Mistake)  # Cleo, at her keyboard, plays on
    room.ask("Ada", cmd.Resign, seat=2)
    assert parse(line, context(room)) == said


def test_a_move_that_isnt_on_the_board_is_refused_at_once() -> None:
    assert parse("h 77", context()) == Mistake("h77 is not on a 2×2 board: h0 to h5.")


def test_a_bot_isnt_kicked_but_unseated() -> None:
    intent = parse("/kick Greedy", context(playing()))
    assert intent == Mistake('greedy is a bot: "/unseat greedy" sends it away.')


def test_who_holds_two_seats_says_for_whom_to_resign() -> None:
    assert parse("/resign", context(playing())) == Mistake(
        'Who resigns? Type "/resign Ada" or "/resign Cleo".'
    )
    assert parse("/resign cleo", context(playing())) == SendCommand(cmd.Resign(UNSENT, 2))


def test_who_has_one_seat_left_need_not_say_which() -> None:
    room = playing()
    room.ask("Ada", cmd.Resign, seat=0)
    assert parse("/resign", context(room)) == SendCommand(cmd.Resign(UNSENT, 2))


def test_during_a_game_one_sits_to_take_ones_seat_back() -> None:
    assert parse("/sit", context(playing())) == SendCommand(cmd.Sit(UNSENT))


def test_chat_that_is_the_name_of_a_command_gets_a_note() -> None:
    intent = parse("Quit", context())
    assert isinstance(intent, SendCommand)
    assert intent.command == cmd.Say(UNSENT, "Quit")
    assert '"/quit"' in intent.note


@each(
    "line, intent",
    [("help", Help(None)), ("?", Help(None)), ("Hint", RequestHint()), ("quit", Quit())],
)
def test_alone_in_a_room_some_words_are_commands(line: str, intent: Intent) -> None:
    assert parse(line, context(HostedRoom())) == intent
    room = HostedRoom(others=["Bob"])
    assert isinstance(parse(line, context(room)), SendCommand)
    room.drop("Bob")
    assert parse(line, context(room)) == intent


def test_alone_in_a_room_other_words_stay_chat() -> None:
    assert isinstance(parse("resign", context(HostedRoom())), SendCommand)


def test_moves_are_those_of_the_rooms_game() -> None:
    noughts = context(HostedRoom(Settings(game="noughts"), others=["Bob"]))
    assert parse("5", noughts) == PlayMove("5")
    assert parse("1, 2", noughts) == PlayMove("5")
    assert parse("h3", noughts) == SendCommand(cmd.Say(UNSENT, "h3"))


WORDS = st.sampled_from(
    [
        *(f"/{name}" for name in BY_NAME),
        "Ada",
        "bob",
        "greedy",
        "1",
        "3",
        "h0",
        "rows",
        "seats",
        "=",
    ]
)
LINES = st.one_of(
    st.text(),
    st.text().map(lambda text: f"/{text}"),
    st.lists(st.one_of(WORDS, st.text(max_size=5)), max_size=5).map(" ".join),
)


@given(line=LINES, room=st.sampled_from([waiting(), playing()]), me=st.sampled_from(["Ada", "Zoe"]))
def test_any_line_means_something(line: str, room: HostedRoom, me: str) -> None:
    intent = parse(line, context(room, me))
    assert not isinstance(intent, Mistake) or intent.sentence


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_examples_in_the_help_are_good_commands(command: object) -> None:
    (entry,) = [each for each in COMMANDS if each is command]
    room = playing() if entry.name in ("resign", "stand", "next", "nudge", "standin") else waiting()
    me = "Zoe" if entry.name == "sit" else "Ada"
    example = entry.example.replace("/resign", "/resign Ada").replace("/sit 2", "/sit 3")
    assert not isinstance(parse(example, context(room, me)), Mistake)


def test_no_name_stands_for_two_commands() -> None:
    assert len(BY_NAME) == sum(1 + len(command.aliases) for command in COMMANDS)


@each("line", ["ｈ３", "н3", "һ3", "hЗ", "h٣", "hl", "h\u200d3"])
def test_what_looks_like_a_move_that_would_be_played_is_refused(line: str) -> None:
    game = context(playing())
    (move,) = {parse(plain, game) for plain in plain_forms(line)}
    assert isinstance(move, PlayMove)
    refused = parse(line, game)
    assert isinstance(refused, Mistake)
    assert f"type {move.text} to play it" in refused.sentence


@each("line", ["ｈ３ ｖ１", "３", "h3\u20e3", "н3 красиво", "ｈ９９"])
def test_what_looks_like_a_slip_is_refused_as_the_slip_is(line: str) -> None:
    game = context(playing())
    assert isinstance(parse(line, game), Mistake)
    assert parse("ｈ３", context(playing(), "Zed")) == parse("h3", context(playing(), "Zed"))


@pytest.mark.parametrize("line", ["／quit", "∕help", "⁄Ｑuit now", "／whatever", "⟋?"])
@pytest.mark.parametrize("room", [waiting, playing])
def test_what_looks_like_a_command_is_refused(line: str, room: Callable[[], HostedRoom]) -> None:
    refused = parse(line, context(room()))
    assert isinstance(refused, Mistake)
    assert 'To say it, type "/say" before it.' in refused.sentence


@each(
    "line",
    [
        "HI",
        "НО",
        "но",
        "о",
        "в 3 часа",
        "今日は３時",
        "ノート",
        "／(^o^)＼",
        "γεια",
        "oh 3",
        "／／hi",
    ],
)
def test_what_people_say_is_said_as_it_is_typed(line: str) -> None:
    assert parse(line, context(playing())) == SendCommand(cmd.Say(UNSENT, line))


def test_a_command_in_other_letters_is_guessed() -> None:
    refused = parse("/quіt", context())
    assert refused == Mistake("There is no command /quіt: did you mean /quit?")


@each("line, guess", [("/ebll", "/bell"), ("/kikc", "/kick")])
def test_a_misspelt_command_is_guessed(line: str, guess: str) -> None:
    assert parse(line, context()) == Mistake(f"There is no command {line}: did you mean {guess}?")


@each(
    "line, intent",
    [
        ("/nick Ann Lee", Rename("Ann Lee")),
        ("/Rename Ann", Rename("Ann")),
        ("/join the attic", GoToRoom("the attic")),
        ("/ignore BOB", Ignore("Bob")),
        ("/ignore", Ignore(None)),
        ("/unignore Dora", StopIgnoring("Dora")),
        ("/cls", Clear()),
        ("/afk lunch", SendCommand(cmd.GoAway(UNSENT, "lunch"))),
        ("/away", SendCommand(cmd.GoAway(UNSENT, ""))),
        ("/back", SendCommand(cmd.GoAway(UNSENT, None))),
    ],
)
def test_talking_has_the_commands_of_other_programs(line: str, intent: Intent) -> None:
    assert parse(line, context()) == intent


@each("line", ["/nick", "/join", "/ignore Dora", "/ignore ada", "/ignore greedy", "/unignore"])
def test_names_and_rooms_are_needed_and_have_to_be_there(line: str) -> None:
    room = playing()
    assert isinstance(parse(line, context(room)), Mistake)


def test_no_other_command_is_guessed_by_its_end() -> None:
    refused = parse("/lick", context())  # which ends as /unkick does
    assert isinstance(refused, Mistake)
    assert refused.sentence.startswith("There is no command /lick: /help lists them all.")
