"""The greeting of a server, and the identity by which it knows this client.

A server tells its id when the connection is opened, which any server can claim. So at an address
where an identity wasn't used before, and later on as well, both sides prove that they know it
(`boxroom_engine.wire.recognition`). To such a server a secret is sent once: when it is made. A
server that tells no id gets its secret with every hello.
"""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from boxroom_client.link.errors import (
    Disconnected,
    NameRefused,
    NotRecognised,
    ProtocolError,
    Unreachable,
)
from boxroom_client.link.pending_commands import TOO_FAST, said_by
from boxroom_client.link.sockets.web_socket import CLIENT, WebSocket, answering_within
from boxroom_client.profile.identity import ClaimedName, Identity, claimed_name
from boxroom_client.servers.address import Address
from boxroom_common.phrases import say
from boxroom_engine.phrases import phrase
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.wire import parts
from boxroom_engine.wire.messages import (
    MOST_BEFORE_HELLO,
    PROTOCOL,
    Challenge,
    GameRecord,
    Greeting,
    Hello,
    Notice,
    Refused,
    SeeGame,
    ServerMessage,
    ServerProof,
    Welcome,
)
from boxroom_engine.wire.recognition import (
    NO_CHANNEL,
    Exchange,
    key_of,
    new_nonce,
    verifier_of,
)

NAME_TAKEN = "name_taken"
"""Code of the refusal of a name that belongs to another secret."""

_REFUSALS_OF_NAMES = (NAME_TAKEN, "bad_name", "looks_alike")


async def see_game(address: Address, link: str, *, limit_s: float = 10.0) -> GameRecord:
    """Ask for the finished game with that link, for which no name is needed.

    Raises:
        Unreachable: there is no Boxroom server at `address`, or it is too busy now.
        CommandRefused: it has no such game.
    """
    async with answering_within(limit_s, address):
        web_socket = await WebSocket.open(address, CLIENT)
        try:
            answer = await _ask(web_socket, address, SeeGame(link))
        finally:
            await web_socket.close()
    match answer:
        case GameRecord():
            return answer
        case Refused(code=code) as refused:
            raise CommandRefused(code, said_by(refused))
        case _:
            raise Unreachable(say("terminal.link.never_greets", address=str(address)))


@asynccontextmanager
async def introduced(
    address: Address,
    name: str | None,
    *,
    avoid: Collection[str] = (),
    is_robot: bool = False,
    client: str = CLIENT,
    limit_s: float = 10.0,
) -> AsyncIterator[Identity]:
    """Claim the identity by which the server at `address` knows this client, for this process.

    It is a new one if the server knows none of that name. `name`, `avoid` and `is_robot` are as
    for `claimed_name`.

    Raises:
        Unreachable: there is no Boxroom server at `address`, or it is too busy now.
        CommandRefused: it refuses this client.
        IdentityError: see `claimed_name`.
    """
    async with answering_within(limit_s, address):
        web_socket = await WebSocket.open(address, client)
    try:
        claiming = claimed_name(address, web_socket.server_id, name, avoid=avoid, is_robot=is_robot)
        with claiming as claimed:
            async with answering_within(limit_s, address):
                identity = await _known_or_new(web_socket, address, claimed, client)
            await web_socket.close()
            yield identity
    finally:
        await web_socket.close()


async def _known_or_new(
    web_socket: WebSocket, address: Address, claimed: ClaimedName, client: str
) -> Identity:
    if web_socket.server_id is None:
        return claimed.unbound()
    for saved in claimed.saved()[: MOST_BEFORE_HELLO - 1]:
        channel = NO_CHANNEL if saved.is_of_address else _channel(web_socket, address)
        with suppress(NotRecognised):
            await _recognise(web_socket, address, saved.identity, channel)
            return claimed.remember(saved)
    identity = claimed.new()
    hello = _hello(identity, client, secret=identity.secret)
    try:
        await _welcome(web_socket, address, hello)
    except NameRefused:
        claimed.forget_new()
        raise
    return identity


