"""The checker of a run finds each kind of broken promise, and nothing where all are kept."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed
from tests.engine.room.hosting import HostedRoom
from tests.faults.history import ClientHistory, History, ReceivedAnswer, ReceivedEvent, violations

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Audience
from boxroom_engine.room.view import room_from_snapshot, snapshot
from boxroom_engine.wire.messages import Done, Refused

AT_MS = 1_000_000
"""The time of rooms of tests."""

ONE_ORDER = "one order for all"
NO_GAP = "no gap and no repeat"
NOTHING_LOST = "nothing is lost"
NO_SECOND_EFFECT = "no second effect"
ONE_ANSWER = "one answer"
DONE_AS_SENT = "done as sent"
REFUSED_IS_NOTHING = "what is refused changes nothing"
LOG_IS_ROOM = "the log is the room"


def good_history() -> History:
    """Return the history of a game of Ada and Bob on one box, with chat, watched by Cleo."""
    hosted = HostedRoom()
    began = snapshot(hosted.room, Audience.SPECTATOR)
    first = hosted.room.seq + 1
    commands: dict[str, list[cmd.AnyMemberCommand]] = {"Ada": [], "Bob": []}
    answers: dict[str, list[ReceivedAnswer]] = {"Ada": [], "Bob": []}

    def ask(member: str, command: cmd.AnyMemberCommand) -> None:
        answer = hosted.answer(cmd.FromMember(member, command))
        commands[member].append(command)
        if isinstance(answer, CommandRefused):
            refused = Refused(command.id, answer.code, str(answer))
            answers[member].append(ReceivedAnswer(command.id, refused))
        else:
            answers[member].append(ReceivedAnswer(command.id, Done(command.id, hosted.room.seq)))

    hosted.enter("Bob")
    hosted.enter("Cleo", watch=True)
    hosted.ask("Ada", cmd.Start)
    ask("Ada", cmd.Say(2, "good luck"))
    ask("Ada", cmd.Play(3, 0, "h0", 0))
    ask("Bob", cmd.Play(1, 1, "h0", 1))
    ask("Bob", cmd.Play(2, 1, "h1", 1))
    ask("Ada", cmd.Play(4, 0, "v0", 2))
    ask("Bob", cmd.Say(3, ""))
    ask("Bob", cmd.Play(4, 1, "v1", 3))
    ask("Ada", cmd.Say(5, "well played"))
    log = [event for entry in hosted.log for event in entry.events]
    events = tuple(received(seq, event) for seq, event in enumerate(log, 1) if seq >= first)
    return History(
        began,
        snapshot(hosted.room, Audience.SPECTATOR),
        (
            ClientHistory("Ada", tuple(commands["Ada"]), tuple(answers["Ada"]), (events,)),
            ClientHistory("Bob", tuple(commands["Bob"]), tuple(answers["Bob"]), (events[2:],)),
            ClientHistory("Cleo", events=(events[3:6], events[8:])),
        ),
    )


def with_client(history: History, client: ClientHistory) -> History:
    """Return `history` with another record of the same member."""
    others = (it for it in history.clients if it.member != client.member)
    return replace(history, clients=(*others, client))


def client_of(history: History, member: str) -> ClientHistory:
    return next(it for it in history.clients if it.member == member)


def with_log(
    history: History, change: Callable[[list[ReceivedEvent]], list[ReceivedEvent]]
) -> History:
    """Return `history` as if every client had received a log with this change."""
    clients = tuple(
        replace(client, events=tuple(tuple(change(list(stretch))) for stretch in client.events))
        for client in history.clients
    )
    return replace(history, clients=clients)


def broken(history: History) -> set[str]:
    """Return the promises that `history` breaks."""
    return {violation.promise for violation in violations(history)}


def seq_of(history: History, wanted: Callable[[ev.Event], bool]) -> int:
    """Return the number of the first event that is `wanted`."""
    return next(it.seq for it in client_of(history, "Ada").events[0] if wanted(it.event))


def test_a_good_history_breaks_nothing() -> None:
    assert violations(good_history()) == []


def test_somebody_was_told_something_else() -> None:
    history = good_history()
    cleo = client_of(history, "Cleo")
    (first, *rest), last = cleo.events
    lied = ((first._replace(event=ev.Rotated()), *rest), last)
    assert broken(with_client(history, replace(cleo, events=lied))) == {ONE_ORDER}


def test_two_were_told_the_same_in_another_order() -> None:
    history = good_history()
    bob = client_of(history, "Bob")
    (events,) = bob.events
    one, other = events[4], events[5]
    swapped = (
        *events[:4],
        received(one.seq, other.event),
        received(other.seq, one.event),
        *events[6:],
    )
    assert broken(with_client(history, replace(bob, events=(swapped,)))) == {ONE_ORDER}


def test_a_gap_in_what_one_was_told() -> None:
    history = good_history()
    bob = client_of(history, "Bob")
    (events,) = bob.events
    without = (events[:3] + events[4:],)
    assert broken(with_client(history, replace(bob, events=without))) == {NO_GAP}


def test_a_repeat_in_what_one_was_told() -> None:
    history = good_history()
    bob = client_of(history, "Bob")
    (events,) = bob.events
    twice = (events[:4] + events[3:],)
    assert broken(with_client(history, replace(bob, events=twice))) == {NO_GAP}


def test_an_event_that_nobody_was_told() -> None:
    history = good_history()
    seq = seq_of(history, lambda event: isinstance(event, ev.Started))
    unheard = with_log(history, lambda log: [it for it in log if it.seq != seq])
    assert broken(unheard) == {NO_GAP}


def test_an_acknowledged_move_that_is_not_in_the_log() -> None:
    """As after a crash that forgot the last move: the room goes on with something else there."""
    history = good_history()
    seq = seq_of(history, lambda event: isinstance(event, ev.Played))
    forgotten = with_log(
        history,
        lambda log: [received(seq, ev.Rotated()) if it.seq == seq else it for it in log],
    )
    assert NOTHING_LOST in broken(forgotten)


def test_an_acknowledged_line_that_is_another_one_in_the_log() -> None:
    history = good_history()

    def misheard(received: ReceivedEvent) -> ReceivedEvent:
        if isinstance(received.event, ev.Said):
            return received._replace(event=changed(received.event, text="hm"))
        return received

    assert NOTHING_LOST in broken(with_log(history, lambda log: [misheard(it) for it in log]))


def test_events_that_the_room_has_forgotten_in_the_end() -> None:
    history = good_history()
    shorter = replace(history, ended=changed(history.ended, seq=history.ended.seq - 1))
    assert NOTHING_LOST in broken(shorter)


@pytest.mark.parametrize("kind", [ev.Said, ev.Played])
def test_a_second_effect(kind: type[ev.Event]) -> None:
    history = good_history()
    seq = seq_of(history, lambda event: isinstance(event, kind))

    def repeated(log: list[ReceivedEvent]) -> list[ReceivedEvent]:
        again = [received(it.seq + 1, it.event) for it in log if it.seq >= seq]
        return [it for it in log if it.seq <= seq] + again

    assert NO_SECOND_EFFECT in broken(with_log(history, repeated))


def test_a_move_of_one_game_may_come_in_the_next() -> None:
    history = good_history()
    (events, *_) = client_of(history, "Ada").events
    end = history.ended.seq
    more = (
        received(end + 1, ev.Started(2, ("Ada", "Bob"))),
        received(end + 2, ev.Played(0, "h0", (), 1, (0, 0))),
    )
    ended = changed(history.ended, seq=end + 2)
    longer = replace(
        history, ended=ended, clients=(ClientHistory("Ada", events=((*events, *more),)),)
    )
    assert NO_SECOND_EFFECT not in broken(longer)


@pytest.mark.parametrize("other", [Done(2, 5), Refused(2, "stale", "too late")])
def test_another_answer_to_the_same_command(other: Done | Refused) -> None:
    history = good_history()
    ada = client_of(history, "Ada")
    answers = (*ada.answers, ReceivedAnswer(2, other))
    assert ONE_ANSWER in broken(with_client(history, replace(ada, answers=answers)))


def test_the_same_answer_again_is_none_too_many() -> None:
    history = good_history()
    ada = client_of(history, "Ada")
    twice = replace(ada, answers=ada.answers + ada.answers)
    assert violations(with_client(history, twice)) == []


def test_commands_that_were_done_in_another_order() -> None:
    history = good_history()
    ada = client_of(history, "Ada")
    last_seq = ada.answers[-1].answer.seq  # type: ignore[union-attr]
    answers = (ReceivedAnswer(2, Done(2, last_seq)), *ada.answers[1:])
    assert DONE_AS_SENT in broken(with_client(history, replace(ada, answers=answers)))


def test_a_refused_line_that_was_said() -> None:
    history = good_history()
    ada = client_of(history, "Ada")
    answers = (ReceivedAnswer(2, Refused(2, "cannot_save", "try again")), *ada.answers[1:])
    lied = with_client(history, replace(ada, answers=answers))
    assert broken(lied) == {REFUSED_IS_NOTHING}


def test_a_room_that_is_not_its_log() -> None:
    history = good_history()
    other = replace(history, ended=changed(history.ended, host="Bob"))
    assert broken(other) == {LOG_IS_ROOM}


def test_a_log_that_is_no_room() -> None:
    history = good_history()
    seq = seq_of(history, lambda event: isinstance(event, ev.Started))
    senseless = with_log(
        history,
        lambda log: [received(seq, ev.Rotated()) if it.seq == seq else it for it in log],
    )
    assert broken(senseless) == {LOG_IS_ROOM}


# Snapshots instead of events


def received(seq: int, event: ev.Event) -> ReceivedEvent:
    return ReceivedEvent(seq, event, AT_MS)


def without_four_to_six() -> History:
    """Return a history in which Ada alone was there for events 4 to 6, and got a snapshot."""
    history = good_history()
    ada = client_of(history, "Ada")
    (events,) = ada.events
    room = room_from_snapshot(history.began)
    for _, event, _ in events:
        room = evolve(room, event, AT_MS)
        if room.seq == 6:
            break
    seen = snapshot(room, Audience.PLAYER)
    stretches = tuple(it for it in events if it.seq < 4), tuple(it for it in events if it.seq > 6)
    back = replace(ada, events=stretches, snapshots=(history.began, seen))
    bob = replace(client_of(history, "Bob"), events=(stretches[1],))
    cleo = ClientHistory("Cleo", events=(events[8:],))
    return replace(history, clients=(back, bob, cleo))


def test_what_everybody_missed_may_be_shown() -> None:
    assert violations(without_four_to_six()) == []


def test_what_is_neither_told_nor_shown_is_missed() -> None:
    history = without_four_to_six()
    ada = client_of(history, "Ada")
    assert NO_GAP in broken(with_client(history, replace(ada, snapshots=ada.snapshots[:1])))


def test_what_is_shown_is_the_log() -> None:
    history = good_history()
    cleo = client_of(history, "Cleo")
    lied = changed(without_four_to_six().clients[0].snapshots[1], host="Cleo")
    assert broken(with_client(history, replace(cleo, snapshots=(lied,), events=()))) == {
        LOG_IS_ROOM
    }


def test_what_is_told_follows_on_what_is_shown() -> None:
    history = without_four_to_six()
    ada = client_of(history, "Ada")
    late = (ada.events[0], ada.events[1][1:])
    assert broken(with_client(history, replace(ada, events=late))) == {NO_GAP}


def with_a_takeback() -> History:
    """Return the history of Ada, who plays h0 twice, and of Wim, who knows no takebacks."""
    hosted = HostedRoom(others=["Bob"])
    hosted.enter("Wim", watch=True)
    hosted.ask("Ada", cmd.Start)
    began = snapshot(hosted.room, Audience.SPECTATOR)
    first = hosted.room.seq + 1
    hosted.plays("Ada", "h0")
    hosted.ask("Ada", cmd.Undo, ply=1)
    hosted.ask("Bob", cmd.AnswerUndo, ply=1, agree=True)
    anew = snapshot(hosted.room, Audience.SPECTATOR)
    hosted.plays("Ada", "h0")
    log = [event for entry in hosted.log for event in entry.events]
    events = tuple(received(seq, event) for seq, event in enumerate(log, 1) if seq >= first)
    played, asked, _, again = events
    hidden = received(asked.seq, ev.Hidden())
    other = ClientHistory("Wim", events=((played, hidden), (again,)), snapshots=(began, anew))
    ended = snapshot(hosted.room, Audience.SPECTATOR)
    return History(began, ended, (other, ClientHistory("Ada", events=(events,))))


def test_a_line_is_drawn_again_after_a_takeback() -> None:
    history = with_a_takeback()
    assert violations(history) == []
    ada = client_of(history, "Ada")
    (events,) = ada.events
    without = tuple(received for received in events if not isinstance(received.event, ev.Undone))
    found = violations(replace(history, clients=(replace(ada, events=(without,)),)))
    assert NO_SECOND_EFFECT in {it.promise for it in found}


def test_the_room_that_is_sent_after_a_takeback_is_the_room() -> None:
    history = with_a_takeback()
    other = client_of(history, "Wim")
    wrong = changed(other.snapshots[1], ply=1)
    found = violations(with_client(history, replace(other, snapshots=(other.snapshots[0], wrong))))
    assert {it.promise for it in found} == {LOG_IS_ROOM}
