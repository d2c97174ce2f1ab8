"""`boxroom play` as users start it: the whole program, from its arguments to its exit code."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.e2e.piped import boxroom
from tests.e2e.terminal import CTRL_C, CTRL_D, LIMIT_S, PROGRAM, Terminal
from tests.results import RESULT

EDGES = [f"h{n}" for n in range(6)] + [f"v{n}" for n in range(6)]
"""Lines of a board of 2×2 boxes."""


@pytest.fixture(autouse=True)
def config_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    return tmp_path


# Through pipes


def test_a_piped_game_against_a_bot_is_played_to_the_end() -> None:
    arguments = ("play", "--rows", "2", "--cols", "2", "--bot", "greedy", "--plain")
    played = boxroom(*arguments, typed="\n".join(EDGES * 2))
    assert played.returncode == 0
    assert "Type /rematch" in played.stdout
    assert played.stderr == ""


def test_a_hint_is_given_before_the_next_line_is_read() -> None:
    arguments = ("play", "--rows", "2", "--cols", "2", "--bot", "greedy", "--plain")
    played = boxroom(*arguments, typed="/hint\nh0\n")
    assert played.returncode == 0
    _, _, answer = played.stdout.partition("> /hint\n")
    assert " asks for a hint.\n" in answer
    assert " would play " in answer.partition("> h0")[0]


def test_bots_are_watched_to_the_end() -> None:
    played = boxroom("play", "--watch", "--rows", "4", "--cols", "4", "--bot", "greedy,random")
    assert played.returncode == 0
    assert played.stdout.count("● greedy") > 10
    assert RESULT.search(played.stdout)
    assert played.stdout.rstrip().endswith(("greedy", "random"))


def test_bots_play_a_large_board_with_a_full_border_and_many_seats() -> None:
    arguments = ("--rows", "8", "--cols", "8", "--border", "full", "--seats", "6")
    played = boxroom("play", "--watch", *arguments)
    assert played.returncode == 0
    assert "  Easy 6" in played.stdout


def test_five_people_share_a_keyboard_and_a_single_box() -> None:
    names = ("Ada", "Bob", "Cleo", "Dan", "Eve")
    arguments = ("--rows", "1", "--cols", "1", "--local", *names)
    played = boxroom("play", *arguments, typed="h0\nh1\nv0\nv1\n")
    assert played.returncode == 0
    assert "Your turn, Dan." in played.stdout
    assert "Dan won with 1 box." in played.stdout


@pytest.mark.parametrize(
    ("arguments", "moves"),
    [
        (["noughts", "--dims", "3,3,3"], map(str, range(27))),
        (["subtract-square", "--start", "12"], ["1"] * 12),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_the_other_games_are_played_with_a_bot(arguments: list[str], moves: Iterable[str]) -> None:
    played = boxroom("play", *arguments, typed="\n".join(moves))
    assert played.returncode == 0
    assert "Type /rematch" in played.stdout


def test_the_end_of_input_leaves_politely() -> None:
    played = boxroom("play", typed="h0\n")
    assert played.returncode == 0
    assert "Suggested opponent: Child. --bot chooses another one." in played.stdout
    assert "Child plays " in played.stdout
    assert boxroom("play").returncode == 0


def test_without_standard_input_it_leaves_too() -> None:
    command = 'exec "$@" <&-'
    played = subprocess.run(
        ["sh", "-c", command, "sh", *PROGRAM, "play"],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert played.returncode == 0
    assert "Your turn, " in played.stdout


def test_who_reads_no_further_gets_no_traceback() -> None:
    command = '"$@" | head -n 1'
    played = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}", "sh", *PROGRAM, "play", "--watch"],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert played.stderr == ""
    assert played.returncode == 0
    assert len(played.stdout.splitlines()) == 1


def test_what_cant_be_played_is_a_usage_error() -> None:
    played = boxroom("play", "--rows", "0")
    assert played.returncode == 2
    assert played.stderr.startswith("boxroom play: rows must be 1 to 1000, not 0\n")


def test_text_that_a_terminal_cant_show_is_no_failure() -> None:
    played = subprocess.run(
        [*PROGRAM, "play", "--rows", "1", "--cols", "1", "--local", "Zoë", "Bob"],
        input="h0\n",
        capture_output=True,
        encoding="latin-1",
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )
    assert played.returncode == 0
    assert "A Zo? 0   B Bob 0" in played.stdout


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signals_end_it_in_order(number: signal.Signals, code: int) -> None:
    with subprocess.Popen(
        [*PROGRAM, "play"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as playing:
        assert playing.stdout is not None
        while b"Your turn, " not in playing.stdout.readline():
            pass
        playing.send_signal(number)
        _, errors = playing.communicate(timeout=LIMIT_S)
    assert (playing.returncode, errors) == (code, b"")


# In a terminal


def test_a_person_plays_and_makes_mistakes() -> None:
    with Terminal("play", "--plain", "--rows", "2", "--cols", "2", "--name", "Ada") as terminal:
        terminal.wait_for("Your turn, Ada. Type a move, for example h0.")
        terminal.wait_for("Ada>")
        terminal.type("h9")
        terminal.wait_for("h9 is not on a 2×2 board: h0 to h5.")
        terminal.type("/remtach")
        terminal.wait_for("There is no command /remtach: did you mean /rematch?")
        terminal.type("H0")
        terminal.wait_for("Ada plays h0.")
        terminal.wait_for("Child plays ")
        terminal.wait_for("Your turn, Ada.", times=2)
        terminal.type("hello?")
        terminal.wait_for("Nobody else is here to read that.")
        terminal.type("/quit")
        terminal.wait_for("y/N >")
        terminal.type("y")
        assert terminal.wait_for_end() == 0
        assert "┃" in terminal.text or "━" in terminal.text


def test_a_move_that_the_coach_regrets_is_taken_back() -> None:
    arguments = ("--rows", "1", "--cols", "2", "--bot", "greedy", "--coach", "--name", "Ada")
    with Terminal("play", "--plain", *arguments) as terminal:
        terminal.wait_for("Ada>")
        terminal.type("h0")
        terminal.wait_for("Coach: h0 gave the draw away; v1 was better. /undo takes it back.")
        terminal.type("/undo")
        terminal.wait_for("Ada takes back ")
        terminal.type("/resign")
        terminal.wait_for("y/N >")
        terminal.type("y")
        terminal.wait_for("Coach: Every game makes you better.")


def test_the_colours_of_the_players_are_on_the_board() -> None:
    with Terminal("play", "--plain", "--rows", "2", "--cols", "2") as terminal:
        terminal.wait_for("Your turn, ")
        terminal.type("h0")
        terminal.wait_for("plays h0.")
        terminal.wait_for("Your turn, ", times=2)
        bars = [
            cell.fg
            for line in terminal.screen.buffer.values()
            for cell in line.values()
            if cell.data == "━"
        ]
    assert "005faf" in bars


def test_bots_are_watched_in_a_terminal_and_it_ends_by_itself() -> None:
    arguments = ("--watch", "--rows", "2", "--cols", "2", "--pace", "0")
    with Terminal("play", "--plain", *arguments) as terminal:
        assert terminal.wait_for_end() == 0
        assert RESULT.search(terminal.text)


@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 0)])
def test_keys_that_leave_and_colours_that_are_declined(key: str, code: int) -> None:
    with Terminal("play", "--plain", "--name", "Ada", environ={"NO_COLOR": "1"}) as terminal:
        terminal.wait_for("Ada>")
        cells = (cell for line in terminal.screen.buffer.values() for cell in line.values())
        assert {cell.fg for cell in cells} <= {"default"}
        terminal.press(key)
        assert terminal.wait_for_end() == code


@pytest.mark.parametrize(
    ("mode", "ready", "shell"),
    [
        ("--plain", "Ada>", '"$@"'),
        ("--bot=easy", "F10 leave", '"$@"'),
        ("--plain", "Your turn", 'cat | "$@" 2>&1 | cat'),
    ],
)
def test_warnings_of_the_private_server_go_to_a_file_and_not_to_the_person(
    mode: str, ready: str, shell: str, tmp_path: Path
) -> None:
    """As after Ctrl-Z and fg, which look to the server like an event loop that was held up."""
    program = (
        "import sys\n"
        "from boxroom_client.main import main\n"
        "from boxroom_server.ops import loop_lag\n"
        "loop_lag.WARNING_S = 0.0\n"
        "sys.exit(main())"
    )
    with Terminal(
        *("play", "--name", "Ada", mode),
        environ={"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")},
        command=("bash", "-c", shell, "bash", sys.executable, "-c", program),
    ) as terminal:
        terminal.wait_for(ready)
        terminal.wait_until(
            lambda: any("held up" in file.read_text() for file in tmp_path.rglob("boxroom.log")),
            "logged",
        )
        terminal.press(CTRL_C + CTRL_C)
        terminal.wait_for_end()
        assert "held up" not in terminal.written


def test_a_terminated_program_leaves_the_terminal_as_it_was() -> None:
    script = 'before=$(stty -g); "$@"; echo "code $?"; test "$before" = "$(stty -g)" && echo same'
    command = ("bash", "-c", script, "bash", *PROGRAM)
    with Terminal("play", "--plain", "--name", "Ada", command=command) as terminal:
        terminal.wait_for("Ada>")
        (child,) = Path(f"/proc/{terminal.pid}/task/{terminal.pid}/children").read_text().split()
        os.kill(int(child), signal.SIGTERM)
        terminal.wait_for("code 143")
        terminal.wait_for("same")
        terminal.wait_for_end()


def test_it_can_be_run_as_a_module_and_as_a_command() -> None:
    command = Path(sys.executable).with_name("boxroom")
    if not command.exists():
        pytest.skip("the distribution isn't installed beside this Python")
    shown = subprocess.run(
        [command, "--version"], capture_output=True, text=True, timeout=LIMIT_S, check=True
    )
    assert shown.stdout == boxroom("--version").stdout


# Choices that last


def test_the_form_opens_with_the_last_game_and_settings_last(config_folder: Path) -> None:
    with Terminal("play", lines=24) as first:
        first.wait_for("Your name")
        first.press("\x1b[B")  # Rows
        first.press("\x7f3")
        first.press("\x1b[6~")  # the last field, the name
        first.press("\x7f" * 24 + "Ada")
        first.press("\r")
        first.wait_for("rows 3")
        first.type("/theme light")
        first.type("/bell on")
        first.wait_for("Bell: on")
        first.press("\x1bOQ")  # F2
        first.press(CTRL_D)
        first.press("y\r")
        assert first.wait_for_end() == 0
    settings = (config_folder / "config.toml").read_text().splitlines()
    assert sorted(settings) == ["bell = true", 'name = "Ada"', "numbers = false", 'theme = "light"']
    with Terminal("play", lines=24) as second:
        second.wait_for("Your name")
        shown = [line.split() for line in second.screen.display]
        assert ["Rows", "3"] in [line[:2] for line in shown]
        assert ["Your", "name", "Ada"] in [line[:3] for line in shown]
