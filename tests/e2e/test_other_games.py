"""The other games as users play them: in a room, against a bot, before a spectator."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.e2e.piped import Piped
from tests.e2e.serving import serving
from tests.e2e.terminal import Terminal

CELLS = tuple("ABCDEFG")
NUMBERS = tuple(map(str, range(27)))


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))


@pytest.mark.parametrize(
    ("settings", "bot", "moves", "board"),
    [
        ("game noughts", "memo", NUMBERS, "─┼─"),
        ("game noughts dims 3,3,3", "mcts:time=0.05", NUMBERS, "─┼─"),
        ("game stonehenge size 2", "alphabeta", CELLS, "───── "),
        ("game subtract-square start 30", "iterative", ("9", *("1",) * 30), "0 left"),
        (
            "game dots rows 2 cols 2",
            "chain",
            [f"{way}{n}" for way in "hv" for n in range(6)],
            "━━━",
        ),
    ],
)
async def test_a_person_a_bot_and_a_spectator(
    settings: str, bot: str, moves: Sequence[str], board: str
) -> None:
    async with serving(None, "--memory", "--pace-s", "0") as server:
        place = ("join", f"127.0.0.1:{server.port}", "--room", "den", "--name")
        with Piped(*place, "Ada", "--create") as ada:
            ada.type_lines(f"/set {settings}", f"/bot {bot}")
            ada.wait_for("All seats are taken")
            with Terminal(*place, "Dan", "--watch", lines=24) as dan:
                dan.wait_for("The game begins when Ada")
                ada.type_lines("/start", *moves)
                ada.wait_for("Type /rematch")
                dan.wait_for("game over")
                dan.wait_for(board)
            assert ada.close() == 0
