"""The session of one client: hello, requests, commands, and an answer to each."""

import asyncio
import logging
from typing import NoReturn

from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from boxroom_engine.bots.registry import bots_for
from boxroom_engine.games.registry import KINDS
from boxroom_engine.room.commands import (
    AnyMemberCommand,
    AskHint,
    Fill,
    FromMember,
    MemberCommand,
    Play,
    Say,
    SeatBot,
)
from boxroom_engine.room.decision import Refusal
from boxroom_engine.room.text import clean, clean_name, fold
from boxroom_engine.wire.codec import MessageError, decode_from_client
from boxroom_engine.wire.messages import (
    CLOSE_BAD_GREETING,
    CLOSE_NOT_WELCOME,
    CLOSE_TOO_FAST,
    PROTOCOL,
    AnyRequest,
    ClientMessage,
    CreateRoom,
    Done,
    GameOffered,
    Hello,
    JoinRoom,
    ListRooms,
    Refused,
    Rooms,
    ServerMessage,
    Welcome,
)
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.outbox import Outgoing
from boxroom_server.net.rate_limits import KeyedRateLimiter, TokenBucket
from boxroom_server.net.reading import NotText, ReadingConnection
from boxroom_server.ops.logs import fields
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import Options
from boxroom_server.people.bans import Bans
from boxroom_server.people.names import Names
from boxroom_server.rooms.directory import Directory, JoinedRoom
from boxroom_server.rooms.host import RoomHost
from boxroom_server.rooms.room_connections import Membership
from boxroom_server.rooms.sequencer import Asleep, Outcome
from boxroom_server.sessions import SessionHandle

logger = logging.getLogger(__name__)

GAMES_OFFERED = tuple(GameOffered(kind.name, kind.title, bots_for(kind)) for kind in KINDS.values())
"""Games and bots that `Welcome` lists."""

RATE_LIMITED = frozenset({Say, SeatBot, Fill, AskHint})
"""Commands with limits for one player, beside those of the room."""

LOGGED_REFUSALS = frozenset({"cannot_save", "name_taken", "too_many_rooms", "wrong_password"})
"""Codes of refusals that an operator may have to act on."""


class HelloRejected(Exception):
    """The first message wasn't an acceptable hello; the connection ends with that close code."""

    def __init__(self, reason: str, close_code: int = CLOSE_BAD_GREETING) -> None:
        super().__init__(reason)
        self.close_code = close_code


