"""The exchange of messages with a room over one conversation, from the entry to its end.

Theory of operation. Four tasks run until the conversation ends: one receives messages, one sends
the unsent commands, one pings the server, and one waits until an answer is overdue
(`answer_deadline`). That one opens a second conversation, while the others go on. If the first has
answered meanwhile, the second is closed. Otherwise the second is the outcome of the exchange: its
caller enters the room over that one, which takes the membership over from the first. The mirror and
the ids of commands see to it that nothing is missed or done twice. A server of a cluster can ask
for a second conversation with another server, where the other members are.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from websockets.frames import CloseCode

from boxroom_client.link.answer_deadline import AnswerDeadline
from boxroom_client.link.backoff import Backoff
from boxroom_client.link.conversation import Conversation
from boxroom_client.link.errors import Disconnected, Unreachable
from boxroom_client.link.member_session import NOT_WELCOME, REPLACED, MemberSession
from boxroom_client.link.mirror import OutOfSync, UnsupportedRoom
from boxroom_client.link.pending_commands import Reply, refused
from boxroom_client.link.updates import ServerResponding, ServerSilent, SessionEnded
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.wire.messages import CLOSE_NOT_WELCOME, CLOSE_REPLACED, Elsewhere

logger = logging.getLogger(__name__)

FOR_GOOD = {CLOSE_REPLACED: REPLACED, CLOSE_NOT_WELCOME: NOT_WELCOME}
"""Close codes that end the session for good, with the update for the shell."""

Outcome = SessionEnded | str | Conversation
"""The end of the session, why the connection is lost, or the conversation that replaces it."""


class Exchange:
    """The exchange over `conversation`; `open_second` opens another one beside it.

    That one is with the server `at` of the cluster, if its argument isn't None.
    """

    def __init__(
        self,
        conversation: Conversation,
        session: MemberSession,
        backoff: Backoff,
        deadline: AnswerDeadline,
        open_second: Callable[[str | None], Awaitable[Conversation]],
    ) -> None:
        self._conversation = conversation
        self._session = session
        self._backoff = backoff
        self._deadline = deadline
        self._open_second = open_second
        # Set when a request is sent.
        self._has_sent = asyncio.Event()
        # The second conversation once it has greeted and the first is still silent, or is wanted.
        self._second: Conversation | None = None
        # Set when a second conversation is wanted.
        self._is_replaced = asyncio.Event()
        # The server of the cluster to which this one sends the member, each time that it does.
        self._elsewhere: asyncio.Queue[str] = asyncio.Queue()

    async def run(self) -> Outcome:
        """Exchange messages until the conversation ends, or is to be replaced."""
        self._deadline.reconnected()
        try:
            async with asyncio.TaskGroup() as tasks:
                receiving = tasks.create_task(self._receive_messages())
                replacing = tasks.create_task(self._replace_if_silent())
                replaced = tasks.create_task(self._is_replaced.wait())
                others = [
                    tasks.create_task(self._go_elsewhere()),
                    tasks.create_task(self._send_commands()),
                    tasks.create_task(self._ping_regularly()),
                ]
                ends = (receiving, replacing, replaced)
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                for task in (*ends, *others):
                    task.cancel()
            if not receiving.cancelled():
                return receiving.result()
            assert self._second is not None
            second, self._second = self._second, None
            return second
        finally:
            if self._second is not None:
                self._second.abort()

    def replace_by(self, second: Conversation) -> None:
        """End the exchange with `second` as its outcome, unless it has another one already."""
        if self._second is not None:
            self._second.abort()
        self._second = second
        self._is_replaced.set()

    async def _receive_messages(self) -> SessionEnded | str:
        session = self._session
        try:
            while True:
                message = await self._conversation.receive()
                if isinstance(message, Reply):
                    self._deadline.answered(message.id, self._backoff.now())
                if isinstance(message, Elsewhere):
                    self._elsewhere.put_nowait(message.at)
                ended = session.receive(message) or session.removal()
                if ended is not None:
                    return ended
        except Disconnected as error:
            if error.close_code in FOR_GOOD:
                return FOR_GOOD[error.close_code]
            if error.close_code == CloseCode.MESSAGE_TOO_BIG:
                session.pending.refuse_longest(refusal("too_long.server"))
            return str(error)
        except OutOfSync as error:
            return str(error)
        except UnsupportedRoom as error:
            return SessionEnded("cannot_follow", error.phrase)

    async def _send_commands(self) -> None:
        """Send the commands of the shell as they come."""
        pending, backoff = self._session.pending, self._backoff
        try:
            while True:
                request = await pending.next_to_send()
                if (reason := self._conversation.why_too_long(request)) is not None:
                    pending.resolve(refused(request.id, CommandRefused("too_long", reason)))
                    continue
                if pending.is_too_fast:
                    pending.is_too_fast = False
                    await backoff.sleep(backoff.slow_down_s)
                self._deadline.sent(request.id, backoff.now())
                self._has_sent.set()
                await self._conversation.send(request)
        except Disconnected:
            logger.debug("disconnected while sending; the receiving task reports it", exc_info=True)

    async def _ping_regularly(self) -> None:
        """Report when the server stops answering pings, and when it answers again."""
        backoff = self._backoff
        try:
            while True:
                await backoff.rest(backoff.pulse_s)
                await self._ping()
        except Disconnected:
            logger.debug("disconnected while pinging; the receiving task reports it", exc_info=True)

    async def _ping(self) -> None:
        sent_s = self._backoff.now()
        pong = await self._conversation.ping()
        timeout: asyncio.Future[None] = asyncio.ensure_future(
            self._backoff.rest(self._backoff.silence_s)
        )
        try:
            await asyncio.wait({pong, timeout}, return_when=asyncio.FIRST_COMPLETED)
            if not pong.done():
                self._session.updates.put(ServerSilent())
                await pong
                self._session.updates.put(ServerResponding())
            pong.result()
            self._deadline.ping_answered(sent_s)
        finally:
            timeout.cancel()
            pong.cancel()

    async def _replace_if_silent(self) -> None:
        """Open a second conversation when an answer is overdue, until one is needed."""
        while self._second is None:
            silent_since_s = await self._until_overdue()
            self._deadline.second_opened()
            try:
                second = await self._open_second(None)
            except (Unreachable, CommandRefused) as error:
                logger.info("no second connection beside one that is silent: %s", error)
                continue
            if self._deadline.since_s == silent_since_s:
                self._second = second
            else:
                second.abort()

    async def _go_elsewhere(self) -> None:
        """Open a second conversation with the server to which this one sends the member."""
        while True:
            at = await self._elsewhere.get()
            try:
                self.replace_by(await self._open_second(at))
                return
            except (Unreachable, CommandRefused) as error:
                logger.info("no connection to another server of the cluster: %s", error)

    async def _until_overdue(self) -> float:
        """Wait until an answer is overdue; return the time since which it has been due."""
        while True:
            since_s, due_s = self._deadline.since_s, self._deadline.due_s
            if since_s is None or due_s is None:
                self._has_sent.clear()
                await self._has_sent.wait()
            elif (left_s := due_s - self._backoff.now()) > 0:
                await self._backoff.wait(left_s)
            else:
                return since_s
