"""Effects of events: `evolve` folds a room's log into a `Room`.

Server and client share it, so that a client's mirror can't differ from the server's state. It
trusts that `decide` made the event, or that the server sent it, and checks nothing. Effects on
the game, the seats and the members stand in `effects`.
"""

from typing import assert_never

from msgspec.structs import replace

from boxroom_engine.room import events as ev
from boxroom_engine.room.effects.games import (
    ended,
    position_after,
    started,
    unpaused,
    with_move,
    with_undone,
    withdrew,
    without_game,
)
from boxroom_engine.room.effects.members import (
    kicked,
    ruled,
    with_changed_member,
    with_clock_stopped_for,
    with_member,
    without_member,
    woken,
)
from boxroom_engine.room.effects.seats import reseated, with_seat, with_settings
from boxroom_engine.room.room import (
    CHAT_TAIL,
    AbortRequest,
    ChatLine,
    ChatTo,
    Member,
    PauseBegun,
    PauseRequest,
    PrivateLine,
    Room,
    StandInRequest,
    UndoRequest,
)
from boxroom_engine.standings import with_series


def evolve_entry(room: Room, entry: ev.Entry) -> Room:
    """Return the room after all events of `entry`.

    Raises:
        ValueError: `entry` doesn't follow on `room.seq`.
    """
    if entry.seq != room.seq + 1:
        raise ValueError(f"entry {entry.seq} can't follow seq {room.seq}")
    for event in entry.events:
        room = evolve(room, event, entry.at_ms)
    return room


def evolve(room: Room, event: ev.Event, at_ms: int) -> Room:
    """Return the room after `event`, which has the number `room.seq + 1` and happens at `at_ms`."""
    seq = room.seq + 1
    match event:
        case ev.Played():
            assert room.state is not None
            after = room.state.play(room.state.game.parse_move(event.move))
            return with_move(room, event, after, at_ms)
        case ev.Said():
            return _with_chat(room, event, seq)
        case ev.Told():
            lines = (*room.private, _private_line(event, seq))
            return replace(room, seq=seq, private=lines[-CHAT_TAIL:])
        case ev.Nudged():
            return replace(room, seq=seq, nudged_ms=at_ms)
        case ev.Unbarred() | ev.Muted() | ev.Unmuted():
            return ruled(room, event, seq)
        case ev.Hidden() | ev.HintAsked() | ev.Reacted():
            return replace(room, seq=seq)
        case ev.Revealed():
            chat = sorted((*room.chat, *event.lines), key=lambda line: line.seq)
            return replace(room, seq=seq, chat=tuple(chat[-CHAT_TAIL:]), unrevealed=())
        case ev.Created():
            created = replace(room, code=event.room, log=event.log, seq=seq, host=event.member)
            return with_settings(created, event.settings)
        case ev.Configured():
            return with_settings(replace(room, seq=seq), event.settings)
        case ev.Joined() | ev.Returned():
            return with_member(
                room, Member(event.member, node=event.node, person=event.person), seq
            )
        case ev.Renamed() | ev.WentAway() | ev.CameBack():
            return with_changed_member(replace(room, seq=seq), event)
        case ev.Dropped():
            member = Member(event.member, connected=False, grace_until_ms=event.until_ms)
            return replace(with_member(room, member, seq), request=None)
        case ev.GraceOver():
            gone = with_member(room, Member(event.member, connected=False), seq)
            return with_clock_stopped_for(gone, event.member)
        case ev.Woken():
            return woken(room, event, seq, at_ms)
        case ev.Left():
            if room.is_player(event.member):
                room = replace(room, request=None)
            gone = without_member(room, event.member, seq)
            return with_clock_stopped_for(gone, event.member)
        case ev.Kicked():
            return kicked(room, event.member, seq)
        case ev.HostPassed():
            return replace(room, seq=seq, host=event.member)
        case ev.Sat() | ev.BotSat() | ev.Vacated() | ev.StoodIn() | ev.TookBack() | ev.Coached():
            return with_seat(room, event, seq, at_ms)
        case ev.Reseated():
            return reseated(room, event, seq)
        case ev.Rotated():
            return replace(room, seq=seq, seats=(*room.seats[1:], room.seats[0]))
        case ev.Started():
            return started(room, event, seq, at_ms)
        case ev.Withdrew():
            return withdrew(room, event, seq, at_ms)
        case ev.Paused():
            return replace(room, seq=seq, pause=PauseBegun(event.member, at_ms), request=None)
        case ev.Unpaused():
            return unpaused(room, seq, at_ms)
        case ev.UndoAsked() | ev.StandInAsked() | ev.AbortAsked() | ev.PauseAsked():
            return _asked(room, event, seq)
        case ev.UndoAgreed() | ev.Agreed():
            assert room.request is not None
            agreed = (*room.request.agreed, event.member)
            return replace(room, seq=seq, request=replace(room.request, agreed=agreed))
        case ev.UndoDeclined() | ev.Declined():
            return replace(room, seq=seq, request=None)
        case ev.Undone():
            return with_undone(room, event, position_after(room, event.keeps), at_ms)
        case ev.Aborted():
            return without_game(replace(room, seq=seq))
        case ev.Ended():
            return ended(room, event, seq)
        case ev.SeriesWon():
            return replace(room, seq=seq, table=with_series(room.table, event.name), series=())
        case ev.RematchWanted():
            return replace(room, seq=seq, rematch=room.rematch | {event.member})
        case ev.RematchUnwanted():
            return replace(room, seq=seq, rematch=room.rematch - {event.member})
        case _:
            assert_never(event)


def _asked(
    room: Room, event: ev.UndoAsked | ev.StandInAsked | ev.AbortAsked | ev.PauseAsked, seq: int
) -> Room:
    match event:
        case ev.UndoAsked():
            undo = UndoRequest(event.member, room.ply, event.keeps)
            return replace(room, seq=seq, request=undo, undos=room.undos + 1)
        case ev.StandInAsked():
            stand_in = StandInRequest(event.member, seq, event.seat, event.bot)
            return replace(room, seq=seq, request=stand_in)
        case ev.AbortAsked():
            return replace(room, seq=seq, request=AbortRequest(event.member, seq))
        case ev.PauseAsked():
            return replace(room, seq=seq, request=PauseRequest(event.member, seq))
        case _:
            assert_never(event)


def _with_chat(room: Room, event: ev.Said, seq: int) -> Room:
    line = _chat_line(event, seq)
    if event.to is ChatTo.SPECTATORS:
        return replace(room, seq=seq, unrevealed=(*room.unrevealed, line)[-CHAT_TAIL:])
    return replace(room, seq=seq, chat=(*room.chat, line)[-CHAT_TAIL:])


def _private_line(told: ev.Told, seq: int) -> PrivateLine:
    member, text, at_ms = told.member, told.text, told.at_ms
    return PrivateLine(seq, member, told.to, text, at_ms, told.name, told.persons)


def _chat_line(said: ev.Said, seq: int) -> ChatLine:
    member, text, at_ms = said.member, said.text, said.at_ms
    return ChatLine(seq, member, text, at_ms, said.to, said.name, said.action)
