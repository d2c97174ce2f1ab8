"""The sequencer of a room: every order of commands, outcomes of the log, conflicts and ends."""

import itertools

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.decide import decide
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.events import Entry
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Room, Settings
from boxroom_engine.wire.codec import decode_from_server
from boxroom_engine.wire.messages import Events
from boxroom_server.rooms.sequencer import (
    Answer,
    AnswerCallback,
    Append,
    Asleep,
    Check,
    Effect,
    Outcome,
    PreparedEntry,
    Publish,
    Sequencer,
    Stop,
)
from boxroom_server.storage.room_log import CannotSave, Conflict

LIMITS = RoomLimits()
MEMBERS = ("Ada", "Bob", "Cy")
CREATE = cmd.Create("4711", "Ada", Settings(options={"rows": 1, "cols": 1}))


def say(member: str, id: int) -> cmd.FromMember:
    return cmd.FromMember(member, cmd.Say(id, f"line {id} of {member}"))


class Submitted:
    """A command that was submitted, and its answers."""

    def __init__(self, command: cmd.Command) -> None:
        self.command = command
        self.outcomes: list[Outcome] = []

    def answer(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)


def submit(sequencer: Sequencer, command: cmd.Command) -> Submitted:
    """Submit `command`, without performing what follows."""
    submitted = Submitted(command)
    sequencer.submit(command, submitted.answer)
    return submitted


def is_move(command: cmd.Command) -> bool:
    """Return whether `command` plays a move."""
    inner = command.command if isinstance(command, cmd.FromMember) else command
    return isinstance(inner, cmd.Play | cmd.PlayFor)


def effects(sequencer: Sequencer) -> list[Effect]:
    """Return all effects until more input is needed; nothing but answers is performed."""
    found: list[Effect] = []
    while (effect := sequencer.next_effect(0)) is not None:
        found.append(effect)
        match effect:
            case Answer(callback, outcome):
                callback(outcome)
            case Publish(saved, callback) if callback is not None:
                callback(saved.after.seq)
            case _:
                pass
    return found


def appended(sequencer: Sequencer) -> PreparedEntry:
    """Return the entry of the only effect, an append."""
    (effect,) = effects(sequencer)
    assert isinstance(effect, Append)
    return effect.prepared


def room_with(*commands: cmd.Command) -> Sequencer:
    """Return a sequencer after `CREATE` and `commands`, all of them saved."""
    sequencer = Sequencer(Room("attic"), AcceptedCommands(), LIMITS, ())
    for command in (CREATE, *commands):
        submit(sequencer, command)
        sequencer.entry_saved(appended(sequencer).entry)
        effects(sequencer)
    return sequencer


def entry_of(room: Room, command: cmd.Command) -> Entry:
    """Return the entry of a writer that decides `command` in `room`."""
    decision = decide(room, command, 0, LIMITS)
    return Entry(room.seq + 1, 0, tuple(decision.events))


# Transitions, one by one


def test_a_command_is_appended_then_published_and_answered() -> None:
    sequencer = room_with()
    submitted = submit(sequencer, say("Ada", 1))
    prepared = appended(sequencer)
    assert submitted.outcomes == []
    sequencer.entry_saved(prepared.entry)
    assert effects(sequencer) == [Publish(prepared, submitted.answer)]
    assert submitted.outcomes == [sequencer.room.seq]
    text = decode_from_server(prepared.for_spectators.payload)
    assert text == Events(prepared.entry.seq, 0, prepared.entry.events)


def test_one_entry_is_in_flight_at_a_time() -> None:
    sequencer = room_with()
    first, second = submit(sequencer, say("Ada", 1)), submit(sequencer, say("Ada", 2))
    prepared = appended(sequencer)
    sequencer.entry_saved(prepared.entry)
    *_, append = effects(sequencer)
    assert isinstance(append, Append)
    assert first.outcomes == [prepared.after.seq]
    assert second.outcomes == []


