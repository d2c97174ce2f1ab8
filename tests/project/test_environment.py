"""./boxroom and ./check prepare their environment once, whatever happens in between.

They run here with a fake Python, whose venv and pip write just enough, and with a PATH on which
there is no other Python. scripts/prepare_environment.py runs in a real one.
"""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.cases import each

ROOT = Path(__file__).resolve().parents[2]
TOOLS = [
    *("awk", "cat", "chmod", "cksum", "cp", "dirname", "grep", "kill", "mkdir", "readlink", "sed"),
    *("sh", "sort", "tail", "uname"),
]
SIDE_BY_SIDE = "-n auto --dist worksteal"
SCRIPTS = [
    "boxroom",
    "check",
    "pyproject.toml",
    "scripts/check-pythons",
    "scripts/environment.sh",
    "scripts/installer.py",
    "scripts/prepare_environment.py",
]
STEPS = ["ruff", "ruff", "mypy", "mypy", "lint-imports", "codespell", "pytest"]

# Every call that does something is written to $LOG; $FAIL names calls that fail.
PYTHON_OF_STRAW = r"""#!/bin/sh
case "$2 ${3-}" in
    scripts.prepare_environment*) exec "$REAL_PYTHON" -S "$PREPARE" "$@" ;;
    *platform*executable*) echo "${0##*/} $0" ;; # it is called by its version
    *print*executable*) printf '%s\n' "$0" 3 12 ;;
    *print*) echo 3.12 ;;
    *version_info*) [ "${FAIL-}" != version ] ;;
    *ensurepip*) [ "${FAIL-}" != ensurepip ] ;;
    "venv "*)
        echo venv >>"$LOG"
        mkdir -p "$3/bin"
        cp "$0" "$3/bin/python"
        ;;
    "pip install")
        printf '%s\n' "Getting page https://name:secret@index.test/simple/websockets/"
        while [ "$1" != --editable ]; do shift; done
        shift
        echo "pip $*" >>"$LOG"
        [ -z "${GATE-}" ] || cat "$GATE"
        [ "${FAIL-}" != pip ] || { echo "Connection error: none" >&2; exit 1; }
        here=$(dirname "$0")
        printf '#!/bin/sh\n[ "$*" != --version ] || exit 0\necho $$ "$@"\ncat\nexit 7\n' \
            >"$here/boxroom"
        for step in ruff mypy lint-imports codespell pytest; do
            printf '#!/bin/sh\necho %s "$@" >>"$LOG"\n[ "${FAIL-}" != %s ]\n' \
                $step $step >"$here/$step"
        done
        chmod +x "$here"/*
        ;;
esac
"""

