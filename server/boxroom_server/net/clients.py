"""Clients, told apart by address, and the turns in which the server works for each of them.

However many messages one client sends, the messages of others mustn't wait for all of them. So a
client has *credit*, which the work for its messages uses up: counted work, not measured time. A
*turn* adds credit, a share of `TURN_WORK` as large as the client's share of all connections. A
client has a turn every `TURN_S` at most, and what arrives once its credit is used up waits for the
next (deficit round robin: M. Shreedhar and G. Varghese, 1995).

So all clients together get `TURN_WORK` done in `TURN_S`, about what one processor does, but 200
people behind one address have as much of it as 200 others have together, and a client that has all
of the connections has no limit. A client that goes on sending more than its turns take is refused:
while messages wait for longer than `LATE_S`, each costs so many tokens of its connection's rate
limit that a client which doesn't slow down is cut off.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Protocol

from boxroom_server.net.client_address import counted_as

logger = logging.getLogger(__name__)

# All work is counted in units of roughly a microsecond.

TURN_S = 0.005
"""Least time between the beginnings of two turns of a client."""

TURN_WORK = 5_000
"""Credit of one turn of every client, together."""

UNLIMITED_WORK = 1e12
"""Credit of a client that has all of the connections: it keeps no other waiting."""

LEAST_TURN_WORK = 100
"""Least credit of one turn: enough for a move."""

MESSAGE_WORK = 20
"""Work of a message or another frame: to read it, and to refuse it at worst."""

COMMAND_WORK = 60
"""Work of a command beside that of its message: to check, number and save it."""

CHANGE_WORK = 100
"""Work of a command that changes a room otherwise than by a move, beside that of any command."""

DELIVERY_WORK = 8
"""Work of sending an event to one connection."""

HANDSHAKE_WORK = 300
"""Work of accepting a connection and answering its HTTP request."""

TLS_WORK = 1_000
"""Work of a TLS handshake."""

ENTER_WORK = 200
"""Work of making or finding a room and letting a member in."""

LIST_GAMES_WORK = 2_000
"""Work of reading a page of finished games, or one of them, in a thread."""

QR_CODE_WORK = 5_000
"""Work of making a QR code, in a thread."""

WORK_PER_BYTE = 0.002
"""Work of a byte in a long answer, such as the list of rooms."""

WORK_PER_MOVE = 0.3
"""Work of a move in the snapshot of a room."""

WORK_PER_MOVE_REPLAYED = 10.0
"""Work of a move that is played again to find the position before a takeback."""

WORK_PER_LINE = 2.0
"""Work of each unit of `Game.work` when a game begins."""

GEOMETRY_WORK_PER_LINE = 6.0
"""Work of each unit of `Game.work` when a client asks for the shapes of a board."""

LATE_S = 2.0
"""A client is *late* if something has waited so long for its turns."""

LATE_TOKENS = 10.0
"""Tokens that a message costs while its client is late, instead of 1."""

Resume = Callable[[], None]


class Loop(Protocol):
    """The parts of an event loop that turns need."""

    def call_soon(self, callback: Callable[[], object], /) -> object:
        """Call `callback` in the next tick."""

    def call_later(self, delay_s: float, callback: Callable[[], object], /) -> object:
        """Call `callback` in `delay_s` seconds."""

    def time(self) -> float:
        """Return the time in seconds."""


class Client:
    """One address, or one /64 of IPv6: its connections and its credit."""

    __slots__ = (
        "computing",
        "connections",
        "credit",
        "is_resumed_soon",
        "key",
        "tokens_per_message",
        "waiting",
    )

    def __init__(self, key: str) -> None:
        self.key = key
        """Its address, as `counted_as`."""
        self.connections = 0
        """Number of its admitted connections."""
        self.credit: float = LEAST_TURN_WORK
        """Work that may be done before its next turn; less than 0 if more was done."""
        self.waiting: deque[tuple[float, Resume]] = deque()
        """Functions to call when it has credit, with the times since when they wait."""
        self.is_resumed_soon = False
        """Whether a call of them is scheduled for the next tick."""
        self.computing = asyncio.Lock()
        """Held during its computation in a thread, so that others have theirs in between."""
        self.tokens_per_message = 1.0
        """Cost of a message for the rate limit of its connection: more while the client is late."""


class Clients:
    """The clients of one server that have connections, wait for turns or owe work."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._by_key: dict[str, Client] = {}
        self._connections = 0  # of all clients
        self._unlimited: Client | None = None  # the one that was alone at its last turn
        self._had_turn: dict[Client, None] = {}  # those that have no other until the next round

    def __len__(self) -> int:
        return len(self._by_key)

    def at(self, address: str) -> Client:
        """Return the client at `address`."""
        key = counted_as(address)
        return self._by_key.get(key) or Client(key)

    def connect(self, client: Client) -> None:
        """Count a new connection of `client`."""
        if self._unlimited is not None and self._unlimited is not client:
            self._unlimited.credit = min(self._unlimited.credit, LEAST_TURN_WORK)
            self._unlimited = None
        self._by_key[client.key] = client
        client.connections += 1
        self._connections += 1

    def disconnect(self, client: Client) -> None:
        """Stop counting a connection; a client that owes work is known until turns have paid it."""
        client.connections -= 1
        self._connections -= 1
        if not client.connections:
            self._note_turn(client)

    def begin_turn(self, client: Client) -> bool:
        """Begin a turn, unless `client` has had one just now; return whether it has credit."""
        if client not in self._had_turn:
            self._note_turn(client)
            self._add_credit(client)
        return client.credit > 0

    def wait(self, client: Client, resume: Resume) -> None:
        """Call `resume` in the next tick in which `client` has credit, after all that waits now."""
        client.waiting.append((self._loop.time(), resume))
        self._resume_later(client)

    def _resume_later(self, client: Client) -> None:
        if client.credit <= 0:
            self._note_turn(client)
        elif not client.is_resumed_soon:
            client.is_resumed_soon = True
            self._loop.call_soon(lambda: self._resume(client))

    def _note_turn(self, client: Client) -> None:
        if not self._had_turn:
            self._loop.call_later(TURN_S, self._begin_round)
        self._had_turn[client] = None

    def _begin_round(self) -> None:
        """Give each client that waits or owes work its turn."""
        had_turn, self._had_turn = self._had_turn, {}
        for client in had_turn:
            if client.waiting or (client.credit < 0 and not client.connections):
                self._note_turn(client)
                self._add_credit(client)
                self._resume(client)
            elif not client.connections and self._by_key.get(client.key) is client:
                del self._by_key[client.key]

    def _resume(self, client: Client) -> None:
        """Resume what waits, as far as the credit goes."""
        client.is_resumed_soon = False
        for _ in range(len(client.waiting)):
            if client.credit <= 0:
                break
            _, resume = client.waiting.popleft()
            try:
                resume()
            except Exception:  # which must keep no other connection from its turn
                logger.exception("a connection couldn't go on")
        late_s = self._loop.time() - client.waiting[0][0] if client.waiting else 0.0
        client.tokens_per_message = LATE_TOKENS if late_s > LATE_S else 1.0
        if client.waiting:
            self._resume_later(client)

    def _add_credit(self, client: Client) -> None:
        if client.connections == self._connections:
            client.credit = UNLIMITED_WORK
            self._unlimited = client
        else:
            share = max(LEAST_TURN_WORK, TURN_WORK * client.connections / self._connections)
            client.credit = min(client.credit + share, share)
