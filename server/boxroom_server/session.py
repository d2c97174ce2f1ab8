"""The session of one client: hello, requests, commands, and an answer to each.

    greeting ──hello──▶ ready ──a command, or a request to come in──▶ busy
        │                 │ ◀──────────────its answer──────────────────┘ │
        └──────────────── ┴ ──────────connection lost──────────▶ ended ◀─┘

- *greeting*: the next message has to be a hello, and has to come in time. Only challenges, and
  requests for an identity that another device offers, may come before it.
- *ready*: the next message is handled as it arrives.
- *busy*: the host or the directory works on a message. The connection holds all others, so that
  each is answered before the next one is looked at.
- *ended*: the host knows that the member's connection is lost. What was under way still happens.

A message that has to end the session is answered and then closes the connection, after which no
message comes any more.
"""

import logging
from collections.abc import Awaitable, Callable, Set
from functools import partial
from typing import TypeVar

from websockets.frames import CloseCode

from boxroom_common.qr_codes import qr_modules
from boxroom_engine.games.protocol import Game
from boxroom_engine.phrases import phrase
from boxroom_engine.room.commands import (
    Answer,
    AnswerUndo,
    AnyMemberCommand,
    AskHint,
    Fill,
    FromMember,
    GoAway,
    MemberCommand,
    Play,
    React,
    Rematch,
    Say,
    SeatBot,
    StandIn,
    Start,
    Tell,
    Undo,
)
from boxroom_engine.room.decide import LAST_COMMANDS, begins_something
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.room.rules.playing import check_judging
from boxroom_engine.room.text import clean, fold
from boxroom_engine.wire.codec import MessageError, decode_from_client
from boxroom_engine.wire.messages import (
    CLOSE_BAD_GREETING,
    CLOSE_NOT_WELCOME,
    CLOSE_TOO_FAST,
    MOST_BEFORE_HELLO,
    AnyRequest,
    AskJudgement,
    Challenge,
    ClientMessage,
    CreateRoom,
    Done,
    Elsewhere,
    GetGame,
    GetGeometry,
    GetPowers,
    GetQrCode,
    GetReview,
    Greeting,
    Hello,
    IdentityOffered,
    JoinRoom,
    ListGames,
    ListRooms,
    LookAtRoom,
    Notice,
    OfferedIdentity,
    OfferIdentity,
    Ping,
    Pong,
    QrCode,
    Rooms,
    SeeGame,
    ServerMessage,
    TakeIdentity,
    WatchRooms,
)
from boxroom_engine.wire.parts import ELSEWHERE, understood
from boxroom_server.clock import Clock
from boxroom_server.hello import AnsweredChallenge, HelloCheck, HelloRejected
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.clients import (
    CHANGE_WORK,
    COMMAND_WORK,
    DELIVERY_WORK,
    ENTER_WORK,
    GEOMETRY_WORK_PER_LINE,
    LIST_GAMES_WORK,
    QR_CODE_WORK,
    WORK_PER_BYTE,
    WORK_PER_LINE,
    WORK_PER_MOVE,
    WORK_PER_MOVE_REPLAYED,
)
from boxroom_server.net.connection import Connection
from boxroom_server.net.frames import Outgoing, encode_outgoing
from boxroom_server.net.rate_limits import KeyedRateLimiter, TokenBucket
from boxroom_server.ops.logs import fields
from boxroom_server.ops.metrics import Metrics
from boxroom_server.people.finished_games import FinishedGames
from boxroom_server.people.identity_offers import IdentityOffers
from boxroom_server.reviews import Reviews
from boxroom_server.rooms.cell import MeetsElsewhere
from boxroom_server.rooms.directory import Directory
from boxroom_server.rooms.host import RoomHost
from boxroom_server.rooms.open_rooms import board_of
from boxroom_server.rooms.room_connections import Membership
from boxroom_server.rooms.sequencer import Asleep, Outcome
from boxroom_server.sentences import powers, refused
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

LOGGED_REFUSALS = frozenset({"cannot_save", "name_taken", "too_many_rooms", "wrong_password"})
"""Codes of refusals that an operator may have to act on."""

