"""Write what a version of Boxroom leaves on disk, to be opened by later ones.

    python -m tests.e2e.written_before PROGRAM FOLDER

PROGRAM is the `boxroom` of that version. FOLDER must not exist. `test_written_before.py` opens what
is written there.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.conversations import (
    Client,
    Clients,
    Message,
    Server,
    Step,
    converse,
    hello,
    joining,
    play_all,
    run,
    serving,
    step,
)
from tests.results import RESULT

PASSWORD = "open sesame"
"""Password of the private room."""

CONFIG = """\
name = "Ann"
server = "192.168.1.20"
theme = "light"
size = "M"
ascii = false
numbers = "no"
bell = true
"""
"""Settings, written as docs/reference/configuration.md documents them."""


async def write_data(program: Sequence[str], folder: Path) -> list[Step]:
    """Write `folder/data`, a stopped server's, and `folder/profile`, a killed client's.

    Return the conversation that shows what is in it, without answers.
    """
    async with (
        serving(program, folder / "data") as server,
        Clients(server.port) as clients,
    ):
        attic_log = await _finished_dots(clients)
        await _other_finished_games(clients)
        parlour_log, move_in_parlour = await _game_in_progress(server, clients, folder / "profile")
        move_in_den = await _long_game(clients)
        await _bot_for_a_kicked_player(clients)
        await _private_room(clients)
        await clients.greet("Fay")
        await _bans(server, clients, folder)
        await server.stop()
    return [
        *joining("Ada", "attic"),
        *joining("Bob", "attic", after=6, log=attic_log),
        *joining("Eve", "attic"),
        *joining("Cleo", "cellar"),
        *joining("Cleo", "hall"),
        *joining("Cleo", "heap"),
        *joining("Ada", "parlour"),
        *joining("Bob", "parlour", after=9, log=parlour_log),
        step("Bob in parlour", move_in_parlour),
        *joining("Cleo", "parlour", watch=True),
        *joining("Ada", "den"),
        *joining("Bob", "den", after=100),
        step("Bob in den", move_in_den),
        *joining("Gus", "loft"),
        *joining("Dan", "vault"),
        step("Fay", hello("Fay")),
        step("Fay", {"type": "list_rooms", "id": 1}),
        step("Fay", {"type": "join_room", "id": 2, "room": "vault"}),
        step("Fay", {"type": "join_room", "id": 3, "room": "vault", "password": "open barley"}),
        step("Fay", {"type": "join_room", "id": 4, "room": "vault", "password": PASSWORD}),
        step("Mallory", hello("Mallory")),
        step("another Ada", hello("Ada", "another secret than hers")),
    ]


async def _finished_dots(clients: Clients) -> str:
    """Play two games of Dots and Boxes, the second one resigned; return the name of the log."""
    ada = await clients.create(
        "Ada", "attic", settings={"options": {"rows": 2, "cols": 2, "border": "half"}, "seats": 2}
    )
    eve = await clients.join("Eve", "attic")
    await eve.do("say", text="I'll be a nuisance")
    await ada.do("kick", member="Eve")
    bob = await clients.join("Bob", "attic")
    await ada.do("start")
    while not bob.is_playing:
        await bob.receive()
    await bob.do("say", text="good luck – viel Glück!")
    await play_all(ada, bob, ["h0", "v1", "h1", "h2", "v2", "v4", "h3", "v5"])
    await ada.do("rematch")
    await bob.do("rematch")
    while not ada.is_playing:
        await ada.receive()
    await bob.play("h0")  # the seats have rotated
    await ada.until_ply(1)
    await ada.play("h1")
    await bob.do("resign", seat=0)
    return ada.log


async def _other_finished_games(clients: Clients) -> None:
    games = {
        "cellar": ({"game": "noughts"}, "4 0 2 6 3 5 1 7 8"),
        "hall": ({"game": "stonehenge", "options": {"size": 2}}, "A B C D E F G H"),
        "heap": ({"game": "subtract-square", "options": {"start": 15}}, "9 4 1 1"),
    }
    for room, (settings, moves) in games.items():
        cleo = await clients.create("Cleo", room, settings=settings)
        dan = await clients.join("Dan", room)
        await cleo.do("start")
        while not dan.is_playing:
            await dan.receive()
        await play_all(cleo, dan, moves.split())


async def _game_in_progress(server: Server, clients: Clients, profile: Path) -> tuple[str, Message]:
    """Begin a game with a clock: Ada, Bob, a bot, and Ann with the real client.

    Return the name of the log, and the last move of Bob.
    """
    settings = {
        "options": {"rows": 4, "cols": 4},
        "seats": 4,
        "clock_s": 3600,
        "on_drop": "wait",
        "hints": True,
    }
    ada = await clients.create("Ada", "parlour", settings=settings)
    bob = await clients.join("Bob", "parlour")
    await ada.do("seat_bot", bot="greedy", seat=2)
    cleo = await clients.join("Cleo", "parlour", watch=True)
    ann = await asyncio.create_subprocess_exec(
        *(*server.program, "join", f"127.0.0.1:{server.port}"),
        *("--room", "parlour", "--name", "Ann"),
        env={**os.environ, "BOXROOM_CONFIG_DIR": str(profile)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
    )
    assert ann.stdin is not None
    while {"type": "sat", "seat": 3, "member": "Ann", "name": "Ann"} not in (
        (await ada.receive()).get("events", ())
    ):
        pass
    await ada.do("start")
    await cleo.do("say", text="Bob will lose", to="spectators")
    await cleo.do("say", text="a fine game")
    command: Message = {}
    for move_of_ann in ("v0", "v8"):
        await ada.play(_free(ada, "h0", "h6", "h11"))
        await bob.until_ply(len(ada.tokens))
        command = await bob.play(_free(bob, "h2", "v11", "h9"))
        await bob.until_ply(len(bob.tokens) + 1)  # and the bot
        ann.stdin.write(f"{_free(bob, move_of_ann, 'h19')}\n".encode())
        await ada.until_ply(len(bob.tokens) + 1)
    ann.kill()
    await ann.communicate()
    while not any(event["type"] == "dropped" for event in (await ada.receive()).get("events", ())):
        pass
    return ada.log, command


def _free(client: Client, *moves: str) -> str:
    """Return the first of `moves` that wasn't played yet: the bot may have drawn that line."""
    return next(move for move in moves if move not in client.tokens)