def _channel(web_socket: WebSocket, address: Address) -> str:
    try:
        return web_socket.channel
    except Disconnected as error:
        raise Unreachable(
            say("terminal.link.no_greeting", address=str(address), error=str(error))
        ) from error


async def greet(
    web_socket: WebSocket, address: Address, identity: Identity, client: str
) -> Welcome:
    """Say hello to the server at `address` as `identity`, and return its welcome.

    Raises:
        Unreachable: it isn't a Boxroom server, or is too busy now.
        CommandRefused: it refuses this client, for example because of the name.
    """
    if identity.server_id is None:
        return await _welcome(web_socket, address, _hello(identity, client, secret=identity.secret))
    if web_socket.server_id != identity.server_id:
        raise NotRecognised(phrase("refusal.not_recognised.server", address=str(address)))
    proof = await _recognise(web_socket, address, identity, NO_CHANNEL)
    return await _welcome(web_socket, address, _hello(identity, client, proof=proof))


async def greet_as(
    web_socket: WebSocket, address: Address, identity: Identity, name: str, client: str
) -> Welcome:
    """Say hello as `name`, which the secret of `identity` is to own, too; see `greet`.

    The server gets the secret once more, after it has proved that it knows it.
    """
    if identity.server_id is not None:
        if web_socket.server_id != identity.server_id:
            raise NotRecognised(phrase("refusal.not_recognised.server", address=str(address)))
        await _recognise(web_socket, address, identity, NO_CHANNEL)
    hello = _hello(replace(identity, name=name), client, secret=identity.secret)
    return await _welcome(web_socket, address, hello)


def _hello(
    identity: Identity, client: str, *, secret: str | None = None, proof: str | None = None
) -> Hello:
    return Hello(PROTOCOL, identity.name, secret, client, parts.NAMES, proof)


async def _recognise(
    web_socket: WebSocket, address: Address, identity: Identity, channel: str
) -> str:
    """Let the server prove that it knows `identity`, and return the proof of this client.

    Raises:
        NotRecognised: it doesn't.
        Unreachable: it isn't a Boxroom server, or is too busy now.
    """
    assert identity.server_id is not None
    nonce, key = new_nonce(), key_of(identity.secret)
    challenge = Challenge(identity.name, nonce, channel)
    match await _ask(web_socket, address, challenge):
        case ServerProof() as answer:
            exchange = Exchange(identity.server_id, nonce, answer.nonce, channel, identity.name)
            if exchange.is_server_proof(answer.proof, verifier_of(key)):
                return exchange.client_proof(key)
            raise NotRecognised(
                phrase("refusal.not_recognised", name=identity.name, address=str(address))
            )
        case Refused() as answer:
            raise NotRecognised(said_by(answer))
        case _:
            raise Unreachable(say("terminal.link.never_greets", address=str(address)))


async def _welcome(web_socket: WebSocket, address: Address, hello: Hello) -> Welcome:
    match await _ask(web_socket, address, hello):
        case Welcome() as welcome:
            return welcome
        case Refused(code=code) as refused if code in _REFUSALS_OF_NAMES:
            raise NameRefused(code, said_by(refused), hello.name)
        case Refused(code=code) as refused:
            raise CommandRefused(code, said_by(refused))
        case _:
            raise Unreachable(say("terminal.link.never_greets", address=str(address)))


async def _ask(web_socket: WebSocket, address: Address, message: Greeting) -> ServerMessage:
    """Send `message`, and return its answer.

    Raises:
        Unreachable: there is none, or the server is too busy now.
    """
    try:
        with suppress(Disconnected):  # it may have sent the reason before it closed
            await web_socket.send(message)
        while isinstance(answer := await web_socket.receive(), Notice):
            pass  # for people, who aren't there yet
    except ProtocolError as error:
        raise Unreachable(
            say("terminal.link.no_server", address=str(address), error=str(error))
        ) from error
    except Disconnected as error:
        raise Unreachable(
            say("terminal.link.no_greeting", address=str(address), error=str(error))
        ) from error
    if isinstance(answer, Refused) and answer.code == TOO_FAST:
        raise Unreachable(str(said_by(answer)))
    return answer
