"""The client's state as a member of a room, over all its connections. No socket here.

`Mirror` applies the events, `PendingCommands` keeps commands until they are answered, and
`UpdateQueue` keeps updates until the shell takes them. `MemberSession` passes each message of the
server to the right one of them, and decides when the session ends.
"""

import secrets
from collections.abc import Callable
from typing import assert_never

from msgspec.structs import replace

from boxroom_client.link.errors import ProtocolError
from boxroom_client.link.join_request import Join, JoinRequest, join_message
from boxroom_client.link.mirror import Mirror
from boxroom_client.link.pending_commands import TOO_FAST, PendingCommands, Reply, said_by
from boxroom_client.link.update_queue import UpdateQueue
from boxroom_client.link.updates import (
    BotThinking,
    CoachSpoke,
    HintReceived,
    NoticeReceived,
    SessionEnded,
    Update,
)
from boxroom_engine.phrases import phrase
from boxroom_engine.room.commands import Leave
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.room import Room
from boxroom_engine.wire.messages import (
    Coaching,
    CreateRoom,
    Done,
    Elsewhere,
    Events,
    GameGeometry,
    GameRecord,
    GameReview,
    Games,
    Hint,
    IdentityOffered,
    InRoom,
    JoinRoom,
    Notice,
    OfferedIdentity,
    Pong,
    PositionJudgement,
    Powers,
    QrCode,
    Refused,
    Resumed,
    Rooms,
    RoomsChanged,
    ServerMessage,
    ServerProof,
    Thinking,
    Welcome,
)

LEFT = SessionEnded("left", phrase("ended.left"))
KICKED = SessionEnded("kicked", phrase("ended.kicked"))
REPLACED = SessionEnded("replaced", phrase("ended.replaced"))
NOT_WELCOME = SessionEnded("banned", phrase("ended.banned"))
CLOSED = SessionEnded("closed", phrase("ended.closed"))


class MemberSession:
    """A member's copy of the room, its pending commands and the updates for its shell.

    `observe` is called with each update that a message brings, also with those that the shell
    never reads because it is too far behind.
    """

    def __init__(
        self, join_request: JoinRequest, observe: Callable[[Update], None] = lambda update: None
    ) -> None:
        self.mirror = Mirror()
        self.pending = PendingCommands()
        self.updates = UpdateQueue(lambda: self.mirror.snapshot(back=True))
        """Updates that the shell hasn't read."""
        self.ended: SessionEnded | None = None
        """The end of the session; None while it lasts."""
        self.former_name: str | None = None
        """The name of the membership with which this member goes on under another one."""
        self.goes_elsewhere = False
        """True if the room goes on over another connection without having been lost."""
        self._join_request = join_request
        self._observe = observe
        # Lets the server recognise a CreateRoom that is sent again.
        self._token = secrets.token_urlsafe(16)
        # Delay that the server asked for before the next attempt to connect.
        self._retry_s = 0.0

    def join_message(self) -> CreateRoom | JoinRoom:
        """Return the message that enters the room, or returns to it, on a new connection."""
        request_id = self.pending.take_id()
        message = join_message(self._join_request, self.mirror, request_id, self._token)
        if isinstance(message, JoinRoom) and self.former_name is not None:
            # With the whole room, in which the private messages have the new name.
            message = replace(message, after=None, log=None, former_name=self.former_name)
        if isinstance(message, JoinRoom) and self.pending.is_standing_up:
            # The server may have done it already: without `watch` it would give the seat back.
            return replace(message, watch=True)
        return message

    def take_retry_s(self) -> float:
        """Return the delay that the server asked for, and reset it to 0."""
        retry_s, self._retry_s = self._retry_s, 0.0
        return retry_s

    def receive(self, message: ServerMessage) -> SessionEnded | None:
        """Process a message of the server; return `SessionEnded` if it ends the session.

        Raises:
            OutOfSync: events are missing; the next join message asks for a snapshot.
            UnsupportedRoom: this client can't read the snapshot.
            ProtocolError: the message isn't allowed here.
        """
        match message:
            case Events():
                for applied in self.mirror.apply(message):
                    self._report(applied)
            case Done() | Refused() | GameReview() | PositionJudgement():
                return self._receive_reply(message)
            case Powers() | Rooms() | IdentityOffered():
                return self._receive_reply(message)
            case InRoom():
                self._receive_snapshot(message)
            case Resumed():
                restored = self.mirror.resume(message)
                if not self.goes_elsewhere:
                    self._report(restored)
                self.goes_elsewhere = False
                self.pending.resume(message.last_id)
            case Thinking():
                self._report(BotThinking(message.seat, message.bot))
            case Hint(seat=seat, move=move, ply=ply, game=game, bot=bot):
                self._report(HintReceived(seat, move, ply, game, bot))
            case Coaching():
                self._report(CoachSpoke(message, said_by(message)))
            case Notice():
                self._report(NoticeReceived(message.code, said_by(message)))
                if message.retry_ms is not None:
                    self._retry_s = message.retry_ms / 1000
            case Welcome() | ServerProof():
                raise ProtocolError("it greeted us twice")
            case Pong() | RoomsChanged():
                pass  # this client asks for none, and they do no harm
            case Elsewhere():
                pass  # its connection goes there
            case Games() | GameRecord() | GameGeometry() | OfferedIdentity() | QrCode():
                raise ProtocolError("it sent an answer that wasn't asked for")
            case _:
                assert_never(message)
        return None

    def removal(self) -> SessionEnded | None:
        """Return `SessionEnded` if the room has removed the member, who didn't ask to leave.

        This says nothing while missed events are replayed: the member may have been removed in
        the meantime, and have joined again at their end.
        """
        room, me = self.mirror.room, self.mirror.me
        if room is None or me is None or me in room.members or self.pending.is_leaving:
            return None
        return KICKED if me in room.barred else LEFT

    def finish(self, ended: SessionEnded) -> None:
        """End the session for pending commands and for the shell; only the first call counts."""
        if self.ended is None:
            self.ended = ended
            self.pending.finish(ended)
            self.updates.put(ended)

    def _report(self, update: Update) -> None:
        self._observe(update)
        self.updates.put(update)

    def _receive_reply(self, reply: Reply) -> SessionEnded | None:
        request = self.pending.resolve(reply)
        if isinstance(request, Leave) and isinstance(reply, Done):
            return LEFT
        if request is None and isinstance(reply, Refused) and reply.code != TOO_FAST:
            self.updates.put(NoticeReceived(reply.code, said_by(reply)))
        return None

    def _receive_snapshot(self, message: InRoom) -> None:
        before = self.mirror.room
        entered = self.mirror.enter(message)
        self._report(entered)
        if before is not None and before.log != entered.room.log:
            self.pending.refuse_commands(_refusal_of_commands_for(before, entered.room))
            if (asked := self.pending.other_room) is not None and not entered.back:
                self._join_request = Join(entered.room.code, asked.password)
        self.pending.resume(message.last_id)


def _refusal_of_commands_for(former: Room, room: Room) -> CommandRefused:
    """Return the refusal of commands for a room in whose place this client is in `room`."""
    if former.code == room.code:
        return refusal("other_room")
    return refusal("other_room.left", room=former.code)