async def _long_game(clients: Clients) -> Message:
    """Begin a game so long that its room has a checkpoint; return the last move of Bob."""
    settings = {"options": {"rows": 10, "cols": 10}}
    ada = await clients.create("Ada", "den", settings=settings)
    bob = await clients.join("Bob", "den")
    await ada.do("start")
    while not bob.is_playing:
        await bob.receive()
    moves = [f"h{number}" for number in range(110)] + [f"v{number}" for number in range(96)]
    command: Message = {}
    for ply, move in enumerate(moves):
        for client in (ada, bob):
            await client.until_ply(ply)
        if ada.to_move == 0:
            await ada.play(move)
        else:
            command = await bob.play(move)
    await ada.until_ply(len(moves))
    return command


async def _bot_for_a_kicked_player(clients: Clients) -> None:
    """Begin a game in which the host kicks the other player and a bot plays on."""
    gus = await clients.create("Gus", "loft", settings={"game": "noughts"})
    await clients.join("Hal", "loft")
    await gus.do("start")
    await gus.play("4")
    await gus.do("kick", member="Hal")
    await gus.until_ply(2)


async def _private_room(clients: Clients) -> None:
    settings = {"private": True, "options": {"rows": 3, "cols": 6, "border": "full"}}
    await clients.create("Ada", "vault", settings=settings, password=PASSWORD)
    dan = await clients.join("Dan", "vault", password=PASSWORD)
    await dan.do("say", text="it's nice in here")


async def _bans(server: Server, clients: Clients, folder: Path) -> None:
    await clients.join("Mallory", "cellar", watch=True)
    data = ("--data", str(folder / "data"))
    for arguments in (("Mallory", "--reason", "spam, spam"), ("192.0.2.0/24",)):
        await run(server.program, "admin", "ban", *arguments, *data)
    bans = await run(server.program, "admin", "bans", "--json", *data)
    _write_json(folder / "bans.json", json.loads(bans))


