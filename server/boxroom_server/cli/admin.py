"""`boxroom admin`: see and steer a server that runs."""

import argparse
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

import msgspec

from boxroom_common.exits import Exit, Failure
from boxroom_server.admin import messages as m
from boxroom_server.cli.data_argument import add_data, add_json, folder_from
from boxroom_server.cli.exit_errors import with_failures

UNREACHABLE = 69
"""The exit code when no server answers (EX_UNAVAILABLE of sysexits.h)."""

PATIENCE_S = 30.0
"""How long an answer may take."""

Make = Callable[[argparse.Namespace], m.Wish]

_DEEDS: Mapping[str, tuple[str, tuple[str, ...], Make]] = {
    "list": ("the rooms, the oldest first", (), lambda _: m.ListRooms()),
    "show": ("all about a room but what is said there", ("ROOM",), lambda a: m.ShowRoom(a.room)),
    "kick": (
        "send somebody out of a room, for its life",
        ("ROOM", "NAME"),
        lambda a: m.Kick(a.room, a.name),
    ),
    "ban": (
        "let a name, an address or a network (192.0.2.0/24) in no more, and send it out now",
        ("WHO",),
        lambda a: m.Ban(a.who, a.reason),
    ),
    "unban": ("let it in again", ("WHO",), lambda a: m.Unban(a.who)),
    "bans": ("who is banned", (), lambda _: m.ListBans()),
    "release": (
        "let a name be anybody's again; whoever has it now is sent away",
        ("NAME",),
        lambda a: m.Release(a.name),
    ),
    "close": ("end a room, whoever is in it", ("ROOM",), lambda a: m.CloseRoom(a.room)),
    "drain": ("take nobody in any more, tell everybody, and stop", (), lambda _: m.Drain()),
    "names": ("the names that have an owner", ("[PREFIX]",), lambda a: m.ListNames(a.prefix)),
}
"""What can be done: its help, its arguments, and the wish that says so."""


class _NobodyThere(Exception):
    """No server answers; the sentence is for people."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="boxroom admin",
        description="See and steer a server that runs on this machine. Only its own user may.",
    )
    _add_shared(made)
    deeds = made.add_subparsers(dest="deed", metavar="COMMAND", required=True)
    for name, (help_line, arguments, _) in _DEEDS.items():
        deed = deeds.add_parser(name, help=help_line, description=f"{name}: {help_line}.")
        for argument in arguments:
            plain = argument.strip("[]")
            optional = {"nargs": "?", "default": ""} if plain != argument else {}
            deed.add_argument(plain.lower(), metavar=plain, **optional)  # type: ignore[arg-type]
        if name == "ban":
            deed.add_argument("--reason", default="", metavar="TEXT", help="why, for yourself")
        _add_shared(deed, again=True)
    return made


def _add_shared(parser: argparse.ArgumentParser, *, again: bool = False) -> None:
    """What may stand before or behind the name of a deed."""
    add_data(parser, again=again)
    parser.add_argument(
        "--admin-socket",
        type=Path,
        default=argparse.SUPPRESS if again else None,
        metavar="PATH",
        help="where the server listens for this (default: in its data folder)",
    )
    add_json(parser, again=again)


@with_failures
def run(args: argparse.Namespace) -> int:
    """Do it. 0 then, 1 if it is refused, 2 for usage, 69 if no server answers."""
    path = args.admin_socket or folder_from(args).admin_socket
    _, _, make = _DEEDS[args.deed]
    try:
        answer = _ask(path, make(args))
    except _NobodyThere as error:
        print(f"boxroom: {error}", file=sys.stderr)
        return UNREACHABLE
    if args.json:
        print(msgspec.json.encode(answer).decode())
        return Exit.FAILED if isinstance(answer, m.NotDone) else Exit.DONE
    if isinstance(answer, m.NotDone):
        raise Failure(answer.message)
    print("\n".join(_lines(answer)))
    return Exit.DONE


def _ask(path: Path, wish: m.Wish) -> m.Answer:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE_S)
            connection.connect(str(path))
            connection.sendall(m.line_of(wish))
            with connection.makefile("rb") as answers:
                line = answers.readline()
    except (FileNotFoundError, ConnectionRefusedError):
        raise _NobodyThere(
            f"no server answers at {path}: name the data folder of one that runs with --data"
        ) from None
    except TimeoutError:
        raise _NobodyThere(f"the server at {path} doesn't answer in {PATIENCE_S:.0f} s") from None
    except OSError as error:
        raise _NobodyThere(f"the server at {path} can't be asked: {error}") from None
    try:
        return m.answer_from(line)
    except m.MISREAD:
        raise _NobodyThere(
            f"what answers at {path} isn't a server that this boxroom understands"
        ) from None


def _lines(
    answer: m.Done | m.Rooms | m.RoomShown | m.Bans | m.Names,
) -> Iterator[str]:
    """The answer as people read it."""
    match answer:
        case m.Done():
            yield f"{answer.message}."
        case m.Rooms():
            for room in answer.rooms:
                yield (
                    f"{room.room:<24}  {room.phase:<8} {room.game:<10} people {room.people:>3} "
                    f" bots {room.bots:>3}  seq {room.seq:>6}  {_age(room.age_s)} old"
                )
            yield f"rooms: {len(answer.rooms):,}"
        case m.RoomShown():
            yield from _room_lines(answer)
        case m.Bans():
            for ban in answer.bans:
                yield f"{_local(ban.at_ms)}  {ban.kind:<8} {ban.who}  {ban.reason}".rstrip()
            yield f"bans: {len(answer.bans):,}"
        case m.Names():
            for name in answer.names:
                here = "  here" if name.is_here else ""
                yield f"{_local(name.used_ms)}  {name.name}{here}"
            more = f", and {answer.left_out:,} more" if answer.left_out else ""
            yield f"names: {len(answer.names):,}{more}"
        case _:
            assert_never(answer)


def _room_lines(room: m.RoomShown) -> Iterator[str]:
    yield f"{room.room}: {room.phase}, seq {room.seq}, {_age(room.age_s)} old, log {room.log}"
    yield f"settings: {msgspec.json.encode(room.settings).decode()}"
    for number, seat in enumerate(room.seats):
        holders = [seat.member or "", f"bot {seat.bot}" if seat.bot else ""]
        yield f"seat {number}: {seat.name or '-'} ({', '.join(filter(None, holders)) or 'empty'})"
    for member in room.members:
        role = ", host" if member.name == room.host else ""
        if member.address is None:
            yield f"member {member.name}: away{role}"
        else:
            yield f"member {member.name}: {member.address} for {_age(member.here_s or 0)}{role}"
    if room.barred:
        yield f"sent out: {', '.join(room.barred)}"
    for event in room.events:
        yield f"{event.seq:>6}  {_local(event.at_ms)}  {msgspec.json.encode(event.event).decode()}"


def _age(seconds: int) -> str:
    """A time as people say it: `12 s`, `3 min`, `5 h`, `9 days`."""
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _local(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
