"""Commands that the server hasn't answered yet. No socket here.

A command gets the next id when it is first sent, and keeps it over all connections of a member, so
that the server recognises a command that is sent again. When a connection is lost, all commands
without an answer become unsent again. A command that the server refused as too
fast had no effect. It gets another id, because the server may have accepted a later one since,
and ids only grow.
"""

import asyncio
from bisect import insort
from dataclasses import dataclass
from itertools import count

from msgspec.structs import replace

from boxroom_client.link.errors import ProtocolError
from boxroom_client.link.updates import SessionEnded
from boxroom_common.phrases import is_known
from boxroom_engine.phrases import Phrase, verbatim
from boxroom_engine.room.accepted import COMMANDS_REMEMBERED
from boxroom_engine.room.commands import AnyMemberCommand, Leave, Stand
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import (
    AskJudgement,
    Coaching,
    Done,
    GameReview,
    GetPowers,
    GetReview,
    IdentityOffered,
    JoinRoom,
    ListRooms,
    Notice,
    OfferIdentity,
    PositionJudgement,
    Powers,
    Refused,
    Rooms,
)

Request = (
    AnyMemberCommand | AskJudgement | GetPowers | GetReview | JoinRoom | ListRooms | OfferIdentity
)
Answer = Done | GameReview | PositionJudgement | Powers | Rooms | IdentityOffered
"""An answer to a request that isn't refused."""
Reply = Answer | Refused

_REPLIES: dict[type, type] = {
    AskJudgement: PositionJudgement,
    GetPowers: Powers,
    GetReview: GameReview,
    JoinRoom: Done,
    ListRooms: Rooms,
    OfferIdentity: IdentityOffered,
}
"""Replies to the requests that aren't commands, if they aren't refused."""

IN_FLIGHT = COMMANDS_REMEMBERED // 2
"""Requests that may be without an answer at once; later ones wait.

The server remembers no more than `COMMANDS_REMEMBERED` accepted commands of a member. Were
more of them unanswered when a connection is lost, it would no longer recognise the oldest.
"""

TOO_FAST = "too_fast"
"""Code of the one refusal that asks to send the same command again, later."""


@dataclass(slots=True, eq=False)
class _Pending:
    number: int
    """Place in the order of requests."""
    request: Request
    reply: "asyncio.Future[Reply]"
    id: int | None = None
    """Id it was last sent with; None if never sent, or refused as too fast."""


def _sending_order(pending: _Pending) -> tuple[bool, int]:
    """Return the sort key: requests with ids come first, as their ids are the smaller ones."""
    return pending.id is None, pending.number if pending.id is None else pending.id


