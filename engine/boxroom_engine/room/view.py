"""Views of a room for an audience: of an event, of an entry, and of the whole room.

Only this module decides what an audience sees. A hidden event keeps its number. All of an audience
see the same, but for private messages: an audience sees none, its members those to and from them.
"""

from msgspec import Struct

from boxroom_engine.games.protocol import listed_moves
from boxroom_engine.room import events as ev
from boxroom_engine.room.effects.games import with_tokens
from boxroom_engine.room.room import (
    AbortRequest,
    Audience,
    ChatLine,
    ChatTo,
    Member,
    PauseBegun,
    PauseRequest,
    Phase,
    PrivateLine,
    Room,
    SeatHolder,
    Settings,
    StandInRequest,
    UndoRequest,
)
from boxroom_engine.standings import Standing

_HIDDEN = ev.Hidden()


def view(event: ev.Event, audience: Audience) -> ev.Event:
    """Return `event`, or `Hidden` if not all of `audience` may see it."""
    if audience is Audience.PLAYER and _is_for_spectators(event):
        return _HIDDEN
    return _HIDDEN if type(event) is ev.Told else event


def view_of_member(event: ev.Event, audience: Audience, member: Member | None) -> ev.Event:
    """Return `event` as `member` of `audience` sees it, with private messages of its own.

    None is a member who was removed by the same entry.
    """
    if type(event) is ev.Told and member is not None and is_for(event, member):
        return event
    return view(event, audience)


def is_for(message: ev.Told | PrivateLine, member: Member) -> bool:
    """Whether `member` is the sender or the receiver of a private message.

    An owner of one of the names who got it later is neither.
    """
    names = (message.member, message.to)
    return (member.name, member.person) in zip(names, message.persons, strict=True)


def has_private(entry: ev.Entry) -> bool:
    """Whether there is a private message in `entry`, so that some see more than their audience."""
    return any(type(event) is ev.Told for event in entry.events)


def is_same_for_all(entry: ev.Entry) -> bool:
    """Whether every audience sees `entry` as it is."""
    return not any(_is_for_spectators(event) or type(event) is ev.Told for event in entry.events)


def _is_for_spectators(event: ev.Event) -> bool:
    return type(event) is ev.Said and event.to is ChatTo.SPECTATORS


class Snapshot(Struct, frozen=True, omit_defaults=True):
    """A room as an audience sees it after event number `seq`."""

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
    """The seat to move; like `scores`, it is for clients that don't know the rules."""
    scores: tuple[int, ...] = ()
    deadline_ms: int | None = None
    chat: tuple[ChatLine, ...] = ()
    unrevealed: tuple[ChatLine, ...] = ()
    private: tuple[PrivateLine, ...] = ()
    rematch: tuple[str, ...] = ()
    ply: int | None = None
    """Number of the position; null: the number of `tokens`."""
    undo: UndoRequest | None = None
    undos: int = 0
    winners: tuple[int, ...] = ()
    """Seats of the winners, when the phase is over; like the following, for thin clients."""
    movable: tuple[int, ...] = ()
    """As in the event that began the turn, see `State.movable`."""
    legal_moves: tuple[str, ...] = ()
    """As in that event, see `protocol.listed_moves`."""
    movers: tuple[int, ...] = ()
    """The seat of each of `tokens`; of a withdrawal, the one that withdrew."""
    taken: tuple[tuple[int, ...], ...] = ()
    """For each token that took something: its index in `tokens`, and the numbers of what it took,
    such as boxes."""
    table: tuple[Standing, ...] = ()
    request: StandInRequest | AbortRequest | None = None
    """The request that waits for answers, of another kind than `undo` and `pause_asked`."""
    turn_since_ms: int | None = None
    nudged_ms: int | None = None
    unrated: bool = False
    series: tuple[Standing, ...] = ()
    muted: tuple[str, ...] = ()
    pause: PauseBegun | None = None
    pause_asked: PauseRequest | None = None
    """The request to pause that waits for answers."""
    game_link: str = ""


def snapshot(room: Room, audience: Audience, member: Member | None = None) -> Snapshot:
    """Return the snapshot of `room` for `audience`, with the private messages of `member`."""
    state = room.state
    private = (line for line in room.private if member is not None and is_for(line, member))
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
        private=tuple(private),
        rematch=tuple(sorted(room.rematch)),
        ply=room.ply if room.ply_offset else None,
        undo=room.undo,
        undos=room.undos,
        winners=room.winners,
        movable=state.movable if state is not None else (),
        legal_moves=listed_moves(state) if state is not None else (),
        movers=room.movers,
        taken=room.taken,
        table=room.table,
        request=room.request if isinstance(room.request, StandInRequest | AbortRequest) else None,
        turn_since_ms=room.turn_since_ms,
        nudged_ms=room.nudged_ms,
        unrated=room.unrated,
        series=room.series,
        muted=tuple(sorted(room.muted)),
        pause=room.pause,
        pause_asked=room.request if isinstance(room.request, PauseRequest) else None,
        game_link=room.game_link,
    )


def room_from_snapshot(seen: Snapshot) -> Room:
    """Return the room of a snapshot: a client's mirror, to which `evolve` applies later events.

    Raises:
        GameError: this version doesn't know the game, or can't read its tokens.
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
        deadline_ms=seen.deadline_ms,
        chat=seen.chat,
        unrevealed=seen.unrevealed,
        private=seen.private,
        rematch=frozenset(seen.rematch),
        request=seen.undo or seen.request or seen.pause_asked,
        undos=seen.undos,
        turn_since_ms=seen.turn_since_ms,
        nudged_ms=seen.nudged_ms,
        unrated=seen.unrated,
        ply_offset=0 if seen.ply is None else seen.ply - len(seen.tokens),
        table=seen.table,
        series=seen.series,
        muted=frozenset(seen.muted),
        pause=seen.pause,
        game_link=seen.game_link,
    )
    return with_tokens(room, seen.tokens) if seen.players else room
