"""Calls for a person who may look elsewhere: the window's title, and desktop notifications."""

from dataclasses import dataclass

from boxroom_client.link.updates import EventApplied
from boxroom_client.screen.terminal import PROGRAM
from boxroom_client.screen.text.rows import clipped_text
from boxroom_client.shell.output.advice import REQUESTS, pending_request
from boxroom_client.shell.output.narrate import told
from boxroom_client.shell.output.painting import in_ascii
from boxroom_client.shell.turns import my_seat_to_move
from boxroom_common.phrases import say
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Room
from boxroom_engine.room.text import clean

_MOST_CELLS = 120
"""Cells of a notification's text; desktops cut longer ones."""


@dataclass(frozen=True, slots=True)
class CallForAttention:
    """A call for the person: a turn that begins, a request, or a mention in the chat."""

    text: str
    """One sentence; names and chat in it can't be trusted."""
    is_turn: bool = False


def call_for_attention(happened: EventApplied, me: str) -> CallForAttention | None:
    """Return the call for `me` that an event leads to; None if it leads to none."""
    before, after, event = happened.before, happened.after, happened.event
    if my_seat_to_move(after, me) is not None and my_seat_to_move(before, me) is None:
        return CallForAttention(say("terminal.call.your_turn", room=after.code), is_turn=True)
    if isinstance(event, ev.Nudged) and after.seats[event.seat].member == me:
        return CallForAttention(say("event.nudged_you", name=event.member), is_turn=True)
    if isinstance(event, REQUESTS) and me in after.deciding:
        return CallForAttention(pending_request(after, me))
    if isinstance(event, ev.Told) and event.member != me:
        return CallForAttention(told(event, me))
    if isinstance(event, ev.Said) and event.member != me:
        is_mentioned = me.casefold() in event.text.casefold()
        return CallForAttention(f"{event.member}: {event.text}") if is_mentioned else None
    return None


def has_other_people(room: Room, me: str) -> bool:
    """Whether people at other keyboards have seats."""
    return any(holder.member not in (None, me) for holder in room.seats)


def window_title(room: Room, me: str, *, ascii_only: bool = False) -> str:
    """Return the title of the terminal's window: the room, or that it is `me` to move."""
    is_mine = my_seat_to_move(room, me) is not None
    title = say("title_turn") if is_mine else f"{clean(room.code)} – {PROGRAM}"
    return in_ascii(title.replace("●", "*")) if ascii_only else title


def notification(kind: str, text: str) -> str:
    """Return the escape sequence for a notification, one of `NOTIFICATIONS`; empty for "off".

    OSC 9 is iTerm2's, OSC 777 is rxvt's. In `text` there may be anything: control characters,
    which would end the sequence, are removed, and semicolons, which separate its parts, replaced.
    """
    shown = clipped_text(clean(text).replace(";", ","), _MOST_CELLS)
    match kind:
        case "osc9":
            return f"\x1b]9;{PROGRAM}: {shown}\x07"
        case "osc777":
            return f"\x1b]777;notify;{PROGRAM};{shown}\x07"
        case _:
            return ""
