"""Rules of requests: to take moves back, for a stand-in, a pause, or the end of the game.

A request is granted when all people have agreed who decide on it (`Room.deciding`), at once where
there are none. A move of a person ends it, and so does everything that changes who decides.
"""

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.record import play_token
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused, Decision, refusal
from boxroom_engine.room.effects.games import position_after
from boxroom_engine.room.room import (
    NUDGE_AFTER_MS,
    AbortRequest,
    PauseRequest,
    Room,
    Settings,
    StandInRequest,
    UndoRequest,
)
from boxroom_engine.room.rules.playing import check_position, running
from boxroom_engine.room.rules.seating import checked_bot, checked_seat, seat_joining


def undo(decision: Decision, member: str, command: cmd.Undo) -> None:
    """Take back the last move of a person's seats and all after it, or ask the others to agree.

    So it is the person's own turn again, however many moves bots have made since. It is each move
    that counts, not the turn: after a box a person takes back the move that won it.
    """
    room, state = decision.room, running(decision.room)
    seats = [seat for seat in room.seats_of(member) if seat not in state.withdrawn]
    if not seats:
        raise refusal("not_your_seat.undo")
    _check_takebacks_are_on(room.settings)
    check_position(room, command)
    _check_none_is_pending(room, member)
    if not room.takebacks_left:
        raise refusal("no_takebacks_left", n=room.settings.takebacks)
    found = _before_last_move_of(room, seats)
    if found is None:
        raise refusal("nothing_to_undo")
    others = room.others_in_game(member)
    _check_nobody_is_away(room, others)
    keeps, position = found
    if others:
        decision.add(ev.UndoAsked(member, keeps))
    else:
        decision.add_undone(member, keeps, position)


def _check_takebacks_are_on(settings: Settings) -> None:
    if settings.clock_s is not None:
        raise refusal("takebacks_off.clock")
    if not settings.takebacks:
        raise refusal("takebacks_off")


def _before_last_move_of(room: Room, seats: list[Seat]) -> tuple[int, State] | None:
    """Return the position before the last move of `seats`, and the number of moves up to it.

    None if there is no such move since the last withdrawal, which is never taken back, nor is the
    opening.
    """
    assert room.state is not None
    state, found = position_after(room, room.opening), None
    for number, token in enumerate(room.tokens[room.opening :], room.opening):
        if token.startswith("~"):
            found = None
        elif state.to_move in seats:
            found = number, state
        state = play_token(state, token)
    return found


def nudge(decision: Decision, member: str, command: cmd.Nudge) -> None:
    """Nudge the player who is to move, and has been thinking for a while."""
    room, state = decision.room, running(decision.room)
    seat = checked_seat(room, command.seat)
    sleeper = _sleeper(room, state, seat, member, refusal("yourself.nudge"))
    if not room.is_connected(room.seats[seat].member):
        raise refusal("absent_player.nudge", name=sleeper)
    due_ms = max(room.turn_since_ms or 0, room.nudged_ms or 0) + NUDGE_AFTER_MS
    if decision.now_ms < due_ms:
        raise refusal("too_early.nudge", name=sleeper, n=_seconds_until(due_ms, decision.now_ms))
    decision.add(ev.Nudged(member, seat))


