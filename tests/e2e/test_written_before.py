"""Today's program opens what an earlier state of it has written, in tests/golden/written_before."""

import json
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cluster.shared import new_address
from tests.conftest import GOLDEN
from tests.e2e.conversations import (
    Client,
    Clients,
    converse,
    hello,
    play_all,
    run,
    serving,
    times_in,
)
from tests.e2e.terminal import PROGRAM
from tests.e2e.written_before import board_of

from boxroom_client.profile.identity import claimed_name
from boxroom_client.profile.last_room import LastRoom
from boxroom_client.servers.address import Address

WRITTEN = GOLDEN / "written_before"

SHOWN = {"true": "yes", "false": "no"}
"""Values of config.toml that `boxroom config` shows in another way."""

Open = Callable[[str], Path]


@pytest.fixture(name="copy_of")
def _copy_of(tmp_path: Path) -> Open:
    """Copy a data folder, or restore a backup into a new one; return its path."""

    def copy(name: str) -> Path:
        folder = tmp_path / "data"
        if name.endswith(".db"):
            folder.mkdir()
            shutil.copy(WRITTEN / name, folder / "boxroom.db")
        else:
            shutil.copytree(WRITTEN / name, folder)
        return folder

    return copy


@pytest.fixture(name="profile")
def _profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the client's folder, which the client then uses."""
    folder = shutil.copytree(WRITTEN / "profile", tmp_path / "profile")
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(folder))
    return folder


def read(name: str) -> Any:
    return json.loads((WRITTEN / name).read_text(encoding="utf-8"))


def as_known(now: Any, then: Any) -> Any:
    """Return `now` without the fields that `then` lacks: clients ignore those they don't know."""
    match now, then:
        case dict(), dict():
            return {name: as_known(now[name], then[name]) for name in then if name in now}
        case list(), list() if len(now) == len(then):
            return [as_known(*pair) for pair in zip(now, then, strict=True)]
        case _:
            return now