def test_moves_come_before_others_that_wait() -> None:
    sequencer = room_with(cmd.Enter("Bob"), cmd.FromMember("Ada", cmd.Start(1)))
    current = submit(sequencer, say("Ada", 2))
    prepared = appended(sequencer)
    coming = submit(sequencer, cmd.Enter("Cy"))
    move = submit(sequencer, cmd.FromMember("Ada", cmd.Play(3, 0, "h0", 0)))
    sequencer.entry_saved(prepared.entry)
    *_, append = effects(sequencer)
    assert isinstance(append, Append)
    assert isinstance(append.prepared.entry.events[0], ev.Played)
    assert (len(current.outcomes), coming.outcomes, move.outcomes) == (1, [], [])


def test_a_repeated_command_gets_its_first_answer_again() -> None:
    sequencer = room_with(say("Ada", 1), say("Ada", 2))
    seq = sequencer.room.seq
    repeated = submit(sequencer, say("Ada", 1))
    (answer,) = effects(sequencer)
    assert isinstance(answer, Answer)
    assert repeated.outcomes == [seq - 1]


def test_a_command_is_decided_again_after_another_writers_entry() -> None:
    sequencer = room_with()
    submitted = submit(sequencer, say("Ada", 1))
    ours = appended(sequencer).entry
    theirs = entry_of(sequencer.room, cmd.Enter("Bob"))
    sequencer.entry_saved(theirs)
    (publish,) = effects(sequencer)
    assert isinstance(publish, Publish)
    assert publish.saved.entry == theirs
    sequencer.append_failed(ours, Conflict())
    again = appended(sequencer)
    assert again.entry.seq == theirs.last_seq + 1
    assert again.entry.events == ours.events
    assert submitted.outcomes == []


def test_a_command_that_another_writer_saved_first_is_answered_and_not_repeated() -> None:
    sequencer = room_with()
    submitted = submit(sequencer, say("Ada", 1))
    ours = appended(sequencer).entry
    sequencer.entry_saved(Entry(ours.seq, 0, ours.events, ours.member, ours.command_id))
    sequencer.append_failed(ours, Conflict())
    publish, answer = effects(sequencer)
    assert isinstance(publish, Publish)
    assert isinstance(answer, Answer)
    assert submitted.outcomes == [ours.seq]


def test_a_conflict_without_another_entry_is_an_error_and_no_endless_loop() -> None:
    sequencer = room_with()
    submitted = submit(sequencer, say("Ada", 1))
    conflict = Conflict()
    sequencer.append_failed(appended(sequencer).entry, conflict)
    effects(sequencer)
    assert submitted.outcomes == [conflict]


def test_what_cant_be_saved_is_refused_to_members_and_an_error_for_the_server() -> None:
    sequencer = room_with(cmd.Enter("Bob"))
    full = CannotSave("the disk is full")
    for command in (say("Ada", 1), cmd.Enter("Cy"), cmd.Drop(("Bob",))):
        before = sequencer.room
        submitted = submit(sequencer, command)
        sequencer.append_failed(appended(sequencer).entry, full)
        effects(sequencer)
        (outcome,) = submitted.outcomes
        if isinstance(command, cmd.Drop):
            assert outcome is full
        else:
            assert isinstance(outcome, CommandRefused)
            assert outcome.code == "cannot_save"
            assert "the disk is full" in str(outcome)
        assert sequencer.room is before


def test_an_exception_of_the_rules_answers_its_command_alone() -> None:
    sequencer = room_with()
    broken = submit(sequencer, cmd.PlayFor(7, "h0", 0))  # no such seat: a bug of the server
    fine = submit(sequencer, cmd.Enter("Bob"))
    effects(sequencer)
    assert len(broken.outcomes) == 1
    assert not isinstance(broken.outcomes[0], int)
    assert fine.outcomes == []


