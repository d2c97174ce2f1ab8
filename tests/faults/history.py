"""Record of a run of many clients, and the checker of it. It has no socket and no clock.

A `History` is what clients asked, what they were answered, and what they received of the room.
`violations` checks it against what is promised, whatever went on meanwhile:

- every client received one and the same log, each a part of it without gap or repeat, and where
  it received a snapshot instead of the events, the snapshot is what the log comes to;
- what was acknowledged is in that log, as it was asked, and in it once;
- what was refused is not in it, and no command was answered in two ways;
- the log, folded, is the room that the server shows in the end.

A client without takebacks receives hidden events about them, and snapshots with other numbers.

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


class ReceivedEvent(NamedTuple):
    """Event number `seq`, as one client received it."""

    seq: int
    event: ev.Event
    at_ms: int


class ReceivedAnswer(NamedTuple):
    """Answer that a client received to the command with this id."""

    id: int
    answer: Done | Refused


@dataclass(frozen=True, slots=True)
class ClientHistory:
    """Record of one member: what it sent and received, in its own order."""

    member: str
    commands: tuple[cmd.AnyMemberCommand, ...] = ()
    answers: tuple[ReceivedAnswer, ...] = ()
    events: tuple[tuple[ReceivedEvent, ...], ...] = ()
    """Stretches of events: a new one begins after every snapshot."""
    snapshots: tuple[Snapshot, ...] = ()
    """Snapshots that it received, in the same order."""


@dataclass(frozen=True, slots=True)
class History:
    """Records of all clients of one room, with snapshots of its beginning and of its end.

    Both are as a spectator sees them, and what spectators say isn't part of a history: every
    event is the same for all its clients.
    """

    began: Snapshot
    ended: Snapshot
    clients: tuple[ClientHistory, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken promise, in words."""

    promise: str
    text: str


def violations(history: History) -> list[Violation]:
    """Return all that is wrong with `history`; nothing, if every promise was kept."""
    log = _merged(history)
    return [
        *_disagreements(history),
        *_gaps(history),
        *_lost(history, log),
        *_second_effects(history, log),
        *_two_answers(history),
        *_other_order(history),
        *_refused_yet_done(history, log),
        *_other_end(history, log),
    ]


def _merged(history: History) -> dict[int, ev.Event]:
    """Return the log: each event as the first client has it that received it, or saw its chat."""
    log: dict[int, ev.Event] = {}
    for client in history.clients:
        for received in _all_events(client):
            log.setdefault(received.seq, received.event)
    for snapshots in _all_snapshots(history).values():
        for line in snapshots[0].chat:
            said = ev.Said(line.member, line.text, line.at_ms, line.to)
            log.setdefault(line.seq, said)
    return log


def _all_events(client: ClientHistory) -> Iterator[ReceivedEvent]:
    """Yield the events that `client` received, without those that were hidden from it."""
    all_events = (received for stretch in client.events for received in stretch)
    return (received for received in all_events if not isinstance(received.event, ev.Hidden))


def _disagreements(history: History) -> Iterator[Violation]:
    """Find numbers under which two clients received different events."""
    first: dict[int, tuple[str, ev.Event]] = {}
    for client in history.clients:
        for seq, event, _ in _all_events(client):
            member, other = first.setdefault(seq, (client.member, event))
            if event != other:
                text = f"{seq} is {other} for {member} and {event} for {client.member}"
                yield Violation("one order for all", text)


def _gaps(history: History) -> Iterator[Violation]:
    """Find events that a client received out of order, and events that no client received."""
    for client in history.clients:
        for stretch in client.events:
            for before, after in pairwise(stretch):
                if after.seq != before.seq + 1:
                    text = f"{client.member} received {after.seq} after {before.seq}"
                    yield Violation("no gap and no repeat", text)
        for seen, stretch in zip(client.snapshots, client.events, strict=False):
            if stretch and stretch[0].seq != seen.seq + 1:
                text = f"{client.member} received {stretch[0].seq} after a snapshot of {seen.seq}"
                yield Violation("no gap and no repeat", text)
    log = _merged(history)
    last_snapshot_seq = max(_all_snapshots(history), default=0)
    for seq in range(history.began.seq + 1, history.ended.seq + 1):
        if seq not in log and seq > last_snapshot_seq:
            yield Violation("no gap and no repeat", f"no client received {seq}")
    for seq in log:
        if seq > history.ended.seq:
            yield Violation("nothing is lost", f"{seq} was received, and isn't in the room's log")


def _lost(history: History, log: dict[int, ev.Event]) -> Iterator[Violation]:
    """Find acknowledged commands whose effect isn't where the answer says."""
    last_snapshot_seq = max(_all_snapshots(history), default=0)
    for client in history.clients:
        commands = {command.id: command for command in client.commands}
        for id, answer in client.answers:
            if not isinstance(answer, Done):
                continue
            if answer.seq not in log and answer.seq <= last_snapshot_seq:
                continue  # no client received it, so none can say what it was
            command = commands[id]
            entry = [log.get(answer.seq - back) for back in range(_longest_entry(command))]
            if not any(_is_effect(event, client.member, command) for event in entry if event):
                text = f"{client.member}'s {command} was done by {answer.seq}, which is {entry}"
                yield Violation("nothing is lost", text)


def _longest_entry(command: cmd.AnyMemberCommand) -> int:
    """Return the most events that `command` leads to: also those with which a game ends."""
    return 3 if isinstance(command, cmd.Play | cmd.Abort | cmd.Answer) else 1


