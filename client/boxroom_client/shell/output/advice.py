"""Commands that a member can type after an event, beside what the page says, too. Pure."""

from collections.abc import Iterator

from boxroom_client.shell.output.describe import can_review, cautions, review_offer
from boxroom_client.shell.output.narrate import moves_after, narrate
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.registry import kind_of
from boxroom_engine.phrases import Value
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import (
    AbortRequest,
    PauseRequest,
    Phase,
    Room,
    StandInRequest,
    UndoRequest,
)

REQUESTS = (ev.UndoAsked, ev.StandInAsked, ev.AbortAsked, ev.PauseAsked)
"""Events by which a player asks for what others decide on."""


def narrate_with_advice(event: ev.Event, before: Room, after: Room, me: str) -> tuple[str, ...]:
    """Return the lines about `event` for member `me`, and what `me` can do now."""
    if isinstance(event, REQUESTS):
        return (pending_request(after, me),)
    *told, last = narrate(event, before, after, me) or ("",)
    command = _command(event, after, me)
    lines = [*told, " ".join(filter(None, (last, command)))]
    return tuple(filter(None, (*lines, *_more(event, after, me))))


def _command(event: ev.Event, room: Room, me: str) -> str:
    """Return what `me` can type, in the line of the event itself; empty for most events."""
    match event:
        case ev.Kicked() if room.host == me:
            return say("advice.unkick", name=event.member)
        case ev.Muted() if room.host == me:
            return say("advice.unmute", name=event.member)
        case ev.Paused():
            return _going_on(after=room, me=me)
        case ev.HostPassed() if event.member == me:
            return say("advice.host")
        case ev.StoodIn() if room.seats[event.seat].member == me:
            return say("advice.sit_back")
        case ev.RematchWanted():
            return _rematch(room, me)
        case _:
            return ""


def _more(event: ev.Event, room: Room, me: str) -> Iterator[str]:
    match event:
        case ev.Sat(member=member) if member in room.rematch:
            pass  # that vote had asked for the seat, or the game starts with it
        case ev.Sat() | ev.BotSat():
            if room.phase is not Phase.PLAYING and not room.lacking:
                yield from _start(event, room, me)
        case ev.Started():
            yield from cautions(room)
        case ev.Ended():
            yield from _final_scores(event, room)
            yield from _what_next(room, me)
        case _:
            pass


def _start(event: ev.Sat | ev.BotSat, room: Room, me: str) -> Iterator[str]:
    if room.host == me:
        yield say("advice.start_now" if room.free_seats else "advice.start")
    elif isinstance(event, ev.Sat) and event.member == me:
        yield say("advice.ready")


def _going_on(after: Room, me: str) -> str:
    """Return who can go on with a paused game; "" if none of them is here."""
    names = after.unpausers()
    if me in names:
        return say("help.paused")
    return say("paused_by", names=names) if names else ""


def pause_notice(room: Room, me: str) -> str:
    """Return that the game is paused, and who can go on; "" while it isn't paused."""
    if room.pause is None:
        return ""
    paused = say("event.paused", name=room.pause.member)
    return " ".join(filter(None, (paused, _going_on(room, me))))


def pending_request(room: Room, me: str) -> str:
    """Return the request that waits in `room`, and what `me` can do about it; "" for none."""
    deciding = [name for name in room.deciding if room.request and name not in room.request.agreed]
    match room.request:
        case None:
            return ""
        case UndoRequest(member=member, keeps=keeps):
            return _undo_request(member, moves_after(room, keeps), deciding, me)
        case StandInRequest(member=member, seat=seat, bot=bot):
            other = room.players[seat]
            what = say("event.stand_in_asked", name=member, other=other, bot=called(bot))
        case AbortRequest(member=member):
            what = say("event.abort_asked", name=member)
        case PauseRequest(member=member):
            what = say("event.pause_asked", name=member)
    if me in deciding:
        return say("advice.request_decide", what=what)
    return say("advice.request_waits", what=what, names=deciding, n=len(deciding))


def _undo_request(member: str, moves: Value, deciding: list[str], me: str) -> str:
    if me in deciding:
        return say("advice.undo_decide", name=member, moves=moves)
    key = "advice.undo_mine" if member == me else "advice.undo_of"
    return say(key, name=member, moves=moves, names=[*deciding], n=len(deciding))


def _final_scores(event: ev.Ended, room: Room) -> Iterator[str]:
    """Yield all scores, the highest first."""
    names = tuple(map(called, room.players))
    out = room.state.withdrawn if room.state is not None else frozenset()
    widest = max(len(str(score)) for score in event.scores)
    for seat in sorted(range(len(names)), key=lambda seat: -event.scores[seat]):
        gave_up = f" ({say('advice.gave_up')})" if seat in out else ""
        yield f"  {event.scores[seat]:>{widest}}  {names[seat]}{gave_up}"


def _what_next(room: Room, me: str) -> Iterator[str]:
    if not room.is_player(me):
        if room.can_vote(me) and me not in room.voters():
            yield say("advice.join_next")
        return
    review = f" {say(f'advice.{review_offer(room, me)}')}" if can_review(room) else ""
    yield f"{say('advice.rematch')}{review}"
    if room.host == me:
        has_bot = any(holder.is_bot for holder in room.seats)
        option = kind_of(room.settings.game).options[0].name
        yield say("advice.next_with_bot" if has_bot else "advice.next", option=option)


def _rematch(room: Room, me: str) -> str:
    if room.phase is Phase.PLAYING:
        return ""
    waiting_for = [name for name in room.voters() if name not in room.rematch]
    if me in waiting_for:
        return say("advice.ready_too" if room.phase is Phase.WAITING else "advice.rematch_agree")
    if not waiting_for:
        return ""
    return say("advice.rematch_waits", names=waiting_for, n=len(waiting_for))