# Runs `-m MODULE ARGS…`; where $KILL_AT is set, dies like after kill -9 before it changes files
# or starts a process for that time.
PREPARE = """
import os, runpy, signal, sys

CHANGES = {"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "subprocess.Popen"}
left = int(os.environ.get("KILL_AT", "-1"))

def die(event, args):
    global left
    if event in CHANGES or (event == "open" and args[1] in ("w", "a")):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(die)
sys.argv = sys.argv[2:]
sys.path.insert(0, os.getcwd())
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
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
    (root / "server").mkdir()
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
    prepare = tmp_path / "prepare.py"
    prepare.write_text(PREPARE)
    environ = {
        "PATH": str(tools),
        "LOG": str(log),
        "REAL_PYTHON": sys.executable,
        "PREPARE": str(prepare),
    }
    return Checkout(root, environ, log)


def require_more(checkout: Checkout) -> None:
    """Change the requirements, as `git pull` does."""
    pyproject = checkout.root / "pyproject.toml"
    pyproject.write_text(f"# another requirement\n{pyproject.read_text()}")


def test_prepares_on_the_first_run_only_and_says_so(checkout: Checkout) -> None:
    assert checkout.run() == (7, "\ntyped", "Preparing Boxroom (first run)…\n")
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


def test_prepares_again_beside_when_the_requirements_changed(checkout: Checkout) -> None:
    checkout.run()
    used_before = (checkout.root / ".venv").resolve()
    require_more(checkout)
    assert checkout.run() == (7, "\ntyped", "Preparing Boxroom…\n")
    assert checkout.calls == ["venv", "pip ."] * 2
    assert (checkout.root / ".venv").resolve() != used_before
    assert (used_before / "bin/boxroom").exists()  # programs may be running from there


def test_made_again_it_keeps_the_compiled_kernel(checkout: Checkout) -> None:
    checkout.run()
    compiled = checkout.root / ".venv/lib/boxroom/kernel.so"
    compiled.parent.mkdir(parents=True)
    compiled.write_text("compiled")
    require_more(checkout)
    assert checkout.run()[0] == 7
    assert compiled.read_text() == "compiled"
    assert (checkout.root / ".venv").readlink() == Path(".venv.2")


def test_goes_back_to_the_former_requirements_at_once(checkout: Checkout) -> None:
    checkout.run()
    before = (checkout.root / "pyproject.toml").read_text()
    require_more(checkout)
    checkout.run()
    (checkout.root / "pyproject.toml").write_text(before)
    assert checkout.run(FAIL="pip") == (7, "\ntyped", "")


def test_other_changes_need_no_preparation(checkout: Checkout) -> None:
    checkout.run()
    (checkout.root / "server/new.py").touch()
    with (checkout.root / "pyproject.toml").open("a") as settings_of_tools:
        settings_of_tools.write("# another rule\n")
    assert checkout.run() == (7, "\ntyped", "")


def test_prepares_again_when_the_checkout_moved(checkout: Checkout, tmp_path: Path) -> None:
    checkout.run()
    checkout.root.rename(tmp_path / "moved")
    assert checkout.run(tmp_path / "moved" / "boxroom")[0] == 7
    assert checkout.calls == ["venv", "pip ."] * 2


def test_prepares_again_when_its_python_is_gone(checkout: Checkout) -> None:
    checkout.run()
    python = checkout.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/no/python3.11")
    assert checkout.run()[0] == 7
    assert checkout.calls == ["venv", "pip ."] * 2


def test_without_a_working_environment_a_failure_ends_the_start(checkout: Checkout) -> None:
    code, out, err = checkout.run(FAIL="pip")
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith(f"Could not prepare Boxroom in {checkout.root}/.venv: ")
    assert err.endswith(": no answer from https://index.test/simple/websockets/.\n")
    assert not list(checkout.root.glob(".venv.*"))
    assert checkout.run()[0] == 7


@pytest.mark.parametrize("failing", ["pip", "lock"])
def test_after_a_failure_the_working_environment_starts(checkout: Checkout, failing: str) -> None:
    checkout.run()
    before = (checkout.root / "pyproject.toml").read_text()
    require_more(checkout)
    if failing == "lock":  # as in a checkout that can't be written
        (checkout.root / ".venv-lock").unlink()
        (checkout.root / ".venv-lock").mkdir()
    for _ in range(2):
        code, out, err = checkout.run(FAIL=failing)
        assert (code, out) == (7, "\ntyped")
        assert f"Could not prepare Boxroom in {checkout.root}/.venv: " in err
        assert err.endswith("\nStarting with the environment that was made before.\n")
    (checkout.root / "pyproject.toml").write_text(before)
    assert checkout.run(FAIL=failing) == (7, "\ntyped", "")


def test_an_environment_that_does_not_work_is_not_started(checkout: Checkout) -> None:
    checkout.run()
    (checkout.root / ".venv/bin/boxroom").write_text("#!/bin/sh\nexit 3\n")
    require_more(checkout)
    assert checkout.run(FAIL="pip")[0] == 1


def made_by_version_0_1(checkout: Checkout) -> None:
    """Turn the environment into the folder that version 0.1 made."""
    link = checkout.root / ".venv"
    folder = link.resolve()
    (folder / "prepared").rename(folder / "prepared-run")
    link.unlink()
    folder.rename(link)


def test_replaces_the_folder_of_version_0_1(checkout: Checkout) -> None:
    checkout.run()
    made_by_version_0_1(checkout)
    (checkout.root / ".venv.lock").symlink_to("1234")
    assert checkout.run(FAIL="pip")[0] == 7
    assert checkout.run() == (7, "\ntyped", "Preparing Boxroom…\n")
    assert (checkout.root / ".venv").is_symlink()


@pytest.mark.parametrize("before", ["nothing", "two folders", "folder of version 0.1"])
def test_killed_before_any_step_it_leaves_a_working_environment(
    checkout: Checkout, tmp_path: Path, before: str
) -> None:
    at_first = (checkout.root / "pyproject.toml").read_text()
    for _ in range({"nothing": 0, "two folders": 2, "folder of version 0.1": 1}[before]):
        checkout.run()
        require_more(checkout)
    if before == "folder of version 0.1":
        made_by_version_0_1(checkout)
    shutil.copytree(checkout.root, tmp_path / "copy", symlinks=True)
    step, code, seen = 0, -1, set[frozenset[tuple[str, str]]]()
    while code != 7:
        step += 1
        shutil.rmtree(checkout.root)
        shutil.copytree(tmp_path / "copy", checkout.root, symlinks=True)
        code, _, _ = checkout.run(KILL_AT=str(step))
        if (left := environments(checkout)) in seen:
            continue  # nothing has changed since the step before
        seen.add(left)
        (checkout.root / "pyproject.toml").write_text(at_first)
        code_after, _, told = checkout.run(FAIL="" if before == "nothing" else "pip")
        assert code_after == 7, (step, told)
    assert len(seen) > 5


def environments(checkout: Checkout) -> frozenset[tuple[str, str]]:
    """Return all links, folders and files of the environments, with what they hold."""
    found = set()
    for path in [*checkout.root.glob(".venv*"), *checkout.root.glob(".venv*/**/*")]:
        if path.is_symlink():
            held = str(path.readlink())
        else:
            held = path.read_text() if path.is_file() else ""
        found.add((str(path.relative_to(checkout.root)), held))
    return frozenset(found)


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    return gate


def test_a_second_first_run_waits_for_the_first(checkout: Checkout, gate: Path) -> None:
    first = checkout.start(GATE=str(gate))
    with gate.open("w"):  # opens once pip reads it, and holds it there
        second = checkout.start()
        assert second.stderr is not None
        assert second.stderr.readline().startswith("Waiting for another process")
    for process in (first, second):
        process.communicate()
        assert process.returncode == 7
    assert checkout.calls == ["venv", "pip ."]


def test_waits_for_an_installer_whose_starter_was_killed(checkout: Checkout, gate: Path) -> None:
    first = checkout.start(GATE=str(gate))
    with gate.open("w"):
        children = Path(f"/proc/{first.pid}/task/{first.pid}/children")
        if not children.exists():
            pytest.skip("impossible here: reads Linux's /proc")
        for child in children.read_text().split():
            os.kill(int(child), signal.SIGKILL)
        first.communicate()
        second = checkout.start()
        assert second.stderr is not None
        assert second.stderr.readline().startswith("Waiting for another process")
    second.communicate()
    assert second.returncode == 7
    assert checkout.calls == ["venv", "pip ."] * 2


def test_says_what_to_install_without_python(checkout: Checkout) -> None:
    code, out, err = checkout.run(FAIL="version")
    assert (code, out) == (1, "")
    assert err.startswith("Boxroom needs Python 3.11 or newer, or uv: ")
    assert err.count("\n") == 1


def test_says_what_to_install_without_the_venv_module(checkout: Checkout) -> None:
    code, out, err = checkout.run(FAIL="ensurepip")
    assert (code, out) == (1, "")
    assert err.startswith("Boxroom needs Python's venv module: ")
    assert err.count("\n") == 1
    assert not (checkout.root / ".venv").exists()


@each(
    "system, release, command",
    [
        ("Linux", "ID=debian", "sudo apt install python3-venv"),
        ("Linux", 'ID=linuxmint\nID_LIKE="ubuntu debian"', "sudo apt install python3-venv"),
        ("Linux", "NAME='Fedora Linux'\nID=fedora", "sudo dnf install python3"),
        ("Linux", 'ID="rocky"\nID_LIKE="rhel centos fedora"', "sudo dnf install python3.12"),
        ("Linux", "ID=arch", "sudo pacman -S python"),
        ("Linux", "ID=alpine", "sudo apk add python3"),
        ("Linux", 'ID="opensuse-leap"\nID_LIKE="suse opensuse"', "sudo zypper install python312"),
        ("Linux", "ID=nixos", "see https://docs.astral.sh/uv/"),
        ("Linux", None, "see https://docs.astral.sh/uv/"),
        ("Darwin", None, "brew install python"),
        ("FreeBSD", "ID=freebsd", "see https://docs.astral.sh/uv/"),
    ],
)
def test_advice_fits_the_system(
    tmp_path: Path, system: str, release: str | None, command: str
) -> None:
    file = tmp_path / "os-release"
    file.unlink(missing_ok=True)
    if release is not None:
        file.write_text(release)
    assert advice(system, file).startswith(command)


def test_advice_for_the_venv_module_names_its_python(tmp_path: Path) -> None:
    (tmp_path / "os-release").write_text("ID=debian")
    command = advice("Linux", tmp_path / "os-release", "3.12")
    assert command == "sudo apt install python3.12-venv\n"


def advice(*arguments: str | Path) -> str:
    script = 'root=.; . scripts/environment.sh; advice "$@"'
    return subprocess.run(
        ["sh", "-euc", script, "sh", *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout


def installed(checkout: Checkout) -> str:
    """Arguments of the last installation."""
    return [call for call in checkout.calls if call.startswith("pip")][-1]


def test_check_prepares_what_boxroom_needs_as_well(checkout: Checkout) -> None:
    assert checkout.run("check")[0] == 0
    assert installed(checkout).startswith("pip .[cluster,png,server,figures,notebook] ")
    assert checkout.run("boxroom") == (7, "\ntyped", "")
    assert checkout.run("check", "tests/engine")[2] == ""


def test_check_with_arguments_installs_nothing_heavy(checkout: Checkout) -> None:
    assert checkout.run("check", "tests/engine")[0] == 0
    assert installed(checkout).startswith("pip .[cluster,png,server] ")
    assert "mypy" in installed(checkout)
    assert "pytest" in installed(checkout)
    assert not {"playwright", "open_spiel", "ipykernel"} & set(names(installed(checkout)))
    for arguments in [["--no-skips", "tests/engine"], []]:
        assert checkout.run("check", *arguments)[0] == 0
        assert {"playwright", "open_spiel", "ipykernel"} <= set(names(installed(checkout)))
    assert checkout.calls.count("venv") == 2


def names(call: str) -> list[str]:
    return [requirement.partition(">=")[0] for requirement in call.split()]


def test_made_again_it_keeps_the_tools_of_developers(checkout: Checkout) -> None:
    checkout.run("check")
    before = installed(checkout)
    require_more(checkout)
    checkout.run("boxroom")
    assert checkout.calls[-1] == before


def test_check_refuses_an_environment_without_its_tools(checkout: Checkout) -> None:
    checkout.run()
    assert checkout.run("check", FAIL="pip")[0] == 1


def test_check_runs_every_step(checkout: Checkout) -> None:
    code, out, _ = checkout.run("check")
    assert code == 0
    assert [call.split()[0] for call in checkout.calls[2:]] == STEPS
    assert checkout.calls[-1] == f"pytest -m not long {SIDE_BY_SIDE}"
    assert out.endswith("\nEverything passed.\n")


def test_check_passes_arguments_to_pytest(checkout: Checkout) -> None:
    checkout.run("check", "tests/engine", "--long", "-k", "loops")
    assert checkout.calls[-1] == "pytest -m  --hypothesis-profile=long tests/engine -k loops"
    checkout.run("check", "--long")
    assert checkout.calls[-1] == f"pytest -m  --hypothesis-profile=long {SIDE_BY_SIDE} --cov"


@each("failing", ["ruff", "mypy", "lint-imports", "codespell", "pytest"])
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
    assert (checkout.root / ".venv-3.12/prepared").exists()
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
