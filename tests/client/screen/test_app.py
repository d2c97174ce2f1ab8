"""The screen of a game, with typed lines, keys, clicks and new sizes in a terminal."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from tests.cases import each
from tests.client.fake_connection import LIMITS, FakeConnection, small
from tests.client.screen.playing import Terminal, playing
from tests.engine.games.dots.recorded_games import SMALL, positions_of
from tests.engine.room.hosting import HostedRoom

from boxroom_client.link.updates import (
    BotThinking,
    ConnectionLost,
    ConnectionRestored,
    HintReceived,
    NoticeReceived,
    ServerResponding,
    ServerSilent,
    SessionEnded,
)
from boxroom_client.profile.config import Setting
from boxroom_client.screen.model import DisplayOptions
from boxroom_client.screen.themes.symbols import ASCII
from boxroom_client.servers.address import Address
from boxroom_client.shell.input.intents import Switch
from boxroom_common.exits import Exit
from boxroom_common.qr_codes import qr_lines
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.record import Record
from boxroom_engine.phrases import verbatim
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Phase

RIGHT, UP, DOWN, ESC, TAB, CTRL_P = "\x1b[C", "\x1b[A", "\x1b[B", "\x1b", "\t", "\x10"
F1, F2, F3, F4 = "\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS"
SHIFT_TAB, END = "\x1b[Z", "\x1b[F"
F5, F6, F7, F8 = "\x1b[15~", "\x1b[17~", "\x1b[18~", "\x1b[19~"
F9, F10 = "\x1b[20~", "\x1b[21~"
SHIFT_UP = "\x1b[1;2A"
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"


def two() -> FakeConnection:
    """Return a game that Ada and Bob have begun on two boxes."""
    return FakeConnection(small(1, 2), others=("Bob",), start=True)


def is_taken(connection: FakeConnection, move: str) -> bool:
    return move not in connection.free()


def is_reversed(screen: Terminal, name: str) -> bool:
    """Whether the board shows the name of that free move in reverse."""
    for line, text in enumerate(screen.seen.split("\n")):
        found = re.search(rf"[ ·]{name}[ ·]", text.partition("│")[0])
        if found:
            return bool(screen.cells.buffer[line][found.start() + 1].reverse)
    raise AssertionError(f"{name} isn't to be seen:\n{screen.seen}")


# Moves


async def test_a_move_is_typed_walked_to_or_clicked() -> None:
    connection = two()
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("h0", "Ada>")
        screen.enter("h0")
        await screen.sees("Ada plays h0", "Bob's turn")
        connection.plays("Bob", "h1")
        await screen.sees("Bob plays h1", "your turn, Ada")
        screen.type(RIGHT)
        await screen.sees("Enter plays")
        screen.type(TAB)
        screen.type("\r")
        await screen.sees("Bob's turn")
        connection.plays("Bob", connection.free()[0])
        await screen.sees("your turn, Ada")
        screen.click_on(connection.free()[0])
        await screen.until(lambda: len(connection.free()) == 2)


async def test_the_cursor_skips_what_is_taken_and_names_what_it_is_on() -> None:
    connection = two()
    async with playing(connection) as ada:
        await ada.terminal.sees("h0")
        for name in ("h0", "h1", "v0", "v1", "v2", "h2", "h3", "h0"):
            ada.terminal.type(TAB)
            await ada.terminal.sees(f"Enter plays {name}")
        ada.terminal.type("\r")
        await ada.terminal.sees("Ada plays h0")
        connection.plays("Bob", "v0")
        await ada.terminal.sees("your turn")
        for name in ("h1", "v1"):
            ada.terminal.type(TAB)
            await ada.terminal.sees(f"Enter plays {name}")


async def test_f4_goes_to_the_last_move_on_a_large_board() -> None:
    connection = FakeConnection(small(30, 30), others=("Bob",), start=True)
    async with playing(connection) as ada:
        screen = ada.terminal
        screen.type(F4)
        await screen.sees("No move has been played yet.", "rows 1–7 of 30")
        screen.enter("v915")
        await screen.sees("–30 of 30")
        for _ in range(8):
            screen.type(SHIFT_UP)
        await screen.sees("rows 1–7 of 30")
        screen.type(F4)
        await screen.sees("–30 of 30", "for your turn")
        screen.type(SHIFT_UP)
        await screen.sees_no("–30 of 30")


async def test_hjkl_move_on_the_board_and_other_letters_go_to_the_line() -> None:
    connection = two()
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("h0")
        screen.type(ESC)
        await screen.sees("Esc goes back")
        screen.type("l")
        await screen.sees(": hjkl")
        screen.type("good luck\r")
        await screen.sees("Ada: good luck")


async def test_a_move_waits_for_a_yes_if_that_is_wanted() -> None:
    connection = two()
    options = DisplayOptions()
    options.switches[Switch.CONFIRM] = True
    async with playing(connection, options=options) as ada:
        screen = ada.terminal
        await screen.sees("h0")
        screen.enter("h0")
        await screen.sees("Play h0? y/N >")
        screen.enter("n")
        await screen.sees_no("Play h0?")
        screen.enter("h0")
        await screen.sees("Play h0?")
        screen.enter("y")
        await screen.sees("Ada plays h0")
        assert len(connection.free()) == 6


async def test_a_move_typed_early_is_kept_shown_and_played_at_the_turn() -> None:
    connection = two()
    async with playing(connection, columns=40, lines=12) as ada:
        screen = ada.terminal
        screen.enter("h0")
        await screen.sees("Bob's turn")
        screen.enter("h 1")
        await screen.sees("Bob's turn, then h1", "h1 is played at your turn")
        screen.enter("v0")
        await screen.sees("Bob's turn, then v0")
        assert len(connection.free()) == 6
        connection.plays("Bob", "v1")
        await screen.sees("Ada plays v0", "Bob's turn")
        await screen.sees_no("then")


async def test_a_move_chosen_early_is_marked_on_the_board_and_esc_drops_it() -> None:
    connection = two()
    async with playing(connection) as ada:
        screen = ada.terminal
        screen.enter("h0")
        await screen.sees("Bob's turn")
        screen.type(TAB)
        await screen.sees("Enter keeps h1 for your turn")
        screen.type("\r")
        await screen.sees("Bob's turn, then h1")
        screen.type(TAB)  # the cursor leaves it
        await screen.until(lambda: is_reversed(screen, "v0"))
        assert is_reversed(screen, "h1")
        screen.type(ESC)
        await screen.sees_no("then h1")
        assert not is_reversed(screen, "h1")
        connection.plays("Bob", "v0")
        await screen.sees("your turn, Ada")
        assert "h1" in connection.free()


async def test_an_early_move_that_cant_be_played_any_more_is_dropped_with_a_sentence() -> None:
    connection = two()
    async with playing(connection) as ada:
        screen = ada.terminal
        screen.enter("h0")
        await screen.sees("Bob's turn")
        screen.enter("h0")
        await screen.sees("already drawn")
        screen.enter("h1")
        await screen.sees("then h1")
        connection.plays("Bob", "h1")
        await screen.sees("h1 isn't kept for your turn any more", "your turn, Ada")


async def test_lines_are_recalled_when_up_and_down_dont_choose_a_move() -> None:
    connection = two()
    async with playing(connection) as ada:
        screen = ada.terminal
        screen.enter("hello")
        screen.enter("how are you")
        await screen.sees("Ada: how are you")
        screen.type(DOWN)  # at one's turn, the arrows choose a move
        await screen.sees("Enter plays")
        screen.type(CTRL_P)
        await screen.sees("Ada> how are you")
        screen.type(UP)
        await screen.sees("Ada> hello")
        screen.type(DOWN)
        await screen.sees("Ada> how are you")
        screen.type("\x03")
        await screen.sees_no("Ada> how")


async def test_a_spectator_recalls_lines_by_up_and_sees_that_they_watch() -> None:
    connection = FakeConnection(small(1, 2), others=("Bob", "Cleo"), watch=True, start=True)
    async with playing(connection) as ada:
        await ada.terminal.sees("you are watching, Bob's turn")
        ada.terminal.enter("hello")
        await ada.terminal.sees("Ada: hello")
        ada.terminal.type(UP)
        await ada.terminal.sees("> hello")


async def test_what_is_no_move_is_chat_and_what_would_be_one_can_be_said() -> None:
    async with playing(two()) as ada:
        screen = ada.terminal
        screen.enter("hello")
        screen.enter("/say h0")
        screen.enter("//h0 it is")
        await screen.sees("Ada: hello", "Ada: h0", "Ada: /h0 it is", "your turn")


async def test_mistakes_are_answered() -> None:
    async with playing(two()) as ada:
        screen = ada.terminal
        screen.enter("h77")
        await screen.sees("h77 is not on a 1×2 board: h0 to h3")
        screen.enter("/remtach")
        await screen.sees("did you mean /rematch?")


async def test_pasted_lines_become_one() -> None:
    async with playing(two()) as ada:
        ada.terminal.type("\x1b[200~good\nluck\x1b[201~")
        await ada.terminal.sees("good luck")
        ada.terminal.type("\r")
        await ada.terminal.sees("Ada: good luck")


# Looking


async def test_names_and_sizes_change_by_a_key() -> None:
    async with playing(two(), options=DisplayOptions(size=Size.NORMAL)) as ada:
        screen = ada.terminal
        await screen.sees("•  h0 •  h1 •")
        screen.type(F2)
        await screen.sees("•·····•·····•")
        screen.type(F2)
        await screen.sees("•  h0 •  h1 •")
        screen.type(F3)
        await screen.sees("Size: large", "┊")
        screen.type(F3)
        await screen.sees("Size: what fits")


async def test_help_covers_the_screen_scrolls_and_closes() -> None:
    async with playing(two()) as ada:
        screen = ada.terminal
        await screen.sees("h0")
        screen.type(F1)
        await screen.sees("At any time", "more lines")
        for _ in range(9):
            screen.type(PAGE_DOWN)
        await screen.sees("/quit")
        screen.type(ESC)
        await screen.sees_no("/quit")
        await screen.sees("Ada>")


async def test_a_window_of_another_size_keeps_everything() -> None:
    async with playing(two()) as ada:
        screen = ada.terminal
        await screen.sees("h0")
        screen.type("half a li")
        await screen.sees("half a li")
        for size in ((30, 8), (120, 40), (1, 1), (40, 12), (80, 24)):
            ada.resize(*size)
            if size >= (40, 12):
                await screen.sees("half a li", "attic")
        screen.type("ne\r")
        await screen.sees("Ada: half a line")


async def test_the_log_scrolls_back_and_says_that_there_is_more() -> None:
    async with playing(two()) as ada:
        screen = ada.terminal
        for number in range(60):
            screen.enter(f"line {number}")
        await screen.sees("line 59")
        screen.type(PAGE_UP)
        await screen.sees("newer", "more")
        await screen.sees_no("line 59")
        ada.connection.does("Bob", cmd.Say, text="are you there?")
        screen.type(PAGE_DOWN + PAGE_DOWN)
        await screen.sees("Bob: are you there?")


async def test_who_comes_and_goes_can_be_left_out() -> None:
    async with playing(two()) as ada:
        ada.terminal.enter("/joins off")
        await ada.terminal.sees("Joins: off")
        ada.connection.enters("Cleo", watch=True)
        ada.connection.does("Cleo", cmd.Say, text="hi")
        await ada.terminal.sees("Cleo: hi")
        assert "Cleo comes in" not in ada.terminal.seen


async def test_themes_are_listed_and_chosen() -> None:
    async with playing(two()) as ada:
        ada.terminal.enter("/theme")
        await ada.terminal.sees("dark", "light")
        ada.terminal.enter("/theme light")
        ada.terminal.enter("/theme purple")
        await ada.terminal.sees("purple")


async def test_changes_are_saved_and_it_is_told_why_one_isnt() -> None:
    saved: list[tuple[str, object]] = []

    def save(setting: Setting[Any], value: object) -> str:
        saved.append((setting.name, value))
        return "Not for long." if setting.name == "bell" else ""

    async with playing(two(), options=DisplayOptions(save=save)) as ada:
        ada.terminal.type(F2 + F3)
        ada.terminal.enter("/theme light")
        ada.terminal.enter("/theme purple")
        ada.terminal.enter("/bell on")
        await ada.terminal.sees("Not for long.")
    assert saved == [
        ("numbers", False),
        ("size", Size.COMPACT),
        ("theme", "light"),
        ("bell", True),
    ]


async def test_the_bell_rings_when_it_is_wanted() -> None:
    async with playing(two()) as ada:
        ada.terminal.enter("/bell on")
        await ada.terminal.sees("Bell: on")
        ada.terminal.enter("h0")
        await ada.terminal.sees("Bob's turn")
        assert ada.terminal.rung == 0
        ada.connection.plays("Bob", "h1")
        await ada.terminal.until(lambda: ada.terminal.rung == 1)
        ada.connection.does("Bob", cmd.Say, text="your move, ada")
        await ada.terminal.until(lambda: ada.terminal.rung == 2)
        assert "stops that" not in ada.terminal.seen


async def test_the_bell_rings_by_itself_where_other_people_play() -> None:
    async with playing(two()) as ada:
        screen = ada.terminal
        screen.enter("h0")
        await screen.sees("Bob's turn")
        ada.connection.plays("Bob", "h1")
        await screen.sees("your turn", "/bell off stops that")
        await screen.until(lambda: screen.rung == 1)
        screen.enter("v0")
        await screen.sees("Bob's turn")
        ada.connection.plays("Bob", "v1")
        await screen.until(lambda: screen.rung == 2)
        assert screen.seen.count("/bell off") == 1
        screen.enter("/bell off")
        await screen.sees("Bell: off")
        ada.connection.does("Bob", cmd.Say, text="your move, ada")
        await screen.sees("your move, ada")
        assert screen.rung == 2


async def test_the_bell_is_silent_against_bots_and_at_one_keyboard_unless_it_is_turned_on() -> None:
    connection = FakeConnection(small(1, 2, seats=3), bots=["greedy"])
    async with playing(connection) as ada:
        screen = ada.terminal
        screen.enter("/sit Ann")
        await screen.sees("Ann")
        screen.enter("/start")
        await screen.sees("your turn, Ada")
        screen.enter("h0")
        await screen.until(lambda: len(connection.free()) < 6)
        assert screen.rung == 0
        assert "/bell off" not in screen.seen
    connection = FakeConnection(small(1, 2), bots=["greedy"], start=True)
    async with playing(connection) as ada:
        ada.terminal.enter("/bell on")
        await ada.terminal.sees("Bell: on")
        ada.terminal.enter("h0")
        await ada.terminal.until(lambda: ada.terminal.rung == 1)


@each(
    "kind, sequence",
    [("osc9", "\x1b]9;Boxroom: {}\x07"), ("osc777", "\x1b]777;notify;Boxroom;{}\x07")],
)
async def test_the_desktop_notifies_of_turns_and_mentions_if_that_is_wanted(
    kind: str, sequence: str
) -> None:
    async with playing(two(), options=DisplayOptions(notify=kind)) as ada:
        screen = ada.terminal
        screen.enter("h0")
        await screen.sees("Bob's turn")
        ada.connection.plays("Bob", "h1")
        turn = sequence.format("It is your turn in attic.")
        await screen.until(lambda: turn in screen.written, turn)
        ada.connection.does("Bob", cmd.Say, text="Ada; hi\x9c]2;evil")
        mention = sequence.format("Bob: Ada, hi]2,evil")
        await screen.until(lambda: mention in screen.written, mention)


async def test_the_title_of_the_window_tells_whose_turn_it_is() -> None:
    async with playing(two()) as ada:
        await ada.terminal.until(lambda: ada.terminal.title == "● your turn – Boxroom")
        ada.terminal.enter("h0")
        await ada.terminal.until(lambda: ada.terminal.title == "attic – Boxroom")
        ada.terminal.type(F10 + "y\r")
        assert await ada.ended() is Exit.DONE
    assert ada.terminal.written.count("\x1b[22;0t") == 1
    assert ada.terminal.written.endswith("\x1b]2;\x07\x1b[23;0t")


async def test_the_title_is_ascii_where_the_terminal_is() -> None:
    async with playing(two(), options=DisplayOptions(symbols=ASCII)) as ada:
        await ada.terminal.until(lambda: ada.terminal.title == "* your turn - Boxroom")


async def test_commands_are_completed() -> None:
    async with playing(two()) as ada:
        ada.terminal.type("/rea")
        await ada.terminal.sees("/ready")
        ada.terminal.type(TAB)
        await ada.terminal.sees("> /ready")


async def test_names_are_completed_in_chat() -> None:
    async with playing(two()) as ada:
        ada.terminal.type("thanks bo")
        await ada.terminal.sees("thanks bo")
        ada.terminal.type(TAB)
        await ada.terminal.sees("Ada> thanks Bob")
        ada.terminal.enter("!")
        await ada.terminal.sees("Ada: thanks Bob!")


# The connection


async def test_a_lost_connection_is_seen_and_the_line_is_kept() -> None:
    async with playing(two()) as ada:
        screen = ada.terminal
        screen.type("half a li")
        await screen.sees("half a li")
        ada.connection.tell(ConnectionLost("the cable is out", 3.0))
        await screen.sees("No connection: the next try is in 3 s", "half a li", "the cable is out")
        ada.connection.tell(ConnectionRestored())
        await screen.sees_no("No connection")
        await screen.sees("Connected again", "half a li")


@each("end", [ServerResponding(), ConnectionRestored()])
async def test_a_silent_server_is_seen(end: ServerResponding | ConnectionRestored) -> None:
    now_s = 50.0
    async with playing(two(), now_s=lambda: now_s) as ada:
        ada.connection.tell(ServerSilent())
        await ada.terminal.sees("The server has been silent for 0 s")
        now_s = 57.0
        await ada.terminal.sees("The server has been silent for 7 s")
        ada.connection.tell(end)
        await ada.terminal.sees_no("silent")


async def test_notices_and_thinking_bots_are_seen() -> None:
    async with playing(two()) as ada:
        ada.connection.tell(NoticeReceived("stopping", verbatim("the server is stopping")))
        await ada.terminal.sees("The server is stopping.")
        ada.terminal.enter("h0")
        await ada.terminal.sees("Bob's turn")
        ada.connection.tell(BotThinking(1, "greedy"))
        await ada.terminal.sees("thinks")


async def test_the_end_of_a_room_is_the_end_and_says_why(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with playing(two()) as ada:
        await ada.terminal.sees("h0")
        ada.connection.tell(
            SessionEnded("no_such_room", verbatim("there is no room attic here any more"))
        )
        assert await ada.ended() is Exit.FAILED
    assert "had kept nothing" in capsys.readouterr().out


async def test_a_hint_is_told_and_enter_plays_it() -> None:
    connection = FakeConnection(small(1, 2, hints=True), others=("Bob",), start=True)
    connection.instead_of_hint = HintReceived(0, "v1", 0, 1, "greedy")
    async with playing(connection) as ada:
        ada.terminal.enter("/hint")
        await ada.terminal.sees("Ada asks for a hint.", "greedy would play v1", "Enter plays v1")
        ada.terminal.type("\r")
        await ada.terminal.sees("Ada plays v1")


async def test_a_hint_that_comes_too_late_moves_no_cursor() -> None:
    connection = FakeConnection(small(1, 2, hints=True), others=("Bob",), start=True)
    connection.instead_of_hint = HintReceived(0, "v1", 3, 1, "greedy")
    async with playing(connection) as ada:
        ada.terminal.enter("/hint")
        await ada.terminal.sees("The hint came too late")
        assert "Enter plays" not in ada.terminal.seen


# The end


def lost_game() -> FakeConnection:
    """Return a connection to a game that is over, in which Ada and Bob lost a box each."""
    connection = FakeConnection(small(1, 2), others=("Bob",), start=True)
    for position, move in zip(positions_of(SMALL), Record.parse(SMALL).tokens, strict=False):
        connection.plays("Bob" if position.to_move else "Ada", move)
    return connection


async def test_one_key_shows_where_the_game_was_lost_and_esc_leaves_that() -> None:
    async with playing(lost_game()) as ada:
        screen = ada.terminal
        await screen.sees("win together", "F7 review", "F7 shows what you could do better")
        screen.type(F7)
        await screen.sees("You gave away a better result with", "After h0 you get 0 more")
        await screen.sees("Move 0 of 7: v1 was better than h0")
        await screen.sees("h0 ··", "v0")  # the board before the first move
        screen.type("\x1b")
        await screen.sees_no("v1 was better than h0. ↑")


async def test_the_key_of_the_review_leaves_it_too() -> None:
    async with playing(lost_game()) as ada:
        screen = ada.terminal
        screen.type(F7)
        await screen.sees("Move 0 of 7: v1 was better than h0")
        screen.type(F7)
        await screen.sees_no("v1 was better than h0. ↑")


async def test_the_review_steps_through_the_game_and_both_lines_and_draws_the_lead() -> None:
    async with playing(lost_game()) as ada:
        screen = ada.terminal
        screen.type(F7)
        await screen.sees("Move 0 of 7: v1 was better than h0", "┼────────")
        screen.type(RIGHT)
        await screen.sees("Move 1 of 7. ←→ steps, Tab: the next mistake")
        screen.type(SHIFT_TAB)
        await screen.sees("Move 0 of 7")
        for key, move in ((UP, "v1"), (DOWN, "h0")):
            screen.type(key)
            await screen.sees(f"Best play after {move}: move 1 of 7")
            screen.type(END)
            await screen.sees(f"Best play after {move}: move 7 of 7")
            screen.type(ESC)
            await screen.sees("Move 0 of 7")
        screen.type(END)
        await screen.sees("Move 7 of 7")
        screen.enter("what a pity")
        await screen.sees("Ada: what a pity", "Move 7 of 7")
        screen.type(ESC)
        await screen.sees_no("Move 7 of 7")


async def test_the_game_is_played_again_from_the_move_that_the_review_shows() -> None:
    async with playing(lost_game()) as ada:
        screen = ada.terminal
        screen.type(F7)
        await screen.sees("v1 was better than h0. ↑", "Try it again from there: /again")
        screen.enter("/again")
        await screen.sees("Game 2 begins", "your turn, Ada")
        await screen.sees_no("v1 was better than h0. ↑")


async def test_one_key_judges_the_position_that_is_looked_at() -> None:
    async with playing(lost_game()) as ada:
        screen = ada.terminal
        screen.type(F7)
        await screen.sees("Move 0 of 7: v1 was better than h0")
        screen.type(RIGHT)
        await screen.sees("Move 1 of 7. ←→ steps", "Enter: the best move")
        screen.type("\r")
        await screen.sees("Best for move 2:", "Move 1 of 7")
        screen.type(RIGHT)
        await screen.sees("Move 2 of 7")
        screen.enter("/again")
        await screen.sees("The first 2 moves were played before", "Game 2 begins")


async def test_a_move_is_judged_without_a_review() -> None:
    async with playing(lost_game()) as ada:
        ada.terminal.enter("/judge 4")
        await ada.terminal.sees("Best for move 4:", "Move 3 of 7")
        ada.terminal.type(ESC)
        await ada.terminal.sees_no("Move 3 of 7")


async def test_one_key_shows_the_table_of_all_games() -> None:
    async with playing(lost_game()) as ada:
        ada.terminal.type(F9)
        await ada.terminal.sees("player", "won", "boxes", "points")


@asynccontextmanager
async def reviewing() -> AsyncIterator[tuple[FakeConnection, Terminal]]:
    """A game that the server judges, until `judged` of the connection is set."""
    connection = lost_game()
    connection.judged.clear()
    async with playing(connection) as ada:
        ada.terminal.type(F7)
        await ada.terminal.sees("Looking for the moves that lost boxes")
        yield connection, ada.terminal


async def test_other_commands_go_on_while_the_server_judges() -> None:
    async with reviewing() as (connection, screen):
        screen.enter("what a pity")
        await screen.sees("Ada: what a pity")
        connection.judged.set()
        await screen.sees("gave away a better result with")


async def test_who_asks_twice_for_a_review_gets_one() -> None:
    async with reviewing() as (connection, screen):
        screen.type(F7)
        screen.enter("/judge 4")
        await screen.sees("One answer is still being worked out")
        screen.enter("what a pity")
        await screen.sees("Ada: what a pity")
        connection.judged.set()
        await screen.sees("gave away a better result with")
        assert screen.seen.count("Looking for the moves that lost boxes") == 1


async def test_a_review_that_comes_in_the_next_game_is_not_shown() -> None:
    async with reviewing() as (connection, screen):
        connection.does("Bob", cmd.Rematch)
        screen.type(F5)
        await screen.sees("Game 2 begins")
        connection.judged.set()
        screen.enter("well")
        await screen.sees("Ada: well")  # the answer came before
        screen.type(F7)
        await screen.sees("A game can be reviewed when it is over")
        assert "You lost" not in screen.seen


async def test_a_finished_game_shows_every_score_and_how_to_play_again() -> None:
    connection = two()
    async with playing(connection) as ada:
        screen = ada.terminal
        while connection.free():
            move = connection.free()[0]
            if connection.state.to_move == 0:
                screen.enter(move)
                await screen.until(partial(is_taken, connection, move))
            else:
                connection.plays("Bob", move)
        await screen.sees("Bob won; you have 0 of 2.", "game over: Bob wins", "F5")
        screen.type(F5)
        await screen.sees("Ada wants a rematch")
        connection.does("Bob", cmd.Rematch)
        await screen.sees("Game 2 begins")


async def test_leaving_and_giving_up_ask_first() -> None:
    connection = two()
    async with playing(connection) as ada:
        screen = ada.terminal
        screen.enter("/resign")
        await screen.sees("Give the game up? y/N >")
        screen.type(ESC)
        await screen.sees_no("Give the game up?")
        screen.type(F10)
        await screen.sees("Leave the game that is on? y/N >")
        screen.enter("n")
        await screen.sees_no("Leave the game")
        assert connection.room.phase is Phase.PLAYING
        screen.enter("/quit")
        await screen.sees("Leave the game that is on?")
        screen.enter("y")
        assert await ada.ended() is Exit.DONE
    assert connection.left


async def test_a_question_is_asked_in_the_line_and_enter_means_no() -> None:
    connection = two()
    async with playing(connection, columns=40, lines=12) as ada:
        screen = ada.terminal
        await screen.sees("h0")
        screen.type(TAB)  # the cursor is on a move, which Enter would play
        await screen.sees("Enter plays h0")
        screen.enter("/resign")
        prompt = "Give the game up? y/N >"
        await screen.until(lambda: any(row.startswith(prompt) for row in screen.seen.split("\n")))
        screen.type("\r")
        await screen.sees("Ada>")
        assert len(connection.free()) == 7
        assert connection.room.phase is Phase.PLAYING


async def test_nothing_that_is_typed_over_a_question_is_taken_for_its_answer() -> None:
    connection = FakeConnection(small(1, 2, hints=True), others=("Bob",), start=True)
    async with playing(connection) as ada:
        screen = ada.terminal
        for typed, seen in (
            ("/bot expert", "A game is on"),
            ("/hint", "greedy would play"),
            ("yes please", "Ada: yes please"),
            ("h0", "Ada plays h0"),
        ):
            screen.enter("/resign")
            await screen.sees("Give the game up? y/N >")
            screen.enter(typed)
            await screen.sees(seen, "There was no answer")
            await screen.sees_no("y/N >")
        assert connection.room.phase is Phase.PLAYING


async def test_a_key_asks_though_there_is_text_and_the_text_comes_back() -> None:
    async with playing(two()) as ada:
        screen = ada.terminal
        screen.type("half a li")
        await screen.sees("half a li")
        screen.type(F10)
        await screen.sees("Leave the game that is on? y/N >")
        await screen.sees_no("half a li")
        screen.type("\r")
        await screen.sees("Ada> half a li")
        screen.type(F10)
        await screen.sees_no("half a li")
        screen.type(ESC)
        await screen.sees("Ada> half a li")
        screen.enter("ne")
        await screen.sees("Ada: half a line")


async def test_a_click_over_a_question_is_a_move() -> None:
    connection = two()
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("h0")
        screen.type(F10)
        await screen.sees("y/N >")
        screen.click_on("h0")
        await screen.sees("Ada plays h0", "There was no answer")
        await screen.sees_no("y/N >")


async def test_a_spectator_is_asked_to_play_but_not_over_what_is_being_typed() -> None:
    connection = FakeConnection(small(2, 2), watch=True, others=("Bob", "Cleo"), start=True)
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("Bob")
        screen.type("good m")
        await screen.sees("> good m")
        connection.does("Bob", cmd.Leave)
        await screen.sees("Bob leaves")
        screen.enter("ove")
        await screen.sees("Ada: good move", "Do you want to play in the next game? y/N")
        screen.enter("y")
        await screen.sees("You have a seat in the next game")


async def test_a_question_goes_with_its_game_and_the_text_before_it_comes_back() -> None:
    async with playing(two()) as ada:
        screen = ada.terminal
        await screen.sees("your turn")
        screen.type("well")
        screen.type(F10)
        await screen.sees("Leave the game that is on?")
        screen.type(ESC)
        await screen.sees_no("Leave the game")
        screen.type("\x15")
        screen.enter("/resign")
        await screen.sees("Give the game up?")
        ada.connection.does("Bob", cmd.Resign, seat=1)
        await screen.sees_no("Give the game up?")
        screen.enter("y")
        await screen.sees("This isn't asked any more")
        assert "Ada: y" not in screen.seen


async def test_ctrl_c_clears_the_line_and_a_second_one_leaves() -> None:
    async with playing(two()) as ada:
        ada.terminal.type("half a li")
        await ada.terminal.sees("half a li")
        ada.terminal.type("\x03")
        await ada.terminal.sees_no("half a li")
        await ada.terminal.sees("Ctrl-C again leaves")
        ada.terminal.type("I stay\r")
        await ada.terminal.sees("Ada: I stay")
        ada.terminal.type("\x03")
        await ada.terminal.until(lambda: ada.terminal.seen.count("again leaves") == 2)
        ada.terminal.type("\x03")
        assert await ada.ended() is Exit.INTERRUPTED


async def test_a_failure_inside_closes_the_screen_and_is_raised() -> None:
    connection = two()
    async with playing(connection) as ada:
        await ada.terminal.sees("h0")

        async def fail(*_: object) -> None:
            raise RuntimeError("a bug")

        connection.ask = fail  # type: ignore[method-assign,assignment]
        ada.terminal.enter("h0")
        with pytest.raises(RuntimeError, match="a bug"):
            await ada.ended()


# Clicks on hints


async def test_a_click_on_a_hint_does_what_the_key_does() -> None:
    connection = FakeConnection(small(1, 2), bots=["greedy"])
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("F1 help")
        screen.click_on("F1 help")
        await screen.sees("Esc or F1 closes this")
        screen.click_on("F1 closes this")
        await screen.sees("F5 start")
        screen.click_on("F5 start")
        await screen.sees("your turn, Ada")
        screen.click_on("F10")
        await screen.sees("Leave the game that is on?")


async def test_a_start_is_offered_to_those_who_may_and_others_say_that_they_are_ready() -> None:
    connection = FakeConnection(small(1, 2), others=("Bob",))
    await connection.ask(cmd.HandOver(1, "Bob"))
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("F5 ready")
        screen.type(F5)
        await screen.sees("Ada is ready")
        await screen.sees_no("F5 ready")
    async with playing(FakeConnection(small(1, 2))) as ada:
        screen = ada.terminal
        await screen.sees("F10 leave")
        assert "F5" not in screen.seen
        screen.type(F5)
        await screen.sees("1 seat is empty")
    async with playing(two()) as ada:
        ada.terminal.type(F5)
        await ada.terminal.sees("A game is on")


async def test_a_rematch_is_offered_until_one_has_asked_for_it() -> None:
    connection = two()
    await over(connection)
    async with playing(connection) as ada:
        await ada.terminal.sees("F5 rematch")
        ada.terminal.type(F5)
        await ada.terminal.sees_no("F5 rematch")
        ada.terminal.type(F5)
        await ada.terminal.sees("You have said so already")


# Takebacks


async def test_a_move_is_taken_back_at_once_against_a_bot() -> None:
    connection = FakeConnection(small(1, 2), bots=["greedy"], start=True)
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("your turn")
        screen.enter("h0")
        await screen.until(lambda: len(connection.free()) == 5)
        await screen.sees("your turn")
        screen.enter("/undo")
        await screen.sees("Ada takes back h0 and 1 more", "your turn, Ada")
        assert len(connection.free()) == 7
        screen.enter("h0")
        await screen.until(lambda: len(connection.free()) == 5)


async def test_a_request_for_a_takeback_stands_above_the_board_until_it_is_answered() -> None:
    connection = two()
    options = DisplayOptions()
    options.switches[Switch.BELL] = True
    async with playing(connection, options=options) as ada:
        screen = ada.terminal
        connection.plays("Ada", "h0")
        connection.plays("Bob", "h1")
        await screen.sees("your turn")
        rung = screen.rung
        connection.does("Bob", cmd.Undo, ply=2)
        await screen.sees("Bob asks to take back h1: /undo agrees, /decline declines.")
        assert screen.seen.splitlines()[1].strip().startswith("Bob asks to take back h1")
        assert screen.rung == rung + 1
        screen.enter("/undo")
        await screen.sees("Bob takes back h1, and is to move", "Bob's turn")
        assert not screen.seen.splitlines()[1].strip().startswith("Bob asks")
        screen.enter("/undo")
        await screen.sees("You ask to take back h0: Bob decides.")
        connection.does("Bob", cmd.AnswerUndo, ply=3, agree=False)
        await screen.sees("Bob declines the takeback")
        assert not is_taken(connection, "h1")


# The next game


async def over(connection: FakeConnection) -> None:
    """Let Ada resign, which ends the game."""
    await connection.ask(cmd.Resign(1, 0))


async def set_up_next_game(screen: Terminal) -> None:
    """Open the form of the next game, by way of the menu of the host."""
    screen.type(F6)
    await screen.sees("/start")
    screen.type(F6)
    await screen.sees("Enter starts")


async def test_the_next_game_is_against_another_bot_on_another_board() -> None:
    connection = FakeConnection(small(1, 2), bots=["greedy"], start=True)
    await over(connection)
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("F6 host")
        await set_up_next_game(screen)
        await screen.sees("The next game", "Opponent", "greedy", "Rows", "Begins", "Enter starts")
        screen.type("\x1b[D")
        await screen.sees("< random >")
        screen.type(DOWN + "2")
        await screen.until(lambda: "random" in screen.seen)
        screen.type("\r")
        await screen.sees("Game 2 begins. In order of play: random and Ada.")
        assert connection.room.settings.options == {"rows": 2, "cols": 2}
        assert [holder.bot for holder in connection.room.seats] == ["random", None]


async def test_the_form_of_the_next_game_can_be_left() -> None:
    connection = FakeConnection(small(1, 2), bots=["greedy"], start=True)
    await over(connection)
    async with playing(connection) as ada:
        screen = ada.terminal
        for key in (ESC, "\x03"):
            await set_up_next_game(screen)
            screen.type("hello" + key)
            await screen.sees_no("Enter starts")
        assert connection.room.phase is Phase.OVER
        screen.enter("hello")
        await screen.sees("Ada: hello")


async def test_two_quick_presses_open_the_form_before_the_menu_has_come() -> None:
    connection = FakeConnection(small(1, 2), bots=["greedy"], start=True)
    await over(connection)
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("F6 host")
        screen.type(F6 + F6)
        await screen.sees("Enter starts")
        screen.type(ESC)
        await screen.sees_no("Enter starts")
        await set_up_next_game(screen)


async def test_the_form_has_no_game_to_start_while_one_is_on() -> None:
    async with playing(two()) as ada:
        ada.terminal.type(F6)
        await ada.terminal.sees("/start")
        ada.terminal.type(F6)
        await ada.terminal.sees("A game is on: the next one can be set up")


async def test_the_form_closes_when_others_start_the_game() -> None:
    connection = two()
    await over(connection)
    async with playing(connection) as ada:
        await set_up_next_game(ada.terminal)
        await connection.ask(cmd.Rematch(1))
        connection.does("Bob", cmd.Rematch)
        await ada.terminal.sees("Game 2 begins")


async def test_settings_that_are_typed_one_after_the_other_are_all_changed() -> None:
    connection = FakeConnection(small(1, 2))
    async with playing(connection) as ada:
        ada.terminal.enter("/players 2-8")
        ada.terminal.enter("/set rows 3")
        await ada.terminal.sees("3×2, 2 to 8 seats")


async def test_only_the_host_sets_up_the_next_game() -> None:
    connection = FakeConnection(small(1, 2), others=("Bob",), start=True)
    await over(connection)
    await connection.ask(cmd.HandOver(1, "Bob"))
    async with playing(connection) as ada:
        await ada.terminal.sees("F5 rematch")
        assert "F6" not in ada.terminal.seen
        ada.terminal.type(F6)
        await ada.terminal.sees("Only the host can do that: that is Bob.")


# The menu of the host


async def test_the_host_uses_what_is_possible_in_a_game() -> None:
    connection = two()
    async with playing(connection) as ada:
        screen = ada.terminal
        screen.type(F6)
        await screen.sees("/pause", "/mute Bob", "/kick Bob", "/host Bob")
        await screen.sees("A game is on")
        screen.type("\r")  # the game can't be started
        await screen.sees("/pause")
        screen.type(DOWN * 4 + "\r")
        await screen.sees("Ada pauses the game")
        assert connection.room.pause is not None


async def test_the_menu_begins_a_line_whose_end_is_typed() -> None:
    async with playing(FakeConnection(small(1, 2))) as ada:
        screen = ada.terminal
        screen.type(F6)
        await screen.sees("Seats a bot.")
        screen.type("3")
        await screen.sees("> /bot")
        screen.enter("greedy")
        await screen.sees("greedy, a bot, sits down")


async def test_the_menu_follows_the_room_and_closes_when_another_one_is_the_host() -> None:
    connection = FakeConnection(small(1, 2), others=("Bob",))
    async with playing(connection) as ada:
        screen = ada.terminal
        screen.type(F6)
        await screen.sees("/kick Bob")
        connection.enters("Cleo", watch=True)
        await screen.sees("/kick Cleo")
        await connection.ask(cmd.HandOver(1, "Bob"))
        await screen.sees_no("/kick Cleo")
        await screen.sees("Bob is the host now.")


# The QR code of the room


def reachable() -> tuple[FakeConnection, str]:
    """Return a game that phones can join, and the link to its page."""
    connection = two()
    return connection, connection.let_guests_in(Address("192.168.1.5"))


async def test_f8_shows_the_code_of_the_room_and_the_game_goes_on_behind_it() -> None:
    connection, link = reachable()
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("your turn, Ada")
        screen.type(F8)
        await screen.sees(link, "closes this")
        shown = [line.strip() for line in screen.seen.split("\n")]
        start = shown.index(link) + 1
        code = qr_lines(link)
        assert shown[start : start + len(code)] == [line.strip() for line in code]
        screen.type("h0 is typed, and means nothing here\r")
        connection.does("Bob", cmd.Say, text="nice code")
        screen.type(F8)
        await screen.sees("your turn, Ada", "nice code")
        assert "h0" in connection.free()


async def test_a_command_shows_it_too_and_a_click_closes_it() -> None:
    connection, link = reachable()
    async with playing(connection) as ada:
        ada.terminal.enter("/qr")
        await ada.terminal.sees(link, "closes this")
        ada.terminal.type(F1)
        await ada.terminal.sees("Help")
        ada.terminal.type(F8)
        await ada.terminal.sees(link)
        ada.terminal.type(ESC)
        await ada.terminal.sees("your turn, Ada")
        ada.terminal.type(F8)
        await ada.terminal.sees(link)
        ada.terminal.click(3, 3)
        await ada.terminal.sees("your turn, Ada")


async def test_without_room_for_the_code_it_says_so_and_cuts_nothing() -> None:
    connection, link = reachable()
    async with playing(connection, columns=40, lines=14) as ada:
        ada.terminal.type(F8)
        await ada.terminal.sees("this window has 40 and 14", link)
        assert "█" not in ada.terminal.seen


@each("lines, fits", [(24, True), (23, False)])
async def test_a_link_of_two_lines_leaves_less_room_for_the_code(lines: int, *, fits: bool) -> None:
    connection = two()
    there = Address("games.a-long-name.example.org", path="/boxroom/rooms")
    code = qr_lines(connection.let_guests_in(there))
    assert (len(code[0]), len(code)) == (41, 21)
    async with playing(connection, columns=41, lines=lines) as ada:
        ada.terminal.type(F8)
        await ada.terminal.sees("closes this")
        shown = [line.rstrip() for line in ada.terminal.seen.split("\n")]
        assert (shown[-len(code) - 1 : -1] == [line.rstrip() for line in code]) is fits
        assert ("needs 41 columns and 24 lines" in " ".join(shown)) is not fits


@each("options", [DisplayOptions(symbols=ASCII), DisplayOptions(has_colours=False)])
async def test_where_it_would_look_wrong_there_is_the_link(options: DisplayOptions) -> None:
    connection, link = reachable()
    async with playing(connection, options=options) as ada:
        ada.terminal.type(F8)
        await ada.terminal.sees("with colours and more characters", link)
        assert ada.terminal.seen.isascii()


@each("host, offered", [("192.168.1.5", True), ("localhost", False)])
async def test_the_code_is_offered_while_the_room_waits_if_phones_can_come(
    host: str, *, offered: bool
) -> None:
    connection = FakeConnection(small(1, 2, seats=2))
    connection.let_guests_in(Address(host))
    async with playing(connection) as ada:
        await ada.terminal.sees("Friends join with", "F10 leave")
        assert ("F8 QR code" in ada.terminal.seen) is offered


async def test_a_server_without_a_page_has_no_code() -> None:
    connection = two()
    connection.guests_address = Address("192.168.1.5")
    async with playing(connection) as ada:
        ada.terminal.type(F8)
        await ada.terminal.sees("This server has no page for browsers.", "your turn, Ada")


# Talking


async def test_who_is_ignored_neither_speaks_nor_rings_and_the_log_can_be_cleared() -> None:
    connection = two()
    connection.ignored.add("Bob")
    async with playing(connection) as ada:
        screen = ada.terminal
        await screen.sees("your turn, Ada")
        rung = screen.written.count("\a")
        connection.does("Bob", cmd.Say, text="Ada, hurry")
        connection.does("Bob", cmd.Tell, to="Ada", text="please")
        screen.enter("hello")
        await screen.sees("Ada: hello")
        assert "hurry" not in screen.seen
        assert "please" not in screen.seen
        assert screen.written.count("\a") == rung
        screen.enter("/clear")
        await screen.sees_no("Ada: hello")
        screen.enter("/away")
        await screen.sees("Ada is gone for a moment.", "back soon")


# Going to another room


async def test_another_room_takes_the_place_of_this_one_and_its_password_is_not_shown() -> None:
    connection = two()
    cellar = HostedRoom(small(1, 1), limits=LIMITS, code="cellar")
    connection.other_rooms["cellar"] = cellar, "sesame"
    async with playing(connection) as ada:
        screen = ada.terminal
        screen.enter("/join celar")
        await screen.sees("Leave the game that is on? y/N >")
        screen.enter("y")
        await screen.sees("There is no room celar")
        screen.enter("/join cellar")
        screen.enter("y")
        await screen.sees("This room is private.", "Password")
        screen.type("sesam")
        await screen.sees("*****")
        await screen.sees_no("sesam")
        screen.type("\r")
        await screen.sees("That isn't its password")
        screen.enter("sesame")
        await screen.sees("cellar · Dots and Boxes")
        screen.type("\x1b[A")
        await screen.sees("/join cellar")
        await screen.sees_no("sesame")
