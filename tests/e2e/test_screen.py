"""The full screen as users see it: the real program in a real terminal, on a real server."""

import os
import select
import signal
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from tests.e2e.serving import ServerProcess, server_process
from tests.e2e.terminal import (
    CTRL_C,
    CTRL_D,
    CTRL_U,
    CTRL_Z,
    LIMIT_S,
    PROGRAM,
    Terminal,
    in_a_shell,
)

PUSH_TITLE, POP_TITLE = "\x1b[22;0t", "\x1b[23;0t"
TAB, F5, F10 = "\t", "\x1b[15~", "\x1b[21~"


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def joined(
    server: ServerProcess, name: str, *others: str, columns: int = 80, lines: int = 24
) -> Terminal:
    arguments = ("join", server.address, "--name", name, *others)
    return Terminal(*arguments, columns=columns, lines=lines)


# A game


def test_people_and_a_bot_play_with_a_spectator_and_play_again(server: ServerProcess) -> None:
    with ExitStack() as stack:
        small, large = {"columns": 40, "lines": 12}, {"columns": 120, "lines": 40}
        ada = stack.enter_context(joined(server, "Ada", "--create", "--room", "den", **small))
        ada.wait_for("You are the host")
        ada.type("/set rows 1 cols 2 seats 3")
        ada.wait_for("1×2, 3 seats")
        bob = stack.enter_context(joined(server, "Bob", "--room", "den", **large))
        bob.wait_for("The game begins when Ada")
        dan = stack.enter_context(joined(server, "Dan", "--room", "den", "--watch"))
        dan.wait_for("The game begins when Ada")
        ada.type("/bot greedy")
        bob.wait_for("greedy")
        ada.press(F5)
        for who in (ada, bob, dan):
            who.wait_for("h0")
        bob.type("good luck")
        ada.wait_for("Bob: good luck")
        dan.wait_for("Bob: good luck")
        play_to_the_end(ada, bob)
        for who in (ada, bob, dan):
            who.wait_for("game over")
        ada.press(F5)
        bob.wait_for("Ada wants a rematch")
        bob.type("/rematch")
        ada.wait_until_gone("game over")
        ada.wait_for("h0")
        for who in (ada, bob, dan):
            who.press(CTRL_C)
            who.wait_for("Ctrl-C again leaves")
            who.press(CTRL_C)
            assert who.wait_for_end() == 130


def play_to_the_end(ada: Terminal, bob: Terminal) -> None:
    """Play to the end: both move by cursor, mouse and typing in turn."""
    ways = dict.fromkeys((ada, bob), 0)
    while True:
        ada.wait_until(lambda: "game over" in ada.text or agree(ada, bob), "anybody's turn")
        player, moves = player_to_move(ada, bob), free(ada)
        if player is None:
            return
        ways[player] += 1
        match ways[player] % 3:
            case 1:
                player.press(TAB)
                player.wait_for("Enter plays")
                player.press("\r")
            case 2:
                player.click_on_board(moves[0])
            case _:
                player.type(moves[-1])
        ada.wait_until(partial(has_moved_on, ada, moves), f"less than {moves}")


def agree(ada: Terminal, bob: Terminal) -> bool:
    bob.read_more()
    return player_to_move(ada, bob) is not None


def player_to_move(ada: Terminal, bob: Terminal) -> Terminal | None:
    """Return the player whose turn it is by both screens; None if they don't agree.

    One of them may have been read half painted, with an old turn above a new board.
    """
    if free(ada) == free(bob):
        if "your turn" in ada.text and "Ada's turn" in bob.text:
            return ada
        if "Bob's turn" in ada.text and "your turn" in bob.text:
            return bob
    return None


def has_moved_on(terminal: Terminal, moves: list[str]) -> bool:
    return free(terminal) != moves or "game over" in terminal.text


def free(terminal: Terminal) -> list[str]:
    """Return the moves that the board shows as free."""
    names = ("h0", "h1", "h2", "h3", "v0", "v1", "v2")
    return [name for name in names if terminal.on_board(name) is not None]


