"""Members of one room, who say things, come back when they lose the connection, and agree."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from tests.server.talk import Talk, say_hello
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from boxroom_engine.room.room import Room

ANSWERS = {"done", "cannot_save"}
"""Answers to a command whose server is cut off, depending on how far it has come."""

LIMIT_S = 30.0
"""Longest wait for an answer, and for the members to agree."""

RETRY_S = 0.05
"""Time from a refusal, or a connection that can't be made, to the next attempt."""


class Member:
    """A member who says one thing after the other, over connections that `connect` opens."""

    def __init__(self, name: str, connect: Callable[[], Awaitable[ClientConnection]]) -> None:
        self.name = name
        self.said: list[str] = []
        """Texts that were accepted, in order."""
        self.refused: list[str] = []
        """Texts that were refused, of which none may be in the log."""
        self.returns = 0
        """Number of times that the member has come in again."""
        self._connect = connect
        self._talk: Talk | None = None  # the newest connection

    @property
    def talk(self) -> Talk:
        """The newest connection."""
        assert self._talk is not None
        return self._talk

    @property
    def room(self) -> Room:
        """The room as this member sees it."""
        assert self.talk.room is not None
        return self.talk.room

    async def call(self) -> None:
        """Connect, and say hello."""
        self._talk = Talk(await self._connect(), self.name)
        await say_hello(self._talk)
        assert (await self._talk.hear())["type"] == "welcome"

    async def say(self) -> str:
        """Say something new; return "done", or the code of the refusal."""
        text = f"{self.name} {len(self.said) + len(self.refused)}"
        id = self.talk.last_id + 1
        async with asyncio.timeout(LIMIT_S):
            while True:
                try:
                    answer = await self.talk.ask("say", id=id, text=text)
                    break
                except ConnectionClosed:
                    await self.come_in_again()
        (self.said if answer["type"] == "done" else self.refused).append(text)
        return str(answer.get("code", "done"))

    async def say_until_done(self) -> None:
        """Say things until one is accepted: a new leader of etcd may be long in coming."""
        for _ in range(round(LIMIT_S / RETRY_S)):
            answer = await self.say()
            assert answer in ANSWERS
            if answer == "done":
                return
            await asyncio.sleep(RETRY_S)
        raise TimeoutError(f"{self.name} is always refused")

    async def come_in_again(self) -> None:
        """Connect anew, as clients do, and resume."""
        before, last_id = self.room, self.talk.last_id
        resume = {"room": "attic", "log": before.log, "after": before.seq}
        for _ in range(round(LIMIT_S / RETRY_S)):
            try:
                await self.call()
                self.talk.room, self.talk.last_id = before, last_id
                if (await self.talk.ask("join_room", **resume))["type"] == "done":
                    self.returns += 1
                    return
            except (OSError, ConnectionClosed, InvalidHandshake):
                pass
            await asyncio.sleep(RETRY_S)
        raise TimeoutError(f"{self.name} can't come in again")

    async def hear_all(self, texts: Sequence[str]) -> None:
        """Wait until the room's chat has all of `texts`."""
        async with asyncio.timeout(LIMIT_S):
            while not set(texts) <= {line.text for line in self.room.chat}:
                try:
                    await self.talk.hear()
                except ConnectionClosed:
                    await self.come_in_again()


async def check_agreement(members: Sequence[Member]) -> None:
    """Wait until all members have seen the same, and compare it with what they were answered."""
    for member in members:
        await member.say_until_done()
    last = [member.said[-1] for member in members]
    for member in members:
        await member.hear_all(last)
    latest = max((member.room for member in members), key=lambda room: room.seq)
    for member in members:
        await member.talk.until_seq(latest.seq)
        assert member.room == latest
    said = [line.text for line in latest.chat]
    for member in members:
        mine = [text for text in said if text.startswith(member.name)]
        kept = member.said[-len(mine) :]  # a room keeps the last lines of its chat
        assert mine == kept, "lost, doubled, or out of order"
        assert not set(member.refused) & set(said), "refused, and saved all the same"
