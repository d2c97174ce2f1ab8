"""Parts of the protocol that a client names in its `Hello.knows`, and the events of each.

A client that doesn't name a part receives its events as `Hidden`, or the whole room anew after an
event that changes more than the part's own fields of the room.
"""

from collections.abc import Iterable, Sequence, Set

from boxroom_engine.room import events as ev

TAKEBACKS = "takebacks"
REQUESTS = "requests"
"""Nudges, and requests for a stand-in or to end the game without a winner."""
TALK = "talk"
SERIES = "series"
SEATS = "seats"
MUTES = "mutes"
PAUSES = "pauses"
PEOPLE = "people"
"""Members who get another name, or aren't at the keyboard."""
OPENINGS = "openings"
"""Moves with which a game begins, as they were played before."""
COACH = "coach"
ELSEWHERE = "elsewhere"
"""No events, but the message with which a server of a cluster sends a client to another one."""

NAMES = (
    *(TAKEBACKS, REQUESTS, TALK, SERIES, SEATS, MUTES, PAUSES, PEOPLE, OPENINGS, COACH),
    ELSEWHERE,
)
"""All parts."""

_PARTS: dict[type[ev.Event], str] = {
    ev.UndoAsked: TAKEBACKS,
    ev.UndoAgreed: TAKEBACKS,
    ev.UndoDeclined: TAKEBACKS,
    ev.Undone: TAKEBACKS,
    ev.Told: TALK,
    ev.Reacted: TALK,
    ev.Nudged: REQUESTS,
    ev.StandInAsked: REQUESTS,
    ev.AbortAsked: REQUESTS,
    ev.Agreed: REQUESTS,
    ev.Declined: REQUESTS,
    ev.Aborted: REQUESTS,
    ev.SeriesWon: SERIES,
    ev.Reseated: SEATS,
    ev.RematchUnwanted: SEATS,
    ev.Muted: MUTES,
    ev.Unmuted: MUTES,
    ev.PauseAsked: PAUSES,
    ev.Paused: PAUSES,
    ev.Unpaused: PAUSES,
    ev.Renamed: PEOPLE,
    ev.WentAway: PEOPLE,
    ev.CameBack: PEOPLE,
    ev.Coached: COACH,
}

_CHANGING = frozenset(
    {ev.Undone, ev.Aborted, ev.Reseated, ev.RematchUnwanted, ev.Unpaused, ev.Renamed, ev.Played}
    | {ev.Coached}
)
"""Events after which a client that doesn't know their part needs the whole room."""


def _part_of(event: ev.Event) -> str | None:
    """Return the part to which `event` belongs; None if every client knows it."""
    if type(event) is ev.Played:
        return OPENINGS if event.by is ev.OPENING else None
    return _PARTS.get(type(event))


def understood(names: Iterable[str]) -> Set[str]:
    """Return the parts that a client can follow which names these.

    A request to pause is answered as all requests are, without their kind. So a client that doesn't
    know pauses can't follow requests.
    """
    known = frozenset(names)
    return known if PAUSES in known else known - {REQUESTS}


def parts_of(events: Iterable[ev.Event]) -> Set[str]:
    """Return the parts to which `events` belong."""
    return {part for part in map(_part_of, events) if part is not None}


def known_events(events: Sequence[ev.Event], knows: Set[str]) -> tuple[ev.Event, ...] | None:
    """Return `events` for a client that knows the parts `knows`; None: it needs the whole room."""
    is_known = [_part_of(event) in {None, *knows} for event in events]
    seen = zip(events, is_known, strict=True)
    if any(type(event) in _CHANGING and not known for event, known in seen):
        return None
    return tuple(
        event if known else ev.Hidden() for event, known in zip(events, is_known, strict=True)
    )