async def write_killed(program: Sequence[str], folder: Path) -> list[Step]:
    """Write `folder/killed`, left by SIGKILL in the middle of a game; return its conversation.

    The game is in SQLite's write-ahead log, and not filed by room yet.
    """
    data = folder / "killed"
    async with serving(program, data):
        pass
    async with serving(program, data) as server, Clients(server.port) as clients:
        ada = await clients.create(
            "Ada", "attic", settings={"options": {"rows": 3, "cols": 3}, "clock_s": 3600}
        )
        bob = await clients.join("Bob", "attic")
        await ada.do("start")
        while not bob.is_playing:
            await bob.receive()
        await ada.play("h0")
        await bob.until_ply(1)
        command = await bob.play("v7")
        await ada.until_ply(2)
        last = await ada.play("h4")
        await server.stop(signal.SIGKILL)
    return [
        *joining("Ada", "attic"),
        step("Ada in attic", last),
        *joining("Bob", "attic", after=5, log=ada.log),
        step("Bob in attic", command),
    ]


async def write_records(program: Sequence[str], folder: Path) -> None:
    """Write records of every game, as the arena and `boxroom games export` write them."""
    records = folder / "records"
    records.mkdir()
    for game, options in {
        "dots": ("--grid", "3x3", "--border", "half", "--seats", "3"),
        "noughts": ("--dims", "3,3,3"),
        "stonehenge": ("--size", "3"),
        "subtract-square": ("--start", "40"),
    }.items():
        players = ("random", "greedy", "careless") if game == "dots" else ("random", "greedy")
        await run(
            *(program, "arena", *players, "--game", game, *options, "--games", "2"),
            *("--seed", "1", "--jobs", "1", "--records", str(records / f"arena-{game}.txt")),
        )
    data = str(folder / "data")
    await run(
        *(program, "games", "export", "--all", "--data", data),
        *("--out", str(records / "exported.txt")),
    )
    for record in sorted(records.glob("*.txt")):
        boards = [
            await run(program, "replay", str(record), "--plain", "--game", str(number))
            for number, _ in enumerate(record.read_text(encoding="utf-8").splitlines(), 1)
        ]
        shown = "\n\n\n".join(map(board_of, boards))
        record.with_suffix(".shown").write_text(f"{shown}\n", encoding="utf-8")


def board_of(shown: str) -> str:
    """Return the board and scores of what `boxroom replay` prints, without the sentences."""
    board = "\n\n".join(shown.split("\n\n")[2:])
    found = RESULT.search(board)
    return board[: board.rindex("\n", 0, found.start()) if found else None].rstrip()


async def _answered(program: Sequence[str], data: Path, steps: list[Step]) -> list[Step]:
    """Return the steps with the answers of the version itself, about a copy of its data."""
    written_ms = int(time.time() * 1000)
    with tempfile.TemporaryDirectory() as scratch:
        copy = shutil.copytree(data, Path(scratch) / "data")
        async with serving(program, copy) as server:
            return await converse(server.port, steps, lambda at_ms: at_ms <= written_ms)


def _keep_the_database(data: Path) -> None:
    """Remove all but the database: locks, sockets, shared memory, an empty write-ahead log."""
    for path in data.iterdir():
        if not (path.name.startswith("boxroom.db") and path.suffix != ".db-shm" and _size(path)):
            path.unlink()


def _size(path: Path) -> int:
    return path.stat().st_size


def _write_json(path: Path, value: object) -> None:
    path.write_text(f"{json.dumps(value, ensure_ascii=False, indent=1)}\n", encoding="utf-8")


async def write_everything(program: Sequence[str], folder: Path) -> None:
    """Write all fixtures into a folder that exists."""
    for name, write in {"data": write_data, "killed": write_killed}.items():
        steps = await write(program, folder)
        _keep_the_database(folder / name)
        _write_json(folder / f"{name}.json", await _answered(program, folder / name, steps))
    data = ("--data", str(folder / "data"))
    await run(program, "backup", str(folder / "backup.db"), *data)
    _write_json(
        folder / "games.json",
        json.loads(await run(program, "games", "list", "--json", *data))["games"],
    )
    await write_records(program, folder)
    _keep_the_database(folder / "data")


def main(program: str, folder: Path) -> None:
    """Make the folder, and write everything into it."""
    (folder / "profile").mkdir(parents=True)
    (folder / "profile" / "config.toml").write_text(CONFIG, encoding="utf-8")
    with tempfile.TemporaryDirectory() as empty:
        os.environ["BOXROOM_CONFIG_DIR"] = empty
        asyncio.run(write_everything((program,), folder))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
