"""Instructions that a server takes for a move: Boxroom beside a bare broadcast server.

Callgrind, of valgrind, counts them. They hardly differ from run to run, whatever else the machine
does, so they show the effect of a change that is too small for `broadcast.py`. (With the disk some
3,000 more or fewer are for filing, which goes by time.) They aren't time: an instruction may wait
for memory, and those of the system aren't counted.

    python benchmarks/instructions.py --rooms 100 --moves 10
"""

import argparse
import asyncio
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop
from load import Load, RoomLoad, ServerProcess, Step, enter, move_mark, script
from raw_websocket import RawWebSocket

SERVERS = ("bare", "memory", "boxroom")

WARM_UP = 4
"""Moves of each game before those that count: Python specializes code that runs often."""


def counted_in(folder: Path) -> int:
    """Return the sum of the profiles that callgrind has written into `folder`."""
    lines = (line for profile in folder.glob("profile.*") for line in profile.open())
    return sum(int(line.split()[1]) for line in lines if line.startswith("totals:"))


async def control(pid: int, *order: str) -> None:
    """Send a command to the callgrind that runs the process `pid`."""
    done = await asyncio.create_subprocess_exec(
        "callgrind_control", *order, str(pid), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if await done.wait():
        raise RuntimeError("callgrind doesn't do what it is told")


async def play(name: str, rooms: list[list[RawWebSocket]], scripts: list[list[Step]]) -> None:
    """Play the steps of each room, on the server `name`."""
    games = [
        RoomLoad(members, steps, move_mark(name))
        for members, steps in zip(rooms, scripts, strict=True)
    ]
    for game in games:
        game.start()
    await asyncio.gather(*(game.ended for game in games))


async def instructions_for_a_move(name: str, load: Load) -> float:
    """Return the instructions of the server `name` for a move and its answer, in all threads."""
    with TemporaryDirectory() as folder:
        callgrind = [
            "valgrind",
            "--tool=callgrind",
            "--instr-atstart=no",
            f"--callgrind-out-file={folder}/profile",
            f"--log-file={folder}/log",
        ]
        server = ServerProcess(name, callgrind)
        rooms = [await enter(name, server.port, load, number) for number in range(load.rooms)]
        scripts = [script(load, number) for number in range(load.rooms)]
        await play(name, rooms, [steps[:WARM_UP] for steps in scripts])
        await control(server.pid, "-i", "on")
        await play(name, rooms, [steps[WARM_UP:] for steps in scripts])
        await control(server.pid, "-i", "off")
        await control(server.pid, "-d")
        server.stop()
        counted = counted_in(Path(folder))
    return counted / load.rooms / (load.moves - WARM_UP)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--members", type=int, default=4)
    parser.add_argument("--size", type=int, default=20, help="boxes on each side")
    parser.add_argument("--moves", type=int, default=10, help="moves of each game that count")
    args = parser.parse_args()
    load = Load(args.rooms, args.members, args.size, WARM_UP + args.moves)
    bare = 0.0
    for name in SERVERS:
        counted = await instructions_for_a_move(name, load)
        bare = bare or counted
        print(f"{name:10}{counted:>12,.0f}  beside bare {counted / bare:.2f}", flush=True)


if __name__ == "__main__":
    uvloop.run(main())
