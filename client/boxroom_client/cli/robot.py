"""`boxroom robot`: a robot of yours sits down in a room, from your own machine."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from boxroom_client.address import DEFAULT_PORT
from boxroom_client.cli.join import set_address
from boxroom_client.cli.look import canvas_of, resolved_from
from boxroom_client.config import NAME, Resolved
from boxroom_client.exits import Exit, Failure, UsageError
from boxroom_client.robots.file import CantLoad, RobotFile
from boxroom_client.robots.start import start

if TYPE_CHECKING:
    from boxroom_client.shell.wish import Wish

_NEW = "new"
_LIMIT_S = 2.0
_MOST_LIMIT_S = 3600.0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="boxroom robot",
        description="Seat a robot, which is a function in a file of yours, in a room of a server; "
        "`boxroom robot new FILE.py` writes a robot to begin with. Without --room, it takes the "
        "first open room, or makes one.",
        epilog="docs/robots.md tells how to write a robot.",
    )
    made.add_argument(
        "robot",
        metavar="FILE.py[:NAME]",
        help="the file, and the function if it isn't called robot; or new",
    )
    made.add_argument("file", nargs="?", type=Path, metavar="FILE.py", help="after new: the file")
    made.add_argument(
        "--server",
        metavar="ADDRESS",
        help=f"HOST, HOST:PORT, ws://… or wss://… (default port: {DEFAULT_PORT}; default: the one"
        " of your settings)",
    )
    made.add_argument(
        "--ca",
        metavar="FILE",
        help="an authority that you trust besides the system's, for wss:// (a file in PEM)",
    )
    made.add_argument("--room", help="the room to sit down in")
    made.add_argument("--create", action="store_true", help="make the room, and be its host")
    made.add_argument("--password", help="of a private room")
    made.add_argument("--name", help="what the robot is called there (default: your login name)")
    made.add_argument(
        "--time",
        type=float,
        default=_LIMIT_S,
        metavar="SECONDS",
        help="the limit for a move (default: %(default)g)",
    )
    return made


def run(args: argparse.Namespace) -> int:
    """Play until it is interrupted or the room ends; or write a robot."""
    if args.robot == _NEW:
        return _write(args.file)
    if args.file is not None:
        raise UsageError(f"after {args.robot} comes no other file: {args.file}")
    if not 0 < args.time <= _MOST_LIMIT_S:
        raise UsageError(f"--time is a number of seconds above 0, up to {_MOST_LIMIT_S:g}")
    try:
        file = RobotFile.parse(args.robot)
    except CantLoad as error:
        raise UsageError(str(error)) from None
    # Here, because sockets take long to import, and --help doesn't need them.
    from boxroom_client.cli.running import run_until_done
    from boxroom_client.shell.wish import Wish

    wish = Wish(args.room, args.password, create=args.create)
    return run_until_done(_seat(file, args.time, resolved_from(args), wish))


async def _seat(file: RobotFile, limit_s: float, settings: Resolved, wish: "Wish") -> Exit:
    from boxroom_client.linemode.page import Page
    from boxroom_client.robots.playing import RobotFront
    from boxroom_client.robots.process import RobotProcess
    from boxroom_client.shell.joining import join

    address = set_address(settings)
    if address is None:
        raise UsageError("which server? Name it with --server ADDRESS")
    with RobotProcess(file) as process:
        try:
            process.load()
        except CantLoad as error:
            raise Failure(str(error)) from None
        front = RobotFront(process, limit_s, Page(canvas_of(settings), is_terminal=False))
        return await join(address, settings[NAME], wish, front)


def _write(path: Path | None) -> Exit:
    """Write a robot to begin with, and say where it is."""
    if path is None or path.suffix != ".py":
        raise UsageError(f"name the file that is to be written: boxroom robot {_NEW} FILE.py")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(start(path.as_posix()))
    except FileExistsError:
        raise UsageError(f"{path} is there already, and stays as it is: name a new file") from None
    except OSError as error:
        raise Failure(f"can't write {path}: {error.strerror}") from None
    print(path)
    return Exit.DONE
