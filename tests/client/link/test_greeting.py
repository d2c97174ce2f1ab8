"""Recognition of a server and by a server, with real servers, and impostors that claim their ids.

An impostor is a WebSocket server that tells the id of another server. It keeps all that it hears.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each
from tests.certificates import Authority
from tests.server.talk import LIMIT_S, Talk, lobby, say_hello
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websockets
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from boxroom_client.link.connection import Create, RoomConnection
from boxroom_client.link.errors import NameRefused, NotRecognised
from boxroom_client.link.greeting import introduced
from boxroom_client.profile.identity import Identity, claimed_name
from boxroom_client.servers.address import Address
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.recognition import SERVER_ID_HEADER, key_of, new_nonce, verifier_of
from boxroom_server.options import Options
from boxroom_server.server import Server, serve
from boxroom_server.storage.memory.storage import memory_storage
from boxroom_server.storage.storage import Storage

Message = dict[str, Any]


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(folder))
    return folder


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def storage() -> Storage:
    return memory_storage()


@pytest.fixture
async def server(storage: Storage) -> AsyncIterator[Server]:
    async with serve(Options(host="127.0.0.1", port=0), storage=storage) as server:
        yield server


def by_number(server: Server) -> Address:
    return Address("127.0.0.1", server.port)


def by_name(server: Server) -> Address:
    return Address("localhost", server.port)


async def identity_at(address: Address, name: str = "Ann") -> Identity:
    """Return the identity by which the server at `address` knows this client now."""
    async with introduced(address, name) as identity:
        return identity


async def enter(address: Address, identity: Identity) -> str | None:
    """Enter a room of the server, and return the name of this client there."""
    async with RoomConnection(address, identity, Create(Settings())) as connection:
        return connection.me


# Servers


async def test_a_server_knows_a_person_under_any_address(server: Server) -> None:
    identity = await identity_at(by_number(server))
    assert await identity_at(by_name(server)) == identity
    assert await enter(by_name(server), identity) == "Ann"
    assert await identity_at(by_name(server)) == identity, "without the way by the other address"


async def test_another_person_isnt_let_in_under_the_name(server: Server) -> None:
    await identity_at(by_number(server))
    stranger = Identity.make("Ann")
    with pytest.raises(NameRefused) as refused:
        await enter(by_number(server), stranger)
    assert (refused.value.code, refused.value.name) == ("name_taken", "Ann")


async def test_a_taken_name_is_refused_and_leaves_no_file(server: Server, config: Path) -> None:
    await enter(by_number(server), Identity.make("pi"))
    with pytest.raises(NameRefused) as refused:
        await identity_at(by_number(server), "pi")
    assert refused.value.code == "name_taken"
    assert not list((config / "identities").glob("*.json"))


async def test_the_secret_is_sent_once(server: Server) -> None:
    async with relay_to(server.port, server_id=None) as relay:
        identity = await identity_at(relay.address)
        await enter(relay.address, identity)
        await enter(relay.address, await identity_at(relay.address))
        heard = [message for message in relay.heard if message["type"] == "hello"]
        assert [hello.get("secret") for hello in heard] == [identity.secret, None, None]


async def test_a_server_without_an_id_gets_the_secret() -> None:
    async with impostor(server_id=None) as older:
        identity = await identity_at(older.address)
        assert identity.server_id is None
        assert await identity_at(older.address) == identity


async def test_a_server_that_has_lost_its_names_gets_a_new_secret(storage: Storage) -> None:
    """So does one that says so; the old secret isn't overwritten."""
    options = Options(host="127.0.0.1", port=0)
    async with serve(options, storage=storage) as server:
        address = by_number(server)
        first = await identity_at(address)
    emptied = Storage(storage.room_log, memory_storage().ledger, storage.server_id)
    async with serve(Options(host="127.0.0.1", port=address.port), storage=emptied):
        second = await identity_at(address)
        assert second.secret != first.secret
        assert await identity_at(address) == second
    with claimed_name(address, storage.server_id, "Ann") as claimed:
        kept = {saved.identity.secret for saved in claimed.saved()}
    assert kept == {first.secret, second.secret}


async def test_a_session_ends_if_another_server_comes_to_its_address(server: Server) -> None:
    identity = await identity_at(by_number(server))
    async with impostor(server_id="another") as other:
        with pytest.raises(NotRecognised, match="another one is at"):
            await enter(other.address, identity)
        assert other.heard == []


async def test_over_tls_the_certificate_is_the_channel(
    storage: Storage, authority: Authority
) -> None:
    files = authority.issue("localhost", "127.0.0.1")
    async with serve(Options(host="127.0.0.1", port=0, **files.options), storage=storage) as server:
        addresses = [
            Address(host, server.port, secure=True, ca_file=str(authority.file))
            for host in ("localhost", "127.0.0.1")
        ]
        first, second = [await identity_at(address) for address in addresses]
        assert first == second


# Impostors