class PendingCommands:
    """The requests of one member of one room."""

    def __init__(self) -> None:
        # All requests without a reply, by number.
        self._pending: dict[int, _Pending] = {}
        # Those among them that have an id, by id.
        self._sent: dict[int, _Pending] = {}
        # Requests to send on this connection, in order.
        self._unsent: list[_Pending] = []
        self._numbers = count()
        # Set when a request becomes unsent.
        self._something_to_send = asyncio.Event()
        # Limits the requests in flight.
        self._room_in_flight = asyncio.Semaphore(IN_FLIGHT)
        self._next_id = 1
        # End of the session; after it, all requests are refused.
        self._ended: SessionEnded | None = None
        self.is_too_fast = False
        """Whether the server wants a pause; the sender resets it when it makes one."""

    async def ask(self, request: Request) -> Reply:
        """Send `request` under the next id, wait for the server's reply and return it.

        When the caller is cancelled it loses the reply; the request may have been sent.
        """
        try:
            encode(request)
        except UnicodeEncodeError:  # half a surrogate pair, as a terminal's odd bytes give it
            return refused(request.id, refusal("bad_text"))
        async with self._room_in_flight:
            if self._ended is not None:
                return refused(request.id, CommandRefused(self._ended.code, self._ended.said))
            future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
            pending = _Pending(next(self._numbers), request, future)
            self._pending[pending.number] = pending
            self._unsent.append(pending)
            self._something_to_send.set()
            try:
                return await pending.reply
            finally:
                del self._pending[pending.number]
                if pending.id is not None:
                    self._sent.pop(pending.id, None)

    def take_id(self) -> int:
        """Return the next id and advance it, for a message that is sent outside of this class."""
        request_id = self._next_id
        self._next_id += 1
        return request_id

    async def next_to_send(self) -> Request:
        """Wait for the next request to send and return it."""
        while True:
            while self._unsent:
                pending = self._unsent.pop(0)
                if pending.number in self._pending and not pending.reply.done():
                    return self._with_id(pending)
            self._something_to_send.clear()
            await self._something_to_send.wait()

    def _with_id(self, pending: _Pending) -> Request:
        if pending.id is None:
            pending.id = self.take_id()
            pending.request = replace(pending.request, id=pending.id)
            self._sent[pending.id] = pending
        return pending.request

    def resolve(self, reply: Reply) -> Request | None:
        """Hand `reply` to the caller that waits for it.

        Return the request; None if no caller waits, or if the request is to be sent again.

        Raises:
            ProtocolError: the reply is of another kind than the request.
        """
        pending = self._sent.get(reply.id)
        if pending is None or pending.reply.done():
            return None
        if isinstance(reply, Refused):
            if reply.code == TOO_FAST:
                self._put_back(pending)
                return None
        elif type(reply) is not _REPLIES.get(type(pending.request), Done):
            raise ProtocolError("the server answered another question than we asked")
        pending.reply.set_result(reply)
        return pending.request

    def _put_back(self, pending: _Pending) -> None:
        """Make a request unsent that the server refused as too fast."""
        self.is_too_fast = True
        if pending.id is not None:
            del self._sent[pending.id]
            pending.id = None
        insort(self._unsent, pending, key=_sending_order)
        self._something_to_send.set()

    @property
    def is_leaving(self) -> bool:
        """Whether a `Leave` is pending."""
        return self._has(Leave)

    @property
    def is_standing_up(self) -> bool:
        """Whether a `Stand` is pending."""
        return self._has(Stand)

    def _has(self, kind: type[AnyMemberCommand]) -> bool:
        return any(
            isinstance(pending.request, kind) and not pending.reply.done()
            for pending in self._pending.values()
        )

    def resume(self, last_id: int) -> None:
        """Make all requests unsent on a new connection; `last_id` is the server's last known id."""
        self._next_id = max(self._next_id, last_id + 1)
        self._unsent = sorted(self._pending.values(), key=_sending_order)
        if self._unsent:
            self._something_to_send.set()

    def refuse_commands(self, error: CommandRefused) -> None:
        """Answer every pending command with a refusal, so that it isn't sent again."""
        for pending in self._pending.values():
            if type(pending.request) not in _REPLIES:
                _refuse(pending, error)

    @property
    def other_room(self) -> JoinRoom | None:
        """The pending request to go to another room; None if there is none."""
        requests = (pending.request for pending in self._pending.values())
        return next((request for request in requests if isinstance(request, JoinRoom)), None)

    def refuse_longest(self, error: CommandRefused) -> None:
        """Answer the longest request, which exceeds the server's limit, with a refusal."""
        if self._pending:
            longest = max(self._pending.values(), key=lambda one: len(encode(one.request)))
            _refuse(longest, error)

    def finish(self, ended: SessionEnded) -> None:
        """Refuse all requests, pending and future, for the reason in `ended`."""
        self._ended = ended
        for pending in self._pending.values():
            _refuse(pending, CommandRefused(ended.code, ended.said))


def _refuse(pending: _Pending, error: CommandRefused) -> None:
    if not pending.reply.done():
        pending.reply.set_result(refused(pending.request.id, error))


def refused(request_id: int, error: CommandRefused) -> Refused:
    """Return the answer to a request that this client itself refuses."""
    return Refused(request_id, error.code, str(error), error.phrase)


def said_by(message: Refused | Coaching | Notice) -> Phrase:
    """Return what `message` says; its English sentence if this client doesn't know the phrase."""
    said = message.phrase
    return said if said is not None and is_known(said) else verbatim(message.message)