def as_before(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return games as an earlier Boxroom listed them, which had fewer fields."""
    fields = read("games.json")[0]
    return [{name: game[name] for name in fields} for game in games]


def lines(name: str) -> list[str]:
    return (WRITTEN / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("kept", "conversation"),
    [("data", "data.json"), ("backup.db", "data.json"), ("killed", "killed.json")],
)
async def test_rooms_members_names_and_bans_are_as_they_were(
    copy_of: Open, kept: str, conversation: str
) -> None:
    """Today's server answers what the version that wrote the files answered about them.

    People come back with their secrets, to the same seats, boards and chat, by a snapshot or by
    the events that they missed. A command that was accepted is answered the same again, the
    password still opens its room, and people who were kicked or banned stay out.
    """
    steps = read(conversation)
    async with serving(PROGRAM, copy_of(kept)) as server:
        answered = await converse(server.port, steps, times_in(steps).__contains__)
    for now, then in zip(answered, steps, strict=True):
        assert as_known(now, then) == then


@pytest.mark.parametrize(
    ("kept", "conversation"),
    [("data", "data.json"), ("backup.db", "data.json"), ("killed", "killed.json")],
)
async def test_they_are_so_after_a_move_to_etcd_and_back(
    copy_of: Open, tmp_path: Path, kept: str, conversation: str
) -> None:
    address, folder = new_address(), tmp_path / "copy"
    etcd = f"etcd://{address.endpoints[0]}/{address.prefix}"
    await run(PROGRAM, "backup", etcd, "--data", str(copy_of(kept)))
    await run(PROGRAM, "backup", f"sqlite:{folder}", "--store", etcd)
    steps = read(conversation)
    async with serving(PROGRAM, folder) as server:
        answered = await converse(server.port, steps, times_in(steps).__contains__)
    for now, then in zip(answered, steps, strict=True):
        assert as_known(now, then) == then


@pytest.mark.parametrize("kept", ["data", "backup.db"])
async def test_a_long_game_goes_on_to_its_end(copy_of: Open, kept: str) -> None:
    """Its room comes from a checkpoint and the entries after it."""
    data = copy_of(kept)
    async with serving(PROGRAM, data) as server, Clients(server.port) as clients:
        ada, bob = await clients.join("Ada", "den"), await clients.join("Bob", "den")
        await play_all(ada, bob, [f"v{number}" for number in range(96, 110)])
    games = json.loads(await run(PROGRAM, "games", "list", "--json", "--data", str(data)))["games"]
    assert games[0]["room"] == "den"
    assert sum(games[0]["scores"]) == 100
    assert as_before(games[1:]) == read("games.json")


async def test_a_game_that_a_kill_broke_off_goes_on(copy_of: Open) -> None:
    data = copy_of("killed")
    async with serving(PROGRAM, data) as server, Clients(server.port) as clients:
        ada, bob = await clients.join("Ada", "attic"), await clients.join("Bob", "attic")
        names = [f"{kind}{number}" for kind in "hv" for number in range(12)]
        await play_all(ada, bob, [name for name in names if name not in ada.tokens])
        await server.stop(signal.SIGKILL)
    async with serving(PROGRAM, data) as server, Clients(server.port) as clients:
        ada = await clients.join("Ada", "attic")
        assert len(ada.tokens) == 24
        assert ada.to_move is None


async def test_a_ban_can_be_ended(copy_of: Open) -> None:
    data = copy_of("data")
    bans = ("admin", "bans", "--json", "--data", str(data))
    async with serving(PROGRAM, data) as server, Clients(server.port) as clients:
        assert json.loads(await run(PROGRAM, *bans)).items() >= read("bans.json").items()
        await run(PROGRAM, "admin", "unban", "Mallory", "--data", str(data))
        thief = await clients.connect()
        refused = await thief.ask(hello("Mallory", "another secret than hers"))
        assert refused[-1]["code"] == "name_taken"
        await clients.greet("Mallory")


async def test_a_killed_client_comes_back_with_its_identity(copy_of: Open, profile: Path) -> None:
    (file,) = (profile / "identities").glob("*.json")
    identity = json.loads(file.read_text(encoding="utf-8"))
    address = Address.parse(identity["server"])
    assert LastRoom(address, "Ann", profile).load() == "parlour"
    with claimed_name(address, identity["server_id"], "Ann", config_folder=profile) as name:
        (saved,) = name.saved()
    claimed = saved.identity
    assert (claimed.name, claimed.secret) == ("Ann", identity["secret"])
    async with serving(PROGRAM, copy_of("data")) as server, Clients(server.port) as clients:
        ada, bob = await clients.join("Ada", "parlour"), await clients.join("Bob", "parlour")
        ann = await clients.connect()
        await ann.ask(hello("Ann", claimed.secret))
        received = await ann.ask({"type": "join_room", "id": 1000, "room": "parlour"})
        deadline_ms = received[0]["room"]["deadline_ms"]
        assert 3_500.0 < deadline_ms / 1000 - time.time() <= 3_600.0, "the clock goes on"
        assert ann.to_move == 0
        ply = len(ann.tokens)
        for seat, client in enumerate((ada, bob)):
            await client.until_ply(ply + seat)
            await client.play(first_free(client))
        while ann.to_move != 3:
            await ann.receive()  # also the moves of the bot
        await ann.play(first_free(ann))


def first_free(client: Client) -> str:
    """A line that is not drawn yet; none of them completes a box in the game in progress."""
    return next(it for it in ("v1", "v4", "v17", "h10", "v15") if it not in client.tokens)


async def test_settings_are_read(profile: Path) -> None:
    shown = await run(PROGRAM, "config")
    for line in (profile / "config.toml").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(" = ")
        (row,) = (row for row in shown.splitlines() if row.startswith(f"{name} "))
        assert "config.toml" in row
        assert f" {SHOWN.get(value, value.strip(chr(34)))}" in row


@pytest.mark.parametrize("kept", ["data", "backup.db"])
async def test_finished_games_are_listed_shown_exported_and_deleted(
    copy_of: Open, kept: str
) -> None:
    data = ("--data", str(copy_of(kept)))
    games = read("games.json")
    listed = json.loads(await run(PROGRAM, "games", "list", "--json", *data))["games"]
    assert as_before(listed) == games
    shown = json.loads(await run(PROGRAM, "games", "show", "2", "--json", *data))
    assert as_before([shown]) == [game for game in games if game["id"] == 2]
    exported = await run(PROGRAM, "games", "export", "--all", *data)
    assert exported.splitlines() == lines("records/exported.txt")
    await run(PROGRAM, "games", "delete", "2", *data)
    left = json.loads(await run(PROGRAM, "games", "list", "--json", *data))["games"]
    assert as_before(left) == [game for game in games if game["id"] != 2]


@pytest.mark.parametrize("path", sorted(WRITTEN.glob("records/*.txt")), ids=lambda path: path.stem)
async def test_records_are_replayed_as_they_were(path: Path) -> None:
    numbers = range(1, len(lines(f"records/{path.name}")) + 1)
    boards = [
        await run(PROGRAM, "replay", str(path), "--plain", "--game", str(number))
        for number in numbers
    ]
    shown = path.with_suffix(".shown").read_text(encoding="utf-8")
    assert "\n\n\n".join(map(board_of, boards)) + "\n" == shown
