"""`boxroom admin`: inspect and control a running server."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

import msgspec

from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure
from boxroom_common.json_output import format_name, print_json
from boxroom_common.system import unix_socket
from boxroom_server.admin import messages as m
from boxroom_server.cli.data_argument import add_data, add_json, folder_from
from boxroom_server.cli.exit_errors import with_failures
from boxroom_server.clock import span_text

ANSWER_TIMEOUT_S = 30.0
"""How long an answer may take."""

MakeRequest = Callable[[argparse.Namespace], m.Request]

_COMMANDS: Mapping[str, tuple[str, tuple[str, ...], MakeRequest]] = {
    "list": ("list the rooms, the oldest first", (), lambda _: m.ListRooms()),
    "show": ("show all about a room but its chat", ("ROOM",), lambda a: m.ShowRoom(a.room)),
    "kick": (
        "remove a member from a room, for as long as the room exists",
        ("ROOM", "NAME"),
        lambda a: m.Kick(a.room, a.name),
    ),
    "ban": (
        "ban a name, an address or a network (192.0.2.0/24), and disconnect it now",
        ("WHO",),
        lambda a: m.Ban(a.who, a.reason),
    ),
    "unban": ("lift a ban", ("WHO",), lambda a: m.Unban(a.who)),
    "bans": ("list the bans", (), lambda _: m.ListBans()),
    "release": (
        "take a name from its owner, who is disconnected; anybody may claim it",
        ("NAME",),
        lambda a: m.Release(a.name),
    ),
    "close": ("close a room and disconnect its members", ("ROOM",), lambda a: m.CloseRoom(a.room)),
    "drain": (
        "have this server refuse new connections, notify its members, and stop",
        (),
        lambda _: m.Drain(),
    ),
    "names": ("list the names that have an owner", ("[PREFIX]",), lambda a: m.ListNames(a.prefix)),
}
"""Help, arguments and request of each subcommand."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, with its subcommands."""
    parser = CommandParser(
        prog="boxroom admin",
        description=(
            "Inspect and control a server that runs on this machine, as the same user, and with it"
            " the other servers of its cluster."
        ),
    )
    _add_shared(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (help_line, arguments, _) in _COMMANDS.items():
        command = commands.add_parser(name, help=help_line, description=f"{name}: {help_line}.")
        for argument in arguments:
            plain = argument.strip("[]")
            optional = {"nargs": "?", "default": ""} if plain != argument else {}
            command.add_argument(plain.lower(), metavar=plain, **optional)  # type: ignore[arg-type]
        if name == "ban":
            command.add_argument(
                "--reason", default="", metavar="TEXT", help="the reason, as a note for operators"
            )
        _add_shared(command, in_subcommand=True)
    return parser


def _add_shared(parser: argparse.ArgumentParser, *, in_subcommand: bool = False) -> None:
    """Add the options that may stand before or behind the name of a subcommand."""
    add_data(parser, in_subcommand=in_subcommand)
    parser.add_argument(
        "--admin-socket",
        type=Path,
        default=argparse.SUPPRESS if in_subcommand else None,
        metavar="PATH",
        help="the server's socket for this (default: in its data folder)",
    )
    add_json(parser, in_subcommand=in_subcommand)


@with_failures
def run(args: argparse.Namespace) -> int:
    """Send the request, print the answer, and return the exit code.

    It is 0, 1 for a refusal, 2 for wrong usage, or 69 if no server answers.
    """
    path = args.admin_socket or folder_from(args).admin_socket
    _, _, make_request = _COMMANDS[args.command]
    answer = _ask(path, make_request(args))
    if args.json:
        print_json({"format": format_name("admin", 1)} | msgspec.to_builtins(answer))
        return Exit.FAILED if isinstance(answer, m.Refused) else Exit.DONE
    if isinstance(answer, m.Refused):
        raise Failure(answer.message)
    print("\n".join(_lines(answer)))
    return Exit.DONE


def _ask(path: Path, request: m.Request) -> m.Answer:
    try:
        with unix_socket() as connection:
            connection.settimeout(ANSWER_TIMEOUT_S)
            connection.connect(str(path))
            connection.sendall(m.encode(request))
            with connection.makefile("rb") as answers:
                line = answers.readline()
    except (FileNotFoundError, ConnectionRefusedError):
        raise Failure(
            f"no server answers at {path}: name the data folder of one that runs with --data",
            Exit.UNREACHABLE,
        ) from None
    except TimeoutError:
        raise Failure(
            f"the server at {path} doesn't answer in {ANSWER_TIMEOUT_S:.0f} s", Exit.UNREACHABLE
        ) from None
    except OSError as error:
        raise Failure(
            f"the server at {path} can't be asked: {m.reason_of(error)}", Exit.UNREACHABLE
        ) from None
    try:
        return m.decode_answer(line)
    except m.DECODE_ERRORS:
        raise Failure(
            f"what answers at {path} isn't a server that this boxroom understands", Exit.UNREACHABLE
        ) from None


def _lines(
    answer: m.Done | m.RoomList | m.RoomDetails | m.BanList | m.NameList,
) -> Iterator[str]:
    """Yield the lines of an answer for people."""
    match answer:
        case m.Done():
            yield f"{answer.message}."
        case m.RoomList():
            for room in answer.rooms:
                yield (
                    f"{room.room:<24}  {room.phase:<8} {room.game:<10} people {room.people:>3} "
                    f" bots {room.bots:>3}  seq {room.seq:>6}  {span_text(room.age_s)} old"
                )
            yield f"rooms: {len(answer.rooms):,}"
        case m.RoomDetails():
            yield from _room_lines(answer)
        case m.BanList():
            for ban in answer.bans:
                yield f"{_local(ban.at_ms)}  {ban.kind:<8} {ban.who}  {ban.reason}".rstrip()
            yield f"bans: {len(answer.bans):,}"
        case m.NameList():
            for name in answer.names:
                here = "  here" if name.is_here else ""
                yield f"{_local(name.used_ms)}  {name.name}{here}"
            more = f", and {answer.left_out:,} more" if answer.left_out else ""
            yield f"names: {len(answer.names):,}{more}"
        case _:
            assert_never(answer)


def _room_lines(room: m.RoomDetails) -> Iterator[str]:
    yield f"{room.room}: {room.phase}, seq {room.seq}, {span_text(room.age_s)} old, log {room.log}"
    yield f"settings: {msgspec.json.encode(room.settings).decode()}"
    for number, seat in enumerate(room.seats):
        holders = [seat.member or "", f"bot {seat.bot}" if seat.bot else ""]
        yield f"seat {number}: {seat.name or '-'} ({', '.join(filter(None, holders)) or 'empty'})"
    for member in room.members:
        role = ", host" if member.name == room.host else ""
        if member.node:
            yield f"member {member.name}: at the server {member.node}{role}"
        elif member.address is None:
            yield f"member {member.name}: away{role}"
        else:
            since = span_text(member.here_s or 0)
            yield f"member {member.name}: {member.address} for {since}{role}"
    if room.barred:
        yield f"sent out: {', '.join(room.barred)}"
    for event in room.events:
        yield f"{event.seq:>6}  {_local(event.at_ms)}  {msgspec.json.encode(event.event).decode()}"


def _local(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
