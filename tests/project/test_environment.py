"""./boxroom and ./check prepare their environment once, whatever happens in between.

They run here with a fake Python, whose venv and pip write just enough, and with a PATH on which
there is no other Python.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = [
    *("awk", "cat", "chmod", "cksum", "cp", "dirname", "find", "grep", "ln", "mkdir"),
    *("readlink", "rm", "sh", "sleep", "sort", "tail"),
]
SIDE_BY_SIDE = "-n auto --dist worksteal"
SCRIPTS = [
    "boxroom",
    "check",
    "pyproject.toml",
    "scripts/check-pythons",
    "scripts/environment.sh",
]
STEPS = ["ruff", "ruff", "mypy", "lint-imports", "codespell", "pytest"]

# Every call that does something is written to $LOG; $FAIL names calls that fail.
PYTHON_OF_STRAW = r"""#!/bin/sh
case "$2 ${3-}" in
    *print*executable*) echo "${0##*/} $0" ;; # it is called by its version
    *print*) echo 3.12 ;;
    *version_info*) [ "${FAIL-}" != version ] ;;
    *ensurepip*) [ "${FAIL-}" != ensurepip ] ;;
    "pip --version") ;;
    "venv "*)
        echo venv >>"$LOG"
        mkdir -p "$3/bin"
        cp "$0" "$3/bin/python"
        ;;
    "pip install")
        cat # what it reads from standard input is lost to the program
        printf '%s\n' "Obtaining file:///there" "Collecting websockets<17,>=15 (from boxroom)" \
            "  Downloading websockets.whl" "Collecting prompt_toolkit==3 (from boxroom)" \
            "  Building editable for boxroom (pyproject.toml): started" \
            "  Building editable for boxroom (pyproject.toml): finished with status 'done'"
        for requirement; do :; done # the last argument
        echo "pip $requirement" >>"$LOG"
        [ -z "${GATE-}" ] || cat "$GATE"
        [ "${FAIL-}" != pip ] || { echo no network >&2; exit 1; }
        here=$(dirname "$0")
        printf '#!/bin/sh\necho $$ "$@"\ncat\nexit 7\n' >"$here/boxroom"
        for step in ruff mypy lint-imports codespell pytest; do
            printf '#!/bin/sh\necho %s "$@" >>"$LOG"\n[ "${FAIL-}" != %s ]\n' \
                $step $step >"$here/$step"
        done
        chmod +x "$here"/*
        ;;
esac
"""


@dataclass(frozen=True)
class Checkout:
    root: Path
    environ: dict[str, str]
    log: Path

    def start(
        self, command: str | Path = "boxroom", *args: str, cwd: Path | None = None, **environ: str
    ) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.root / command, *args],
            cwd=cwd,
            env=self.environ | environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def run(
        self, command: str | Path = "boxroom", *args: str, cwd: Path | None = None, **environ: str
    ) -> tuple[int, str, str]:
        """Type `typed`; return the exit code, the output after the process id, and the errors."""
        process = self.start(command, *args, cwd=cwd, **environ)
        out, err = process.communicate("typed")
        return process.returncode, out.removeprefix(str(process.pid)), err

    @property
    def calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    root = tmp_path / "check out"
    (root / "scripts").mkdir(parents=True)
    (root / "engine/kernel").mkdir(parents=True)
    (root / "engine/kernel/module.cpp").touch()
    (root / "common").mkdir()
    (root / "server").mkdir()
    (root / "client").mkdir()
    for name in SCRIPTS:
        shutil.copy(ROOT / name, root / name)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in TOOLS:
        (tools / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    python = tools / "python3"
    python.write_text(PYTHON_OF_STRAW)
    python.chmod(0o755)
    log = tmp_path / "log"
    return Checkout(root, {"PATH": str(tools), "LOG": str(log)}, log)


def dead_process() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_prepares_on_the_first_run_only_and_says_what_it_does(checkout: Checkout) -> None:
    told = (
        "Preparing Boxroom (first run)…\n"
        f"  environment: {checkout.root}/.venv\n"
        "  packages: websockets prompt_toolkit\n"
        "  search kernel, compiled from C++\n"
    )
    assert checkout.run() == (7, "\ntyped", told)
    assert checkout.run() == (7, "\ntyped", "")
    assert checkout.calls == ["venv", "pip ."]


def test_becomes_the_program(checkout: Checkout) -> None:
    process = checkout.start("boxroom", "a b", "*")
    out, _ = process.communicate("typed")
    assert out == f"{process.pid} a b *\ntyped"
    assert process.returncode == 7


def test_works_from_anywhere_through_links(checkout: Checkout, tmp_path: Path) -> None:
    absolute, relative = tmp_path / "absolute", tmp_path / "tools" / "relative"
    absolute.symlink_to(checkout.root / "boxroom")
    relative.symlink_to("../absolute")
    assert checkout.run(relative, cwd=tmp_path)[0] == 7
    assert checkout.run(absolute, cwd=Path("/"))[0] == 7
    assert checkout.run("boxroom", cwd=checkout.root)[0] == 7
    assert checkout.calls == ["venv", "pip ."]


@pytest.mark.parametrize("name", ["pyproject.toml", "engine/kernel/module.cpp"])
def test_prepares_again_when_the_project_changed(checkout: Checkout, name: str) -> None:
    checkout.run()
    with (checkout.root / name).open("a") as file:
        file.write("# another dependency\n")
    code, out, told = checkout.run()
    assert (code, out) == (7, "\ntyped")
    assert told.startswith("Preparing Boxroom…\n  packages: ")
    assert checkout.calls == ["venv", "pip .", "pip ."]


def test_prepares_again_when_a_module_is_added(checkout: Checkout) -> None:
    checkout.run()
    (checkout.root / "server/new.py").touch()
    code, out, told = checkout.run()
    assert (code, out) == (7, "\ntyped")
    assert told.startswith("Preparing Boxroom…\n  packages: ")
    assert checkout.run() == (7, "\ntyped", "")


def test_prepares_again_when_the_checkout_moved(checkout: Checkout, tmp_path: Path) -> None:
    checkout.run()
    checkout.root.rename(tmp_path / "moved")
    assert checkout.run(tmp_path / "moved" / "boxroom")[0] == 7
    assert checkout.calls == ["venv", "pip .", "pip ."]


def test_a_failure_is_told_and_the_next_run_starts_over(checkout: Checkout) -> None:
    code, out, err = checkout.run(FAIL="pip")
    assert (code, out) == (1, "")
    assert "no network\n" in err
    assert err.splitlines()[-1].startswith("Could not prepare Boxroom in ")
    assert checkout.run()[0] == 7
    assert checkout.calls == ["venv", "pip .", "venv", "pip ."]


def test_an_interrupted_run_is_started_over(checkout: Checkout) -> None:
    checkout.run()
    (checkout.root / ".venv/unfinished").touch()
    (checkout.root / ".venv.lock").symlink_to(str(dead_process()))
    assert checkout.run()[0] == 7
    assert not (checkout.root / ".venv.lock").is_symlink()
    assert checkout.calls == ["venv", "pip .", "venv", "pip ."]


def test_a_second_first_run_waits_for_the_first(checkout: Checkout, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    first = checkout.start(GATE=str(gate))
    with gate.open("w"):  # opens once pip reads it, and holds it there
        second = checkout.start()
        assert second.stderr is not None
        assert f"Waiting for process {first.pid}" in second.stderr.readline()
    for process in (first, second):
        process.communicate()
        assert process.returncode == 7
    assert checkout.calls == ["venv", "pip ."]


def test_says_what_to_install_without_python(checkout: Checkout) -> None:
    code, out, err = checkout.run(FAIL="version")
    assert (code, out) == (1, "")
    assert err.startswith("Boxroom needs Python 3.11 or newer")
    assert err.count("\n") == 1


def test_says_what_to_install_without_the_venv_module(checkout: Checkout) -> None:
    code, out, err = checkout.run(FAIL="ensurepip")
    assert (code, out) == (1, "")
    assert "sudo apt install python3.12-venv" in err
    assert err.count("\n") == 1
    assert not (checkout.root / ".venv").exists()


def test_check_prepares_what_boxroom_needs_as_well(checkout: Checkout) -> None:
    assert checkout.run("check")[0] == 0
    assert checkout.run("boxroom")[0] == 7
    assert [call for call in checkout.calls if call.startswith("pip")] == ["pip .[dev]"]


def test_check_runs_every_step(checkout: Checkout) -> None:
    code, out, _ = checkout.run("check")
    assert code == 0
    assert [call.split()[0] for call in checkout.calls[2:]] == STEPS
    assert checkout.calls[-1] == f"pytest -m not long {SIDE_BY_SIDE}"
    assert out.endswith("\nEverything passed.\n")


def test_check_passes_arguments_to_pytest(checkout: Checkout) -> None:
    checkout.run("check", "tests/engine", "--long", "-k", "chains or loops")
    assert checkout.calls[-1] == "pytest -m  tests/engine -k chains or loops"
    checkout.run("check", "--long")
    assert checkout.calls[-1] == f"pytest -m  {SIDE_BY_SIDE} --cov"


@pytest.mark.parametrize("failing", ["ruff", "mypy", "lint-imports", "codespell", "pytest"])
def test_check_stops_at_the_first_failure_and_names_it(checkout: Checkout, failing: str) -> None:
    checkout.run()
    code, _, err = checkout.run("check", FAIL=failing)
    assert code == 1
    assert checkout.calls[-1].startswith(failing)
    assert err.splitlines()[-1].startswith("check: ")
    assert err.endswith(" failed\n")


def test_check_runs_with_a_python_of_choice_in_its_own_environment(checkout: Checkout) -> None:
    python = checkout.root.parent / "tools/python3"
    assert checkout.run("check", f"--python={python}", "tests")[0] == 0
    assert (checkout.root / ".venv-3.12/prepared-dev").exists()
    assert not (checkout.root / ".venv").exists()
    assert checkout.calls[-1] == "pytest -m not long tests"


def test_check_says_which_python_is_none(checkout: Checkout) -> None:
    assert checkout.run("check", "--python=nothing") == (1, "", "nothing is no Python that runs.\n")


def pythons(checkout: Checkout, *versions: str) -> list[Path]:
    """Interpreters that are named by their versions."""
    folder = checkout.root.parent / "pythons"
    folder.mkdir()
    made = [folder / version for version in versions]
    for python in made:
        shutil.copy(checkout.root.parent / "tools/python3", python)
    return made


def test_check_pythons_runs_check_with_each_version_once(checkout: Checkout) -> None:
    made = pythons(checkout, "3.13.0", "3.11.2")
    code, out, err = checkout.run("scripts/check-pythons", "--at-least=2", *map(str, made))
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["3.11.2", "3.13.0"]
    assert all(" … passed" in line for line in out.splitlines())
    assert len([call for call in checkout.calls if call.startswith("pytest")]) == 2


def test_check_pythons_goes_on_after_a_failure_and_fails(checkout: Checkout) -> None:
    made = pythons(checkout, "3.13.0", "3.11.2")
    code, out, _ = checkout.run(
        "scripts/check-pythons", "--at-least=2", *map(str, made), FAIL="mypy"
    )
    assert code == 1
    assert out.count("FAILED") == 2


def test_check_pythons_refuses_fewer_than_it_needs(checkout: Checkout) -> None:
    made = pythons(checkout, "3.13.0", "3.11.2", "none")
    code, _, err = checkout.run("scripts/check-pythons", *map(str, made[:2]))
    assert code == 2
    assert "found 2, needs at least 4" in err
    code, _, err = checkout.run("scripts/check-pythons", str(made[0]), str(made[0]))
    assert code == 2
    assert "of 2 given, 1 are different releases" in err
    assert checkout.calls == []
