"""What somebody who joins a server wants there, before there is a room."""

from dataclasses import dataclass

from boxroom_client.link.join_request import Create, Join
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.messages import RoomListed


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """What was said on the command line about the room."""

    room: str | None = None
    password: str | None = None
    create: bool = False
    watch: bool = False

    def to_create(self) -> Create:
        """A new room, private if there is a password."""
        settings = Settings(private=self.password is not None)
        return Create(settings, self.room, self.password, self.watch)

    def to_join(self, room: RoomListed) -> Join:
        """Into `room`."""
        return Join(room.room, self.password, self.watch)
