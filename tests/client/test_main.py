"""The `boxroom` command: its subcommands, imports and exit codes."""

import json
import platform
import sqlite3
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.cases import each

from boxroom_client.cli.commands import COMMANDS
from boxroom_client.main import main
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.version import VERSION
from boxroom_engine.games.dots.solve.solver import kernel


def test_without_a_command_it_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == Exit.USAGE
    shown = capsys.readouterr().err
    assert all(f"  {name} " in shown for name in COMMANDS)


def test_the_menu_needs_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["menu"]) == Exit.USAGE
    assert "the menu needs a full screen" in capsys.readouterr().err


@each("flag", ["--help", "-h", "help"])
def test_help_lists_all_commands(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([flag]) == Exit.DONE
    shown = capsys.readouterr().out
    assert all(command.help in shown for command in COMMANDS.values())


def test_the_version_is_on_request_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == Exit.DONE
    assert capsys.readouterr() == (f"boxroom {VERSION}\n", "")


@each(
    "arguments",
    [
        ("--version", "--bogus"),
        ("--version", "--verbose", "--bogus"),
        ("-V", "play"),
        ("--help", "--bogus"),
        ("help", "play"),
        ("--print-completion=bash", "--bogus"),
        ("config", "--path", "name"),
        ("config", "--path", "--reset"),
    ],
)
def test_what_would_be_ignored_is_refused(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == Exit.USAGE
    out, error = capsys.readouterr()
    assert not out
    assert error.startswith("boxroom")


def details(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Return what `--version --json` says, which `--verbose` says in lines."""
    assert main(["--version", "--json"]) == Exit.DONE
    found: dict[str, str] = json.loads(capsys.readouterr().out)
    assert found.pop("format") == "boxroom-installation-1"
    assert main(["--version", "--verbose"]) == Exit.DONE
    first, *others = capsys.readouterr().out.splitlines()
    assert first == f"boxroom {found['boxroom']}"
    assert {"boxroom": VERSION, **dict(each.split(": ", 1) for each in others)} == found
    return found


def test_the_version_tells_on_request_of_python_stores_and_folders(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOXROOM_GAMES", str(tmp_path))
    found = details(capsys)
    assert found["python"].startswith(f"{platform.python_version()}, ")
    assert found["sqlite"] == sqlite3.sqlite_version
    assert found["games"] == str(tmp_path)


@pytest.mark.skipif(kernel() is None, reason="there is no kernel")
def test_the_version_tells_on_request_the_engine_in_use(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert details(capsys)["engine"].startswith("The fast engine is in use: ")


@pytest.mark.usefixtures("no_kernel")
def test_the_version_tells_why_the_slow_engine_is_in_use(
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = details(capsys)["engine"]
    assert engine.startswith("The slow engine is in use. BOXROOM_COMPILER=none")


@each(
    "typed, answer",
    [("plya", "did you mean boxroom play?"), ("xyzzy", "there are menu, play, ")],
)
def test_an_unknown_command_is_a_usage_error(
    typed: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([typed]) == Exit.USAGE
    assert answer in capsys.readouterr().err


@each("name", COMMANDS)
def test_every_command_has_help_of_its_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = import_module(COMMANDS[name].module)
    assert module.parser().prog == f"boxroom {name}"
    assert main([name, "--help"]) == Exit.DONE
    assert f"usage: boxroom {name}" in capsys.readouterr().out


@each(
    "typed, answer",
    [
        ("play --row 4 --colz 3", "boxroom play: there is no option --colz: did you mean --cols?"),
        ("serve --prot=3", "boxroom serve: there is no option --prot: did you mean --port?"),
        ("games list --jsn", "boxroom games list: there is no option --jsn: did you mean --json?"),
        ("history list --jsn", "boxroom history list: there is no option --jsn: did you mean "),
        ("history replay --evry 1", "boxroom history replay: there is no option --evry"),
        ("admin --xyzzy list", "boxroom admin: there is no option --xyzzy"),
        ("play chess", "boxroom play: argument GAME: invalid choice: 'chess' (choose from "),
        ("replay", "boxroom replay: the following arguments are required: RECORD"),
    ],
)
def test_a_mistake_is_answered_in_two_lines(
    typed: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(typed.split()) == Exit.USAGE
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(answer)
    assert second == f"See {answer.partition(':')[0]} --help."


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (Failure("it broke"), Exit.FAILED, "boxroom: it broke\n"),
        (Failure("nobody there", Exit.UNREACHABLE), 69, "boxroom: nobody there\n"),
        (
            UsageError("no such thing"),
            2,
            "boxroom replay: no such thing\nSee boxroom replay",
        ),
        (KeyboardInterrupt(), 130, ""),
        (SystemExit(3), 3, ""),
    ],
)
def test_errors_become_exit_codes(
    error: BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_: SimpleNamespace) -> int:
        raise error

    monkeypatch.setattr("boxroom_client.cli.replay.run", fail)
    assert main(["replay", "x"]) == code
    assert said in capsys.readouterr().err


def last_line_of(program: str) -> str:
    """Run `program` in a Python of its own, after imports, and return what it prints last."""
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; from boxroom_client.main import main; {program}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return run.stdout.splitlines()[-1]


def test_help_needs_neither_sockets_nor_terminals() -> None:
    program = (
        "main(['play', '--help']); main(['join', '--help']); main(['config', '--path']);"
        "print({'websockets', 'prompt_toolkit', 'asyncio', 'shtab'} & set(sys.modules))"
    )
    assert last_line_of(program) == "set()"


def test_help_of_join_loads_no_game() -> None:
    program = (
        "main(['join', '--help']);"
        "print({'boxroom_engine.games.protocol', 'zipfile'} & set(sys.modules))"
    )
    assert last_line_of(program) == "set()"


def test_a_command_reads_the_sentences_of_its_language_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BOXROOM_LANGUAGE", "de")
    program = (
        "from boxroom_common.phrases import table, say; main(['join', 'localhost:1', '--brief']);"
        "print(say('and'), table.cache_info().misses)"
    )
    assert last_line_of(program) == "und 1"


def test_a_game_of_people_with_usual_names_loads_no_tables_of_characters(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BOXROOM_GAMES", str(tmp_path))
    program = (
        "main(['play', '--local', 'Ada', 'Bob']); print('confusable_homoglyphs' in sys.modules)"
    )
    assert last_line_of(program) == "False"
