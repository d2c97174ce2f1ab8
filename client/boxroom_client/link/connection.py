"""One identity in one room of a server, over as many sockets as it takes.

Theory of operation. A `Conversation` is one socket; `MemberSession` is all that outlives it. Coming
in, the first time or again, is one and the same step: connect, greet, ask to be let in, and
take what the server says up to its `Done`. From then on things run side by side until the
socket ends: one listens, and one sends what is unsent; a third notices when the server falls
silent. When the socket has ended, what is unanswered is unsent again, `Backoff` says when to
try, and the mirror from which event on.
One supervised task does all that; whatever stops it, the shell is told `SessionEnded`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from types import TracebackType
from typing import Self

from websockets.frames import CloseCode

from boxroom_client.link.backoff import Backoff, RetrySchedule
from boxroom_client.link.conversation import CLIENT, Conversation, answering_within, list_rooms
from boxroom_client.link.errors import Disconnected, JoinRefused, ProtocolError, Unreachable
from boxroom_client.link.join_request import Create, Join, JoinRequest
from boxroom_client.link.member_session import CLOSED, LEFT, NOT_WELCOME, REPLACED, MemberSession
from boxroom_client.link.mirror import OutOfSync, UnsupportedRoom
from boxroom_client.link.pending_commands import TOO_FAST
from boxroom_client.link.updates import (
    ConnectionLost,
    ServerResponding,
    ServerSilent,
    SessionEnded,
    Update,
)
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.room.commands import AnyMemberCommand, Leave
from boxroom_engine.room.room import Room
from boxroom_engine.wire.messages import (
    CLOSE_NOT_WELCOME,
    CLOSE_REPLACED,
    Done,
    InRoom,
    ListRooms,
    Refused,
    Resumed,
    Rooms,
    Welcome,
)

__all__ = ["Create", "Join", "JoinRequest", "RoomConnection", "list_rooms"]

logger = logging.getLogger(__name__)

FOR_NOW = (TOO_FAST, "cannot_save")
"""Codes with which a server doesn't let us in, but may another time."""

FOR_GOOD = {CLOSE_REPLACED: REPLACED, CLOSE_NOT_WELCOME: NOT_WELCOME}
"""Close codes after which coming back is no use, and what they mean for us."""


