"""What an audience sees: of an event, of an entry, and of a whole room.

This is the one place that decides it. What an audience may not see keeps its number.
"""

from msgspec import Struct
from msgspec.structs import replace

from boxroom_engine.games.record import play_token
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import (
    Audience,
    ChatTo,
    Line,
    Member,
    Phase,
    Room,
    SeatHolder,
    Settings,
)

_HIDDEN = ev.Hidden()


def view(event: ev.Event, audience: Audience) -> ev.Event:
    """What `audience` sees of `event`; `Hidden` if nothing."""
    return _HIDDEN if audience is Audience.PLAYER and _is_for_spectators(event) else event


def looks_alike(entry: ev.Entry) -> bool:
    """Whether every audience sees the same of `entry`."""
    return not any(map(_is_for_spectators, entry.events))


def _is_for_spectators(event: ev.Event) -> bool:
    return type(event) is ev.Said and event.to is ChatTo.SPECTATORS


class Snapshot(Struct, frozen=True, omit_defaults=True):
    """A room as an audience sees it after event number `seq`; `restore` makes it a room."""

    room: str
    log: str
    seq: int
    phase: Phase
    settings: Settings
    host: str | None
    seats: tuple[SeatHolder, ...]
    members: tuple[Member, ...]
    barred: tuple[str, ...] = ()
    game_number: int = 0
    players: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    to_move: int | None = None
    """The seat to move in it; like `scores` for clients without the rules."""
    scores: tuple[int, ...] = ()
    deadline_ms: int | None = None
    chat: tuple[Line, ...] = ()
    unrevealed: tuple[Line, ...] = ()
    rematch: tuple[str, ...] = ()


def snapshot(room: Room, audience: Audience) -> Snapshot:
    """The room as `audience` sees it."""
    state = room.state
    return Snapshot(
        room=room.code,
        log=room.log,
        seq=room.seq,
        phase=room.phase,
        settings=room.settings,
        host=room.host,
        seats=room.seats,
        members=tuple(room.members.values()),
        barred=tuple(sorted(room.barred)),
        game_number=room.game_number,
        players=room.players,
        tokens=room.tokens,
        to_move=state.to_move if state is not None else None,
        scores=state.scores if state is not None else (),
        deadline_ms=room.deadline_ms,
        chat=room.chat,
        unrevealed=room.unrevealed if audience is Audience.SPECTATOR else (),
        rematch=tuple(sorted(room.rematch)),
    )


def restore(seen: Snapshot) -> Room:
    """The room of a snapshot, to `evolve` on: a client's mirror.

    Raises:
        GameError: the snapshot's game or tokens aren't of a game known here.
    """
    room = Room(
        code=seen.room,
        log=seen.log,
        seq=seen.seq,
        phase=seen.phase,
        settings=seen.settings,
        host=seen.host,
        seats=seen.seats,
        members={member.name: member for member in seen.members},
        barred=frozenset(seen.barred),
        game_number=seen.game_number,
        players=seen.players,
        history="".join(f" {token}" for token in seen.tokens),
        deadline_ms=seen.deadline_ms,
        chat=seen.chat,
        unrevealed=seen.unrevealed,
        rematch=frozenset(seen.rematch),
    )
    if not seen.players:
        return room
    state = seen.settings.make_game().initial()
    for token in seen.tokens:
        state = play_token(state, token)
    return replace(room, state=state)
