"""Games of `boxroom play` that are saved as they go, and continued."""

import asyncio
import re
from pathlib import Path

import pytest
from tests.e2e.piped import Piped, boxroom
from tests.e2e.serving import serving
from tests.e2e.terminal import Terminal

from boxroom_client.cli.saved_games import unfinished_games

SMALL = ("--rows", "2", "--cols", "2", "--bot", "greedy")
RESULT = r"(won|lost|draw) \d:\d"
SAVED = "The game is saved: boxroom play --continue goes on with it.\n"


def moves(text: str) -> list[str]:
    return re.findall(r"(?:ada|Ada|greedy) plays (\w+)\.", text)


def folders(games_folder: Path) -> list[Path]:
    return sorted((games_folder / "unfinished").glob("*"))


def test_a_killed_program_loses_no_move(games_folder: Path) -> None:
    with Piped("play", "--name", "Ada", *SMALL) as killed:
        killed.type_lines("h0")
        seen = killed.wait_for("Ada plays h0.") + "Ada plays h0."
        seen += killed.wait_for("Your turn, Ada.")
    before = moves(seen)
    assert before[0] == "h0"
    assert len(before) >= 2
    assert len(folders(games_folder)) == 1
    with Piped("play", "--continue") as continued:
        board = continued.wait_for("Your turn, Ada. Type a move").rpartition("/quit leaves.")[2]
        assert not any(re.search(rf"\b{move}\b", board) for move in before)
        assert len(re.findall(r"\b[hv]\d+\b", board)) == 12 - len(before)
        continued.type_lines(*(f"{kind}{n}" for _ in range(2) for kind in "hv" for n in range(6)))
        continued.wait_for("Type /rematch")
        assert continued.close() == 0
    assert folders(games_folder) == []
    nothing = boxroom("play", "--continue")
    assert nothing.returncode == 1
    assert nothing.stderr == "boxroom: there is no unfinished game: boxroom play begins one\n"


def test_everybody_at_the_keyboard_has_their_seat_again() -> None:
    played = boxroom("play", *SMALL[:4], "--local", "Ada", "Bob", typed="h0\n")
    assert played.stdout.endswith(SAVED)
    continued = boxroom("play", "--continue", typed="h1\nh2\n")
    assert "Your turn, Bob. Type a move" in continued.stdout
    assert "Bob plays h1.\n" in continued.stdout
    assert "Ada plays h2.\n" in continued.stdout


def test_two_at_once_have_a_game_each(games_folder: Path) -> None:
    with Piped("play", "--name", "Ada", *SMALL) as first:
        first.type_lines("h0")
        first.wait_for("Ada plays h0.")
        second = boxroom("play", "--name", "Bob", *SMALL, typed="h1\n")
        assert second.stdout.endswith(SAVED)
        assert len(folders(games_folder)) == 2
        # The first one is still being played, so it isn't the one to go on with.
        third = boxroom("play", "--continue")
        assert "Your turn, Bob." in third.stdout
    assert {saved.player for saved in unfinished_games()} == {"Ada", "Bob"}


def test_a_game_without_a_move_isnt_kept(games_folder: Path) -> None:
    played = boxroom("play", *SMALL)
    assert played.returncode == 0
    assert "saved" not in played.stdout
    assert folders(games_folder) == []


def test_without_a_place_to_save_it_is_played_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BOXROOM_GAMES", str(tmp_path / "file"))
    played = boxroom("play", *SMALL, typed="h0\n")
    assert played.returncode == 0
    assert "This game isn't saved: " in played.stdout
    assert " plays h0." in played.stdout


def test_what_is_continued_stays_as_it_is() -> None:
    refused = boxroom("play", "--continue", "--rows", "3")
    assert refused.returncode == 2
    assert "--continue goes on with a game as it is: leave the rest out" in refused.stderr


