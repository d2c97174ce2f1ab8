"""What a run of many clients says about itself, and the judge of it. No socket, no clock here.

A `History` is what clients asked, what they were answered, and what they were told of the
room. `violations` holds it against what is promised, whatever went on meanwhile:

- every client was told one and the same log, each a part of it without gap or repeat, and was
  shown what the log comes to where it wasn't told of it event by event;
- what was acknowledged is in that log, as what was asked, and in it once;
- what was refused is not in it, and no command was answered in two ways;
- the log, folded, is the room that the server shows in the end.

So it is in the spirit of Jepsen: the checker knows nothing of how the system works inside.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Audience
from boxroom_engine.room.view import Snapshot, room_from_snapshot, snapshot
from boxroom_engine.wire.messages import Done, Refused


class Told(NamedTuple):
    """Event number `seq`, as somebody was told it."""

    seq: int
    event: ev.Event


class Answered(NamedTuple):
    """What came back for the command with this id."""

    id: int
    answer: Done | Refused


@dataclass(frozen=True, slots=True)
class Account:
    """What one member has to say: what it asked and heard, in its own order."""

    member: str
    asked: tuple[cmd.AnyMemberCommand, ...] = ()
    answers: tuple[Answered, ...] = ()
    told: tuple[tuple[Told, ...], ...] = ()
    """Stretches of events: a new one begins where it was shown a snapshot."""
    shown: tuple[Snapshot, ...] = ()
    """Those snapshots, in the same order."""


@dataclass(frozen=True, slots=True)
class History:
    """All accounts of one room's log, with a snapshot of its beginning and one of its end.

    Both are as a spectator sees them, and what spectators say isn't part of a history: for
    everybody in it every event is the same.
    """

    began: Snapshot
    ended: Snapshot
    accounts: tuple[Account, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken promise, in words."""

    promise: str
    what: str


def violations(history: History) -> list[Violation]:
    """All that is wrong with `history`; nothing, if every promise was kept."""
    log = _merged(history)
    return [
        *_disagreements(history),
        *_gaps(history),
        *_lost(history, log),
        *_second_effects(history, log),
        *_two_answers(history),
        *_refused_yet_done(history, log),
        *_other_end(history, log),
    ]


def _merged(history: History) -> dict[int, ev.Event]:
    """The log, as the first who was told each event has it, or was shown a line of chat."""
    log: dict[int, ev.Event] = {}
    for account in history.accounts:
        for told in _all_told(account):
            log.setdefault(told.seq, told.event)
    for snapshots in _all_shown(history).values():
        for line in snapshots[0].chat:
            said = ev.Said(line.member, line.text, line.at_ms, line.to)
            log.setdefault(line.seq, said)
    return log


def _all_told(account: Account) -> Iterator[Told]:
    return (told for stretch in account.told for told in stretch)


def _disagreements(history: History) -> Iterator[Violation]:
    """Two were told something else under the same number."""
    first: dict[int, tuple[str, ev.Event]] = {}
    for account in history.accounts:
        for seq, event in _all_told(account):
            member, other = first.setdefault(seq, (account.member, event))
            if event != other:
                what = f"{seq} is {other} for {member} and {event} for {account.member}"
                yield Violation("one order for all", what)


def _gaps(history: History) -> Iterator[Violation]:
    """Somebody was told numbers that don't follow on each other, or nobody one of them."""
    for account in history.accounts:
        for stretch in account.told:
            for before, after in pairwise(stretch):
                if after.seq != before.seq + 1:
                    what = f"{account.member} was told {after.seq} after {before.seq}"
                    yield Violation("no gap and no repeat", what)
        for seen, stretch in zip(account.shown, account.told, strict=False):
            if stretch and stretch[0].seq != seen.seq + 1:
                what = f"{account.member} was told {stretch[0].seq} after a snapshot of {seen.seq}"
                yield Violation("no gap and no repeat", what)
    log = _merged(history)
    last_shown = max(_all_shown(history), default=0)
    for seq in range(history.began.seq + 1, history.ended.seq + 1):
        if seq not in log and seq > last_shown:
            yield Violation("no gap and no repeat", f"nobody was told or shown {seq}")
    for seq in log:
        if seq > history.ended.seq:
            yield Violation("nothing is lost", f"{seq} was told, and isn't in the room's log")


