"""Completion scripts, tested in those of the shells that are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from boxroom_client.cli.commands import COMMANDS
from boxroom_client.cli.completion import SHELLS, script
from boxroom_client.main import main


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def program(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


@pytest.fixture
def file(shell: str, tmp_path: Path) -> Path:
    path = tmp_path / f"boxroom.{shell}"
    path.write_text(script(shell), encoding="utf-8")
    return path


def output_of(*command: str | Path) -> list[str]:
    run = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_scripts_are_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--print-completion", shell]) == 0
    printed = capsys.readouterr().out
    assert printed == script(shell) + "\n"
    assert main([f"--print-completion={shell}"]) == 0
    assert capsys.readouterr().out == printed


def test_scripts_know_all_commands(shell: str) -> None:
    for name in COMMANDS:
        assert name in script(shell)


@pytest.mark.parametrize(
    ("arguments", "given"), [([], "nothing"), (["tcsh"], "'tcsh'"), (["bash", "zsh"], "'bash zsh'")]
)
def test_other_shells_are_refused(
    arguments: list[str], given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--print-completion", *arguments]) == 2
    assert capsys.readouterr().err == (
        f"boxroom: --print-completion takes bash, zsh or fish, not {given}\n"
    )


def test_shells_understand_their_scripts(shell: str, file: Path) -> None:
    assert output_of(program(shell), "-n", file) == []


TRIED = [
    ("boxroom re", {"replay"}),
    ("boxroom an", {"analyse"}),
    ("boxroom analyse --gr", {"--graph"}),
    ("boxroom tree --me", {"--merged"}),
    ("boxroom ", set(COMMANDS)),
    ("boxroom games ", {"list", "show", "export", "delete"}),
    ("boxroom admin unb", {"unban"}),
    ("boxroom games list --la", {"--last"}),
    ("boxroom config --p", {"--path"}),
    ("boxroom serve --po", {"--port"}),
    ("boxroom play ", {"dots", "noughts", "stonehenge", "subtract-square", "draughts"}),
    ("boxroom play --bot gr", {"greedy"}),
    ("boxroom arena gr", {"greedy"}),
    ("boxroom play --theme li", {"light"}),
    ("boxroom join --zoom ", {"S", "M", "L", "auto"}),
    ("boxroom --print-completion ", set(SHELLS)),
]


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
@pytest.mark.parametrize(("line", "offered"), TRIED)
def test_bash_completes(line: str, offered: set[str], file: Path) -> None:
    pressing_tab = (
        'source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; read -ra COMP_WORDS <<<"$2"\n'
        '[[ $2 == *" " ]] && COMP_WORDS+=("")\n'
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); set --\n"
        "complete -p boxroom >/dev/null && _shtab_boxroom 2>/dev/null\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    bash = program("bash")
    shown = output_of(bash, "--norc", "--noprofile", "-c", pressing_tab, "bash", file, line)
    assert set(shown) == offered


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
def test_bash_completes_files(file: Path, tmp_path: Path) -> None:
    (tmp_path / "game.txt").touch()
    test_bash_completes(f"boxroom replay {tmp_path}/ga", {f"{tmp_path}/game.txt"}, file)


@pytest.mark.parametrize("shell", ["fish"], indirect=True)
@pytest.mark.parametrize(("line", "offered"), TRIED)
def test_fish_completes(line: str, offered: set[str], file: Path) -> None:
    shown = output_of(
        program("fish"), "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", file, line
    )
    assert {each.partition("\t")[0] for each in shown} == offered