# Windows, signals, ends


def test_a_window_that_changes_its_size_keeps_everything(server: ServerProcess) -> None:
    with joined(server, "Ada", "--create") as ada:
        ada.type("/bot greedy")
        ada.wait_for("All seats are taken")
        ada.press(F5)
        ada.wait_for("your turn")
        ada.press("half a li")
        for columns, lines in ((120, 40), (40, 12), (20, 5), (1, 1), (200, 50), (80, 24)):
            ada.resize(columns, lines)
            if columns >= 40:
                ada.wait_for("half a li")
                ada.wait_for("v0")
        ada.resize(30, 10)
        ada.wait_for("too small")
        ada.resize(80, 24)
        ada.wait_for("half a li")
        ada.type("ne")
        ada.wait_for("Ada: half a line")


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
        (signal.SIGINT, 130),
        (signal.SIGQUIT, 131),
        (signal.SIGABRT, 134),
        (signal.SIGUSR1, 138),
    ],
)
def test_signals_leave_the_terminal_as_it_was(number: signal.Signals, code: int) -> None:
    script = 'before=$(stty -g); "$@"; echo "code $?"; test "$before" = "$(stty -g)" && echo same'
    command = ("bash", "-c", script, "bash", *PROGRAM)
    with Terminal("play", "--name", "Ada", "--bot", "greedy", command=command) as terminal:
        terminal.wait_for("Ada>")
        (child,) = Path(f"/proc/{terminal.pid}/task/{terminal.pid}/children").read_text().split()
        os.kill(int(child), number)
        terminal.wait_for(f"code {code}")
        terminal.wait_for("same")
        terminal.wait_for_end()
        assert "Ada>" not in terminal.text  # the other screen was left
        assert terminal.screen.titles == ["● your turn – Boxroom", ""]
        assert terminal.written.count(PUSH_TITLE) == terminal.written.count(POP_TITLE) == 1
        assert not is_alive(int(child))


def suspend(terminal: Terminal) -> None:
    """Press Ctrl-Z, and check that the shell has its terminal back."""
    terminal.press(CTRL_Z)
    terminal.wait_for("Stopped")
    terminal.press(CTRL_U)  # forgets what the program was about to read
    terminal.type("echo $((40 + 2))")
    terminal.wait_for("42")


@pytest.mark.parametrize("mode", ["", "--plain"], ids=["screen", "plain"])
def test_a_simple_shell_has_its_terminal_as_it_was_after_ctrl_z(mode: str) -> None:
    """Debian's `sh` leaves the terminal as a suspended program did."""
    with in_a_shell("play", mode, "--name Ada --bot greedy", shell=("sh", "-i")) as terminal:
        terminal.wait_until_gone("shell:")
        terminal.wait_for("Ada>")
        suspend(terminal)
        terminal.type("clear; stty -a")
        terminal.wait_for("eof = ^D;")
        terminal.type("clear; fg")
        terminal.wait_until_gone("shell:")
        terminal.wait_for("Ada>")
        terminal.press(CTRL_C + CTRL_C)
        terminal.wait_for("shell:")
        terminal.type("clear; stty -a")
        terminal.wait_for("eof = ^D;")


def test_ctrl_z_suspends_while_a_password_is_typed(server: ServerProcess) -> None:
    private = ("--create", "--room", "den", "--password", "sesame")
    with ExitStack() as stack:
        ada = stack.enter_context(joined(server, "Ada", *private))
        ada.wait_for("You are the host")  # before, Bob may find no room
        bob = stack.enter_context(
            in_a_shell("join", server.address, "--plain --name Bob --room den")
        )
        bob.wait_for("Password (Enter: none)>")
        bob.press("ses")
        bob.wait_for("***")
        suspend(bob)
        bob.type("clear; fg")
        bob.wait_for("Password (Enter: none)> ***")
        bob.type("ame")
        bob.wait_for("Room den:")


