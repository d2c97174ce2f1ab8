"""What was asked of the server and isn't answered yet. No socket here.

A question gets the next id when it is sent, and keeps it over all connections of a member in a
room, so that the server recognises one that is sent again (docs/room.md). So when a connection
is lost, all that is unanswered simply becomes unsent again. What the server refused for being
too fast had no effect; it gets another id, because a later one may have been accepted since,
and ids only grow.
"""

import asyncio
from bisect import insort
from dataclasses import dataclass
from itertools import count

from msgspec.structs import replace

from boxroom_client.link.errors import ProtocolError
from boxroom_client.link.updates import SessionEnded
from boxroom_engine.room.commands import AnyMemberCommand, Leave, Stand
from boxroom_engine.room.room import COMMANDS_REMEMBERED
from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import Done, ListRooms, Refused, Rooms

Question = AnyMemberCommand | ListRooms
Answer = Done | Refused | Rooms

IN_FLIGHT = COMMANDS_REMEMBERED // 2
"""Questions that may wait for an answer at once; the next ones wait for these.

The server remembers no more than `COMMANDS_REMEMBERED` accepted commands of a member. Were
more of them unanswered when a connection is lost, it would no longer know the oldest again.
"""

TOO_FAST = "too_fast"
"""The code of the one refusal that says: the same again, later."""


@dataclass(slots=True, eq=False)
class _Asked:
    number: int
    """By the order of asking."""
    question: Question
    answer: "asyncio.Future[Answer]"
    id: int | None = None
    """With which the server may know it."""


def _in_order(asked: _Asked) -> tuple[bool, int]:
    """The order of sending: ids that the server may know are smaller than the next ones."""
    return asked.id is None, asked.number if asked.id is None else asked.id


class PendingCommands:
    """The questions of one member in one room."""

    def __init__(self) -> None:
        self._asked: dict[int, _Asked] = {}
        """All that isn't answered, by number."""
        self._sent: dict[int, _Asked] = {}
        """What has an id of it, by that."""
        self._unsent: list[_Asked] = []
        """In the order of sending."""
        self._numbers = count()
        self._something_to_send = asyncio.Event()
        self._room_in_flight = asyncio.Semaphore(IN_FLIGHT)
        self._next_id = 1
        self._finished: SessionEnded | None = None
        self.is_too_fast = False
        """Whether the server wants a pause; whoever makes it sets this back."""

    async def ask(self, question: Question) -> Answer:
        """The answer to `question`, which is given the next id, however long that takes.

        Whoever is cancelled here gives up the answer; the question may have been sent.
        """
        try:
            encode(question)
        except UnicodeEncodeError:  # half a surrogate pair, as a terminal's odd bytes give it
            return Refused(question.id, "bad_text", "that has characters which can't be sent")
        async with self._room_in_flight:
            if self._finished is not None:
                return Refused(question.id, self._finished.code, self._finished.message)
            future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
            asked = _Asked(next(self._numbers), question, future)
            self._asked[asked.number] = asked
            self._unsent.append(asked)
            self._something_to_send.set()
            try:
                return await asked.answer
            finally:
                del self._asked[asked.number]
                if asked.id is not None:
                    self._sent.pop(asked.id, None)

    def take_id(self) -> int:
        """The next id, for a message that is asked outside of this."""
        question_id = self._next_id
        self._next_id += 1
        return question_id

    async def next_to_send(self) -> Question:
        """The question to send next, as soon as there is one."""
        while True:
            while self._unsent:
                asked = self._unsent.pop(0)
                if asked.number in self._asked and not asked.answer.done():
                    return self._with_id(asked)
            self._something_to_send.clear()
            await self._something_to_send.wait()

    def _with_id(self, asked: _Asked) -> Question:
        if asked.id is None:
            asked.id = self.take_id()
            asked.question = replace(asked.question, id=asked.id)
            self._sent[asked.id] = asked
        return asked.question

    def answered(self, answer: Answer) -> Question | None:
        """Hand `answer` to whoever waits for it: the question, or None if nobody waits.

        Raises:
            Garbled: the answer is not of a kind that answers the question.
        """
        asked = self._sent.get(answer.id)
        if asked is None or asked.answer.done():
            return None
        if isinstance(answer, Refused):
            if answer.code == TOO_FAST:
                self._put_back(asked)
                return None
        elif isinstance(answer, Rooms) != isinstance(asked.question, ListRooms):
            raise ProtocolError("the server answered another question than we asked")
        asked.answer.set_result(answer)
        return asked.question

    def _put_back(self, asked: _Asked) -> None:
        """The server wants to be asked later."""
        self.is_too_fast = True
        if asked.id is not None:
            del self._sent[asked.id]
            asked.id = None
        insort(self._unsent, asked, key=_in_order)
        self._something_to_send.set()

    @property
    def is_leaving(self) -> bool:
        """Whether a good-bye is among the questions."""
        return self._asks(Leave)

    @property
    def is_standing_up(self) -> bool:
        """Whether giving up a seat is among the questions."""
        return self._asks(Stand)

    def _asks(self, kind: type[AnyMemberCommand]) -> bool:
        return any(
            isinstance(asked.question, kind) and not asked.answer.done()
            for asked in self._asked.values()
        )

    def resume(self, last_id: int) -> None:
        """On a new connection to the same room, all that is unanswered is to be sent again."""
        self._next_id = max(self._next_id, last_id + 1)
        self._unsent = sorted(self._asked.values(), key=_in_order)
        if self._unsent:
            self._something_to_send.set()

    def refuse_commands(self, code: str, message: str) -> None:
        """Answer every command with a refusal: it is not to be sent again."""
        for asked in self._asked.values():
            if not isinstance(asked.question, ListRooms):
                _refuse(asked, code, message)

    def refuse_longest(self, code: str, message: str) -> None:
        """Answer the longest question with a refusal, because the server can't take it."""
        if self._asked:
            longest = max(self._asked.values(), key=lambda asked: len(encode(asked.question)))
            _refuse(longest, code, message)

    def finish(self, finished: SessionEnded) -> None:
        """Refuse all that is asked, now and later."""
        self._finished = finished
        for asked in self._asked.values():
            _refuse(asked, finished.code, finished.message)


def _refuse(asked: _Asked, code: str, message: str) -> None:
    if not asked.answer.done():
        asked.answer.set_result(Refused(asked.question.id, code, message))