def test_a_member_with_a_connection_does_not_drop_out() -> None:
    connected = {"Ada"}
    sequencer = Sequencer(room_with().room, AcceptedCommands(), LIMITS, connected)
    dropped = submit(sequencer, cmd.Drop(("Ada",)))
    effects(sequencer)
    assert dropped.outcomes == [sequencer.room.seq]
    connected.clear()
    submit(sequencer, cmd.Drop(("Ada",)))
    assert isinstance(appended(sequencer).entry.events[0], ev.Dropped)


def test_a_room_that_was_never_made_takes_nothing_but_its_creation() -> None:
    sequencer = Sequencer(Room("attic"), AcceptedCommands(), LIMITS, ())
    entering = submit(sequencer, cmd.Enter("Bob"))
    effects(sequencer)
    (outcome,) = entering.outcomes
    assert isinstance(outcome, CommandRefused)
    assert outcome.code == "no_such_room"


def test_an_ended_room_answers_repeated_commands_and_refuses_others() -> None:
    sequencer = room_with(say("Ada", 1))
    in_flight = submit(sequencer, say("Ada", 2))
    prepared = appended(sequencer)
    sequencer.end()
    waiting, repeated = submit(sequencer, say("Ada", 3)), submit(sequencer, say("Ada", 1))
    assert effects(sequencer) == []
    sequencer.entry_saved(prepared.entry)
    assert [type(effect) for effect in effects(sequencer)] == [
        Publish,
        Answer,
        Answer,
        Stop,
    ]
    assert in_flight.outcomes == [prepared.after.seq]
    (refusal,) = waiting.outcomes
    assert isinstance(refusal, CommandRefused)
    assert refusal.code == "no_such_room"
    assert repeated.outcomes == [prepared.after.seq - 1]


def test_an_abandoned_append_leaves_all_commands_undecided() -> None:
    sequencer = room_with()
    in_flight, waiting = submit(sequencer, say("Ada", 1)), submit(sequencer, say("Ada", 2))
    prepared = appended(sequencer)
    sequencer.sleep()
    assert effects(sequencer) == []
    sequencer.abandon()
    assert [type(effect) for effect in effects(sequencer)] == [Answer, Answer, Stop]
    for submitted in (in_flight, waiting):
        assert isinstance(submitted.outcomes[0], Asleep)
    sequencer.append_failed(prepared.entry, CannotSave("too late"))
    assert effects(sequencer) == []


# Every order