def test_the_menu_offers_to_continue() -> None:
    boxroom("play", "--name", "Ada", *SMALL, typed="h0\n")
    with Terminal("play", lines=24) as terminal:
        line = re.compile(r"1 Continue Dots and Boxes 2×2 +greedy +0:0 +20\d\d-")
        terminal.wait_until(lambda: line.search(terminal.text) is not None, "offered")
        terminal.press("\r")
        terminal.wait_for("your turn, Ada")
        terminal.press("\x04")
        terminal.type("y")
        terminal.wait_for_end()
        assert SAVED.strip() in terminal.text
    with Terminal("play", lines=24) as terminal:
        terminal.wait_for("A new game")
        terminal.press("2")
        terminal.wait_for("Boxroom: a game at this computer")


def played_to_the_end(*arguments: str) -> None:
    lines = [f"{kind}{n}" for kind in "hv" for n in range(6)]
    boxroom("play", "--name", "Ada", *SMALL, *arguments, typed="\n".join(lines * 2))


def test_a_finished_game_is_in_the_history_and_replayed_from_the_menu() -> None:
    played_to_the_end()
    with Terminal(lines=24) as terminal:
        terminal.wait_for("the games that you have played")
        terminal.press("4")
        terminal.wait_for("Boxroom: games that you have played")
        entry = re.compile(rf"{RESULT} +Ada, greedy \(bot\) +Dots and Boxes 2×2")
        terminal.wait_until(lambda: entry.search(terminal.text) is not None, entry.pattern)
        terminal.press("\r")
        terminal.wait_for("Look at every move")
        terminal.press("1")
        terminal.wait_for("move 0 of 12")
        terminal.press("q")
        terminal.wait_for("Boxroom: games that you have played")
        terminal.press("\r")
        terminal.wait_for("Find the moves that lost boxes")
        terminal.press("2")
        terminal.wait_for("Enter goes back to the list.")
        terminal.press("\r")
        terminal.wait_for("Boxroom: games that you have played")
        terminal.press("\r")
        terminal.wait_for("Delete it for good")
        terminal.press("3")
        terminal.wait_for("You have played no game to its end yet.")
        terminal.press("q")
        assert terminal.wait_for_end() == 0


def test_ctrl_c_leaves_both_menus_of_the_history() -> None:
    played_to_the_end()
    for keys in ("", "\r"):
        with Terminal("history", lines=24) as terminal:
            terminal.wait_for("Boxroom: games that you have played")
            if keys:
                terminal.press(keys)
                terminal.wait_for("Look at every move")
            terminal.press("\x03")
            assert terminal.wait_for_end() == 130


def test_a_game_that_ended_just_before_a_kill_is_in_the_history(games_folder: Path) -> None:
    with Piped("play", "--name", "Ada", *SMALL) as killed:
        killed.type_lines(*(f"{kind}{n}" for _ in range(2) for kind in "hv" for n in range(6)))
        killed.wait_for("Type /rematch")
    (games_folder / "history.db").unlink()  # as if it had been killed before it was written
    boxroom("play", *SMALL, typed="h0\n")
    listed = boxroom("history")
    assert re.search(rf"{RESULT}  Ada, greedy \(bot\)  Dots and Boxes 2×2  here", listed.stdout)
    assert len(folders(games_folder)) == 1


async def test_a_game_on_a_server_is_in_the_history(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        address = f"127.0.0.1:{server.port}"
        lines = [f"{kind}{n}" for kind in "hv" for n in range(6)]
        typed = "\n".join(["/set rows 2 cols 2", "/bot greedy", "/start", *lines, *lines])
        joining = ("join", address, "--create", "--room", "attic", "--name", "Ada")
        await asyncio.to_thread(boxroom, *joining, typed=typed)
        listed = boxroom("history")
        assert re.search(rf"{RESULT}  Ada, greedy \(bot\) .* {address} attic", listed.stdout)
        played = await asyncio.to_thread(boxroom, "history", "--server", address, "--name", "Ada")
        assert re.search(
            rf"^ +1 .* \d:\d  Ada, greedy .* {address} attic$", played.stdout, re.MULTILINE
        )
        replayed = await asyncio.to_thread(
            boxroom, "history", "--server", address, "--name", "Ada", "replay", "1", "--every"
        )
        assert "12. " in replayed.stdout
        others = await asyncio.to_thread(boxroom, "history", "--server", address, "--name", "Bob")
        assert others.stdout == "You have played no game to its end there yet.\n"
