"""What a command leads to: `decide` is the whole of a room's rules.

It is pure: the same room, command, time and house give the same answer, and nothing changes.
The rules stand by subject in `membership`, `seating` and `playing`; here is who may ask what.
docs/room.md is the table.
"""

from typing import assert_never

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room import membership, playing, seating
from boxroom_engine.room.draft import Draft
from boxroom_engine.room.house import RoomLimits
from boxroom_engine.room.refusal import Refusal, Refused
from boxroom_engine.room.room import ChatTo, Phase, Room
from boxroom_engine.room.text import clean


def decide(room: Room, command: cmd.Command, now_ms: int, house: RoomLimits) -> Draft | Refusal:
    """The events that `command` leads to (none if its wish is fulfilled), or a refusal.

    With the events comes the room after them, which is the same as if `evolve` folded them.

    A command that was accepted before must not come here again: ask `accepted_seq` first.
    """
    draft = Draft(room, now_ms, house)
    try:
        _decide(draft, command)
    except Refused as refused:
        return refused.refusal
    return draft


def accepted_seq(room: Room, member: str, command_id: int) -> int | None:
    """The seq that an accepted command of `member` led to, or None if none has this id."""
    newest = room.accepted.get(member)
    if newest is None or command_id > newest.id:
        return None
    return next((link.seq for link in newest.chain() if link.id == command_id), None)


def last_accepted_id(room: Room, member: str) -> int:
    """The greatest id of an accepted command of `member`, or 0; the next one lies above it."""
    newest = room.accepted.get(member)
    return newest.id if newest is not None else 0


def _decide(draft: Draft, command: cmd.Command) -> None:
    match command:
        case cmd.Asked():
            _decide_asked(draft, command.member, command.command)
        case cmd.PlayFor():
            playing.play_for(draft, command)
        case cmd.Create():
            membership.create(draft, command)
        case cmd.Enter():
            membership.enter(draft, command)
        case cmd.Drop():
            membership.drop(draft, command)
        case cmd.Expel():
            membership.expel(draft, command)
        case cmd.EndGrace():
            membership.end_grace(draft, command)
        case cmd.Wake():
            membership.wake(draft, command)
        case _:
            assert_never(command)


def _decide_asked(draft: Draft, member: str, command: cmd.AnyMemberCommand) -> None:
    if not draft.room.is_connected(member):
        raise Refused("not_a_member", "you aren't in this room")
    _check_grows(draft.room, member, command.id)
    match command:
        case cmd.Play():
            playing.play(draft, member, command)
        case cmd.AskHint():
            playing.ask_hint(draft, member, command)
        case cmd.Say():
            _say(draft, member, command)
        case cmd.Resign():
            playing.resign(draft, member, command)
        case cmd.Leave():
            membership.leave(draft, member)
        case cmd.Sit():
            seating.sit(draft, member, command)
        case cmd.Stand():
            seating.stand(draft, member, command)
        case cmd.Rematch():
            playing.rematch(draft, member)
        case _:
            _decide_for_host(draft, member, command)


BetweenGames = cmd.Start | cmd.Configure | cmd.SeatBot | cmd.Fill | cmd.Unseat
HostCommand = BetweenGames | cmd.Kick | cmd.HandOver


def _decide_for_host(draft: Draft, member: str, command: HostCommand) -> None:
    if member != draft.room.host:
        raise Refused("not_host", f"only the host can do that: {draft.room.host or 'nobody now'}")
    match command:
        case cmd.Kick():
            membership.kick(draft, member, command)
        case cmd.HandOver():
            membership.hand_over(draft, member, command)
        case _:
            _decide_between_games(draft, command)


def _decide_between_games(draft: Draft, command: BetweenGames) -> None:
    if draft.room.phase is Phase.PLAYING:
        raise Refused("game_on", "a game is on: that has to wait until it is over")
    match command:
        case cmd.Start():
            playing.start(draft)
        case cmd.Configure():
            playing.configure(draft, command)
        case cmd.SeatBot():
            seating.seat_bot(draft, command)
        case cmd.Fill():
            seating.fill(draft, command)
        case cmd.Unseat():
            seating.unseat(draft, command)
        case _:
            assert_never(command)


def _check_grows(room: Room, member: str, command_id: int) -> None:
    """Ids only grow, so that a repeat is known for one however long ago its first time was."""
    newest = room.accepted.get(member)
    if newest is not None and command_id <= newest.id:
        raise Refused(
            "too_old", f"ids only grow: {newest.id} was accepted, so {command_id} is too old"
        )


def _say(draft: Draft, member: str, command: cmd.Say) -> None:
    text = clean(command.text)
    most = draft.house.chat_chars
    if not text:
        raise Refused("empty_text", "there is nothing to say in that line")
    if len(text) > most:
        raise Refused("too_long", f"a line has at most {most} characters, and that has {len(text)}")
    to = command.to
    if to is ChatTo.SPECTATORS and draft.room.is_player(member):
        raise Refused("not_a_spectator", "you play: only spectators talk among themselves")
    if draft.room.phase is not Phase.PLAYING:
        to = ChatTo.ALL  # there is no game to keep it from
    draft.add(ev.Said(member, text, draft.now_ms, to))