class Session:
    """The session of one client, from its connection to its end."""

    def __init__(
        self,
        connection: ReadingConnection,
        session_handle: SessionHandle,
        *,
        directory: Directory,
        names: Names,
        bans: Bans,
        new_name_limiter: KeyedRateLimiter,
        chat_limiter: KeyedRateLimiter,
        options: Options,
        version: str,
        metrics: Metrics,
    ) -> None:
        self._connection = connection
        self._session_handle = session_handle
        self._outbox = session_handle.outbox
        self._directory = directory
        self._names = names
        self._bans = bans
        self._new_name_allowances = new_name_limiter
        self._chat_allowances = chat_limiter
        self._options = options
        self._version = version
        self._metrics = metrics
        self._now_s = metrics.now_s
        self._broadcast = metrics.broadcast  # time from a command's arrival to its answer
        self._loop = asyncio.get_running_loop()
        self._message_bucket = TokenBucket(options.messages_per_s, options.burst, self._loop.time)
        self._name = ""  # "" before the hello
        self._membership: Membership | None = None  # in the room that it is or was last in
        self._host: RoomHost | None = None  # of that room
        self._is_handling_message = False  # one that couldn't be handled at once
        self._is_command_pending = False  # submitted to the host, and not answered yet
        self._command_id = 0  # of the pending or the last command
        self._arrived_s = 0.0  # when that command arrived
        # Set when the pending command is answered; None if that was never waited for.
        self._command_answered: asyncio.Future[None] | None = None

    async def run(self) -> None:
        """Answer messages until the connection closes; then tell the room's host."""
        try:
            self._name = self._session_handle.name = await self._exchange_hello()
            self._connection.set_message_callback(self._handle_at_once)
            while True:
                message = await self._connection.next_message()
                self._is_handling_message = True
                await self._handle_message(message)
                self._is_handling_message = False
        except ConnectionClosed:
            pass
        except NotText:
            self._refuse(0, Refusal("bad_message", "messages are JSON in text frames, not binary"))
            self._outbox.close(CloseCode.UNSUPPORTED_DATA, "messages are text")
            await self._connection.wait_closed()
        except HelloRejected as error:
            self._outbox.close(error.close_code, str(error))
            await self._connection.wait_closed()  # or websockets closes it first, as 1000
        finally:
            if self._membership is not None and self._host is not None:
                self._host.connection_lost(self._membership)

    # Hello

    async def _exchange_hello(self) -> str:
        """Receive and answer the hello, and return the name, which now belongs to its secret."""
        try:
            async with asyncio.timeout(self._options.hello_s):
                raw = await self._connection.next_message()
        except TimeoutError:
            raise HelloRejected("no hello came") from None
        hello = self._decode_hello(raw)
        if hello.protocol != PROTOCOL:
            self._reject(
                "other_protocol",
                f"this server speaks protocol {PROTOCOL}, and you speak {hello.protocol}",
            )
        max_chars = self._options.name_chars
        name = clean_name(hello.name, max_chars)
        if name is None:
            self._reject(
                "bad_name", f"a name has 1 to {max_chars} letters, digits, spaces or _ - . '"
            )
        if self._bans.of_name(name) or self._bans.of_address(self._session_handle.address):
            self._reject("banned", f"{name} is banned from this server", CLOSE_NOT_WELCOME)
        if not self._names.is_known(name) and not self._new_name_allowances.take(
            counted_as(self._session_handle.address)
        ):
            self._reject("too_fast", "too many new names come from your address: try again later")
        owner = self._names.claim(name, hello.secret)
        if owner is None:
            self._reject("name_taken", f"{name} is somebody else's name here: take another")
        self._send(Welcome(PROTOCOL, self._version, owner, GAMES_OFFERED))
        client = clean(hello.client)
        logger.info(
            "greeted", extra=fields(name=owner, address=self._session_handle.address, client=client)
        )
        return owner

    def _decode_hello(self, raw: bytes) -> Hello:
        message = _decode(raw)
        if isinstance(message, MessageError):
            self._reject("bad_message", str(message), message_id=message.id)
        if not isinstance(message, Hello):
            self._reject("no_hello", "the first message is a hello", message_id=message.id)
        return message

    def _reject(
        self,
        code: str,
        message: str,
        close_code: int = CLOSE_BAD_GREETING,
        message_id: int = 0,
    ) -> NoReturn:
        self._refuse(message_id, Refusal(code, message))
        raise HelloRejected(code, close_code)

    # Messages

    def _handle_at_once(self, raw: bytes) -> bool:
        """Handle a message without waiting, if it is a command and no other message is pending.

        Return whether that happened.
        """
        if self._session_handle.is_terminated:
            return True
        if self._is_command_pending or self._is_handling_message:
            return False
        self._arrived_s = self._now_s()
        try:
            message = decode_from_client(raw)
        except MessageError:
            return False
        if not isinstance(message, (Play, MemberCommand)):  # an exact type is found sooner
            return False
        self._handle_command(message)
        return True

    async def _handle_message(self, raw: bytes) -> None:
        """Answer one message of any kind."""
        arrived_s = self._now_s()
        await self._wait_for_answer()
        if self._session_handle.is_terminated:
            return
        self._arrived_s = arrived_s
        message = _decode(raw)
        if isinstance(message, MemberCommand):
            self._handle_command(message)
        elif not self._message_bucket.take():
            self._refuse_flood(0 if isinstance(message, Hello) else message.id)
        elif isinstance(message, MessageError):
            self._refuse(message.id, Refusal("bad_message", str(message)))
        elif isinstance(message, Hello):
            self._refuse(0, Refusal("greeted_already", "you have said hello already"))
        else:
            await self._handle_request(message)

    def _refuse_flood(self, message_id: int) -> None:
        """Refuse a message that exceeds the rate, and disconnect a client that doesn't stop."""
        self._refuse(message_id, Refusal("too_fast", "slow down, and send that again"))
        if self._message_bucket.is_flooded:
            self._outbox.close(CLOSE_TOO_FAST, "too many messages")

    def _handle_command(self, command: AnyMemberCommand) -> None:
        self._metrics.commands += 1
        if not self._message_bucket.take():
            self._refuse_flood(command.id)
            return
        if self._membership is None or self._host is None:
            self._refuse(command.id, Refusal("not_in_a_room", "join or create a room first"))
            return
        asked = FromMember(self._name, command)
        if not self._membership.in_room and not self._host.has_accepted(asked):
            self._refuse(command.id, Refusal("not_in_a_room", "you aren't in that room any more"))
            return
        if type(command) in RATE_LIMITED and not self._host.has_accepted(asked):
            refusal = self._over_limit(command, self._host)
            if refusal is not None:
                self._refuse(command.id, refusal)
                return
        self._is_command_pending = True
        self._command_id = command.id
        self._host.submit(asked, self._answer_command)

    def _over_limit(self, command: AnyMemberCommand, host: RoomHost) -> Refusal | None:
        """Return a refusal if `command` exceeds the limits for one player."""
        match command:
            case Say():
                if self._chat_allowances.take(fold(self._name)):
                    return None
                return Refusal("too_fast", "you chat faster than people can read: wait")
            case SeatBot() | Fill():
                return self._directory.refuses_bots(host, command)
            case AskHint():
                return self._directory.refuses_hint(host, self._name)
            case _:
                return None

    def _answer_command(self, outcome: Outcome) -> None:
        if isinstance(outcome, int):
            self._outbox.send(Outgoing.of(Done(self._command_id, outcome)))
            self._broadcast.observe(self._now_s() - self._arrived_s)
        elif isinstance(outcome, Refusal):
            self._refuse(self._command_id, outcome)
        elif isinstance(outcome, Asleep):
            pass  # the server is stopping: the client repeats the command when it is back
        else:
            logger.error("a command failed", exc_info=outcome)
            self._outbox.close(CloseCode.INTERNAL_ERROR, "internal error")
        self._is_command_pending = False
        if self._command_answered is not None and not self._command_answered.done():
            self._command_answered.set_result(None)

    async def _wait_for_answer(self) -> None:
        if self._is_command_pending:
            self._command_answered = self._loop.create_future()
            await self._command_answered

    async def _handle_request(self, request: AnyRequest) -> None:
        if isinstance(request, ListRooms):
            self._send(Rooms(request.id, self._directory.listed()))
            return
        if self._membership is not None and self._membership.in_room:
            self._refuse(request.id, Refusal("in_a_room", "leave the room that you are in first"))
            return
        membership = Membership(self._name, self._outbox, self._session_handle.address)
        try:
            joined = await self._enter(membership, request)
        except Asleep:
            return  # the server is stopping: the client repeats the request when it is back
        if isinstance(joined, Refusal):
            self._refuse(request.id, joined)
            return
        self._membership, self._host = membership, joined.host
        self._send(Done(request.id, joined.seq))

    async def _enter(
        self, membership: Membership, request: CreateRoom | JoinRoom
    ) -> JoinedRoom | Refusal:
        if isinstance(request, CreateRoom):
            return await self._directory.create(membership, request)
        return await self._directory.join(membership, request)

    # Answers

    def _refuse(self, message_id: int, refusal: Refusal) -> None:
        self._metrics.refusals[refusal.code] += 1
        if refusal.code in LOGGED_REFUSALS:
            extra = fields(code=refusal.code, name=self._name, address=self._session_handle.address)
            logger.info("refused", extra=extra)
        self._send(Refused(message_id, refusal.code, refusal.sentence))

    def _send(self, message: ServerMessage) -> None:
        self._outbox.send(Outgoing.of(message))


def _decode(raw: bytes) -> ClientMessage | MessageError:
    try:
        return decode_from_client(raw)
    except MessageError as error:
        return error
