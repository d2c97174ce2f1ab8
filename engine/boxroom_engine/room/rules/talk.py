"""Rules of talking: chat, private messages and reactions, all of which a host can mute."""

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import Decision, refusal
from boxroom_engine.room.room import ChatTo, Phase, Room
from boxroom_engine.room.rules.membership import find_here
from boxroom_engine.room.text import clean

MOST_AWAY_CHARS = 60
"""Most characters of a reason for being away, which is shown beside the name."""


def say(decision: Decision, member: str, command: cmd.Say) -> None:
    """Say something to all, or among spectators."""
    _check_not_muted(decision.room, member)
    text = _checked(decision, command.text)
    to = command.to
    if to is ChatTo.SPECTATORS and decision.room.is_player(member):
        raise refusal("not_a_spectator")
    if decision.room.phase is not Phase.PLAYING:
        to = ChatTo.ALL  # there is no game to keep it from
    speaker = _speaker(decision.room, member)
    decision.add(ev.Said(member, text, decision.now_ms, to, speaker, command.action))


def tell(decision: Decision, member: str, command: cmd.Tell) -> None:
    """Say something to one other member, who has to be here."""
    _check_not_muted(decision.room, member)
    text, room = _checked(decision, command.text), decision.room
    to = find_here(room, member, command.to, refusal("yourself.tell"))
    persons = room.members[member].person, room.members[to].person
    decision.add(ev.Told(member, to, text, decision.now_ms, _speaker(room, member), persons))


def react(decision: Decision, member: str, command: cmd.React) -> None:
    """Show a reaction to all."""
    _check_not_muted(decision.room, member)
    decision.add(ev.Reacted(member, command.reaction, _speaker(decision.room, member)))


def go_away(decision: Decision, member: str, command: cmd.GoAway) -> None:
    """Note that a member isn't at the keyboard, or is back; that changes nothing else."""
    if command.text is None:
        if decision.room.members[member].away is None:
            raise refusal("no_change.away")
        decision.add(ev.CameBack(member))
        return
    text, most = clean(command.text), min(MOST_AWAY_CHARS, decision.limits.chat_chars)
    if len(text) > most:
        raise refusal("too_long.away", n=most, length=len(text))
    if text:
        _check_not_muted(decision.room, member)
    decision.add(ev.WentAway(member, text))


def _check_not_muted(room: Room, member: str) -> None:
    if member in room.muted:
        raise refusal("muted")


def _checked(decision: Decision, text: str) -> str:
    """Return `text` cleaned, or refuse it."""
    cleaned, most = clean(text), decision.limits.chat_chars
    if not cleaned:
        raise refusal("empty_text")
    if len(cleaned) > most:
        raise refusal("too_long", n=most, length=len(cleaned))
    return cleaned


def _speaker(room: Room, member: str) -> str:
    """Return the player of `member` whose turn it is, else all of them; "" for the member itself.

    Several people may sit at the member's keyboard, and the one to move has it most likely.
    """
    mine = room.seats_of(member)
    to_move = None if room.running is None else room.running.to_move
    names = [room.seats[seat].name or member for seat in ([to_move] if to_move in mine else mine)]
    return "" if names == [member] else ", ".join(names)
