"""How to come into a room for the first time, and how to come back."""

from dataclasses import dataclass
from typing import assert_never

from boxroom_client.link.mirror import Mirror
from boxroom_engine.room.room import RequestedSettings, Settings
from boxroom_engine.wire.messages import CreateRoom, JoinRoom


@dataclass(frozen=True, slots=True)
class Join:
    """Into a room that is there."""

    room: str
    password: str | None = None
    watch: bool = False


@dataclass(frozen=True, slots=True)
class Create:
    """Into a new room, as its host."""

    settings: Settings
    room: str | None = None
    password: str | None = None
    watch: bool = False


JoinRequest = Join | Create


def request_to_enter(
    entrance: JoinRequest, mirror: Mirror, request_id: int, token: str
) -> CreateRoom | JoinRoom:
    """What to ask the server, by `entrance` or, once `mirror` has a room, to go back to it.

    Who comes back comes as what it was: a spectator who lost the connection isn't given a seat.
    """
    if mirror.room is not None:
        log, after = mirror.last_seen or (None, None)
        return JoinRoom(
            request_id,
            mirror.room.code,
            entrance.password,
            mirror.is_watching,
            after,
            log,
        )
    match entrance:
        case Join():
            return JoinRoom(request_id, entrance.room, entrance.password, entrance.watch)
        case Create():
            return CreateRoom(
                request_id,
                token,
                RequestedSettings.of(entrance.settings),
                entrance.room,
                entrance.password,
                entrance.watch,
            )
        case _:
            assert_never(entrance)