def _seconds_until(due_ms: int, now_ms: int) -> int:
    """Return the seconds until `due_ms`, with a begun one as a whole one."""
    return -((now_ms - due_ms) // 1000)


def stand_in(decision: Decision, member: str, command: cmd.StandIn) -> None:
    """Let a bot play for a player who has been thinking for long, or ask the others to agree."""
    room, state = decision.room, running(decision.room)
    seat = checked_seat(room, command.seat)
    sleeper = _sleeper(room, state, seat, member, refusal("yourself.stand_in"))
    is_host = member == room.host
    if not (is_host or member in room.others_in_game()):
        raise refusal("not_a_player.stand_in")
    _check_thinking_time(decision, sleeper)
    limits = decision.limits
    bot = limits.stand_in if command.bot is None else checked_bot(decision, command.bot)
    others = () if is_host else room.others_in_game(member, room.seats[seat].member)
    if _is_granted(decision, others, ev.StandInAsked(member, seat, bot)):
        decision.add(ev.StoodIn(seat, bot))


def _sleeper(room: Room, state: State, seat: Seat, member: str, yourself: CommandRefused) -> str:
    """Return the name of the player of `seat`; refuse all but the other person who is to move."""
    holder = room.seats[seat]
    name = holder.name or "?"
    if holder.member is None or holder.bot is not None:
        raise refusal("no_change.bot_plays", name=name)
    if holder.member == member:
        raise yourself
    if seat != state.to_move:
        raise refusal("not_to_move", name=name)
    return name


def _check_thinking_time(decision: Decision, sleeper: str) -> None:
    """Refuse to act before the player to move has been thinking for as long as the room says."""
    room = decision.room
    if room.turn_since_ms is None:
        return  # of a version that didn't know it
    due_ms = room.turn_since_ms + room.settings.stand_in_s * 1000
    if decision.now_ms < due_ms:
        left_s = _seconds_until(due_ms, decision.now_ms)
        raise refusal("too_early.stand_in", name=sleeper, n=left_s)


def abort(decision: Decision, member: str) -> None:
    """End the game without a winner, or ask the other people in it to agree."""
    room = decision.room
    running(room)
    others = room.others_in_game(member)
    if member not in room.others_in_game() and (others or member != room.host):
        raise refusal("not_a_player.abort")
    if _is_granted(decision, others, ev.AbortAsked(member)):
        _abort(decision, member)


def _abort(decision: Decision, member: str) -> None:
    joining = decision.room.joining_next()
    decision.abort(member)
    seat_joining(decision, joining)
    for name in joining:
        # All seats are held, such as by people who are gone: the start gives one to who has voted.
        if not decision.room.is_player(name) and decision.room.can_vote(name):
            decision.add(ev.RematchWanted(name))


def pause(decision: Decision, member: str) -> None:
    """Pause the game, or ask the other people in it to agree."""
    room = decision.room
    running(room)
    if room.pause is not None:
        raise refusal("no_change.paused")
    is_host = member == room.host
    if not (is_host or member in room.others_in_game()):
        raise refusal("not_a_player.pause")
    others = () if is_host else room.others_in_game(member)
    if _is_granted(decision, others, ev.PauseAsked(member)):
        decision.add(ev.Paused(member))


def unpause(decision: Decision, member: str) -> None:
    """Go on with a paused game."""
    room = decision.room
    running(room)
    if room.pause is None:
        raise refusal("no_change.unpaused")
    if member not in room.unpausers():
        raise paused(room)
    decision.add(ev.Unpaused(member))


def paused(room: Room) -> CommandRefused:
    """Return the refusal of a command that has to wait until the pause is over."""
    names = room.unpausers()
    return refusal("paused", names=names) if names else refusal("paused.alone")


def _is_granted(
    decision: Decision,
    others: tuple[str, ...],
    asked: ev.StandInAsked | ev.AbortAsked | ev.PauseAsked,
) -> bool:
    """Return True if no `others` decide on a request; if they do, add the event that asks them."""
    if not others:
        return True
    _check_none_is_pending(decision.room, asked.member)
    _check_nobody_is_away(decision.room, others)
    decision.add(asked)
    return False


def _check_none_is_pending(room: Room, member: str) -> None:
    asked = room.request
    if asked is None:
        return
    if asked.member == member:
        raise refusal("no_change.request")
    if isinstance(asked, UndoRequest):
        raise refusal("undo_pending", name=asked.member)
    raise refusal("request_pending", name=asked.member)


def _check_nobody_is_away(room: Room, deciding: tuple[str, ...]) -> None:
    away = next((name for name in deciding if not room.is_connected(name)), None)
    if away is not None:
        raise refusal("absent_player.request", name=away)


def answer_undo(decision: Decision, member: str, command: cmd.AnswerUndo) -> None:
    """Count an answer to a request for a takeback; with the last consent take the moves back."""
    room = decision.room
    running(room)
    asked, game = room.undo, command.game or room.game_number
    if asked is None or (command.ply, game) != (asked.ply, room.game_number):
        raise refusal("stale.undo")
    if _is_last_consent(decision, member, ev.UndoAgreed, ev.UndoDeclined, agree=command.agree):
        decision.add_undone(asked.member, asked.keeps, position_after(room, asked.keeps))


def answer(decision: Decision, member: str, command: cmd.Answer) -> None:
    """Count an answer to another request; with the last consent grant it."""
    room = decision.room
    running(room)
    asked = room.request
    if (
        not isinstance(asked, StandInRequest | AbortRequest | PauseRequest)
        or asked.since != command.since
    ):
        raise refusal("stale.request")
    if not _is_last_consent(decision, member, ev.Agreed, ev.Declined, agree=command.agree):
        return
    match asked:
        case StandInRequest():
            decision.add(ev.StoodIn(asked.seat, asked.bot))
        case AbortRequest():
            _abort(decision, asked.member)
        case PauseRequest():
            decision.add(ev.Paused(asked.member))


def _is_last_consent(
    decision: Decision,
    member: str,
    agreed: type[ev.UndoAgreed | ev.Agreed],
    declined: type[ev.UndoDeclined | ev.Declined],
    *,
    agree: bool,
) -> bool:
    """Return True if all have agreed with this answer; if not, add the event of the answer."""
    room = decision.room
    asked, deciding = room.request, room.deciding
    assert asked is not None
    if member not in deciding and (member != asked.member or agree):
        raise refusal("not_a_player.request")
    if not agree:
        decision.add(declined(member))
        return False
    if member in asked.agreed:
        raise refusal("no_change.agreed")
    if set(deciding) <= {*asked.agreed, member} or _can_grant_alone(room, member):
        return True
    decision.add(agreed(member))
    return False


def _can_grant_alone(room: Room, member: str) -> bool:
    """Return True if `member` is the host, who could do what is asked without asking."""
    return member == room.host and isinstance(room.request, StandInRequest | PauseRequest)
