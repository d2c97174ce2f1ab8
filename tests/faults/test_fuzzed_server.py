"""Peers that send anything, in any order, to a live server in which two people play.

After every step the two play a move, and receive it as if they were alone. In the end all peers
are gone, and so is everything that the server held for them.
"""

import asyncio
import json
import struct
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from tests.faults.mangled import mangled
from tests.faults.parameters import SEED
from tests.faults.resources import ResourceCounts, count_resources, no_logged_errors
from tests.server.bad_peer import BadPeer, bad_peer
from tests.server.talk import LIMIT_S, Lobby, Message, Talk, lobby
from websockets.frames import Frame, Opcode

BOARD: Message = {"options": {"rows": 3, "cols": 3}}
MESSAGE_BYTES = 16_384
MOST_PEERS = 6
TURNS_A_SECOND = 20
"""Turns of the event loop before a second passes for the server."""

peers = st.integers(0, MOST_PEERS - 1)
"""Number of a connected peer, modulo the number of peers."""

first_bytes = st.integers(0, 255)
"""First bytes of frames: a bit for the last fragment, three reserved, and four of the opcode."""

payloads = st.binary(max_size=200) | mangled.map(lambda raw: raw[:MESSAGE_BYTES])

joins = st.fixed_dictionaries(
    {"type": st.just("join_room"), "id": st.integers(1, 99), "room": st.sampled_from(("attic",))},
    optional={"watch": st.booleans(), "after": st.integers(0, 2**53), "log": st.text(max_size=9)},
)
commands = st.fixed_dictionaries(
    {"type": st.sampled_from(("say", "sit", "leave", "start", "rematch")), "id": st.integers(1, 99)}
)
creations = st.fixed_dictionaries(
    {"type": st.just("create_room"), "id": st.integers(1, 99), "token": st.text("ab", min_size=8)}
)
messages = joins | commands | creations


class Pair:
    """Ada and Bob, who play one game after the other; no other peer may disturb them."""

    def __init__(self, ada: Talk, bob: Talk) -> None:
        self.players = (ada, bob)

    async def play(self) -> None:
        """Play a move, or start the next game; wait until both have received it."""
        ada, bob = self.players
        room = ada.room
        assert room is not None
        state = room.running
        if state is None:
            seq = await ada.do("start")
        else:
            assert state.to_move is not None
            player = next(it for it in self.players if it.name == room.seats[state.to_move].member)
            move = state.game.format_move(state.legal_moves()[0])
            seq = await player.do("play", seat=state.to_move, move=move, ply=state.ply)
        for talk in (ada, bob):
            await talk.until_seq(seq)
        assert not [it for talk in self.players for it in talk.heard if it["type"] == "notice"]
        ada.heard.clear()
        bob.heard.clear()