def test_the_shell_has_its_title_while_the_program_is_suspended(server: ServerProcess) -> None:
    with in_a_shell("play --name Ada --bot greedy") as terminal:
        terminal.wait_for("F10 leave")
        terminal.wait_until(lambda: terminal.screen.title == "● your turn – Boxroom", "titled")
        suspend(terminal)
        assert terminal.screen.title == ""
        assert terminal.written.count(PUSH_TITLE) == terminal.written.count(POP_TITLE) == 1
        terminal.type("clear; fg")
        terminal.wait_until(lambda: terminal.screen.title == "● your turn – Boxroom", "titled")
        terminal.press(CTRL_C + CTRL_C)
        terminal.wait_for("shell:")
        terminal.wait_until(lambda: terminal.screen.title == "", "with the old title")
        assert terminal.written.count(PUSH_TITLE) == terminal.written.count(POP_TITLE) == 2


def test_a_crash_puts_the_title_back() -> None:
    program = (
        "import sys\n"
        "from boxroom_client.main import main\n"
        "from boxroom_client.screen.model_updates import ModelUpdater\n"
        "ModelUpdater._happened = lambda *_: 1 / 0\n"
        "sys.exit(main())"
    )
    command = (sys.executable, "-c", program)
    with Terminal("play", "--name", "Ada", "--bot", "greedy", command=command) as terminal:
        terminal.wait_for("Ada>")
        terminal.type("h0")
        terminal.wait_for_end()
        assert terminal.screen.title == ""
        assert terminal.written.count(PUSH_TITLE) == terminal.written.count(POP_TITLE) > 0


def test_emoji_of_several_code_points_leave_nothing_behind(server: ServerProcess) -> None:
    """After some changes the screen is as one that is drawn anew."""
    with joined(server, "Ada", "--create", "--room", "den") as terminal:
        terminal.wait_for("You are the host")
        for number in range(12):
            family = "👨\u200d👩\u200d👧" * (number % 4)
            terminal.type(f"1\ufe0f\u20e3{family}❤\ufe0f end {number}")
            terminal.wait_for(f"end {number}")
        terminal.press("a👨\u200d👩\u200d👧b\x1b[D\x7f")
        terminal.wait_for("> ab")
        drawn = terminal.text
        terminal.screen.reset()
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.wait_for("> ab")
        terminal.wait_until(lambda: terminal.text == drawn, f"the same as\n{drawn}")


def test_a_console_without_titles_and_colours_gets_none() -> None:
    environ = {"TERM": "linux", "NO_COLOR": "1"}
    with Terminal("play", "--name", "Ada", "--bot", "greedy", environ=environ) as terminal:
        terminal.wait_for("F10 leave")
        cells = [cell for line in terminal.screen.buffer.values() for cell in line.values()]
        assert {cell.fg for cell in cells} | {cell.bg for cell in cells} == {"default"}
        terminal.press(CTRL_C + CTRL_C)
        terminal.wait_for_end()
        assert terminal.screen.titles == []
        assert PUSH_TITLE not in terminal.written
        assert POP_TITLE not in terminal.written


def test_what_happens_while_it_is_suspended_is_told_after_fg(server: ServerProcess) -> None:
    with ExitStack() as stack:
        ada = stack.enter_context(
            in_a_shell("join", server.address, "--name Ada --create --room den")
        )
        ada.wait_for("You are the host")  # before, Bob may find no room
        bob = stack.enter_context(joined(server, "Bob", "--room", "den"))
        ada.wait_for("Bob comes in")
        ada.press("half a li")
        ada.wait_for("half a li")
        suspend(ada)
        bob.type("where are you?")
        bob.wait_for("Bob: where are you?")
        ada.type("fg")
        ada.wait_for("Bob: where are you?")
        ada.wait_for("> half a li")
        ada.type("ne")
        bob.wait_for("Ada: half a line")


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"  # a zombie is only its exit code


def test_leaving_asks_first(server: ServerProcess) -> None:
    with joined(server, "Ada", "--create") as ada:
        ada.wait_for("You are the host")
        ada.press(F10)
        ada.wait_for("Leave the room?")
        ada.press("\r")
        ada.wait_until_gone("Leave the room?")
        ada.type("/quit")
        ada.wait_for("Leave the room? y/N >")
        ada.type("y")
        assert ada.wait_for_end() == 0


