"""A client that saves a setting, an identity and a game, again and again, and says so each time."""

import sys
from collections.abc import Iterator
from pathlib import Path

from boxroom_client.profile.config import NAME
from boxroom_client.profile.history import GameHistory, PlayedGame
from boxroom_client.profile.identity import claimed_name
from boxroom_client.profile.settings_file import save_setting
from boxroom_client.servers.address import Address

ROUNDS = 5

_RECORD = "dots rows=1 cols=1 border=none | Ada, greedy (bot) | h0 v0 h1 v1"


def config_in(folder: Path) -> Path:
    """Return the folder of settings and identities."""
    return folder / "config" / "boxroom"


def history_in(folder: Path) -> GameHistory:
    """Return the history of played games."""
    return GameHistory(folder / "games" / "own" / "history.db")


def address(number: int) -> Address:
    """Return the address of the server of that round."""
    return Address(f"server{number}.example.org")


def game(number: int) -> PlayedGame:
    """Return the game of that round."""
    return PlayedGame(0, "", "log", number, "room", 0, 0, False, (0, 1), (1,), (None,), _RECORD)


def save(folder: Path, number: int) -> Iterator[str]:
    """Save what belongs to the round of that number; yield what is saved, each time."""
    save_setting(config_in(folder) / "config.toml", NAME, f"Ada {number}")
    yield f"setting {number}"
    with claimed_name(address(number), None, "Ada", config_folder=config_in(folder)) as claimed:
        secret = claimed.unbound().secret
    yield f"identity {number} {secret}"
    history_in(folder).add(game(number))
    yield f"game {number}"


if __name__ == "__main__":
    for number in range(1, ROUNDS + 1):
        for saved in save(Path(sys.argv[1]), number):
            print(saved, flush=True)
