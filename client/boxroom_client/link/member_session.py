"""One member's side of the conversation with a room, over all its connections. No socket here.

The parts do one thing each: the `Mirror` folds what comes in, `PendingCommands` keeps what was
asked until it is answered, the `Backlog` what the shell hasn't been told yet. Here is which
message of the server concerns which of them, and when it is over.
"""

import secrets
from typing import assert_never

from msgspec.structs import replace

from boxroom_client.link.backlog import Backlog
from boxroom_client.link.errors import ProtocolError
from boxroom_client.link.join_request import JoinRequest, request_to_enter
from boxroom_client.link.mirror import Mirror
from boxroom_client.link.pending_commands import TOO_FAST, Answer, PendingCommands
from boxroom_client.link.updates import BotThinking, HintReceived, NoticeReceived, SessionEnded
from boxroom_engine.room.commands import Leave
from boxroom_engine.wire.messages import (
    CreateRoom,
    Done,
    Events,
    Hint,
    InRoom,
    JoinRoom,
    Notice,
    Refused,
    Resumed,
    Rooms,
    ServerMessage,
    Thinking,
    Welcome,
)

LEFT = SessionEnded("left", "you left the room")
KICKED = SessionEnded("kicked", "you were sent out of the room")
REPLACED = SessionEnded("replaced", "you came in from somewhere else under this name")
NOT_WELCOME = SessionEnded(
    "banned",
    "who runs this server has sent you away: this name, or the place that you come from, is"
    " banned, or the name isn't yours any more",
)
CLOSED = SessionEnded("closed", "the connection was closed")


class MemberSession:
    """What a member knows of a room, has asked there, and what it has yet to be told."""

    def __init__(self, join_request: JoinRequest) -> None:
        self.mirror = Mirror()
        self.pending = PendingCommands()
        self.backlog = Backlog(lambda: self.mirror.snapshot(back=True))
        self.finished: SessionEnded | None = None
        self._join_request = join_request
        self._token = secrets.token_urlsafe(16)
        self._retry_s = 0.0

    def request_to_enter(self) -> CreateRoom | JoinRoom:
        """What to ask on a new connection to come into the room, or back into it."""
        request_id = self.pending.take_id()
        request = request_to_enter(self._join_request, self.mirror, request_id, self._token)
        if isinstance(request, JoinRoom) and self.pending.is_standing_up:
            # It may be done already: whoever asks to play would be given that seat again.
            return replace(request, watch=True)
        return request

    def take_retry_s(self) -> float:
        """How long the server asked us to stay away; asked again it is 0."""
        retry_s, self._retry_s = self._retry_s, 0.0
        return retry_s

    def take(self, message: ServerMessage) -> SessionEnded | None:
        """Take in what the server says; `SessionEnded` if it has to end with that.

        Raises:
            OutOfStep: events are missing; the next entrance asks for a snapshot.
            CannotFollow: the snapshot can't be understood.
            Garbled: that can't be said here.
        """
        match message:
            case Events():
                for applied in self.mirror.happen(message):
                    self.backlog.put(applied)
            case Done() | Refused() | Rooms():
                return self._take_answer(message)
            case InRoom():
                self._take_snapshot(message)
            case Resumed():
                self.backlog.put(self.mirror.resume(message))
                self.pending.resume(message.last_id)
            case Thinking():
                self.backlog.put(BotThinking(message.seat, message.bot))
            case Hint():
                hint = HintReceived(
                    message.seat, message.move, message.ply, message.game, message.bot
                )
                self.backlog.put(hint)
            case Notice():
                self.backlog.put(NoticeReceived(message.code, message.message))
                if message.retry_ms is not None:
                    self._retry_s = message.retry_ms / 1000
            case Welcome():
                raise ProtocolError("it welcomed us twice")
            case _:
                assert_never(message)
        return None

    def sent_out(self) -> SessionEnded | None:
        """`SessionEnded` if we aren't in the room any more, and didn't ask for it.

        While what we missed is replayed that means nothing: we may have been away for so long
        that we had left, and come in anew at its end.
        """
        room, me = self.mirror.room, self.mirror.me
        if room is None or me is None or me in room.members or self.pending.is_leaving:
            return None
        return KICKED if me in room.barred else LEFT

    def finish(self, finished: SessionEnded) -> None:
        """It is over, for those who ask and for those who listen; only the first end counts."""
        if self.finished is None:
            self.finished = finished
            self.pending.finish(finished)
            self.backlog.put(finished)

    def _take_answer(self, answer: Answer) -> SessionEnded | None:
        question = self.pending.answered(answer)
        if isinstance(question, Leave) and isinstance(answer, Done):
            return LEFT
        if question is None and isinstance(answer, Refused) and answer.code != TOO_FAST:
            self.backlog.put(NoticeReceived(answer.code, answer.message))
        return None

    def _take_snapshot(self, message: InRoom) -> None:
        before = self.mirror.room
        entered = self.mirror.enter(message)
        self.backlog.put(entered)
        if before is not None and before.log != entered.room.log:
            self.pending.refuse_commands(
                "other_room", "that was for a room which is gone; this is a new one of its name"
            )
        self.pending.resume(message.last_id)
