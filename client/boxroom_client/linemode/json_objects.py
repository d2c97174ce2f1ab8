"""Objects of `--json`: the protocol's own messages about a room, and what a script needs besides.

docs/reference/commands.md describes them.
"""

from typing import Any, assert_never

from msgspec import to_builtins

from boxroom_client.link.updates import (
    BotThinking,
    CoachSpoke,
    ConnectionLost,
    ConnectionRestored,
    EnteredRoom,
    EventApplied,
    HintReceived,
    NoticeReceived,
    ServerResponding,
    ServerSilent,
    SessionEnded,
    Update,
)
from boxroom_common.json_output import format_name
from boxroom_common.version import VERSION
from boxroom_engine.room.room import Room
from boxroom_engine.room.view import snapshot
from boxroom_engine.wire.messages import Coaching, Events, Hint, Thinking

JsonObject = dict[str, Any]

BEGIN: JsonObject = {"type": "begin", "format": format_name("room", 1), "boxroom": VERSION}
"""The first object of the output."""


def text_object(text: str) -> JsonObject:
    """Return text for people, such as the help."""
    return {"type": "text", "text": text}


def done_object(line: str) -> JsonObject:
    """Return that a line of the input is done, with all that it led to."""
    return {"type": "done", "line": line}


def refused_object(line: str, code: str, message: str) -> JsonObject:
    """Return that a line of the input has changed nothing, and the reason."""
    return {"type": "refused", "line": line, "code": code, "message": message}


def room_object(room: Room, me: str, *, back: bool) -> JsonObject:
    """Return the whole room as member `me` sees it; `back` tells whether events are missing."""
    audience = room.audience(me)
    shown = to_builtins(snapshot(room, audience))
    return {"type": "in_room", "you": me, "audience": audience.value, "room": shown, "back": back}


def end_object(exit_code: int, ended: SessionEnded | None) -> JsonObject:
    """Return the last object; `ended` is the server's reason, None if this side has left."""
    code, message = ("left", "") if ended is None else (ended.code, str(ended.said))
    return {"type": "end", "code": code, "message": message, "exit": exit_code}


def object_of(update: Update) -> JsonObject | None:
    """Return `update` as an object; None for the end of the session, which `end_object` tells."""
    match update:
        case EnteredRoom():
            return room_object(update.room, update.me, back=update.back)
        case EventApplied():
            return _message(Events(update.seq, update.at_ms, (update.event,)))
        case HintReceived(seat, move, ply, game, bot):
            return _message(Hint(seat, move, ply, game, bot))
        case CoachSpoke():
            return _message(update.coaching)
        case BotThinking():
            return _message(Thinking(update.seat, update.bot))
        case NoticeReceived():
            return {"type": "notice", "code": update.code, "message": str(update.said)}
        case ConnectionLost():
            return {"type": "lost", "message": update.reason, "retry_s": update.retry_s}
        case ConnectionRestored():
            return {"type": "back"}
        case ServerSilent():
            return {"type": "silent"}
        case ServerResponding():
            return {"type": "responding"}
        case SessionEnded():
            return None
        case _:
            assert_never(update)


def _message(message: Events | Hint | Coaching | Thinking) -> JsonObject:
    fields: JsonObject = to_builtins(message)
    return fields