class AnyPeers(RuleBasedStateMachine):
    """A server of its own for each run, with the pair in a room."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.no_errors = no_logged_errors()
        self.no_errors.__enter__()
        self.peers: list[tuple[AsyncExitStack, BadPeer]] = []
        self.names = 0
        self.place: Lobby
        self.pair: Pair
        self.before: ResourceCounts
        self.runner.run(self.start_server())

    async def start_server(self) -> None:
        self.place = await self.stack.enter_async_context(
            lobby(message_bytes=MESSAGE_BYTES, empty_room_s=10.0, drain_s=5.0, grace_s=7.0)
        )
        ada = await self.place.create("Ada", settings=BOARD)
        bob = await self.place.join("Bob")
        self.pair = Pair(ada, bob)
        await self.pair.play()
        self.before = self.count()

    def count(self) -> ResourceCounts:
        return count_resources(self.place.server, self.place.clock.waiting)

    def step(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work`, which does something bad, and have the pair play on."""
        self.runner.run(self.run_beside_play(work))

    async def run_beside_play(self, work: Coroutine[Any, Any, None]) -> None:
        doing = asyncio.ensure_future(work)
        async with asyncio.timeout(LIMIT_S):
            while not doing.done():
                for _ in range(TURNS_A_SECOND):
                    await asyncio.sleep(0)
                # What isn't done by now waits for a server that doesn't read any more.
                self.place.clock.advance(0.0 if doing.done() else 1.0)
            await self.pair.play()
        if (error := doing.exception()) is not None and not isinstance(error, OSError):
            raise error  # but the server may hang up on a peer, as it should

    def peer(self, number: int) -> BadPeer:
        return self.peers[number % len(self.peers)][1]

    # Connecting

    @precondition(lambda self: len(self.peers) < MOST_PEERS)
    @rule(greets=st.booleans(), comes_in=st.booleans())
    def connect(self, greets: bool, comes_in: bool) -> None:
        self.step(self.add_peer(greets, comes_in))

    async def add_peer(self, greets: bool, comes_in: bool) -> None:
        stack = AsyncExitStack()
        peer = await stack.enter_async_context(bad_peer(self.place.server.port))
        self.peers.append((stack, peer))
        if greets:
            self.names += 1
            await peer.open(f"Eve {self.names}")
            if comes_in:
                await peer.say(type="join_room", id=1, room="attic", watch=True)

    # Sending

    @precondition(lambda self: self.peers)
    @rule(number=peers, message=messages)
    def say_what_makes_sense(self, number: int, message: Message) -> None:
        frame = Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)
        self.step(self.peer(number).send_raw(frame))

    @precondition(lambda self: self.peers)
    @rule(number=peers, raw=mangled)
    def say_something_mangled(self, number: int, raw: bytes) -> None:
        frame = Frame(Opcode.TEXT, raw).serialize(mask=True)
        self.step(self.peer(number).send_raw(frame))

    @precondition(lambda self: self.peers)
    @rule(number=peers, first=first_bytes, masked=st.booleans(), payload=payloads)
    def send_any_frame(self, number: int, first: int, masked: bool, payload: bytes) -> None:
        """Send fragments, pings, closes, binary, and control frames too long or in pieces."""
        whole = Frame(Opcode.BINARY, payload).serialize(mask=masked)
        self.step(self.peer(number).send_raw(bytes([first]) + whole[1:]))

    @precondition(lambda self: self.peers)
    @rule(number=peers, message=messages, parts=st.integers(2, 5))
    def say_it_in_fragments(self, number: int, message: Message, parts: int) -> None:
        raw = json.dumps(message).encode()
        size = len(raw) // parts + 1
        pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
        frames = [
            Frame(Opcode.CONT if at else Opcode.TEXT, piece, at == len(pieces) - 1)
            for at, piece in enumerate(pieces)
        ]
        self.step(self.peer(number).send_raw(b"".join(it.serialize(mask=True) for it in frames)))

    @precondition(lambda self: self.peers)
    @rule(number=peers, message=messages, kept_back=st.integers(1, 40))
    def send_half_a_frame(self, number: int, message: Message, kept_back: int) -> None:
        frame = Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)
        self.step(self.peer(number).send_raw(frame[:-kept_back]))

    @precondition(lambda self: self.peers)
    @rule(number=peers, size=st.sampled_from((MESSAGE_BYTES + 1, 2**20)))
    def send_too_much(self, number: int, size: int) -> None:
        frame = Frame(Opcode.TEXT, b"x" * size).serialize(mask=True)
        self.step(self.peer(number).send_raw(frame))

    @precondition(lambda self: self.peers)
    @rule(number=peers, size=st.integers(0, 2**64 - 1))
    def announce_a_frame_of_any_size(self, number: int, size: int) -> None:
        self.step(self.peer(number).send_raw(b"\x81\xff" + struct.pack("!Q", size) + b"mask"))

    @precondition(lambda self: self.peers)
    @rule(number=peers, raw=st.binary(max_size=100) | st.just(b"GET / HTTP/1.1\r\n\r\n"))
    def send_no_frame_at_all(self, number: int, raw: bytes) -> None:
        self.step(self.peer(number).send_raw(raw))

    @precondition(lambda self: self.peers)
    @rule(number=peers, pings=st.integers(1, 300))
    def ping(self, number: int, pings: int) -> None:
        frame = Frame(Opcode.PING, b"x" * 125).serialize(mask=True)
        self.step(self.peer(number).send_raw(frame * pings))

    @precondition(lambda self: self.peers)
    @rule(number=peers, messages=st.integers(1, 600))
    def flood(self, number: int, messages: int) -> None:
        frame = Frame(Opcode.TEXT, b'{"type":"list_rooms","id":1}').serialize(mask=True)
        self.step(self.peer(number).send_raw(frame * messages))

    # Leaving, and time

    @precondition(lambda self: self.peers)
    @rule(number=peers, rudely=st.booleans())
    def leave(self, number: int, rudely: bool) -> None:
        self.step(self.remove_peer(number % len(self.peers), rudely))

    async def remove_peer(self, number: int, rudely: bool) -> None:
        stack, peer = self.peers.pop(number)
        if rudely:
            peer.reset()
        await stack.aclose()

    @rule(seconds=st.integers(1, 20))
    def time_passes(self, seconds: int) -> None:
        self.step(self.pass_time(seconds))

    async def pass_time(self, seconds: int) -> None:
        self.place.clock.advance(seconds)

    def teardown(self) -> None:
        try:
            self.runner.run(self.remove_all_peers())
        finally:
            self.runner.run(self.stack.aclose())
            self.runner.close()
        self.no_errors.__exit__(None, None, None)

    async def remove_all_peers(self) -> None:
        """Disconnect all peers, and wait until the server holds nothing of theirs any more."""
        while self.peers:
            await self.remove_peer(0, rudely=len(self.peers) % 2 == 0)
        async with asyncio.timeout(LIMIT_S):
            while self.count().is_more_than(self.before):
                self.place.clock.advance(1.0)
                await asyncio.sleep(0)
        await self.pair.play()


AnyPeersTest = seed(SEED)(AnyPeers.TestCase)
AnyPeersTest.settings = settings(
    max_examples=6,
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.data_too_large],
)


@pytest.mark.long
def test_many_peers() -> None:
    many = settings(
        max_examples=2_000,
        stateful_step_count=60,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(AnyPeers, settings=many)