@pytest.mark.parametrize("plain", [(), ("--plain",)], ids=["screen", "plain"])
def test_a_line_longer_than_the_window_leaves_the_prompt_and_the_cursor_in_their_places(
    server: ServerProcess, plain: tuple[str, ...]
) -> None:
    with joined(server, "Ada", "--create", *plain, columns=40, lines=12) as ada:
        ada.wait_until(lambda: cursor_in_line(ada, "> ") is not None, "at the prompt")
        before = cursor_in_line(ada, "> ")
        words = " ".join(f"word{number}" for number in range(30))
        ada.press(words)
        ada.wait_until(lambda: "word29" in ada.text.replace("\n", ""), "the end of the line")
        if not plain:
            assert input_line(ada).startswith("> ")
        ada.press("\r")
        ada.wait_until(lambda: cursor_in_line(ada, "> ") == before, "the cursor behind the prompt")
        ada.press("hi")
        ada.wait_until(lambda: input_line(ada).startswith("> hi"), "the prompt before hi")
        assert ada.screen.cursor.x == len("> hi")


def input_line(terminal: Terminal) -> str:
    """Return the line of the screen that the cursor is in."""
    return str(terminal.screen.display[terminal.screen.cursor.y])


def cursor_in_line(terminal: Terminal, prompt: str) -> int | None:
    """Return the column of the cursor in a line that begins with `prompt`; None in another one."""
    return terminal.screen.cursor.x if input_line(terminal).startswith(prompt) else None


