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

NAMES = (TAKEBACKS, REQUESTS, TALK, SERIES, SEATS, MUTES, PAUSES, PEOPLE)
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
}

_CHANGING = frozenset(
    {ev.Undone, ev.Aborted, ev.Reseated, ev.RematchUnwanted, ev.Unpaused, ev.Renamed}
)
"""Events after which a client that doesn't know their part needs the whole room."""


def understood(names: Iterable[str]) -> Set[str]:
    """Return the parts that a client can follow which names these.

    A request to pause is answered as all requests are, without their kind. So a client that doesn't
    know pauses can't follow requests.
    """
    known = frozenset(names)
    return known if PAUSES in known else known - {REQUESTS}


def parts_of(events: Iterable[ev.Event]) -> Set[str]:
    """Return the parts to which `events` belong."""
    return {_PARTS[kind] for kind in map(type, events) if kind in _PARTS}


def known_events(events: Sequence[ev.Event], knows: Set[str]) -> tuple[ev.Event, ...] | None:
    """Return `events` for a client that knows the parts `knows`; None: it needs the whole room."""
    unknown = {kind for kind in map(type, events) if _PARTS.get(kind) not in {None, *knows}}
    if unknown & _CHANGING:
        return None
    return tuple(ev.Hidden() if type(event) in unknown else event for event in events)
