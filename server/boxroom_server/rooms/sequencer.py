"""The sequencer of one room: the order of commands and entries, without any input or output.

Theory of operation. Commands and outcomes of the log go in by `submit`, `entry_saved` and
`append_failed`; effects come out of `next_effect`, one at a time, and the caller performs each of
them before it asks for the next one. Between two effects the caller may put anything in.

A command waits until all commands before it have their answers; moves come before all others, so
that a crowd that comes and goes doesn't hold up a game. Then it is decided in the room as it is at
that time. If it is refused, or changes nothing, it is answered. Otherwise its entry is appended to
the log, and the command stays the current one until the log has answered. So one entry is in flight
at most, no member is told of an entry that isn't saved, and each command is answered exactly once.
A command that was accepted before is recognised by its id, and gets the same answer again.

States and transitions:

    state      input                         effects                   next state
    IDLE       submit: repeated, refused     Answer                    IDLE
    IDLE       submit: accepted              Append                    APPENDING
    APPENDING  submit                        none, it waits            APPENDING
    APPENDING  entry_saved, own entry        Publish, with the answer  IDLE, decides the next
    APPENDING  append_failed, Conflict       none                      IDLE, decides again
    APPENDING  append_failed, other errors   Answer                    IDLE, decides the next
    any        entry_saved, other writer's   Publish                   the same
    IDLE       submit: refused, shared log   Check                     CHECKING
    CHECKING   submit                        none, it waits            CHECKING
    CHECKING   log_checked                   none                      IDLE, decides again
    IDLE       end                           Stop                      ENDED
    IDLE       sleep                         Stop                      ASLEEP
    APPENDING  end, sleep                    those of the outcome, then as from IDLE
    APPENDING  abandon                       Stop                      ASLEEP
    CHECKING   end, sleep, abandon           as from IDLE
    ENDED      submit                        Answer, as repeated or refused
    ASLEEP     submit                        Answer, with the error Asleep

A conflict means that another writer's entry came first. The log has delivered that entry before,
so the command is decided again in a newer room; if it hasn't, the conflict is an error.

A log that other servers append to may have grown without this one having heard of it. An entry
that is decided in an old room leads to a conflict, but a refusal would be final. So before a
member's command is refused, the log is checked, and the command decided once more.
"""

from collections import deque
from collections.abc import Callable, Container
from enum import Enum
from typing import final

from msgspec import Struct

from boxroom_engine.errors import BoxroomError
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.decide import decide
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.events import Entry
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import is_same_for_all, view
from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import Events
from boxroom_server.net.frames import Outgoing, encode_outgoing
from boxroom_server.storage.room_log import CannotSave, CodeTaken, Conflict


class Asleep(BoxroomError):
    """The room sleeps: a command was neither accepted nor refused, and may be repeated later."""


Outcome = int | Exception
"""Outcome of a command: the seq that it led to, a `CommandRefused`, or another error.

It is a value, as nothing can be raised into a callback.
"""

AnswerCallback = Callable[[Outcome], None]
"""Receives the outcome of one command; the sequencer only passes it on."""


_Waiting = tuple[cmd.Command, AnswerCallback]
"""A command that has no answer yet."""


class PreparedEntry(Struct, frozen=True, gc=False):
    """An entry with all that follows from it, computed before the log has saved it.

    The data for that is in the processor's cache at this time. When the log answers, after
    many other rooms, fetching it again would take longer than the computation.
    """

    entry: Entry
    before: Room
    after: Room
    for_spectators: Outgoing
    for_players: Outgoing
    stored: bytes
    """The message with all events in JSON, for the log."""


def prepare(before: Room, entry: Entry, after: Room) -> PreparedEntry:
    """Return the prepared form of `entry`, which leads from `before` to `after`."""
    if is_same_for_all(entry):
        for_all = encode_outgoing(Events(entry.seq, entry.at_ms, entry.events))
        return PreparedEntry(entry, before, after, for_all, for_all, for_all.payload)
    for_spectators = _outgoing(entry, Audience.SPECTATOR)
    for_players = _outgoing(entry, Audience.PLAYER)
    stored = encode(Events(entry.seq, entry.at_ms, entry.events))
    return PreparedEntry(entry, before, after, for_spectators, for_players, stored)


