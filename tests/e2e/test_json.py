"""`boxroom play --json` and `join --json` as scripts start them."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.piped import Piped, boxroom
from tests.e2e.serving import ServerProcess


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("BOXROOM_GAMES", str(tmp_path / "games"))


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_script_plays_against_two_bots() -> None:
    done = boxroom(
        *("play", "--json", "--rows", "2", "--cols", "2", "--name", "Zoë"),
        *("--bot", "greedy", "--bot", "random"),
        typed="h0\nh0\n/resign\n",
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = objects(done.stdout)
    assert shown[0]["format"] == "boxroom-room-1"
    (entered,) = [each for each in shown if each["type"] == "in_room"]
    assert entered["you"] == "Zoë"
    events = [event for each in shown if each["type"] == "events" for event in each["events"]]
    (started,) = [event for event in events if event["type"] == "started"]
    assert started["players"] == ["Zoë", "greedy", "random"]
    answers = [each for each in shown if each["type"] in ("done", "refused")]
    assert [(each["line"], each.get("code")) for each in answers] == [
        ("h0", None),
        ("h0", "already_drawn"),
        ("/resign", None),
    ]
    assert next(each for each in shown if each["type"] == "end")["exit"] == 0


def test_a_script_joins_a_room_and_is_told_of_its_end(server: ServerProcess) -> None:
    with Piped("join", server.address, "--name", "Ada", "--json", "--create") as ada:
        assert objects(ada.wait_for('{"type":"in_room"'))[0]["type"] == "begin"
        ada.type_lines("/set rows 1 cols 1", "/bot greedy", "/start", "h0")
        ada.wait_for('{"type":"done","line":"h0"}\n')
        with Piped("join", server.address, "--name", "Bob", "--json", "--watch") as bob:
            bob.wait_for('"audience":"spectator"')
            ada.type_lines("/kick Bob")
            bob.wait_for('{"type":"end","code":"kicked",')


def test_what_fails_before_there_is_a_room_is_told_as_by_every_command() -> None:
    done = boxroom("join", "localhost:1", "--json")
    assert done.returncode == 69
    assert done.stderr.startswith("boxroom: ")
    assert [each["type"] for each in objects(done.stdout)] == ["begin"]
