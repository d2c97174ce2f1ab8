"""Choice of a room on a server: by asking the person, or without."""

from collections.abc import Sequence

from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.printer import Printer
from boxroom_client.link.join_request import JoinRequest
from boxroom_client.shell.frontend import JoinOptions
from boxroom_client.shell.output.describe import open_rooms
from boxroom_client.shell.turns import PROMPT_END
from boxroom_common.exits import Failure
from boxroom_common.phrases import say
from boxroom_engine.room.text import clean, same_name
from boxroom_engine.wire.messages import RoomListed


def choose_alone(
    rooms: Sequence[RoomListed], join_options: JoinOptions, printer: Printer
) -> JoinRequest:
    """Return the request for the first suitable room, or a new one, and print which it is.

    Raises:
        Failure: there is nothing to watch.
    """
    suitable = [room for room in rooms if join_options.watch or room.empty_seats]
    if suitable:
        printer.say([say("terminal.line.joining_room", room=suitable[0].room)])
        return join_options.to_join(suitable[0])
    if join_options.watch:
        raise Failure(say("terminal.line.nothing_to_watch"))
    printer.say([say("terminal.line.new_room")])
    return join_options.to_create()


async def choose_by_asking(
    rooms: Sequence[RoomListed], join_options: JoinOptions, lines: Lines, printer: Printer
) -> JoinRequest | None:
    """Return the request for the room that the person chooses; None at the end of input.

    Without a choice the person isn't asked.

    Raises:
        Failure: there is nothing to watch.
        Interrupted: Ctrl-C.
    """
    if not rooms or (len(rooms) == 1 and (join_options.watch or rooms[0].empty_seats)):
        return choose_alone(rooms, join_options, printer)
    return await choose_again(rooms, join_options, lines, printer)


async def choose_again(
    rooms: Sequence[RoomListed], join_options: JoinOptions, lines: Lines, printer: Printer
) -> JoinRequest | None:
    """Return the request for the room that the person chooses, who is asked in any case."""
    printer.say([say("terminal.line.open_rooms"), *open_rooms(rooms)])
    with lines.opened():
        while True:
            answer = await lines.next(lambda: f"{say('terminal.line.which_room')}{PROMPT_END}")
            if answer is None:
                return None
            chosen = _parse_answer(clean(answer), rooms, join_options)
            if chosen is not None:
                return chosen
            printer.say([say("terminal.line.type_room", last=len(rooms))])


def _parse_answer(
    answer: str, rooms: Sequence[RoomListed], join_options: JoinOptions
) -> JoinRequest | None:
    """Return the request that `answer` means; None if it is invalid."""
    if any(same_name(answer, new) for new in say("terminal.line.new").split()):
        return join_options.to_create()
    if answer.isdecimal() and len(answer) < 9 and 1 <= int(answer) <= len(rooms):
        return join_options.to_join(rooms[int(answer) - 1])
    for room in rooms:
        if same_name(answer, room.room):
            return join_options.to_join(room)
    return None