class RoomConnection:
    """A room, as it is played in from here: an async context manager.

    `room`, `me` and `welcome` are what is known now; `updates` tells how it came to that,
    and may be behind. One task at a time may read it.
    """

    def __init__(
        self,
        address: Address,
        identity: Identity,
        entrance: JoinRequest,
        *,
        backoff: Backoff | None = None,
        client: str = CLIENT,
    ) -> None:
        self.welcome: Welcome | None = None
        """The games and bots that the server offers; None before it is greeted."""
        self._address = address
        self._identity = identity
        self._backoff = backoff or Backoff()
        self._client = client
        self._session = MemberSession(entrance)
        self._task: asyncio.Task[None] | None = None
        self._conversation: Conversation | None = None
        self._failure: Exception | None = None

    # For the shell

    @property
    def room(self) -> Room | None:
        """The room as it is now; None before it is entered."""
        return self._session.mirror.room

    @property
    def me(self) -> str | None:
        """Our name as the server writes it; None before the room is entered."""
        return self._session.mirror.me

    async def __aenter__(self) -> Self:
        """Come into the room.

        Raises:
            Unreachable: there is no Boxroom server at the address, or it doesn't answer.
            EntranceRefused: it doesn't let us in.
        """
        conversation = await self._come_in()
        self._task = asyncio.create_task(self._supervise(conversation), name="room connection")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connection. The server keeps our seat for a while, unless we `leave` first.

        Raises:
            Exception: what the connection failed by, a mistake in this program.
        """
        await self._stop(CLOSED)
        if self._failure is None or error is self._failure:
            return
        if error is None:
            raise self._failure
        logger.error("the connection had failed as well", exc_info=self._failure)

    async def updates(self) -> AsyncIterator[Update]:
        """What happens, in order; it ends after `SessionEnded`.

        Raises:
            Exception: what the connection failed by, a mistake in this program.
        """
        while (update := await self._session.backlog.take()) is not None:
            yield update
        if self._failure is not None:
            raise self._failure

    async def ask(self, command: AnyMemberCommand) -> Done | Refused:
        """The server's answer to `command`, however many sockets it takes to get it.

        The command's id is replaced by the next one. When the answer is `Done`, `room` is at
        its seq already. When it's all over, the answer is a refusal that says so.
        """
        answer = await self._session.pending.ask(command)
        assert not isinstance(answer, Rooms)
        return answer

    async def list_rooms(self) -> Rooms:
        """The open rooms of the server.

        Raises:
            Unreachable: it's all over, or the server won't tell.
        """
        answer = await self._session.pending.ask(ListRooms(1))
        assert not isinstance(answer, Done)
        if isinstance(answer, Refused):
            raise Unreachable(answer.message)
        return answer

    async def leave(self) -> None:
        """Go out of the room and close the connection, soon, whatever the server does.

        Without a connection we just go: to come in again in order to leave would only disturb
        the room, and the server gives our seat up after the grace time.
        """
        if self._conversation is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.ask(Leave(1)), self._backoff.leave_s)
        await self._stop(LEFT)

    # The supervised task

    async def _supervise(self, conversation: Conversation) -> None:
        try:
            finished = await self._stay(conversation)
        except Exception as error:  # whatever it is, the shell has to learn that this task died
            self._failure = error
            finished = SessionEnded(
                "failed", f"this client failed, which is its own fault: {error!r}"
            )
        self._session.finish(finished)

    async def _stop(self, finished: SessionEnded) -> None:
        self._session.finish(finished)
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._conversation is not None:  # the task was cancelled before its first step
            await self._conversation.close()

    async def _stay(self, conversation: Conversation) -> SessionEnded:
        """Talk, and come back whenever the talk breaks off, until it is over."""
        backoff = self._backoff
        retries: RetrySchedule | None = None
        while True:
            began_s = backoff.now()
            ending = await self._talk(conversation)
            if isinstance(ending, SessionEnded):
                return ending
            if self._session.pending.is_leaving:
                return LEFT
            if retries is None or backoff.now() - began_s >= backoff.settled_s:
                retries = RetrySchedule(backoff)
            back = await self._come_back(retries, ending)
            if isinstance(back, SessionEnded):
                return back
            conversation = back

    async def _come_back(self, retries: RetrySchedule, reason: str) -> Conversation | SessionEnded:
        while (delay_s := retries.next_delay_s()) is not None:
            delay_s = max(delay_s, self._session.take_retry_s())
            self._session.backlog.put(ConnectionLost(reason, delay_s))
            await self._backoff.sleep(delay_s)
            try:
                return await self._come_in()
            except Unreachable as error:
                reason = str(error)
            except JoinRefused as error:
                return SessionEnded(error.code, error.message)
        return SessionEnded("gave_up", f"the connection doesn't come back: {reason}")

    # Coming in

    async def _come_in(self) -> Conversation:
        """Connect, greet and go into the room, or back into it.

        Raises:
            Unreachable: that didn't come about; it may, another time.
            EntranceRefused: it never will.
        """
        async with answering_within(self._backoff.attempt_s, self._address):
            conversation = await Conversation.open(self._address, self._identity, self._client)
            try:
                await self._enter(conversation)
            except BaseException:
                await conversation.close()
                raise
        self._conversation = conversation
        return conversation

    async def _enter(self, conversation: Conversation) -> None:
        try:
            await self._ask_to_enter(conversation)
        except Disconnected as error:
            if error.close_code in FOR_GOOD:
                ending = FOR_GOOD[error.close_code]
                raise JoinRefused(ending.code, ending.message) from error
            raise Unreachable(f"{self._address} didn't let us in: {error}") from error
        except OutOfSync as error:
            raise Unreachable(f"{self._address} lost count: {error}") from error
        except UnsupportedRoom as error:
            raise JoinRefused("cannot_follow", str(error)) from error
        except UnicodeEncodeError as error:
            raise JoinRefused("bad_text", "that has characters which can't be sent") from error

    async def _ask_to_enter(self, conversation: Conversation) -> None:
        self.welcome = conversation.welcome
        request = self._session.request_to_enter()
        await conversation.send(request)
        has_seen_room = False
        while True:
            message = await conversation.receive()
            match message:
                case Done(id=request.id):
                    if not has_seen_room:
                        raise ProtocolError("it let us into no room")
                    return
                case Refused(id=request.id):
                    if message.code in FOR_NOW:
                        raise Unreachable(message.message)
                    raise JoinRefused(message.code, message.message)
                case _:
                    has_seen_room |= isinstance(message, InRoom | Resumed)
                    self._session.take(message)

    # Being in

    async def _talk(self, conversation: Conversation) -> SessionEnded | str:
        """Listen and speak until it is over, or the conversation is, for the reason given."""
        try:
            async with asyncio.TaskGroup() as both:
                beside = [
                    both.create_task(self._speak(conversation)),
                    both.create_task(self._feel_pulse(conversation)),
                ]
                ending = await self._listen(conversation)
                for task in beside:
                    task.cancel()
            return ending
        finally:
            self._conversation = None
            await conversation.close()

    async def _listen(self, conversation: Conversation) -> SessionEnded | str:
        session = self._session
        try:
            while True:
                finished = session.take(await conversation.receive()) or session.sent_out()
                if finished is not None:
                    return finished
        except Disconnected as error:
            if error.close_code in FOR_GOOD:
                return FOR_GOOD[error.close_code]
            if error.close_code == CloseCode.MESSAGE_TOO_BIG:
                session.pending.refuse_longest("too_long", "that was more than the server takes")
            return str(error)
        except OutOfSync as error:
            return str(error)
        except UnsupportedRoom as error:
            return SessionEnded("cannot_follow", str(error))

    async def _speak(self, conversation: Conversation) -> None:
        """Send what is unsent, as it comes."""
        pending = self._session.pending
        try:
            while True:
                question = await pending.next_to_send()
                if pending.is_too_fast:
                    pending.is_too_fast = False
                    await self._backoff.sleep(self._backoff.slow_down_s)
                await conversation.send(question)
        except Disconnected:
            logger.debug("cut while speaking; the one who listens notices too", exc_info=True)

    async def _feel_pulse(self, conversation: Conversation) -> None:
        """Tell when the server doesn't answer, and when it does again."""
        backoff = self._backoff
        try:
            while True:
                await backoff.rest(backoff.pulse_s)
                await self._ping(conversation)
        except Disconnected:
            logger.debug("cut while asking; the one who listens notices too", exc_info=True)

    async def _ping(self, conversation: Conversation) -> None:
        answered = await conversation.ping()
        enough: asyncio.Future[None] = asyncio.ensure_future(
            self._backoff.rest(self._backoff.silence_s)
        )
        try:
            await asyncio.wait({answered, enough}, return_when=asyncio.FIRST_COMPLETED)
            if not answered.done():
                self._session.backlog.put(ServerSilent())
                await answered
                self._session.backlog.put(ServerResponding())
            answered.result()
        finally:
            enough.cancel()
            answered.cancel()