def _outgoing(entry: Entry, audience: Audience) -> Outgoing:
    seen = tuple(view(event, audience) for event in entry.events)
    return encode_outgoing(Events(entry.seq, entry.at_ms, seen))


@final
class Append(Struct, frozen=True, gc=False):
    """Append an entry to the room's log, and report the outcome."""

    prepared: PreparedEntry


@final
class Publish(Struct, frozen=True, gc=False):
    """Send the members an entry that has been saved; then answer the command that led to it."""

    saved: PreparedEntry
    callback: AnswerCallback | None
    """The command's, for the seq `saved.after.seq`; None if it was another writer's."""


@final
class Check(Struct, frozen=True, gc=False):
    """Deliver the entries that other writers have appended so far, and then call `log_checked`."""


@final
class Answer(Struct, frozen=True, gc=False):
    """Give a command the outcome that nothing was saved for."""

    callback: AnswerCallback
    outcome: Outcome


@final
class Stop(Struct, frozen=True, gc=False):
    """Stop: no entry is in flight any more, and none will be appended."""


Effect = Append | Publish | Check | Answer | Stop


class _State(Enum):
    """State of a sequencer; an open one is IDLE or APPENDING, as it has an entry in flight or not.

    ENDED and ASLEEP apply once no entry is in flight.
    """

    OPEN = "open"
    ENDED = "ended"
    ASLEEP = "asleep"


_OPEN, _ENDED, _ASLEEP = _State  # the lookup of an enum's member takes longer


