"""The conversation with one client: greeting, requests, commands, and an answer to each."""

import asyncio
import logging
from typing import NoReturn

from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from boxroom_engine.bots.registry import bots_for
from boxroom_engine.games.registry import KINDS
from boxroom_engine.room.commands import (
    AnyMemberCommand,
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
from boxroom_server.rooms.directory import Directory, Entered
from boxroom_server.rooms.host import Asleep, Outcome, RoomHost
from boxroom_server.rooms.membership import Membership
from boxroom_server.sessions import SessionHandle

logger = logging.getLogger(__name__)

GAMES_OFFERED = tuple(GameOffered(kind.name, kind.title, bots_for(kind)) for kind in KINDS.values())

LIMITED = frozenset({Say, SeatBot, Fill})
"""Commands of which there may be too many, in rooms that have nothing against one more."""

TROUBLE = frozenset({"cannot_save", "name_taken", "too_many_rooms", "wrong_password"})
"""Refusals that an operator may have to do something about."""


class GreetingFailed(Exception):
    """There was no greeting that will do; the connection ends with that close code."""

    def __init__(self, reason: str, close_code: int = CLOSE_BAD_GREETING) -> None:
        super().__init__(reason)
        self.close_code = close_code


class Session:
    """One client from its greeting to its end."""

    def __init__(
        self,
        connection: ReadingConnection,
        visitor: SessionHandle,
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
        self._visitor = visitor
        self._outbox = visitor.outbox
        self._directory = directory
        self._names = names
        self._bans = bans
        self._new_name_limiter = new_name_limiter
        self._chat_limiter = chat_limiter
        self._options = options
        self._version = version
        self._metrics = metrics
        self._now_s = metrics.now_s
        self._broadcast = metrics.broadcast
        self._loop = asyncio.get_running_loop()
        self._bucket = TokenBucket(options.messages_per_s, options.burst, self._loop.time)
        self._name = ""
        self._guest: Membership | None = None
        self._host: RoomHost | None = None
        self._is_taking = False  # a message that couldn't be taken at once
        self._is_commanding = False
        self._command_id = 0  # of the one that is under way, or of the last one
        self._arrived_s = 0.0
        self._commanded: asyncio.Future[None] | None = None

    async def run(self) -> None:
        """Converse until the client goes; then leave its room to the rules for that."""
        try:
            self._name = self._visitor.name = await self._greet()
            self._connection.set_message_callback(self._take_at_once)
            while True:
                message = await self._connection.next_message()
                self._is_taking = True
                await self._take(message)
                self._is_taking = False
        except ConnectionClosed:
            pass
        except NotText:
            self._refuse(0, Refusal("bad_message", "messages are JSON in text frames, not binary"))
            self._outbox.close(CloseCode.UNSUPPORTED_DATA, "messages are text")
            await self._connection.wait_closed()
        except GreetingFailed as error:
            self._outbox.close(error.close_code, str(error))
            await self._connection.wait_closed()  # or websockets closes it first, as 1000
        finally:
            if self._guest is not None and self._host is not None:
                self._host.lost(self._guest)

    # Greeting

    async def _greet(self) -> str:
        """The name of who comes, which from now on belongs to its secret."""
        try:
            async with asyncio.timeout(self._options.hello_s):
                raw = await self._connection.next_message()
        except TimeoutError:
            raise GreetingFailed("no greeting came") from None
        hello = self._decode_hello(raw)
        if hello.protocol != PROTOCOL:
            self._reject(
                "other_protocol",
                f"this server speaks protocol {PROTOCOL}, and you speak {hello.protocol}",
            )
        most = self._options.name_chars
        name = clean_name(hello.name, most)
        if name is None:
            self._reject("bad_name", f"a name has 1 to {most} letters, digits, spaces or _ - . '")
        if self._bans.of_name(name) or self._bans.of_address(self._visitor.address):
            self._reject("banned", f"{name} is banned from this server", CLOSE_NOT_WELCOME)
        if not self._names.is_known(name) and not self._new_name_limiter.take(
            counted_as(self._visitor.address)
        ):
            self._reject("too_fast", "too many new names come from your address: try again later")
        owner = self._names.claim(name, hello.secret)
        if owner is None:
            self._reject("name_taken", f"{name} is somebody else's name here: take another")
        self._send(Welcome(PROTOCOL, self._version, owner, GAMES_OFFERED))
        program = clean(hello.client)
        logger.info(
            "greeted", extra=fields(name=owner, address=self._visitor.address, client=program)
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
        raise GreetingFailed(code, close_code)

    # Messages

    def _take_at_once(self, raw: bytes) -> bool:
        """Take a message without waiting, if it is a command and no other message is under way."""
        if self._visitor.is_terminated:
            return True
        if self._is_commanding or self._is_taking:
            return False
        self._arrived_s = self._now_s()
        try:
            message = decode_from_client(raw)
        except MessageError:
            return False
        if not isinstance(message, (Play, MemberCommand)):  # an exact type is found sooner
            return False
        self._command(message)
        return True

    async def _take(self, raw: bytes) -> None:
        """Answer one message, whatever it is."""
        arrived_s = self._now_s()
        await self._until_answered()
        if self._visitor.is_terminated:
            return
        self._arrived_s = arrived_s
        message = _decode(raw)
        if isinstance(message, MemberCommand):
            self._command(message)
        elif not self._bucket.take():
            self._refuse_flood(0 if isinstance(message, Hello) else message.id)
        elif isinstance(message, MessageError):
            self._refuse(message.id, Refusal("bad_message", str(message)))
        elif isinstance(message, Hello):
            self._refuse(0, Refusal("greeted_already", "there is one hello in a conversation"))
        else:
            await self._request(message)

    def _refuse_flood(self, message_id: int) -> None:
        """One more message isn't allowed now."""
        self._refuse(message_id, Refusal("too_fast", "slow down, and send that again"))
        if self._bucket.is_flooded:
            self._outbox.close(CLOSE_TOO_FAST, "too many messages")

    def _command(self, command: AnyMemberCommand) -> None:
        self._metrics.commands += 1
        if not self._bucket.take():
            self._refuse_flood(command.id)
            return
        if self._guest is None or self._host is None:
            self._refuse(command.id, Refusal("not_in_a_room", "join or create a room first"))
            return
        asked = FromMember(self._name, command)
        if not self._guest.in_room and not self._host.remembers(asked):
            self._refuse(command.id, Refusal("not_in_a_room", "you aren't in that room any more"))
            return
        if type(command) in LIMITED and not self._host.remembers(asked):
            refusal = self._over_limit(command, self._host)
            if refusal is not None:
                self._refuse(command.id, refusal)
                return
        self._is_commanding = True
        self._command_id = command.id
        self._host.submit(asked, self._answer_command)

    def _over_limit(self, command: AnyMemberCommand, host: RoomHost) -> Refusal | None:
        """Why this is too much of it from one person; None if it isn't."""
        match command:
            case Say():
                may = self._chat_limiter.take(fold(self._name))
                return None if may else Refusal("too_fast", "that's faster than people read: wait")
            case SeatBot() | Fill():
                return self._directory.refuses_bots(host, command)
            case _:
                return None

    def _answer_command(self, outcome: Outcome) -> None:
        if isinstance(outcome, int):
            self._outbox.send(Outgoing.of(Done(self._command_id, outcome)))
            self._broadcast.observe(self._now_s() - self._arrived_s)
        elif isinstance(outcome, Refusal):
            self._refuse(self._command_id, outcome)
        elif isinstance(outcome, Asleep):
            pass  # the server stops: whoever comes back asks again
        else:
            logger.error("a command failed", exc_info=outcome)
            self._outbox.close(CloseCode.INTERNAL_ERROR, "something is wrong here")
        self._is_commanding = False
        if self._commanded is not None and not self._commanded.done():
            self._commanded.set_result(None)

    async def _until_answered(self) -> None:
        if self._is_commanding:
            self._commanded = self._loop.create_future()
            await self._commanded

    async def _request(self, request: AnyRequest) -> None:
        if isinstance(request, ListRooms):
            self._send(Rooms(request.id, self._directory.listed()))
            return
        if self._guest is not None and self._guest.in_room:
            self._refuse(request.id, Refusal("in_a_room", "leave the room that you are in first"))
            return
        guest = Membership(self._name, self._outbox, self._visitor.address)
        try:
            entered = await self._enter(guest, request)
        except Asleep:
            return  # the server stops: whoever comes back asks again
        if isinstance(entered, Refusal):
            self._refuse(request.id, entered)
            return
        self._guest, self._host = guest, entered.host
        self._send(Done(request.id, entered.seq))

    async def _enter(self, guest: Membership, request: CreateRoom | JoinRoom) -> Entered | Refusal:
        if isinstance(request, CreateRoom):
            return await self._directory.create(guest, request)
        return await self._directory.join(guest, request)

    # Answers

    def _refuse(self, message_id: int, refusal: Refusal) -> None:
        self._metrics.refusals[refusal.code] += 1
        if refusal.code in TROUBLE:
            about = fields(code=refusal.code, name=self._name, address=self._visitor.address)
            logger.info("refused", extra=about)
        self._send(Refused(message_id, refusal.code, refusal.sentence))

    def _send(self, message: ServerMessage) -> None:
        self._outbox.send(Outgoing.of(message))


def _decode(raw: bytes) -> ClientMessage | MessageError:
    try:
        return decode_from_client(raw)
    except MessageError as error:
        return error
