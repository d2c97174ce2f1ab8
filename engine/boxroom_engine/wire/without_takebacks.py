"""Translations for clients that don't know takebacks, as they were before there were any.

For such a client the ply of a position is the number of its moves and withdrawals, and a move is
never taken back. It receives a new snapshot instead of a takeback. To tell a move that it sends
again from before the takeback, its snapshot has another number of the game, which it repeats in
its moves.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import Snapshot, snapshot
from boxroom_engine.wire.messages import Hint

_OFFSET_UNIT = 2**20
"""More than the number of any game in a room: what exceeds it is `Room.ply_offset`, in units."""

_UNKNOWN = (ev.UndoAsked, ev.UndoAgreed, ev.UndoDeclined)

_HIDDEN = ev.Hidden()


def is_known(events: Sequence[ev.Event]) -> bool:
    """Whether a client that doesn't know takebacks knows all of `events`."""
    return not any(isinstance(event, (*_UNKNOWN, ev.Undone)) for event in events)


def has_takeback(events: Sequence[ev.Event]) -> bool:
    """Whether moves were taken back, so that such a client needs a new snapshot."""
    return any(type(event) is ev.Undone for event in events)


def known_events(events: Sequence[ev.Event]) -> tuple[ev.Event, ...]:
    """Return `events`, none of them a takeback, with those hidden that such a client can't know."""
    return tuple(_HIDDEN if isinstance(event, _UNKNOWN) else event for event in events)


def known_snapshot(room: Room, audience: Audience) -> Snapshot:
    """Return the snapshot of `room` for such a client."""
    seen = snapshot(room, audience)
    number = room.game_number + _OFFSET_UNIT * room.ply_offset
    return replace(seen, game_number=number, ply=None, undo=None, undos=0)


def known_hint(hint: Hint, room: Room) -> Hint:
    """Return `hint`, for the position of `room`, as such a client understands it."""
    number = room.game_number + _OFFSET_UNIT * room.ply_offset
    return replace(hint, ply=hint.ply - room.ply_offset, game=number)


def with_ply(command: cmd.AnyMemberCommand, room: Room) -> cmd.AnyMemberCommand:
    """Return the command of such a client with the ply that its position has in `room`.

    If it is from before a takeback, its ply stays below that of `room`.
    """
    if not isinstance(command, cmd.Play | cmd.AskHint | cmd.Undo | cmd.AnswerUndo):
        return command
    if command.game is None:
        return replace(command, ply=command.ply + room.ply_offset)
    offset, number = divmod(command.game, _OFFSET_UNIT)
    if not number:
        return command
    ply = command.ply + (room.ply_offset if offset == room.ply_offset else 0)
    return replace(command, ply=ply, game=number)
