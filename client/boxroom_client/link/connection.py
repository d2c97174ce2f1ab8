"""A member's connection to a room, which reconnects when it is lost.

Theory of operation. A `Conversation` is one socket; `MemberSession` is all that outlives it.
Entering the room is the same step the first time and later: connect, say hello, send the join
message, and process the messages up to the server's `Done`. Then an `Exchange` runs until the
socket closes, or is silent while a second one answers. The room is then entered over that one, or
over a new one after the delays of `Backoff`: the commands without an answer are unsent again, and
the mirror gives the event from which the server goes on.
One supervised task does all this; when it ends for any reason, the shell gets `SessionEnded`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from types import TracebackType
from typing import Self, TypeVar

from boxroom_client.link.answer_deadline import AnswerDeadline
from boxroom_client.link.backoff import Backoff, RetrySchedule
from boxroom_client.link.conversation import Conversation, all_pages, error_for, list_rooms
from boxroom_client.link.errors import (
    Disconnected,
    MeetsElsewhere,
    ProtocolError,
    Unreachable,
)
from boxroom_client.link.exchange import FOR_GOOD, Exchange, Outcome
from boxroom_client.link.join_request import Create, Join, JoinRequest
from boxroom_client.link.member_session import CLOSED, LEFT, MemberSession
from boxroom_client.link.mirror import OutOfSync, UnsupportedRoom
from boxroom_client.link.pending_commands import Answer, Request, said_by
from boxroom_client.link.renaming import Renaming
from boxroom_client.link.sockets.web_socket import CLIENT, answering_within
from boxroom_client.link.updates import (
    ConnectionLost,
    NoticeReceived,
    SessionEnded,
    Update,
)
from boxroom_client.profile.identity import BadName, Identity, another_name, checked_name
from boxroom_client.profile.ignored import IgnoredPeople
from boxroom_client.servers.address import Address
from boxroom_common.exits import Failure
from boxroom_common.phrases import say
from boxroom_engine.phrases import Phrase, phrase, verbatim
from boxroom_engine.room.commands import AnyMemberCommand, Leave
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.powers import Power
from boxroom_engine.room.room import Room
from boxroom_engine.wire.links import PageUrl, masked, new_pad
from boxroom_engine.wire.messages import (
    AskJudgement,
    Done,
    Elsewhere,
    GameReview,
    GetPowers,
    GetReview,
    IdentityOffered,
    InRoom,
    JoinRoom,
    ListRooms,
    OfferIdentity,
    PositionJudgement,
    Powers,
    Refused,
    Resumed,
    RoomListed,
    Rooms,
    Welcome,
)

__all__ = [
    "Create",
    "Join",
    "JoinRequest",
    "Revive",
    "RoomConnection",
    "list_rooms",
    "no_notice",
]

logger = logging.getLogger(__name__)

Revive = Callable[[], Awaitable[Phrase | None]]
"""Starts the server anew if it has crashed; see `RoomConnection`."""


async def no_notice() -> None:
    """Leave the server as it is."""


AnswerT = TypeVar("AnswerT", bound=Answer)


class RoomConnection:
    """A member's connection to a room: an async context manager.

    `room`, `me` and `welcome` are the current state; `updates` yields the changes that led to it,
    and may be behind. One task at a time may read it. With `keeps_seat`, `leave` only closes the
    connection. `observe` is called with every update as it arrives. `revive` is called before each
    attempt to make a lost connection again; it may start the server anew, and returns a notice
    about that.
    """

    def __init__(
        self,
        address: Address,
        identity: Identity,
        join_request: JoinRequest,
        *,
        backoff: Backoff | None = None,
        client: str = CLIENT,
        keeps_seat: bool = False,
        guests_address: Address | None = None,
        observe: Callable[[Update], None] = lambda update: None,
        revive: Revive = no_notice,
        ignored: IgnoredPeople | None = None,
    ) -> None:
        self.ignored = ignored or IgnoredPeople()
        """People whose messages the user doesn't want to see."""
        self.guests_address = guests_address
        """Address by which others reach the server; None if they can't."""
        self.welcome: Welcome | None = None
        """Games and bots that the server offers; None before the first connection."""
        self._address = address
        self._identity = identity
        self._backoff = backoff or Backoff()
        self._client = client
        self._keeps_seat = keeps_seat
        self._revive = revive
        # All state that outlives a socket.
        self._session = MemberSession(join_request, observe)
        # The supervised task; None before the room is entered.
        self._task: asyncio.Task[None] | None = None
        # The current socket; None while there is none.
        self._conversation: Conversation | None = None
        # Time by which the current socket has to answer.
        self._deadline = AnswerDeadline(self._backoff.answer_s)
        # Error in this program that ended the task.
        self._failure: Exception | None = None
        # The exchange over the current socket; None while there is none.
        self._current: Exchange | None = None
        # A change of the name; None if none is under way.
        self._renaming: Renaming | None = None
        # Keeps further names for this process.
        self._names = ExitStack()

    # For the shell

    @property
    def room(self) -> Room | None:
        """Current state of the room; None before it is entered."""
        return self._session.mirror.room

    @property
    def me(self) -> str | None:
        """Name of the member as the server writes it; None before the room is entered."""
        return self._session.mirror.me

    @property
    def guests_page(self) -> PageUrl | None:
        """Page by which others come with a browser; None if there is none, or it isn't known."""
        page = self.welcome.page if self.welcome is not None else None
        if page is None or self.guests_address is None:
            return None
        try:
            return PageUrl.parse(page) if page else self.guests_address.page
        except ValueError:  # of a server that isn't ours
            return None

    async def __aenter__(self) -> Self:
        """Enter the room.

        Raises:
            Unreachable: there is no Boxroom server at the address, or it doesn't answer.
            CommandRefused: it refuses the request.
        """
        conversation = await self._connect()
        self._task = asyncio.create_task(self._supervise(conversation), name="room connection")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connection. The server keeps the seat for a while, unless `leave` came first.

        Raises:
            Exception: an error in this program ended the connection.
        """
        await self._stop(CLOSED)
        self._names.close()
        if self._failure is None or error is self._failure:
            return
        if error is None:
            raise self._failure
        logger.error("the connection had failed as well", exc_info=self._failure)

    async def updates(self) -> AsyncIterator[Update]:
        """Yield the updates in order; the last one is `SessionEnded`.

        Raises:
            Exception: an error in this program ended the connection.
        """
        while (update := await self._session.updates.get()) is not None:
            yield update
        if self._failure is not None:
            raise self._failure

    async def ask(self, command: AnyMemberCommand) -> Done:
        """Send `command` and return the server's answer, after reconnecting if need be.

        The next id replaces the command's. `room` is at the answer's seq already.

        Raises:
            CommandRefused: the server refuses the command, or the session has ended.
        """
        return await self._answer(command, Done)

    async def review(self) -> GameReview:
        """Ask for the review of the game on the board, for seconds; raise what `ask` raises."""
        return await self._answer(GetReview(1), GameReview)

    async def judge(self, ply: int, move: str | None, *, all_moves: bool) -> PositionJudgement:
        """Ask for the judgement of a position of the game on the board; raise what `ask` raises.

        It takes up to seconds. `move`, or all moves, are judged besides.
        """
        return await self._answer(AskJudgement(1, ply, move, all_moves), PositionJudgement)

    async def powers(self) -> tuple[Power, ...]:
        """Ask what we can do as the host of the room; raise what `ask` raises."""
        return (await self._answer(GetPowers(1), Powers)).powers

    async def list_rooms(self) -> tuple[RoomListed, ...]:
        """Ask for the open rooms of the server; raise what `ask` raises."""
        return await all_pages(lambda after: self._answer(ListRooms(1, after), Rooms))

    async def go_to(self, room: str, password: str | None = None) -> None:
        """Go to another room of the server, or stay in this one and raise what `ask` raises."""
        await self._answer(JoinRoom(1, room, password), Done)

    async def rename(self, name: str) -> None:
        """Go on under another name, which this person owns from then on; see `ask`."""
        if self._current is None or self._renaming is not None:
            raise refusal("cannot_rename")
        try:
            wanted = checked_name(name)
            second = await self._open_conversation(wanted)
        except (BadName, Unreachable) as error:
            raise CommandRefused("cannot_rename", verbatim(str(error))) from error
        spelt = second.welcome.name
        if spelt == self.me or self._current is None:
            second.abort()
            raise refusal("no_change.name", name=spelt)
        self._renaming = renaming = Renaming(self._identity, second)
        self._identity = replace(self._identity, name=spelt)
        self._session.former_name = renaming.former.name
        self._current.replace_by(second)
        await renaming.entered

    async def offer_identity(self) -> tuple[str, str]:
        """Offer the identity to another device; return the pad of its secret, and the code.

        Raises:
            CommandRefused: see `ask`; or the secret can't be masked.
        """
        secret = self._identity.secret
        try:
            offer = OfferIdentity(1, masked(secret, pad := new_pad(secret)))
        except ValueError:  # of another program, or written by hand
            raise refusal("bad_text.secret") from None
        return pad, (await self._answer(offer, IdentityOffered)).code

    async def _answer(self, request: Request, kind: type[AnswerT]) -> AnswerT:
        reply = await self._session.pending.ask(request)
        if isinstance(reply, Refused):
            raise CommandRefused(reply.code, said_by(reply))
        assert isinstance(reply, kind)
        return reply

    async def leave(self) -> None:
        """Leave the room and close the connection, within `leave_s` and the closing timeout.

        Without a connection there is nothing to send: reconnecting in order to leave would only
        disturb the room, and the server gives up the seat after the grace time.
        """
        if self._conversation is not None and not self._keeps_seat:
            with suppress(TimeoutError, CommandRefused):
                await asyncio.wait_for(self.ask(Leave(1)), self._backoff.leave_s)
        await self._stop(LEFT)

    # The supervised task

    async def _supervise(self, conversation: Conversation) -> None:
        try:
            ended = await self._run(conversation)
        except Exception as error:  # the shell must learn of any error that ends this task
            self._failure = error
            ended = SessionEnded("failed", phrase("ended.failed", error=repr(error)))
        self._session.finish(ended)

    async def _stop(self, ended: SessionEnded) -> None:
        self._session.finish(ended)
        if self._renaming is not None:
            self._renaming.refuse(CommandRefused(ended.code, ended.said))
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._conversation is not None:  # the task was cancelled before its first step
            await self._conversation.close()

    async def _run(self, conversation: Conversation) -> SessionEnded:
        """Exchange messages, and reconnect whenever the socket closes, until the session ends."""
        backoff = self._backoff
        retries: RetrySchedule | None = None
        while True:
            began_s = backoff.now()
            outcome = await self._exchange(conversation)
            if isinstance(outcome, SessionEnded):
                return outcome
            if self._session.ended is not None:  # before Python 3.12 `wait_for` can hide a cancel
                return self._session.ended
            if isinstance(outcome, Conversation):
                conversation = outcome
                continue
            if self._session.pending.is_leaving:
                return LEFT
            if retries is None or backoff.now() - began_s >= backoff.settled_s:
                retries = RetrySchedule(backoff)
            reconnected = await self._reconnect(retries, reason=outcome)
            if isinstance(reconnected, SessionEnded):
                return reconnected
            conversation = reconnected

    async def _reconnect(self, retries: RetrySchedule, reason: str) -> Conversation | SessionEnded:
        while (delay_s := retries.next_delay_s()) is not None:
            delay_s = max(delay_s, self._session.take_retry_s())
            self._session.goes_elsewhere = False
            self._session.updates.put(ConnectionLost(reason, delay_s))
            await self._backoff.sleep(delay_s)
            try:
                if (said := await self._revive()) is not None:
                    self._session.updates.put(NoticeReceived("server_started_anew", said))
                return await self._connect()
            except Failure as error:  # such as `Unreachable`
                reason = str(error)
            except CommandRefused as error:
                return SessionEnded(error.code, error.phrase)
        return SessionEnded("gave_up", phrase("ended.gave_up", reason=reason))

    async def _exchange(self, conversation: Conversation) -> Outcome:
        """Exchange messages over `conversation`, and close it; enter the room over a second one."""
        try:
            while True:
                self._current = exchange = Exchange(
                    conversation,
                    self._session,
                    self._backoff,
                    self._deadline,
                    self._open_second,
                )
                outcome = await exchange.run()
                if not isinstance(outcome, Conversation):
                    return outcome
                is_renaming = self._renaming is not None
                entered = await self._take_over(outcome)
                if is_renaming and isinstance(entered, SessionEnded):
                    continue  # under the name as before
                conversation.abort()  # it is silent, or of a member that has gone on
                return entered
        finally:
            self._current = None
            if self._conversation is conversation:
                self._conversation = None
            await conversation.close()

    async def _take_over(self, second: Conversation) -> Outcome:
        """Enter the room over `second`; return that, or why it is of no use."""
        if self._session.pending.is_leaving:
            second.abort()
            return LEFT
        try:
            async with answering_within(self._backoff.attempt_s, self._address):
                return await self._enter_over(second)
        except Unreachable as error:
            return str(error)
        except CommandRefused as error:
            return SessionEnded(error.code, error.phrase)

    # Entering the room

    async def _connect(self) -> Conversation:
        """Connect, say hello and enter the room, for the first time or again.

        Raises:
            Unreachable: that failed; a later attempt may succeed.
            CommandRefused: no later attempt will succeed.
        """
        is_renaming = self._renaming is not None
        try:
            async with answering_within(self._backoff.attempt_s, self._address):
                conversation = await Conversation.open(self._address, self._identity, self._client)
                return await self._enter_over(conversation)
        except CommandRefused:
            if not is_renaming:
                raise
            return await self._connect()  # under the name as before

    async def _open_conversation(self, name: str | None = None) -> Conversation:
        """Connect and say hello, maybe under another name.

        Raises:
            Unreachable: that failed; a later attempt may succeed.
            CommandRefused: no later attempt will succeed.
        """
        async with answering_within(self._backoff.attempt_s, self._address):
            return await Conversation.open(self._address, self._identity, self._client, name)

    async def _open_second(self, at: str | None) -> Conversation:
        """Connect and say hello, maybe to the server `at` of the cluster; see above."""
        if at is None:
            return await self._open_conversation()
        self._address = replace(self._address, at=at)
        second = await self._open_conversation()
        self._session.goes_elsewhere = True
        return second

    async def _enter_over(self, conversation: Conversation) -> Conversation:
        """Enter the room over `conversation`, or close that and raise what `_connect` raises.

        Return the conversation: another one if the members are at another server of the cluster,
        which then sends this one nowhere else.
        """
        try:
            await self._enter(conversation)
        except MeetsElsewhere as other:
            await conversation.close()
            self._address = replace(self._address, at=other.at)
            second = await Conversation.open(self._address, self._identity, self._client)
            return await self._enter_over(second)
        except BaseException as error:
            await conversation.close()
            if isinstance(error, CommandRefused):
                self._end_renaming(error)
            raise
        self._conversation = conversation
        self._end_renaming(None)
        return conversation

    def _end_renaming(self, refused: CommandRefused | None) -> None:
        """End a change of the name, if one is under way: the name is another, or stays."""
        renaming, self._renaming = self._renaming, None
        self._session.former_name = None
        if renaming is None:
            return
        if refused is not None:
            self._identity = renaming.former
            renaming.refuse(refused)
        else:
            keeping = another_name(self._address, renaming.former, self._identity.name)
            self._names.enter_context(keeping)
            renaming.accept()

    async def _enter(self, conversation: Conversation) -> None:
        try:
            await self._join(conversation)
        except Disconnected as error:
            if error.close_code in FOR_GOOD:
                outcome = FOR_GOOD[error.close_code]
                raise CommandRefused(outcome.code, outcome.said) from error
            raise Unreachable(
                say("terminal.link.not_let_in", address=str(self._address), error=str(error))
            ) from error
        except OutOfSync as error:
            raise Unreachable(
                say("terminal.link.lost_count", address=str(self._address), error=str(error))
            ) from error
        except UnsupportedRoom as error:
            raise CommandRefused("cannot_follow", error.phrase) from error
        except UnicodeEncodeError as error:
            raise refusal("bad_text") from error

    async def _join(self, conversation: Conversation) -> None:
        self.welcome = conversation.welcome
        request = self._session.join_message()
        if (reason := conversation.why_too_long(request)) is not None:
            raise CommandRefused("too_long", reason)
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
                    raise error_for(message)
                case Elsewhere(id=request.id, at=at):
                    raise MeetsElsewhere(at)
                case _:
                    has_seen_room |= isinstance(message, InRoom | Resumed)
                    self._session.receive(message)
