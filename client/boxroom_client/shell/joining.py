"""From an address to a room: who we are there, which room it is, and then playing in it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from boxroom_client.link.connection import RoomConnection, list_rooms
from boxroom_client.link.errors import JoinRefused, Unreachable
from boxroom_client.link.join_request import Join, JoinRequest
from boxroom_client.profile.identity import (
    BadName,
    Identity,
    IdentityError,
    IdentityFolderError,
    claimed_identity,
    login_name,
)
from boxroom_client.profile.last_room import LastRoom
from boxroom_client.servers.address import Address
from boxroom_client.shell.front import Front, Interrupted
from boxroom_client.shell.join_options import JoinOptions
from boxroom_client.shell.output.wording import sentence
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.wire.messages import RoomListed

_NAME_TAKEN = "name_taken"

_ADVICE = {
    "wrong_password": "--password PASSWORD gives it.",
    _NAME_TAKEN: "--name NAME gives another.",
    "bad_name": "--name NAME gives another.",
    "no_such_room": "--create makes it.",
    "room_exists": "Leave --create out to join it.",
}


async def join(address: Address, name: str | None, join_options: JoinOptions, front: Front) -> Exit:
    """Play in the room of the server at `address` that `join_options` leads to.

    Raises:
        Failure: there is no server, or it doesn't let us in.
        UsageError: the name can't be one.
    """
    visit = Visit(address, join_options, front)
    taken: list[str] = []
    while True:
        with _identity(address, name, taken, front) as identity:
            try:
                return await visit.run(identity)
            except Interrupted:
                return Exit.INTERRUPTED
            except Unreachable as error:
                raise Failure(str(error), Exit.UNREACHABLE) from None
            except JoinRefused as refused:
                if refused.code != _NAME_TAKEN or name is not None:
                    raise Failure(_with_advice(refused)) from None
                # Nobody chose this name: the next one like it does as well.
                taken.append(identity.name)


def _with_advice(refused: JoinRefused) -> str:
    advice = _ADVICE.get(refused.code)
    return f"{sentence(refused.message)} {advice}" if advice else refused.message


@contextmanager
def _identity(
    address: Address, name: str | None, taken: Sequence[str], front: Front
) -> Iterator[Identity]:
    """Who we are on this server; for this time only, if nothing can be kept here."""
    try:
        with claimed_identity(address, name, avoid=taken) as identity:
            yield identity
    except BadName as error:
        raise UsageError(str(error)) from None
    except IdentityFolderError as error:
        front.say(
            f"{sentence(str(error))} Should this client die, you can't come back to your seat."
        )
        yield Identity.make(name or login_name())
    except IdentityError as error:
        raise Failure(str(error)) from None


class Visit:
    """A visit to a server: into the room where we were, or into one that is chosen."""

    def __init__(self, address: Address, join_options: JoinOptions, front: Front) -> None:
        self._address = address
        self._wish = join_options
        self._front = front

    async def run(self, identity: Identity) -> Exit:
        """Choose a room and stay there.

        Raises:
            JoinRefused: we may not come in.
            Unreachable: there is no server.
            Failure: there is nothing to choose.
            Interrupted: Ctrl-C, before there was a room.
        """
        last_room = LastRoom(self._address, identity.name)
        room = last_room.load()
        if room is not None and self._wish == JoinOptions():
            self._front.say(f"Back to the room {room}, which you haven't left.")
            try:
                return await self._stay(identity, Join(room), last_room)
            except JoinRefused as refused:
                if refused.code == _NAME_TAKEN:
                    raise
                last_room.delete()
                self._front.say(sentence(refused.message))
        entrance = await self._choose(identity)
        if entrance is None:
            return Exit.DONE
        return await self._stay(identity, entrance, last_room)

    async def _choose(self, identity: Identity) -> JoinRequest | None:
        """How to come into the room that is wished for; None if somebody thought better of it."""
        join_options = self._wish
        if join_options.create:
            return join_options.to_create()
        if join_options.room is not None:
            return Join(join_options.room, join_options.password, join_options.watch)

        async def rooms() -> Sequence[RoomListed]:
            return (await list_rooms(self._address, identity)).rooms

        return await self._front.choose_room(rooms, join_options, str(self._address))

    async def _stay(self, identity: Identity, entrance: JoinRequest, last_room: LastRoom) -> Exit:
        """Play in the room until it is over; unless its server is lost, it is left for good."""
        async with RoomConnection(self._address, identity, entrance) as connection:
            assert connection.room is not None
            last_room.save(connection.room.code)
            is_lost = False
            try:
                ending = await self._front.play(connection, watching=self._wish.watch)
                is_lost = ending is Exit.UNREACHABLE
                return ending
            finally:
                if not is_lost:
                    last_room.delete()
