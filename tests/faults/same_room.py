"""Whether what a client knows is what the server knows, for the eyes of that client."""

from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import snapshot
from boxroom_server.server import Server


def mirrors(known: Room | None, room: Room, me: str) -> bool:
    """Whether `known` is `room` as `me` may see it: nothing less and nothing more.

    It is invariant 9 of docs/room.md.
    """
    if known is None:
        return False
    seen = snapshot(room, room.audience(me))
    return snapshot(known, Audience.SPECTATOR) == seen and known.state == room.state


def conversations(server: Server) -> int:
    """How many the server holds; there is no public way to it, and tests need the truth."""
    return len(server._sessions)