def _is_effect(event: ev.Event, member: str, command: cmd.AnyMemberCommand) -> bool:
    """Whether `event` is what `command` of `member` asks for."""
    match command, event:
        case cmd.Say(), ev.Said():
            return (event.member, event.text) == (member, command.text)
        case cmd.Start(), ev.Started():
            return True
        case cmd.Play(), ev.Played():
            return (event.seat, event.move) == (command.seat, command.move)
        case cmd.Undo(), ev.UndoAsked() | ev.Undone():
            return event.member == member
        case cmd.AnswerUndo(agree=False), ev.UndoDeclined():
            return event.member == member
        case cmd.AnswerUndo(agree=True), ev.UndoAgreed():
            return event.member == member
        case cmd.AnswerUndo(agree=True), ev.Undone():
            return event.member != member
        case cmd.Abort(), ev.AbortAsked() | ev.Aborted():
            return event.member == member
        case cmd.Answer(agree=False), ev.Declined():
            return event.member == member
        case cmd.Answer(agree=True), ev.Agreed():
            return event.member == member
        case cmd.Answer(agree=True), ev.Aborted():
            return event.member != member
        case _:
            return False


def _second_effects(history: History, log: dict[int, ev.Event]) -> Iterator[Violation]:
    """Find lines of chat that were said twice, and edges that were drawn while they stood."""
    lines: Counter[tuple[str, str]] = Counter()
    moves: list[str] = [*history.began.tokens]
    shown = _all_snapshots(history)
    for seq in sorted({*log, *shown}):
        match log.get(seq):
            case ev.Said(member, text):
                lines[member, text] += 1
            case ev.Started():
                moves = []
            case ev.Played(_, move):
                if move in moves:
                    yield Violation("no second effect", f"{move} was drawn again by {seq}")
                moves.append(move)
            case ev.Withdrew(seat):
                moves.append(f"~{seat}")
            case ev.Undone(keeps=keeps):
                del moves[keeps:]
            case _:
                pass
        if seq in shown:  # earlier moves may be among the events that no client received
            moves = [*shown[seq][0].tokens]
    for key, number in lines.items():
        if number > 1:
            yield Violation("no second effect", f"{key} happened {number} times")


def _two_answers(history: History) -> Iterator[Violation]:
    """Find commands that were done by two events, or were done and refused."""
    for client in history.clients:
        answers: defaultdict[int, list[Done | Refused]] = defaultdict(list)
        for id, answer in client.answers:
            answers[id].append(answer)
        for id, got in answers.items():
            seqs = [answer.seq if isinstance(answer, Done) else None for answer in got]
            if len(set(seqs)) > 1:
                yield Violation("one answer", f"{client.member}'s {id} was answered {got}")


def _other_order(history: History) -> Iterator[Violation]:
    """Find commands of one member that were done in another order than it sent them."""
    for client in history.clients:
        done = {id: answer.seq for id, answer in client.answers if isinstance(answer, Done)}
        for (before, seq), (after, after_seq) in pairwise(sorted(done.items())):
            if after_seq < seq:
                text = f"{client.member}'s {before} was done by {seq}, and {after} by {after_seq}"
                yield Violation("done as sent", text)


def _refused_yet_done(history: History, log: dict[int, ev.Event]) -> Iterator[Violation]:
    """Find lines of chat that were refused and yet said. (Edges may be drawn by another member.)"""
    said = {(event.member, event.text) for event in log.values() if isinstance(event, ev.Said)}
    for client in history.clients:
        commands = {command.id: command for command in client.commands}
        for id, answer in client.answers:
            command = commands[id]
            if (
                isinstance(answer, Refused)
                and isinstance(command, cmd.Say)
                and (client.member, command.text) in said
            ):
                text = f"{client.member}'s {command} was refused as {answer.code}"
                yield Violation("what is refused changes nothing", text)


def _all_snapshots(history: History) -> defaultdict[int, list[Snapshot]]:
    """Return the snapshots of all clients, by their last events' numbers."""
    shown: defaultdict[int, list[Snapshot]] = defaultdict(list)
    for client in history.clients:
        for seen in client.snapshots:
            shown[seen.seq].append(seen)
    return shown


def _other_end(history: History, log: dict[int, ev.Event]) -> Iterator[Violation]:
    """Find snapshots, the one of the end included, that aren't what the log folds to.

    Events that no client received, because all were away for long, are taken from a snapshot.
    """
    shown = _all_snapshots(history)
    shown[history.ended.seq].append(history.ended)
    times = {seq: event.at_ms for seq, event in log.items() if isinstance(event, ev.Said)}
    times |= {it.seq: it.at_ms for client in history.clients for it in _all_events(client)}
    room = room_from_snapshot(history.began)
    while room.seq < history.ended.seq:
        seq = room.seq + 1
        if seq in log:
            try:
                room = evolve(room, log[seq], times[seq])
            except (AssertionError, LookupError, ValueError) as error:
                yield Violation("the log is the room", f"it can't be folded at {seq}: {error!r}")
                return
        else:
            room = room_from_snapshot(shown[min(known for known in shown if known >= seq)][0])
        folded = snapshot(room, Audience.SPECTATOR)
        for seen in shown.get(room.seq, ()):
            if seen != folded:
                yield Violation("the log is the room", f"folded it is {folded}, not {seen}")
