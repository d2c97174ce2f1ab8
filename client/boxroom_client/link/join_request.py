"""Requests to enter a room: for the first time, or again after the connection was lost."""

from dataclasses import dataclass
from typing import assert_never

from boxroom_client.link.mirror import Mirror
from boxroom_engine.room.room import RequestedSettings, Settings
from boxroom_engine.wire.messages import CreateRoom, JoinRoom


@dataclass(frozen=True, slots=True)
class Join:
    """A request to enter an existing room."""

    room: str
    password: str | None = None
    watch: bool = False


@dataclass(frozen=True, slots=True)
class Create:
    """A request to create a room, and to enter it as its host."""

    settings: Settings
    room: str | None = None
    """None: the server makes up a name."""
    password: str | None = None
    watch: bool = False
    bots: tuple[str, ...] = ()
    """Bots that sit down as soon as there is the room."""


JoinRequest = Join | Create


def join_message(
    join_request: JoinRequest, mirror: Mirror, request_id: int, token: str
) -> CreateRoom | JoinRoom:
    """Return the message for `join_request`, or for going on in the room that `mirror` has.

    A member that returns keeps its role: a spectator that lost the connection gets no seat.
    """
    if mirror.room is not None:
        log, after = mirror.last_seen or (None, None)
        return JoinRoom(
            request_id,
            mirror.room.code,
            join_request.password,
            mirror.is_watching,
            after,
            log,
        )
    match join_request:
        case Join():
            return JoinRoom(
                request_id, join_request.room, join_request.password, join_request.watch
            )
        case Create():
            return CreateRoom(
                request_id,
                token,
                RequestedSettings.of(join_request.settings),
                join_request.room,
                join_request.password,
                join_request.watch,
            )
        case _:
            assert_never(join_request)
