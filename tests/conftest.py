"""Options and fixtures of all tests."""

import faulthandler
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from boxroom_client.profile.config import CONFIG_VARIABLE, SETTINGS
from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_client.profile.identity import CONFIG_FOLDER_VARIABLE
from boxroom_common.kernel.building import Builder
from boxroom_common.kernel.compilers import COMPILER_VARIABLE
from boxroom_common.kernel.failures import BuildError
from boxroom_common.kernel.use import use_when_built
from boxroom_common.phrases import ENGLISH, LOCALE_VARIABLES, use_language
from boxroom_engine.games.dots.solve.solver import kernel, use_kernel
from boxroom_server.storage.sqlite.folder import FOLDER_VARIABLE

# The servers of tests are on this machine, where clients of `websockets` would use a proxy.
os.environ["no_proxy"] = "localhost,127.0.0.1,::1"

# Durations on a busy machine say nothing about the code.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", untimed, max_examples=50)
settings.register_profile("long", untimed, max_examples=500)  # `./check --long`
settings.load_profile("short")

GOLDEN = Path(__file__).parent / "golden"

IMPOSSIBLE = "impossible here: "
"""Beginning of the reason of a skip that no installed package would avoid."""


HEAVY = {
    *("axe_playwright_python", "playwright"),
    *("jupyter_client", "matplotlib", "nbclient", "nbformat", "numpy"),
    "pyspiel",
}
"""Packages that `./check` with arguments leaves out."""


class _Module(pytest.Module):
    """A module of tests, which is skipped if it imports a heavy package that isn't installed."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            return super().collect()
        except self.CollectError as error:
            match error.__cause__:
                case ModuleNotFoundError(name=str(name)) if name.partition(".")[0] in HEAVY:
                    pytest.skip(f"{name} isn't installed; ./check --no-skips installs everything")
            raise


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> _Module:
    return _Module.from_parent(parent, path=module_path)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips", action="store_true", help="fail if a test was skipped that could have run"
    )


def pytest_configure() -> None:
    """Build the kernel, if it isn't there, before the tests that need it are collected."""
    use_when_built()
    with suppress(BuildError):  # then they are skipped
        Builder(may_download=False).build(print)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without the garbage collector: modules and tests stay.

    Afterwards it searches what tests make, and not all modules and tests again.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_xdist_auto_num_workers() -> int | None:
    """Return the number of processes for `-n auto`: two a processor, as tests wait for others.

    None leaves it to xdist, which reads the variable.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return 2 * (os.cpu_count() or 1)


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter is None or not session.config.getoption("--no-skips"):
        return
    needless = [
        report
        for report in reporter.stats.get("skipped", ())
        if IMPOSSIBLE not in str(report.longrepr)
    ]
    if needless and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if config.getoption("--no-skips") and terminalreporter.stats.get("skipped"):
        terminalreporter.write_line(
            f"--no-skips: a skipped test fails the run unless its reason begins with {IMPOSSIBLE!r}"
        )


@pytest.fixture(scope="session", autouse=True)
def _no_own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide the user's own settings and data from tests and the programs that they start."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in (CONFIG_VARIABLE, *(setting.variable for setting in SETTINGS)):
            patch.delenv(variable, raising=False)
        for variable in LOCALE_VARIABLES:
            patch.delenv(variable, raising=False)
        patch.setenv("LANG", "C.UTF-8")
        patch.setenv(CONFIG_FOLDER_VARIABLE, str(tmp_path_factory.mktemp("no-config")))
        patch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path_factory.mktemp("no-games")))
        patch.setenv(FOLDER_VARIABLE, str(tmp_path_factory.mktemp("no-server")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _handle_signals() -> Iterator[None]:
    """Handle the signals that a shell in the background and nohup make tests ignore."""
    before = [
        (signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler)),
        (signal.SIGQUIT, signal.signal(signal.SIGQUIT, signal.SIG_DFL)),
        (signal.SIGHUP, signal.signal(signal.SIGHUP, signal.SIG_DFL)),
    ]
    yield
    for number, handler in before:
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def _takes_its_time(request: pytest.FixtureRequest) -> None:
    """Let a long test take longer than the time after which pytest takes a test to hang."""
    if request.node.get_closest_marker("long") is not None:
        faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def no_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let this process find no kernel, and build none."""
    library = kernel()
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)  # as outside of an environment
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(COMPILER_VARIABLE, "none")
    use_when_built()
    yield
    use_kernel(lambda: library)


@pytest.fixture
def german() -> Iterator[None]:
    """Let this process speak German during a test."""
    use_language("de")
    yield
    use_language(ENGLISH)


@pytest.fixture
def golden(golden_folder: str) -> Callable[[str, str], None]:
    """Compare a text that users see with `NAME.txt` in a folder of tests/golden.

    The fixture `golden_folder` of the nearest conftest names the folder. With
    BOXROOM_UPDATE_GOLDEN=1 in the environment the file is written instead; read the difference
    before you commit it.
    """

    def check(name: str, text: str) -> None:
        path = GOLDEN / golden_folder / f"{name}.txt"
        if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check
