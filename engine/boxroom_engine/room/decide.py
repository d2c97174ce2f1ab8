"""The rules of a room: `decide` turns a command into events, or refuses it.

It is pure: the same room, command, time and limits give the same answer, and nothing changes.
The rules stand by subject in `rules`; this module checks which member may give which command, and
when. docs/reference/room.md is the table.
"""

from typing import assert_never

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused, Decision, refusal
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.room.rules import coaching, membership, playing, requests, seating, talk

LAST_COMMANDS = frozenset({cmd.Play, cmd.Resign, cmd.Stand, cmd.Leave, cmd.Unpause})
"""Commands of members that never begin something; see `begins_something`."""


def decide(room: Room, command: cmd.Command, now_ms: int, limits: RoomLimits) -> Decision:
    """Return the events that `command` leads to, with the room after them.

    A member's command leads to events or is refused: so the log has each accepted one, by its id.
    A command of the server leads to none if the room is already as it wants it. The room is the
    same as if `evolve` applied the events. Don't pass a command that was accepted before: ask
    `AcceptedCommands` first.

    Raises:
        CommandRefused: the rules don't allow `command`.
    """
    link = command.link if isinstance(command, cmd.FromMember | cmd.Enter) else ""
    decision = Decision(room, now_ms, limits, link=link)
    _decide(decision, command)
    if decision.room.seats is not room.seats:
        coaching.end_where_impossible(decision)
    return decision


def begins_something(room: Room, command: cmd.AnyMemberCommand) -> bool:
    """Return whether `command` is more than the rest of a game that is on, or of a membership.

    A room that has had its events refuses it. During a game, to sit is to take a seat back.
    """
    if type(command) is cmd.Sit:
        return room.phase is not Phase.PLAYING
    return type(command) not in LAST_COMMANDS


_STOPPED_BY_PAUSE = (
    *(cmd.Play, cmd.AskHint, cmd.Undo, cmd.Nudge, cmd.StandIn),
    *(cmd.PlayFor, cmd.EndGrace),
)
"""Commands that move, or that count time."""


def _check_not_stopped(room: Room, command: cmd.AnyMemberCommand | cmd.Command) -> None:
    if room.pause is not None and isinstance(command, _STOPPED_BY_PAUSE):
        raise requests.paused(room)


def _decide(decision: Decision, command: cmd.Command) -> None:
    _check_not_stopped(decision.room, command)
    match command:
        case cmd.FromMember():
            _decide_for_member(decision, command.member, command.command)
        case cmd.PlayFor():
            playing.play_for(decision, command)
        case cmd.Create():
            membership.create(decision, command)
        case cmd.Enter():
            membership.enter(decision, command)
        case cmd.Drop():
            membership.drop(decision, command)
        case cmd.Expel():
            membership.expel(decision, command)
        case cmd.EndGrace():
            membership.end_grace(decision, command)
        case cmd.Wake():
            membership.wake(decision, command)
        case _:
            assert_never(command)


def _check_member(decision: Decision, member: str, command: cmd.AnyMemberCommand) -> None:
    """Refuse what a member can't do now, whatever the command says."""
    room, limits = decision.room, decision.limits
    if not room.is_connected(member):
        raise refusal("not_a_member")
    if room.seq >= limits.events and begins_something(room, command):
        raise refusal("room_ended", n=limits.events)
    _check_not_stopped(room, command)


def _decide_for_member(decision: Decision, member: str, command: cmd.AnyMemberCommand) -> None:
    _check_member(decision, member, command)
    if decision.room.members[member].away is not None and not isinstance(command, _KEEPS_AWAY):
        decision.add(ev.CameBack(member))
    _take_seats_back(decision, member, command)
    match command:
        case cmd.Play():
            playing.play(decision, member, command)
        case cmd.AskHint():
            playing.ask_hint(decision, member, command)
        case cmd.Coach():
            coaching.coach(decision, member, command)
        case cmd.Undo():
            requests.undo(decision, member, command)
        case cmd.AnswerUndo():
            requests.answer_undo(decision, member, command)
        case cmd.Nudge():
            requests.nudge(decision, member, command)
        case cmd.StandIn():
            requests.stand_in(decision, member, command)
        case cmd.Abort():
            requests.abort(decision, member)
        case cmd.Pause():
            requests.pause(decision, member)
        case cmd.Unpause():
            requests.unpause(decision, member)
        case cmd.Answer():
            requests.answer(decision, member, command)
        case cmd.Say():
            talk.say(decision, member, command)
        case cmd.Tell():
            talk.tell(decision, member, command)
        case cmd.React():
            talk.react(decision, member, command)
        case cmd.GoAway():
            talk.go_away(decision, member, command)
        case cmd.Resign():
            playing.resign(decision, member, command)
        case cmd.Leave():
            membership.leave(decision, member)
        case cmd.Sit():
            seating.sit(decision, member, command)
        case cmd.Stand():
            seating.stand(decision, member, command)
        case cmd.Rematch():
            playing.vote(decision, member)
        case _:
            _decide_for_host(decision, member, command)


_KEEPS_AWAY = (cmd.GoAway, cmd.Leave)
"""Commands of a member who isn't at the keyboard."""

_LEAVES_SEATS_TO_BOTS = (cmd.Play, cmd.Sit, cmd.Resign, cmd.Leave)
"""Commands about one seat, or that end the membership."""


def _take_seats_back(decision: Decision, member: str, command: cmd.AnyMemberCommand) -> None:
    """Give seats back in which bots stand in for `member`, who is there: a command has come."""
    if decision.room.running is None or isinstance(command, _LEAVES_SEATS_TO_BOTS):
        return
    for seat in decision.room.seats_of(member):
        if decision.room.seats[seat].bot is not None:
            decision.take_back(seat)


BetweenGames = cmd.Start | cmd.Configure | cmd.SeatBot | cmd.Fill | cmd.Unseat
HostCommand = BetweenGames | cmd.Kick | cmd.Unbar | cmd.Mute | cmd.Unmute | cmd.HandOver


def _decide_for_host(decision: Decision, member: str, command: HostCommand) -> None:
    host = decision.room.host
    if member != host:
        raise refusal("not_host", name=host) if host else refusal("not_host.none")
    match command:
        case cmd.Kick():
            membership.kick(decision, member, command)
        case cmd.Unbar():
            membership.unbar(decision, command)
        case cmd.Mute():
            membership.mute(decision, member, command)
        case cmd.Unmute():
            membership.unmute(decision, command)
        case cmd.HandOver():
            membership.hand_over(decision, member, command)
        case _:
            _decide_between_games(decision, member, command)


def _decide_between_games(decision: Decision, host: str, command: BetweenGames) -> None:
    if decision.room.phase is Phase.PLAYING:
        raise _game_on(decision.room, host)
    match command:
        case cmd.Start():
            playing.start(decision, command)
        case cmd.Configure():
            playing.configure(decision, command)
        case cmd.SeatBot():
            seating.seat_bot(decision, command)
        case cmd.Fill():
            seating.fill(decision, command)
        case cmd.Unseat():
            seating.unseat(decision, command)
        case _:
            assert_never(command)


def _game_on(room: Room, host: str) -> CommandRefused:
    """Return the refusal of a command between games, which says what is possible in this one."""
    seat = None if room.running is None else room.running.to_move
    holder = None if seat is None else room.seats[seat]
    is_other = holder is not None and holder.bot is None and holder.member not in (None, host)
    if holder is None or not is_other or room.pause is not None:
        return refusal("game_on")
    return refusal("game_on.stand_in", name=holder.name or "?")
