"""`seat`: its errors; tests/e2e/test_notebook.py plays on a server."""

from pathlib import Path
from typing import Any

import pytest
from tests.cases import each

from boxroom_client.linemode import servers as finding
from boxroom_client.servers.discovery import SearchResult
from boxroom_engine.games.protocol import State
from boxroom_lab.notebook.arguments import NotebookError
from boxroom_lab.notebook.seating import seat


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))


def first(state: State) -> int:
    return state.legal_moves()[0]


@each(
    "robot, options, why",
    [
        (first, {"server": "127.0.0.1:1"}, "^nothing answers at 127.0.0.1:1"),
        (
            first,
            {"server": "ftp://kiwa"},
            "an address starts with ws://, wss://, http:// or https://",
        ),
        (first, {"server": "kiwa", "name": "\n"}, "^name: "),
        (first, {"server": "kiwa", "time_s": 0}, "^time_s is a number of seconds above 0"),
        (first, {"server": "kiwa", "games": 0}, "^games is 1 or more, not 0$"),
        (lambda: 3, {"server": "kiwa"}, "<lambda> is no robot: a robot takes one argument"),
        ("nobody", {"server": "kiwa"}, "nobody"),
        ("no.py", {"server": "127.0.0.1:1"}, "there is no file no.py"),
    ],
)
def test_mistakes_are_explained(robot: Any, options: dict[str, Any], why: str) -> None:
    with pytest.raises(NotebookError, match=why):
        seat(robot, **options)


def test_without_a_server_it_says_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(**_: object) -> SearchResult:
        return SearchResult((), None)

    monkeypatch.setattr(finding, "search", none)
    with pytest.raises(NotebookError, match=r"no server was found .*: name one with server$"):
        seat(first)
