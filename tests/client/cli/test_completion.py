"""Completion scripts, tested in those of the shells that are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cases import each

from boxroom_client.cli.commands import COMMANDS
from boxroom_client.cli.completion import SHELLS, script
from boxroom_client.main import main


@pytest.fixture(params=SHELLS, scope="module")
def shell(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def program(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


@pytest.fixture(scope="module")
def file(shell: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion") / f"boxroom.{shell}"
    path.write_text(script(shell), encoding="utf-8")
    return path


def output_of(*command: str | Path) -> list[str]:
    run = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_scripts_are_printed(shell: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = file.read_text(encoding="utf-8")
    assert all(name in made for name in COMMANDS)
    for arguments in (["--print-completion", shell], [f"--print-completion={shell}"]):
        assert main(arguments) == 0
        assert capsys.readouterr().out == made + "\n"


@each("arguments, given", [([], "nothing"), (["tcsh"], "'tcsh'"), (["bash", "zsh"], "'bash zsh'")])
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


PRESSING_TAB = """
source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; read -ra COMP_WORDS <<<"$2"
[[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); set --
complete -p boxroom >/dev/null && _shtab_boxroom 2>/dev/null
printf "%s\\n" "${COMPREPLY[@]}"
"""


def bash_offers(line: str, file: Path) -> set[str]:
    bash = program("bash")
    return {*output_of(bash, "--norc", "--noprofile", "-c", PRESSING_TAB, "bash", file, line)}


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
@each("line, offered", TRIED)
def test_bash_completes(line: str, offered: set[str], file: Path) -> None:
    assert bash_offers(line, file) == offered


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
def test_bash_completes_files(file: Path, tmp_path: Path) -> None:
    (tmp_path / "game.txt").touch()
    assert bash_offers(f"boxroom replay {tmp_path}/ga", file) == {f"{tmp_path}/game.txt"}


@pytest.mark.parametrize("shell", ["fish"], indirect=True)
@each("line, offered", TRIED)
def test_fish_completes(line: str, offered: set[str], file: Path) -> None:
    shown = output_of(
        program("fish"), "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", file, line
    )
    assert {each.partition("\t")[0] for each in shown} == offered