TAKEBACK_COMMANDS = frozenset({Undo, AnswerUndo})
"""Commands that replay the game."""

STARTS = frozenset({Start, Rematch})
"""Commands that may begin a game."""

LARGE_BOARD = 1_000
"""`Game.work` of a board whose tables take 2 ms to make: larger ones are made in a thread."""

_FAILED = (CloseCode.INTERNAL_ERROR, "internal error")

_Message = TypeVar("_Message", bound=ClientMessage)
_Answer = Callable[[_Message], Awaitable[None]]


class Session:
    """The session of one client, from its connection to its end; its connection's receiver."""

    __slots__ = (
        "_arrived_s",
        "_challenge",
        "_channel",
        "_chat_allowances",
        "_clock",
        "_command_id",
        "_directory",
        "_finished_games",
        "_hello_check",
        "_hello_timer",
        "_host",
        "_identity_offers",
        "_is_ended",
        "_knows",
        "_left_before_hello",
        "_membership",
        "_message_bucket",
        "_metrics",
        "_reviews",
        "_storage_notice",
        "_tasks",
        "_verifier",
        "connection",
        "name",
        "since_ms",
    )

    def __init__(
        self,
        connection: Connection,
        message_bucket: TokenBucket,
        *,
        hello_s: float,
        hello_check: HelloCheck,
        channel: Callable[[], str],
        storage_notice: Callable[[], Notice | None],
        chat_limiter: KeyedRateLimiter,
        directory: Directory,
        clock: Clock,
        finished_games: FinishedGames,
        reviews: Reviews,
        identity_offers: IdentityOffers,
        tasks: Tasks,
        metrics: Metrics,
    ) -> None:
        self.connection = connection
        self.name = ""
        """Name of the person; "" before the hello."""
        self.since_ms = clock.now_ms()
        """Time at which the connection was opened."""
        self._clock = clock
        self._message_bucket = message_bucket
        self._hello_check = hello_check
        self._channel = channel  # returns the channel for proofs; see `recognition`
        self._left_before_hello = MOST_BEFORE_HELLO
        self._challenge: AnsweredChallenge | None = None  # the last one
        self._storage_notice = storage_notice
        self._chat_allowances = chat_limiter  # by folded name of the person
        self._directory = directory
        self._finished_games = finished_games
        self._reviews = reviews
        self._identity_offers = identity_offers
        self._tasks = tasks
        self._metrics = metrics
        self._hello_timer = clock.call_later(hello_s, self._hello_is_missing)
        self._membership: Membership | None = None  # in the room that it is or was last in
        self._host: RoomHost | None = None  # of that room
        self._command_id = 0  # of the pending or the last command
        self._arrived_s = 0.0  # when that command arrived
        self._is_ended = False
        self._knows: Set[str] = frozenset()  # parts of the protocol, as its hello says
        self._verifier = b""  # of the name's owner, which is this session's person

    @property
    def address(self) -> str:
        """IP address of the client; "" if it is unknown."""
        return self.connection.slot.address

    def terminate(self, reason: str) -> None:
        """Close the connection as 4003, after which clients stay away, and ignore its messages."""
        self.connection.close(CLOSE_NOT_WELCOME, reason)

    def notify(self, notice: Outgoing) -> None:
        """Send a notice, unless the client isn't greeted yet: it expects no other message then."""
        if self.name:
            self.connection.send(notice)

    def message_received(self, message: bytes | None) -> None:
        self._arrived_s = self._metrics.now_s()
        if message is None:
            self._refuse(0, refusal("bad_message.binary"))
            self.connection.close(CloseCode.UNSUPPORTED_DATA, "messages are text")
            return
        decoded: ClientMessage | MessageError
        try:
            decoded = decode_from_client(message)
        except MessageError as error:
            decoded = error.with_traceback(None)  # which refers to this frame: a cycle
        try:
            if not self.name:
                self._greet(decoded)
            elif isinstance(decoded, (Play, MemberCommand)):  # an exact type is found sooner
                self._handle_command(decoded)
            else:
                self._handle_request(decoded)
        except CommandRefused as refused:
            self._refuse(_id_of(decoded), refused)
            if isinstance(refused, HelloRejected):
                self.connection.close(refused.close_code, refused.code)

    def connection_lost(self) -> None:
        self._is_ended = True
        self._hello_timer.cancel()
        self._directory.open_rooms.watchers.discard(self)
        if self._membership is not None and self._host is not None:
            self._host.connection_lost(self._membership)

    # Hello

    def _hello_is_missing(self) -> None:
        self.connection.close(CLOSE_BAD_GREETING, "no hello came")

    def _greet(self, message: ClientMessage | MessageError) -> None:
        """Answer the first message: the name now belongs to the secret of a hello."""
        if isinstance(message, MessageError):
            raise HelloRejected("bad_message", phrase("refusal.bad_message", error=str(message)))
        if isinstance(message, Challenge | TakeIdentity | SeeGame):
            self._answer_before_hello(message)
            return
        if not isinstance(message, Hello):
            raise HelloRejected("no_hello", phrase("refusal.no_hello"))
        answer = self._hello_check.answer(message, self.address, self._challenge)
        self._hello_timer.cancel()
        self.name = answer.name
        self._verifier = self._hello_check.verifier(answer.name)
        self._knows = understood(message.knows)
        self._send(answer)
        notice = self._storage_notice()
        if notice is not None:
            self._send(notice)
        client = clean(message.client)
        logger.info("greeted", extra=fields(name=self.name, address=self.address, client=client))

    def _answer_before_hello(self, message: Challenge | TakeIdentity | SeeGame) -> None:
        """Answer a message before the hello, after a refusal of which others may follow."""
        self._left_before_hello -= 1
        if self._left_before_hello < 0:
            raise HelloRejected("too_fast", phrase("refusal.too_fast.hello"))
        if isinstance(message, TakeIdentity):
            self._start(message, self._answer_take, COMMAND_WORK)
        elif isinstance(message, SeeGame):
            self._start(message, self._answer_see, LIST_GAMES_WORK)
        else:
            self._start(message, self._answer_challenge, COMMAND_WORK)

    async def _answer_take(self, request: TakeIdentity) -> None:
        taken = await self._identity_offers.take(request.code, self.address)
        self._send(OfferedIdentity(*taken))

    async def _answer_see(self, request: SeeGame) -> None:
        """Answer with a finished game that everybody may see, which a thread reads."""
        async with self.connection.slot.client.computing:
            answer = await self._finished_games.see(request.link)
        self._send_charged(encode_outgoing(answer))

    async def _answer_challenge(self, challenge: Challenge) -> None:
        self._challenge = await self._hello_check.answer_challenge(challenge, self._channel())
        self._send(self._challenge.answer)

    # Commands

    def _refuse_flood(self, message_id: int) -> None:
        """Refuse a message that exceeds the rate, and disconnect a client that doesn't stop."""
        self._refuse(message_id, refusal("too_fast"))
        if self._message_bucket.is_flooded:
            self.connection.close(CLOSE_TOO_FAST, "too many messages")

    def _handle_command(self, command: AnyMemberCommand) -> None:
        self._metrics.commands += 1
        client = self.connection.slot.client
        if not self._message_bucket.take(client.tokens_per_message):
            self._refuse_flood(command.id)
            return
        if self._membership is None or self._host is None:
            raise refusal("not_in_a_room")
        asked = FromMember(self.name, command)
        if not self._membership.in_room and not self._host.has_accepted(asked):
            raise refusal("not_in_a_room.left")
        if type(command) not in LAST_COMMANDS and not self._host.has_accepted(asked):
            self._check_limits(command, self._host)
            client.credit -= CHANGE_WORK
            if type(command) in TAKEBACK_COMMANDS:
                client.credit -= WORK_PER_MOVE_REPLAYED * self._host.room.ply
        client.credit -= COMMAND_WORK + DELIVERY_WORK * len(self._host.connections.names)
        self._command_id = command.id
        self.connection.hold_messages()
        if type(command) in STARTS:
            link = self._finished_games.new_link()
            self._begin_game(self._host, FromMember(self.name, command, link))
        else:
            self._host.submit(asked, self._answer_command)

    def _begin_game(self, host: RoomHost, asked: FromMember) -> None:
        """Submit a command that may begin a game, and charge its board."""
        game = host.room.settings.make_game()
        self.connection.slot.client.credit -= WORK_PER_LINE * game.work
        if game.work > LARGE_BOARD:
            begin = self._begin_large_game(game, host, asked)
            self._tasks.start(begin, partial(self.connection.close, *_FAILED))
        else:
            host.submit(asked, self._answer_command)

    async def _begin_large_game(self, game: Game, host: RoomHost, asked: FromMember) -> None:
        """Submit a command that may begin `game`, after a thread has made the tables of its board.

        They are shared as long as a position refers to them.
        """
        async with self.connection.slot.client.computing:
            initial = await self._directory.computing_thread.run(game.initial)
        host.submit(asked, self._answer_command)
        del initial

    def _check_limits(self, command: AnyMemberCommand, host: RoomHost) -> None:
        """Refuse `command` if it exceeds the limits for one player, or of the disk."""
        if begins_something(host.room, command):
            self._directory.check_space()
        match command:
            case Say() | Tell() | React() | GoAway():
                if not self._chat_allowances.take(fold(self.name)):
                    raise refusal("too_fast.chat")
            case SeatBot() | Fill() | StandIn() | Answer():
                self._directory.check_bots(host, command)
            case AskHint():
                self._directory.check_hint(host, self.name)
            case _:
                pass

    def _answer_command(self, outcome: Outcome) -> None:
        if isinstance(outcome, int):
            self._send(Done(self._command_id, outcome))
            self._metrics.broadcast.observe(self._metrics.now_s() - self._arrived_s)
        elif isinstance(outcome, CommandRefused):
            self._refuse(self._command_id, outcome)
        elif isinstance(outcome, Asleep):
            pass  # the server is stopping: the client repeats the command when it is back
        else:
            logger.error("a command failed", exc_info=outcome)
            self.connection.close(*_FAILED)
        self.connection.release_messages()

    # Requests

    def _handle_request(self, request: AnyRequest | Greeting | MessageError) -> None:
        """Answer a message that isn't a command."""
        if not self._message_bucket.take(self.connection.slot.client.tokens_per_message):
            self._refuse_flood(_id_of(request))
        elif isinstance(request, MessageError):
            raise refusal("bad_message", error=str(request))
        elif isinstance(request, Greeting):
            raise refusal("greeted_already")
        elif isinstance(request, Ping):
            self._send(Pong(request.id, self._clock.now_ms()))
        elif isinstance(request, ListRooms):
            self._list_rooms(request)
        elif isinstance(request, LookAtRoom):
            self._start(request, self._answer_look, ENTER_WORK)
        elif isinstance(request, ListGames | GetGame):
            self._start(request, self._answer_games, LIST_GAMES_WORK)
        elif isinstance(request, GetReview):
            self._begin_review(request)
        elif isinstance(request, AskJudgement):
            self._begin_judgement(request)
        elif isinstance(request, GetGeometry):
            self._begin_geometry(request)
        elif isinstance(request, GetPowers):
            self._send_powers(request)
        elif isinstance(request, GetQrCode):
            self._start(request, self._answer_qr_code, QR_CODE_WORK)
        elif isinstance(request, OfferIdentity):
            self._start(request, self._offer_identity, COMMAND_WORK)
        elif isinstance(request, JoinRoom):
            self._start(request, self._enter, ENTER_WORK)
        elif self._room is not None:
            raise refusal("in_a_room")
        elif isinstance(request, WatchRooms):
            self._watch_rooms(request)
        else:
            self._start(request, self._enter, ENTER_WORK)

    @property
    def _room(self) -> Room | None:
        """The room in which this session is; None outside of rooms."""
        is_in_room = self._membership is not None and self._membership.in_room
        return self._host.room if self._host is not None and is_in_room else None

    def _start(self, message: _Message, answer: _Answer[_Message], work: float) -> None:
        """Charge a message, and hold all others until `answer` has answered it."""
        self.connection.slot.client.credit -= work
        self.connection.hold_messages()
        answering = self._answer_held(message, answer)
        self._tasks.start(answering, partial(self.connection.close, *_FAILED))

    async def _answer_held(self, message: _Message, answer: _Answer[_Message]) -> None:
        try:
            await self._answer(message, answer)
        except Asleep:
            return  # the server is stopping, and about to close the connection
        self.connection.release_messages()

    async def _answer(self, message: _Message, answer: _Answer[_Message]) -> None:
        try:
            await answer(message)
        except CommandRefused as refused:
            self._refuse(_id_of(message), refused)

    def _list_rooms(self, request: ListRooms) -> None:
        self._send_charged(self._directory.open_rooms.answer(request.id, request.after))

    async def _answer_games(self, request: ListGames | GetGame) -> None:
        """Answer with finished games, which a thread reads from the disk."""
        async with self.connection.slot.client.computing:
            answer = await self._finished_games.answer(self.name, request)
        self._send_charged(encode_outgoing(answer))

    def _begin_review(self, request: GetReview) -> None:
        """Answer with a review; it takes seconds, so other messages are answered meanwhile."""
        self._begin_judging(request, self._answer_review)

    async def _answer_review(self, request: GetReview, room: Room | None) -> None:
        client = counted_as(self.address)
        answer = await self._reviews.review(request, self.name, client, room)
        self._send_charged(encode_outgoing(answer))

    def _begin_judgement(self, request: AskJudgement) -> None:
        """Answer with a judgement, which takes seconds, too, or refuse one of a running game."""
        if request.game is None and request.link is None:
            if self._host is None or self._room is None:
                raise refusal("not_in_a_room")
            if self._room.phase is not Phase.OVER:
                check_judging(self._room, self.name, request.ply)
                self._directory.check_hint_was_asked(self._host, self.name)
        self._begin_judging(request, self._answer_judgement)

    async def _answer_judgement(self, request: AskJudgement, room: Room | None) -> None:
        client = counted_as(self.address)
        answer = await self._reviews.judge(request, self.name, client, room)
        self._send_charged(encode_outgoing(answer))

    def _begin_judging(
        self, request: _Message, answer: Callable[[_Message, Room | None], Awaitable[None]]
    ) -> None:
        """Begin to answer a request about a game, such as the one of the room as it is now."""
        self.connection.slot.client.credit -= LIST_GAMES_WORK
        room = self._room
        answering = self._answer(request, lambda request: answer(request, room))
        self._tasks.start(answering, partial(self.connection.close, *_FAILED))

    def _begin_geometry(self, request: GetGeometry) -> None:
        """Answer with the geometry of a game, and charge its board, or refuse a board."""
        game = self._directory.geometries.game_of(request)
        answer = partial(self._answer_geometry, game=game)
        self._start(request, answer, GEOMETRY_WORK_PER_LINE * game.work)

    async def _answer_geometry(self, request: GetGeometry, game: Game) -> None:
        """Answer with the geometry of `game`, which a thread computes."""
        async with self.connection.slot.client.computing:
            answer = await self._directory.geometries.answer(request, game)
        self._send_charged(answer)

    def _send_powers(self, request: GetPowers) -> None:
        """Answer with the powers of the host, for each of which a command is decided."""
        if self._host is None or self._membership is None or not self._membership.in_room:
            raise refusal("not_in_a_room")
        self.connection.slot.client.credit -= ENTER_WORK
        answer = powers(request.id, self._host.powers(self.name))
        self._send_charged(encode_outgoing(answer))

    async def _offer_identity(self, request: OfferIdentity) -> None:
        offered = await self._identity_offers.offer(self.name, request.masked)
        self._send(IdentityOffered(request.id, *offered))

    async def _answer_look(self, request: LookAtRoom) -> None:
        """Answer with the entry of one room, which may have to be woken, and with its board."""
        entry, room = await self._directory.look(request.room, self.address)
        answer = Rooms(request.id, (entry,), board=board_of(room) if request.board else None)
        self._send_charged(encode_outgoing(answer))

    async def _answer_qr_code(self, request: GetQrCode) -> None:
        """Answer with a QR code, which a thread makes."""
        async with self.connection.slot.client.computing:
            rows = await self._directory.computing_thread.run(qr_modules, request.text)
        self._send(QrCode(request.id, tuple("".join(map(str, row)) for row in rows)))

    def _watch_rooms(self, request: WatchRooms) -> None:
        """Begin or end to send the changes of the list of rooms."""
        watchers = self._directory.open_rooms.watchers
        if request.on:
            watchers.add(self)
        else:
            watchers.discard(self)
        self._send(Done(request.id, 0))

    def rooms_changed(self, outgoing: Outgoing) -> None:
        self.connection.slot.client.credit -= DELIVERY_WORK
        self._send_charged(outgoing)

    async def _enter(self, request: CreateRoom | JoinRoom) -> None:
        """Create or join a room, leave the one in which this session is, and answer."""
        membership = Membership(
            self.name,
            self.connection,
            self.address,
            self._knows,
            self._verifier,
            self._leave_former_room,
            link=self._finished_games.new_link(),
        )
        if isinstance(request, CreateRoom):
            joined = await self._directory.create(membership, request)
        else:
            self._check_is_another_room(request)
            former_name = self._own_name(request.former_name)
            can_go = self._can_go_elsewhere
            try:
                joined = await self._directory.join(membership, request, former_name, can_go=can_go)
            except MeetsElsewhere as other:
                self._send(Elsewhere(request.id, other.at))
                return
        self.connection.slot.was_sent = False  # that was for this room alone
        room = joined.host.room
        moves = 0 if room.state is None else room.state.ply
        work = WORK_PER_MOVE * moves + DELIVERY_WORK * len(joined.host.connections.names)
        self.connection.slot.client.credit -= work
        self._membership, self._host = membership, joined.host
        self._directory.open_rooms.watchers.discard(self)
        self._send(Done(request.id, joined.seq))
        if self._is_ended:
            joined.host.connection_lost(membership)

    @property
    def _can_go_elsewhere(self) -> bool:
        """Whether the client may be sent to another server: outside of rooms, and once a room."""
        was_sent = self.connection.slot.was_sent
        return ELSEWHERE in self._knows and not was_sent and self._room is None

    def _own_name(self, name: str | None) -> str | None:
        """Return another name of this person, as it is spelt; refuse one of another."""
        if name is None:
            return None
        if (own := self._hello_check.spelling(name, self._verifier)) is None:
            raise refusal("name_taken", name=name)
        return own

    def _check_is_another_room(self, request: JoinRoom) -> None:
        room = self._room
        if room is not None and fold(room.code) == self._directory.key_of(request.room):
            raise refusal("in_a_room.this", room=room.code)

    def _leave_former_room(self) -> None:
        """Leave the room in which this session is, if any, as another one lets it in."""
        if self._membership is not None and self._host is not None:
            self._host.depart(self._membership)

    # Answers

    def _refuse(self, message_id: int, error: CommandRefused) -> None:
        self._metrics.refusals[error.code] += 1
        if error.code in LOGGED_REFUSALS:
            extra = fields(code=error.code, name=self.name, address=self.address)
            logger.info("refused", extra=extra)
        self._send(refused(message_id, error))

    def _send_charged(self, outgoing: Outgoing) -> None:
        """Send what may be long, and charge its bytes."""
        self.connection.slot.client.credit -= WORK_PER_BYTE * len(outgoing.frame)
        self.connection.send(outgoing)

    def _send(self, message: ServerMessage) -> None:
        self.connection.send(encode_outgoing(message))


def _id_of(message: ClientMessage | MessageError) -> int:
    """Return the id of a message; 0 for one that has none."""
    return 0 if isinstance(message, Greeting) else message.id