def test_without_a_terminal_it_is_line_mode(server: ServerProcess) -> None:
    done = subprocess.run(
        [*PROGRAM, "join", server.address, "--name", "Ada", "--create"],
        input="hello\n",
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0
    assert "Ada: hello" in done.stdout


def test_a_terminal_that_can_nothing_has_line_mode_with_the_prompt_below_everything() -> None:
    environ = {"TERM": "dumb"}
    with Terminal("play", "--name", "Ada", "--bot", "greedy", environ=environ) as terminal:

        def is_prompted() -> bool:
            return terminal.text.rstrip("\n").endswith("Your turn, Ada.\nAda>")

        terminal.wait_until(lambda: terminal.text.rstrip("\n").endswith("h0.\nAda>"), "prompted")
        terminal.type("h0")
        terminal.wait_for("Ada> h0")
        terminal.wait_for("Ada plays h0.")
        terminal.wait_until(is_prompted, "prompted again")
        terminal.press("half a wo")
        terminal.type("rd")
        terminal.wait_for("Ada: half a word")
        terminal.type("/quit")
        terminal.wait_for("Leave the game that is on? y/N >")
        terminal.press(CTRL_C)
        assert terminal.wait_for_end() == 130
        assert "\x1b" not in terminal.written


def test_the_end_of_the_input_leaves_a_dumb_terminal() -> None:
    environ = {"TERM": "dumb"}
    with Terminal("play", "--name", "Ada", "--bot", "greedy", environ=environ) as terminal:
        terminal.wait_for("Ada>")
        terminal.press(CTRL_D)
        assert terminal.wait_for_end() == 0


@pytest.mark.parametrize(
    ("environ", "colour"),
    [({"COLORTERM": "truecolor"}, "5aa9e6"), ({"COLORTERM": ""}, "5fafd7")],
)
def test_colours_are_as_fine_as_the_terminal_can(environ: dict[str, str], colour: str) -> None:
    with Terminal("play", "--bot", "greedy", environ=environ) as terminal:
        terminal.wait_for("F10 leave")
        cells = [cell for line in terminal.screen.buffer.values() for cell in line.values()]
        assert colour in {cell.fg for cell in cells if cell.data == "●"}


# The server goes away


def test_a_server_that_freezes_and_comes_back(server: ServerProcess) -> None:
    with joined(server, "Ada", "--create") as ada:
        ada.wait_for("You are the host")
        server.process.send_signal(signal.SIGSTOP)
        ada.wait_for("The server has been silent for")
        ada.type("hello?")
        ada.press("half a li")
        server.process.send_signal(signal.SIGCONT)
        ada.wait_for("Ada: hello?")
        ada.wait_until_gone("has been silent")
        ada.wait_for("half a li")


def test_a_server_that_dies_and_a_new_one_without_the_room() -> None:
    with (
        server_process() as first,
        joined(first, "Ada", "--create", "--room", "den") as ada,
    ):
        ada.wait_for("You are the host")
        first.process.kill()
        first.process.wait(LIMIT_S)
        ada.wait_for("No connection")
        ada.press("half a li")
        ada.wait_for("half a li")
        with server_process(first.port):
            assert ada.wait_for_end() == 1
            assert "had kept nothing" in ada.text


def test_a_server_that_is_killed_comes_back_with_the_game(tmp_path: Path) -> None:
    with (
        server_process(data=tmp_path) as first,
        joined(first, "Ada", "--create", "--room", "den") as ada,
        ExitStack() as others,
    ):
        ada.wait_for("You are the host")
        ada.type("/set seats=3 rows=2 cols=2 clock=600")
        ada.wait_for("600 seconds")
        bob = others.enter_context(joined(first, "Bob", "--room", "den"))
        ada.wait_for("■ Bob")
        cy = others.enter_context(joined(first, "Cy", "--room", "den"))
        for terminal in (ada, bob, cy):
            terminal.wait_for("▲ Cy")
        ada.type("/start")
        ada.wait_for("your turn")
        ada.type("h0")
        bob.wait_for("your turn")
        bob.press("h1")
        first.process.kill()
        first.process.wait(LIMIT_S)
        bob.wait_for("No connection")
        with server_process(first.port, tmp_path):
            for terminal in (ada, bob, cy):
                terminal.wait_for("The server was away")
                terminal.wait_until_gone("No connection")
            bob.press("\r")
            cy.wait_for("your turn")
            cy.type("h2")
            ada.wait_for("Cy plays h2")
            ada.wait_for("your turn")


# Before the game


def test_a_game_begins_with_enter() -> None:
    with Terminal("play", "--name", "Ada", columns=80, lines=24) as terminal:
        terminal.wait_for("Opponent")
        terminal.press("\r")
        terminal.wait_for("your turn, Ada")
        terminal.type("h0")
        terminal.wait_for("Ada plays h0")
        terminal.wait_for("Child plays")


def test_a_room_is_chosen_in_the_lobby(server: ServerProcess) -> None:
    with joined(server, "Ada", "--create", "--room", "den") as ada:
        ada.wait_for("You are the host")
        with joined(server, "Bob") as bob:
            bob.wait_for("den")
            bob.press("\r")
            ada.wait_for("Bob comes in")
            bob.wait_for("The game begins when Ada")


def test_a_terminal_that_is_lost_leaves_no_process_behind() -> None:
    with Terminal("play", "--name", "Ada", "--bot", "greedy") as terminal:
        terminal.wait_for("your turn, Ada")
        pid = terminal.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ends = [os.pidfd_open(each) for each in (pid, *map(int, children))]
        terminal.hang_up()
    for end in ends:
        assert select.select([end], [], [], LIMIT_S)[0], "somebody is still there"
        os.close(end)


@pytest.mark.parametrize("shell", [(), ("--plain",)])
def test_a_closed_window_is_a_lost_connection(
    server: ServerProcess, shell: tuple[str, ...]
) -> None:
    with joined(server, "Ada", "--create", "--room", "den") as ada:
        ada.wait_for("You are the host")
        with joined(server, "Bob", "--room", "den", *shell) as bob:
            bob.wait_for("The game begins when Ada")
            ada.press(F5)
            ada.wait_for("your turn, Ada")
            bob.wait_for("Ada")
            bob.hang_up()
            ada.wait_for("The connection of Bob")
            ada.wait_for("bot in 1:")