class AnyOrder(RuleBasedStateMachine):
    """A sequencer, a log that is a list, and another writer of the same log.

    The log answers whenever the machine draws it to; commands, repeats, failures, conflicts and
    the end come in any order.
    """

    commands: Bundle[cmd.Command] = Bundle("commands")
    is_shared = False

    def __init__(self) -> None:
        super().__init__()
        self.connected: set[str] = set()
        self.sequencer = Sequencer(
            Room("attic"), AcceptedCommands(), LIMITS, self.connected, is_shared=self.is_shared
        )
        self.is_checking = self.is_checked = False
        self.log: list[Entry] = []
        self.in_flight: Entry | None = None
        self.has_conflict = False  # another writer's entry has come before the one in flight
        self.submitted: list[Submitted] = []
        self.current: Submitted | None = None  # the last one with an entry
        self.published: list[Entry] = []
        self.stops = 0
        self.is_ended = self.is_asleep = self.is_abandoned = False
        self.ids = itertools.count(1)
        self.give(CREATE)

    # What the machine does

    def give(self, command: cmd.Command) -> None:
        self.submitted.append(submit(self.sequencer, command))
        self.perform()

    def perform(self) -> None:
        """Perform all effects that are due, and check each at its moment."""
        while (effect := self.sequencer.next_effect(0)) is not None:
            match effect:
                case Append(prepared):
                    assert self.in_flight is None, "two entries in flight"
                    assert not self.is_ended, "an entry after the end"
                    assert not self.is_asleep, "an entry of a sleeping room"
                    assert prepared.before is self.sequencer.room
                    self.in_flight = prepared.entry
                    self.current = self.next_to_answer()
                case Publish(saved, answer):
                    self.published.append(saved.entry)
                    assert self.log[: len(self.published)] == self.published
                    if answer is not None:
                        self.answer(answer, saved.after.seq)
                case Check():
                    assert self.is_shared
                    assert not self.is_checking
                    assert not self.is_checked, "checked twice for one command"
                    self.is_checking = True
                    self.current = self.next_to_answer()
                case Answer(callback, outcome):
                    self.answer(callback, outcome)
                case Stop():
                    self.stops += 1
                    assert self.in_flight is None or self.is_abandoned
                    assert self.is_ended or self.is_asleep

    def answer(self, callback: AnswerCallback, outcome: Outcome) -> None:
        last_seq = self.published[-1].last_seq if self.published else 0
        if isinstance(outcome, int):
            assert outcome <= last_seq, "an answer before the events that it led to"
        waiting = self.next_to_answer()
        is_from_client = isinstance(waiting.command, cmd.FromMember | cmd.Create | cmd.Enter)
        is_refused = isinstance(outcome, CommandRefused) and outcome.code != "cannot_save"
        if self.is_shared and is_from_client and is_refused and not self.is_ended:
            assert self.is_checked, "refused in a room that may be too old"
        self.is_checked = False
        callback(outcome)
        assert waiting.outcomes, "answers out of order"
        command = waiting.command
        self.check_outcome(command, outcome)
        if isinstance(outcome, int) and isinstance(command, cmd.Enter | cmd.Create):
            self.connected.add(command.member)

    def next_to_answer(self) -> Submitted:
        """Return the command whose entry was in flight; else the first move, else the first."""
        if self.current is not None and not self.current.outcomes:
            return self.current
        waiting = [it for it in self.submitted if not it.outcomes]
        return next((it for it in waiting if is_move(it.command)), waiting[0])

    def check_outcome(self, command: cmd.Command, outcome: Outcome) -> None:
        if isinstance(outcome, Asleep):
            assert self.is_asleep
        elif isinstance(outcome, Exception) and not isinstance(outcome, CommandRefused):
            assert isinstance(outcome, CannotSave)
            assert isinstance(command, cmd.Drop)
        elif isinstance(command, cmd.FromMember):
            id = (command.member, command.command.id)
            known = [it.last_seq for it in self.log if (it.member, it.command_id) == id]
            if known and not self.is_asleep:
                assert [outcome] == known, "another answer to an accepted command"

    @rule(target=commands, member=st.sampled_from(MEMBERS), kind=st.integers(0, 5))
    def member_gives_a_command(self, member: str, kind: int) -> cmd.Command:
        id, state = next(self.ids), self.sequencer.room.running
        command: cmd.AnyMemberCommand
        if state is None or kind < 2:
            command = (cmd.Say(id, f"line {id}"), cmd.Sit(id), cmd.Start(id))[kind % 3]
        else:
            move = state.game.format_move(state.legal_moves()[0])
            command = cmd.Play(id, state.to_move or 0, move, state.ply)
        self.give(cmd.FromMember(member, command))
        return cmd.FromMember(member, command)

    @rule(command=commands)
    def member_repeats_a_command(self, command: cmd.Command) -> None:
        self.give(command)

    @rule(member=st.sampled_from(MEMBERS))
    def member_enters(self, member: str) -> None:
        self.give(cmd.Enter(member))

    @rule(member=st.sampled_from(MEMBERS))
    def connection_is_lost(self, member: str) -> None:
        self.connected.discard(member)
        self.give(cmd.Drop((member,)))

    @precondition(lambda self: self.in_flight is not None and not self.has_conflict)
    @rule()
    def log_saves_the_entry(self) -> None:
        entry, self.in_flight = self.in_flight, None
        assert entry is not None
        self.log.append(entry)
        self.sequencer.entry_saved(entry)
        self.perform()

    @precondition(lambda self: self.in_flight is not None)
    @rule()
    def log_reports_a_failure(self) -> None:
        entry, self.in_flight = self.in_flight, None
        assert entry is not None
        error = Conflict() if self.has_conflict else CannotSave("the disk is full")
        self.has_conflict = False
        self.sequencer.append_failed(entry, error)
        self.perform()

    @precondition(lambda self: self.is_checking)
    @rule()
    def log_is_checked(self) -> None:
        self.is_checking, self.is_checked = False, not (self.is_ended or self.is_asleep)
        self.sequencer.log_checked()
        self.perform()

    @precondition(lambda self: self.log)
    @rule(member=st.sampled_from(MEMBERS), is_same=st.booleans())
    def another_writer_appends(self, member: str, is_same: bool) -> None:
        """Append an entry of another host, perhaps of the very command that is in flight here."""
        ours, room = self.in_flight, self.sequencer.room
        if is_same and ours is not None and not self.has_conflict:
            theirs = Entry(ours.seq, 0, ours.events, ours.member, ours.command_id)
        else:
            try:
                decision = decide(room, cmd.Enter(member), 0, LIMITS)
            except CommandRefused:
                return
            if not decision.events:
                return
            theirs = Entry(room.seq + 1, 0, tuple(decision.events))
        self.log.append(theirs)
        self.has_conflict = ours is not None
        self.sequencer.entry_saved(theirs)
        self.perform()

    @precondition(lambda self: len(self.submitted) > 12)
    @rule(is_sleep=st.booleans())
    def host_ends(self, is_sleep: bool) -> None:
        self.is_checking = self.is_checked = False  # it needn't be any more
        if is_sleep:
            self.is_asleep = True
            self.sequencer.sleep()
        else:
            self.is_ended = True
            self.sequencer.end()
        self.perform()

    @precondition(lambda self: self.is_asleep)
    @rule()
    def host_abandons_the_append(self) -> None:
        self.is_abandoned = True
        self.sequencer.abandon()
        self.perform()

    # What always holds

    @invariant()
    def room_is_the_fold_of_the_log(self) -> None:
        room, accepted = Room("attic"), AcceptedCommands()
        for entry in self.log:
            room = evolve_entry(room, entry)
            accepted.add(entry, room)
        assert self.sequencer.room == room
        assert self.sequencer.accepted.stored() == accepted.stored()
        assert self.published == self.log

    @invariant()
    def every_command_has_one_answer_at_most(self) -> None:
        assert all(len(it.outcomes) <= 1 for it in self.submitted)
        if (self.in_flight is None and not self.is_checking) or self.is_abandoned:
            assert all(it.outcomes for it in self.submitted), "nobody will answer that"
            assert not self.sequencer.is_busy

    @invariant()
    def accepted_commands_are_in_the_log_once(self) -> None:
        by_id = [(it.member, it.command_id) for it in self.log if it.command_id]
        assert len(by_id) == len(set(by_id))

    @invariant()
    def it_stops_once(self) -> None:
        is_over = self.is_ended or self.is_asleep
        is_quiet = self.in_flight is None or self.is_abandoned
        assert self.stops == (1 if is_over and is_quiet else 0)


AnyOrder.TestCase.settings = settings(max_examples=50, stateful_step_count=60)
TestAnyOrder = AnyOrder.TestCase


class AnyOrderOfSeveral(AnyOrder):
    """The same with a log that other servers append to."""

    is_shared = True


AnyOrderOfSeveral.TestCase.settings = settings(max_examples=50, stateful_step_count=60)
TestAnyOrderOfSeveral = AnyOrderOfSeveral.TestCase


@pytest.mark.long
@pytest.mark.parametrize("machine", [AnyOrder, AnyOrderOfSeveral])
def test_any_long_order(machine: type[AnyOrder]) -> None:
    many = settings(
        max_examples=1_000,
        stateful_step_count=60,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=many)


def test_the_prepared_room_is_the_fold_of_the_prepared_entry() -> None:
    sequencer = room_with()
    submit(sequencer, say("Ada", 1))
    prepared = appended(sequencer)
    assert prepared.after == evolve_entry(prepared.before, prepared.entry)
