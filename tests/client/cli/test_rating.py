"""`boxroom rating`, on a history of three games."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.client.profile.test_rating import LOST, WON

from boxroom_client.main import main
from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_client.profile.history import GameHistory


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path))


def test_it_lists_the_record_and_the_rating(capsys: pytest.CaptureFixture[str]) -> None:
    for number, game in enumerate((WON, WON, LOST), 1):
        GameHistory().add(replace(game, number=number))
    assert main(["rating"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("Dots and Boxes, small boards (up to 4×4): ")
    assert first.endswith("?")
    assert second == "  Easy        2 won    0 drawn    1 lost"
    assert main(["rating", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["format"] == "boxroom-ratings-1"
    (rating,) = answer["ratings"]
    assert rating["class"] == "small"
    assert rating["uncertain"]
    assert rating["levels"] == {"easy": {"won": 2, "drawn": 0, "lost": 1}}


def test_there_may_be_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rating"]) == 0
    assert capsys.readouterr().out.startswith("You have no rating yet: ")


def test_only_a_rating_needs_openskill() -> None:
    script = (
        "import sys; from boxroom_client.main import main; main(['rating', '--help']);"
        "main(['rating']); main(['play', '--help']); print('openskill' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.splitlines()[-1] == "False"