class Impostor:
    """A server that claims an id, and keeps what it hears."""

    def __init__(self) -> None:
        self.port = 0
        self.heard: list[Message] = []
        self.raw = b""
        self.change: Callable[[Message], Message] = lambda message: message
        """Changes what it passes on to a server."""
        self.answers: list[Message] = []
        """The answers of the server to the messages that it passed on."""

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.port)

    def hear(self, raw: str | bytes) -> Message:
        self.raw += raw.encode() if isinstance(raw, str) else raw
        message: Message = json.loads(raw)
        self.heard.append(message)
        return message

    def has_learnt(self, identity: Identity) -> bool:
        """Whether it has heard the secret of `identity`, or anything that a hash of it is."""
        key = key_of(identity.secret)
        known = (identity.secret, key.hex(), verifier_of(key).hex())
        return any(each.encode() in self.raw for each in known)


WELCOME = {
    "type": "welcome",
    "protocol": 1,
    "server": "an impostor",
    "name": "Ann",
    "games": [],
    "now_ms": 0,
    "message_bytes": 1,
}
UNKNOWN = {"type": "refused", "id": 0, "code": "name_unknown", "message": "never heard of it"}


@asynccontextmanager
async def listening(
    it: Impostor,
    server_id: str | None,
    converse: Callable[[ServerConnection], Any],
) -> AsyncIterator[Impostor]:
    def tell_id(connection: ServerConnection, request: Request, response: Response) -> None:
        if server_id is not None:
            response.headers[SERVER_ID_HEADER] = server_id

    async def handle(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            await converse(connection)

    async with serve_websockets(handle, "127.0.0.1", 0, process_response=tell_id) as listener:
        it.port = next(iter(listener.sockets)).getsockname()[1]
        yield it


@asynccontextmanager
async def impostor(
    server_id: str | None, answer: Callable[[Message], Message] = lambda challenge: UNKNOWN
) -> AsyncIterator[Impostor]:
    """Run an impostor that gives `answer` to a challenge, and welcomes every hello."""
    it = Impostor()

    async def converse(connection: ServerConnection) -> None:
        async for raw in connection:
            message = it.hear(raw)
            is_hello = message["type"] == "hello"
            await connection.send(json.dumps(WELCOME if is_hello else answer(message)))

    async with listening(it, server_id, converse):
        yield it


@asynccontextmanager
async def relay_to(port: int, server_id: str | None) -> AsyncIterator[Impostor]:
    """Run an impostor that passes all messages on to the server at `port`, and its answers back.

    Without `server_id` it tells that of the server.
    """
    it = Impostor()
    async with connect(f"ws://127.0.0.1:{port}") as probe:
        assert probe.response is not None
        server_id = server_id or probe.response.headers[SERVER_ID_HEADER]

    async def converse(connection: ServerConnection) -> None:
        async with connect(f"ws://127.0.0.1:{port}", compression=None) as server:

            async def pass_back() -> None:
                async for raw in server:
                    it.answers.append(json.loads(raw))
                    await connection.send(raw)
                await connection.close()

            passing_back = asyncio.create_task(pass_back())
            try:
                async for raw in connection:
                    changed = it.change(it.hear(raw))
                    await server.send(json.dumps(changed))
            finally:
                passing_back.cancel()

    async with listening(it, server_id, converse):
        yield it


def unknown(challenge: Message) -> Message:
    return UNKNOWN


def forged(challenge: Message) -> Message:
    """Return a proof by an impostor that doesn't know the verifier."""
    return {"type": "server_proof", "nonce": new_nonce(), "proof": "0" * 64}


def not_understood(challenge: Message) -> Message:
    """Return the refusal of a server that says it knows no challenges."""
    return {"type": "refused", "id": 0, "code": "bad_message", "message": "what is a challenge?"}


def reflected(challenge: Message) -> Message:
    return {**forged(challenge), "nonce": challenge["nonce"]}


@pytest.mark.parametrize(
    "answer",
    [unknown, forged, not_understood, reflected],
    ids=["unknown", "forged", "not understood", "reflected"],
)
async def test_an_impostor_with_the_id_of_a_server_learns_nothing_of_its_secret(
    server: Server, storage: Storage, answer: Callable[[Message], Message]
) -> None:
    identity = await identity_at(by_number(server))
    async with impostor(storage.server_id, answer) as thief:
        deceived = await identity_at(thief.address)
        assert deceived.secret != identity.secret
        assert deceived.secret.encode() in thief.raw, "it has one of its own"
        assert not thief.has_learnt(identity)
        await replay_at(server, thief)
    assert await identity_at(by_number(server)) == identity


async def test_a_server_without_an_id_gets_no_secret_of_one_with_an_id(server: Server) -> None:
    """Even if it has taken the address over."""
    identity = await identity_at(by_number(server))
    address = by_number(server)
    with claimed_name(address, None, "Ann") as claimed:
        assert claimed.unbound().secret != identity.secret
    async with impostor(server_id=None) as older:
        await identity_at(older.address)
        assert not older.has_learnt(identity)


async def test_at_a_known_address_an_impostor_learns_nothing_either(
    storage: Storage,
) -> None:
    """As when another machine has been given the address."""
    async with serve(Options(host="127.0.0.1", port=0), storage=storage) as server:
        address = by_number(server)
        identity = await identity_at(address)
    thief = Impostor()

    async def converse(connection: ServerConnection) -> None:
        async for raw in connection:
            thief.hear(raw)
            await connection.send(json.dumps(UNKNOWN))

    def tell_id(connection: ServerConnection, request: Request, response: Response) -> None:
        response.headers[SERVER_ID_HEADER] = storage.server_id

    async with serve_websockets(converse, "127.0.0.1", address.port, process_response=tell_id):
        with pytest.raises(CommandRefused):
            await identity_at(address)
        with pytest.raises(NotRecognised):
            await enter(address, identity)
    assert not thief.has_learnt(identity)


async def test_a_relay_at_another_address_is_not_taken_for_the_server(
    server: Server, storage: Storage
) -> None:
    """The server refuses to prove itself over a connection that ends elsewhere for the client."""
    identity = await identity_at(by_number(server))
    async with relay_to(server.port, storage.server_id) as relay:
        with pytest.raises(NameRefused):  # the new secret, which the relay passes on
            await identity_at(relay.address)
        assert [answer.get("code") for answer in relay.answers] == ["other_channel", "name_taken"]
        assert not relay.has_learnt(identity)
        await replay_at(server, relay)


@pytest.mark.parametrize("rewrite", ["", "the server's"])
async def test_a_relay_that_rewrites_the_channel_proves_nothing(
    server: Server, storage: Storage, rewrite: str
) -> None:
    identity = await identity_at(by_number(server))
    channel = f"127.0.0.1:{server.port}" if rewrite else ""
    async with relay_to(server.port, storage.server_id) as relay:
        relay.change = lambda message: (
            {**message, "channel": channel} if message["type"] == "challenge" else message
        )
        with pytest.raises(NameRefused):
            await identity_at(relay.address)
        assert [answer["type"] for answer in relay.answers] == ["server_proof", "refused"]
        assert not relay.has_learnt(identity)
        assert not any("proof" in message for message in relay.heard)
        await replay_at(server, relay)


async def test_what_passed_over_the_network_is_of_no_use_later(server: Server) -> None:
    """An attacker who has heard whole sessions, at the server's own address."""
    identity = await identity_at(by_number(server))
    async with relay_to(server.port, server_id=None) as relay:
        with claimed_name(relay.address, identity.server_id, "Ann") as claimed:
            (saved,) = claimed.saved()
            claimed.remember(saved)  # as if it were an address of the server
        assert await enter(relay.address, await identity_at(relay.address)) == "Ann"
        assert any("proof" in message for message in relay.heard)
        assert not relay.has_learnt(identity)
        await replay_at(server, relay)


async def replay_at(server: Server, thief: Impostor) -> None:
    """Send all that `thief` has heard to the server, together and each hello alone, as Ann."""
    own = [message for message in thief.heard if message.get("name") == "Ann"]
    assert own
    hellos = [message for message in own if message["type"] == "hello"]
    attempts = [own, *([hello] for hello in hellos)]
    for attempt in attempts:
        async with connect(f"ws://127.0.0.1:{server.port}", compression=None) as connection:
            for message in attempt:
                try:
                    await connection.send(json.dumps(message))
                    answer = json.loads(await asyncio.wait_for(connection.recv(), LIMIT_S))
                except ConnectionClosed:
                    break
                assert answer["type"] != "welcome", (message, answer)


# The server's rules


async def test_a_proof_is_for_one_hello_after_a_challenge() -> None:
    async with lobby() as place:
        talk = await place.connect("Ada")
        hello = {"type": "hello", "protocol": 1, "name": "Ada", "proof": "0" * 64}
        await talk.connection.send(json.dumps(hello))
        assert (await talk.hear())["code"] == "name_taken"


@each("both", [{}, {"secret": "s" * 16, "proof": "0" * 64}])
async def test_a_hello_has_a_secret_or_a_proof(both: Message) -> None:
    async with lobby() as place:
        talk = await place.connect("Ada")
        hello = {"type": "hello", "protocol": 1, "name": "Ada", **both}
        await talk.connection.send(json.dumps(hello))
        assert (await talk.hear())["code"] == "bad_message"


async def test_there_are_so_many_challenges_on_a_connection() -> None:
    async with lobby() as place:
        talk = await place.connect("Ada")
        challenge = {"type": "challenge", "name": "Ada", "nonce": new_nonce()}
        codes = []
        for _ in range(21):
            await talk.connection.send(json.dumps(challenge))
            codes.append((await talk.hear())["code"])
        assert codes == ["name_unknown"] * 20 + ["too_fast"]


async def test_after_the_hello_there_is_no_challenge() -> None:
    async with lobby() as place:
        talk: Talk = await place.connect("Ada")
        await say_hello(talk)
        challenge = {"type": "challenge", "name": "Ada", "nonce": new_nonce()}
        await talk.connection.send(json.dumps(challenge))
        message = await talk.hear_until(lambda it: it["type"] == "refused")
        assert message["code"] == "greeted_already"