class Sequencer:
    """The order of one room's commands and entries, from `room` and its `accepted` commands on.

    `connected` holds the names of the members that have a connection, and so don't drop out; the
    caller keeps it up to date. `is_shared` says that other servers append to the log, too.
    """

    def __init__(
        self,
        room: Room,
        accepted: AcceptedCommands,
        limits: RoomLimits,
        connected: Container[str],
        *,
        is_shared: bool = False,
    ) -> None:
        self.room = room
        """The room as of the last saved entry."""
        self.accepted = accepted
        """The accepted commands as of the last saved entry."""
        self._limits = limits
        self._connected = connected
        self._is_shared = is_shared
        self._state = _OPEN
        self._is_stop_due = False  # from `end` or `sleep` until the effect `Stop`
        # Commands without an answer: the current one, and those that wait, in order.
        self._current: _Waiting | None = None
        self._moves: deque[_Waiting] = deque()
        self._others: deque[_Waiting] = deque()
        self._in_flight: PreparedEntry | None = None  # the current one's, with unknown outcome
        self._is_checking = False  # from the effect `Check` until `log_checked`
        self._is_checked = False  # whether that was done for the current command
        self._effects: deque[Effect] = deque()  # due before the next command is decided

    @property
    def is_busy(self) -> bool:
        """Whether a command waits for its answer."""
        return bool(self._current or self._moves or self._others)

    # Input

    def submit(self, command: cmd.Command, callback: AnswerCallback) -> None:
        """Let `command` wait; `callback` belongs to the `Answer` to it."""
        inner = command.command if type(command) is cmd.FromMember else command
        is_move = type(inner) is cmd.Play or type(inner) is cmd.PlayFor
        (self._moves if is_move else self._others).append((command, callback))

    def entry_saved(self, entry: Entry) -> None:
        """Fold the log's next entry, of any writer, into the room."""
        saved, callback = self._in_flight, None
        if saved is not None and saved.entry is entry:
            assert self._current is not None
            _, callback = self._current
            self._in_flight = self._current = None
            self._is_checked = False
        else:
            saved = prepare(self.room, entry, evolve_entry(self.room, entry))
        self.room = saved.after
        self.accepted.add(entry, saved.after)
        self._effects.append(Publish(saved, callback))

    def append_failed(self, entry: Entry, error: Conflict | CannotSave) -> None:
        """Handle that the log hasn't saved `entry`."""
        if self._in_flight is None or self._in_flight.entry is not entry:
            return  # it was abandoned
        self._in_flight = None
        if not isinstance(error, Conflict) or self.room.seq < entry.seq:
            self._effects.append(self._answer_current(error))

    def log_checked(self) -> None:
        """Decide the current command again, in a room that was up to date after the check began."""
        if self._is_checking:
            self._is_checking = False
            self._is_checked = True

    def end(self) -> None:
        """Refuse all commands from now on, except for repeated ones: the room is closed."""
        self._is_checking = False
        if self._state is _OPEN:
            self._is_stop_due = True
            self._state = _ENDED

    def sleep(self) -> None:
        """Leave all commands undecided from now on; another host may continue from the log."""
        self._is_checking = False
        if self._state is _OPEN:
            self._is_stop_due = True
        self._state = _ASLEEP

    def abandon(self) -> None:
        """Sleep at once; the outcome of the entry in flight stays unknown."""
        self.sleep()
        self._in_flight = None

    # Output

    def next_effect(self, now_ms: int) -> Effect | None:
        """Return what is to be performed next; None until there is more input."""
        if self._effects:
            return self._effects.popleft()
        if self._in_flight is None and not self._is_checking:
            if self._current is None and (waiting := self._moves or self._others):
                self._current = waiting.popleft()
            if self._current is not None:
                return self._decide_current(self._current[0], now_ms)
            if self._is_stop_due:
                self._is_stop_due = False
                return Stop()
        return None

    def _decide_current(self, command: cmd.Command, now_ms: int) -> Effect:
        """Return the effect of the current command."""
        try:
            outcome = self._outcome(command, now_ms)
        except CommandRefused as refused:
            outcome = refused.with_traceback(None)  # which refers to this frame: a cycle
        except Exception as error:
            outcome = error
        if isinstance(outcome, PreparedEntry):
            self._in_flight = outcome
            return Append(outcome)
        if isinstance(outcome, CommandRefused) and self._is_check_due(command):
            self._is_checking = True
            return Check()
        return self._answer_current(outcome)

    def _is_check_due(self, command: cmd.Command) -> bool:
        """Return whether the room may be too old for a refusal of `command`."""
        is_open = self._is_shared and self._state is _OPEN
        return is_open and not self._is_checked and isinstance(command, _FROM_CLIENTS)

    def _outcome(self, command: cmd.Command, now_ms: int) -> PreparedEntry | Outcome:
        """Return the entry of `command`, or its outcome if it adds nothing to the log."""
        if self._state is _ASLEEP:
            return Asleep()
        room, member, command_id = self.room, None, 0
        if isinstance(command, cmd.FromMember):
            member, command_id = command.member, command.command.id
            answer = self.accepted.answer(member, command_id)
            if answer is not None:
                return answer
        elif isinstance(command, cmd.Drop):  # some may be back, over other connections
            lost = tuple(name for name in command.members if name not in self._connected)
            command = cmd.Drop(lost, command.node)
        if self._state is _ENDED or not (room.seq or isinstance(command, cmd.Create)):
            # It is closed, or its creation was refused.
            raise refusal("no_such_room.closed", room=room.code)
        decision = decide(room, command, now_ms, self._limits)
        if not decision.events:
            return room.seq
        entry = Entry(room.seq + 1, now_ms, tuple(decision.events), member, command_id)
        return prepare(room, entry, decision.room)

    def _answer_current(self, outcome: Outcome) -> Answer:
        """Return the answer of the current command, which is done with that."""
        assert self._current is not None
        command, callback = self._current
        self._current = None
        self._is_checked = False
        if isinstance(outcome, CodeTaken):
            outcome = refusal("room_exists", name=str(outcome))
        elif isinstance(outcome, CannotSave) and isinstance(command, _FROM_CLIENTS):
            outcome = refusal("cannot_save", error=str(outcome))
        return Answer(callback, outcome)


_FROM_CLIENTS = (cmd.FromMember, cmd.Create, cmd.Enter)
"""Commands that are refused if they can't be saved; for the server's own that is an error."""
