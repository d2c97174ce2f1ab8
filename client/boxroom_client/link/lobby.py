"""Asking a server something without going into a room."""

from importlib.metadata import version

from boxroom_client.link.conversation import Conversation, answering_within
from boxroom_client.link.errors import Disconnected, Unreachable
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.wire.messages import ListRooms, Refused, Rooms

CLIENT = f"boxroom {version('boxroom')}"
"""What this client calls itself in its greeting."""


async def list_rooms(
    address: Address, identity: Identity, *, client: str = CLIENT, limit_s: float = 10.0
) -> Rooms:
    """The open rooms of the server at `address`.

    Raises:
        Unreachable: it doesn't answer, or isn't a Boxroom server.
        EntranceRefused: it doesn't talk to us, for example because of the name.
    """
    async with answering_within(limit_s, address):
        conversation = await Conversation.open(address, identity, client)
        try:
            await conversation.send(ListRooms(1))
            while True:
                answer = await conversation.receive()
                if isinstance(answer, Rooms):
                    return answer
                if isinstance(answer, Refused):
                    raise Unreachable(f"{address} doesn't list its rooms: {answer.message}")
        except Disconnected as error:
            raise Unreachable(f"{address} doesn't list its rooms: {error}") from error
        finally:
            await conversation.close()
