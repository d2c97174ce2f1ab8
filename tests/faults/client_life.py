"""The life of a client that saves things on a recorded disk, which a kill may end."""

import asyncio
import os
import sys
from pathlib import Path
from typing import NamedTuple

from tests.faults import saving_client
from tests.faults.recorded_disk import RecordedDisk

from boxroom_client.profile.identity import claimed_name
from boxroom_client.profile.toml_file import NoSuchToml, read_toml


class Saved(NamedTuple):
    """A setting, an identity or a game that the client said it has saved."""

    since: int
    """Size of the record of the disk when that was known."""
    words: tuple[str, ...]


class ClientLife:
    """A client on `disk`."""

    def __init__(self, disk: RecordedDisk) -> None:
        self._disk = disk
        self._saved: list[Saved] = []

    async def run(self) -> None:
        """Run the client until it ends."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", saving_client.__name__, str(self._disk.root / "home")),
            env={**os.environ, **self._disk.environment},
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        async for line in process.stdout:
            words = line.decode().split()
            self._saved.append(Saved(self._disk.recorded_bytes, tuple(words)))
        await process.wait()

    def check(self, root: Path, since: int) -> None:
        """Check that all that was saved until `since` is on the disk at `root`, and save more."""
        home = root / "home"
        due = [it.words for it in self._saved if it.since <= since]
        assert _setting(home) >= max((int(it[1]) for it in due if it[0] == "setting"), default=0)
        for number, secret in (it[1:] for it in due if it[0] == "identity"):
            assert _secret(home, int(number)) == secret
        games = {it.number for it in saving_client.history_in(home).newest()}
        assert games >= {int(it[1]) for it in due if it[0] == "game"}
        assert len([*saving_client.save(home, saving_client.ROUNDS + 1)]) == 3
        assert _setting(home) == saving_client.ROUNDS + 1


def _setting(home: Path) -> int:
    """Return the number in the name that is set; 0 for none."""
    try:
        name = read_toml(saving_client.config_in(home) / "config.toml").table["name"]
    except NoSuchToml:
        return 0
    return int(name.removeprefix("Ada "))


def _secret(home: Path, number: int) -> str:
    address, config = saving_client.address(number), saving_client.config_in(home)
    with claimed_name(address, None, "Ada", config_folder=config) as claimed:
        return claimed.unbound().secret