def _lost(history: History, log: dict[int, ev.Event]) -> Iterator[Violation]:
    """Something was acknowledged that isn't where the answer says."""
    last_shown = max(_all_shown(history), default=0)
    for account in history.accounts:
        commands = {command.id: command for command in account.asked}
        for id, answer in account.answers:
            if not isinstance(answer, Done):
                continue
            if answer.seq not in log and answer.seq <= last_shown:
                continue  # nobody was told, so nobody can say what that was
            command = commands[id]
            entry = [log.get(answer.seq - back) for back in range(_longest_entry(command))]
            if not any(_is_effect(event, account.member, command) for event in entry if event):
                what = f"{account.member}'s {command} was done by {answer.seq}, which is {entry}"
                yield Violation("nothing is lost", what)


def _longest_entry(command: cmd.AnyMemberCommand) -> int:
    """How many events `command` leads to at most: a last move also ends the game."""
    return 3 if isinstance(command, cmd.Play) else 1


def _is_effect(event: ev.Event, member: str, command: cmd.AnyMemberCommand) -> bool:
    """Whether `event` is what `command` of `member` asks for: chat, a start or a move."""
    match command, event:
        case cmd.Say(), ev.Said():
            return (event.member, event.text) == (member, command.text)
        case cmd.Start(), ev.Started():
            return True
        case cmd.Play(), ev.Played():
            return (event.seat, event.move) == (command.seat, command.move)
        case _:
            return False


def _second_effects(history: History, log: dict[int, ev.Event]) -> Iterator[Violation]:
    """A line was said twice, or an edge drawn twice in a game, however often it was asked."""
    lines: Counter[tuple[str, str]] = Counter()
    moves: Counter[tuple[int, str]] = Counter()
    game = history.began.game_number
    shown = _all_shown(history)
    for seq in sorted({*log, *shown}):
        match log.get(seq):
            case ev.Said(member, text):
                lines[member, text] += 1
            case ev.Started(number):
                game = number
            case ev.Played(_, move):
                moves[game, move] += 1
            case _:
                pass
        if seq in shown:  # its start may be among what nobody was told
            game = shown[seq][0].game_number
    for times in (lines, moves):
        for key, number in times.items():
            if number > 1:
                yield Violation("no second effect", f"{key} happened {number} times")


def _two_answers(history: History) -> Iterator[Violation]:
    """The same command was done by one event and later by another, or not done after all."""
    for account in history.accounts:
        answers: defaultdict[int, list[Done | Refused]] = defaultdict(list)
        for id, answer in account.answers:
            answers[id].append(answer)
        for id, got in answers.items():
            seqs = [answer.seq if isinstance(answer, Done) else None for answer in got]
            if len(set(seqs)) > 1:
                yield Violation("one answer", f"{account.member}'s {id} was answered {got}")


def _refused_yet_done(history: History, log: dict[int, ev.Event]) -> Iterator[Violation]:
    """A line was refused, and was said all the same. (Who else draws an edge isn't told apart.)"""
    said = {(event.member, event.text) for event in log.values() if isinstance(event, ev.Said)}
    for account in history.accounts:
        commands = {command.id: command for command in account.asked}
        for id, answer in account.answers:
            command = commands[id]
            if (
                isinstance(answer, Refused)
                and isinstance(command, cmd.Say)
                and (account.member, command.text) in said
            ):
                what = f"{account.member}'s {command} was refused as {answer.code}"
                yield Violation("what is refused changes nothing", what)


def _all_shown(history: History) -> dict[int, list[Snapshot]]:
    """The snapshots that anybody was shown, by the events up to which they go."""
    shown: defaultdict[int, list[Snapshot]] = defaultdict(list)
    for account in history.accounts:
        for seen in account.shown:
            shown[seen.seq].append(seen)
    return shown


def _other_end(history: History, log: dict[int, ev.Event]) -> Iterator[Violation]:
    """The log, folded, is another room than one that was shown, or than the one of the end.

    What nobody was told, because everybody there was away for long, is folded in a snapshot.
    """
    shown = _all_shown(history)
    shown[history.ended.seq] = [*shown.get(history.ended.seq, ()), history.ended]
    room = room_from_snapshot(history.began)
    while room.seq < history.ended.seq:
        seq = room.seq + 1
        if seq in log:
            try:
                room = evolve(room, log[seq])
            except (AssertionError, LookupError, ValueError) as error:
                yield Violation("the log is the room", f"it can't be folded at {seq}: {error!r}")
                return
        else:
            room = room_from_snapshot(shown[min(known for known in shown if known >= seq)][0])
        folded = snapshot(room, Audience.SPECTATOR)
        for seen in shown.get(room.seq, ()):
            if seen != folded:
                yield Violation("the log is the room", f"folded it is {folded}, not {seen}")
