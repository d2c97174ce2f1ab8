"""Joins a server: claims an identity, chooses a room, and plays in it."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from boxroom_client.link.connection import Revive, RoomConnection, list_rooms, no_notice
from boxroom_client.link.conversation import look_at_room
from boxroom_client.link.errors import NameRefused
from boxroom_client.link.greeting import introduced
from boxroom_client.link.join_request import Create, Join, JoinRequest
from boxroom_client.link.updates import EnteredRoom, Update
from boxroom_client.profile.identity import (
    BadName,
    Identity,
    IdentityFolderError,
    login_name,
    name_like,
    usual_name,
)
from boxroom_client.profile.ignored import IgnoredPeople
from boxroom_client.profile.last_room import Kept, LastRoom
from boxroom_client.servers.address import Address
from boxroom_client.servers.localhost import guests_address
from boxroom_client.shell.frontend import Frontend, Interrupted, JoinOptions, RefusedRoom
from boxroom_client.shell.game_recorder import GameRecorder
from boxroom_client.shell.output.wording import sentence
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.phrases import say
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.text import same_name
from boxroom_engine.wire.messages import RoomListed

_HELPED = ("wrong_password", "bad_name", "looks_alike", "no_such_room", "room_exists")
"""Codes of refusals against which other options help."""

_NO_ROOM_NAMED = (JoinOptions(), JoinOptions(create=True, comes_back=True))
"""Options with which a person returns to the room that wasn't left."""


@dataclass(frozen=True, slots=True)
class OwnServer:
    """The server of the person who joins it, which this program can start anew."""

    revive: Revive
    """Passed on to `RoomConnection`."""
    entered: Callable[[], None] = lambda: None
    """Called when the person is in a room."""


async def join(
    address: Address,
    name: str | None,
    join_options: JoinOptions,
    frontend: Frontend,
    own_server: OwnServer | None = None,
) -> Exit:
    """Play in the room that `join_options` asks for on the server at `address`.

    If the server refuses the name, the person is asked for another one, if there is a terminal.

    Raises:
        Failure: there is no server, or it refuses us.
        IdentityError: the stored identity can't be used.
        UsageError: the name isn't valid.
    """
    server = own_server or OwnServer(no_notice)
    joiner = RoomJoiner(address, join_options, frontend, server)
    wanted: str | None = name
    taken: list[str] = []
    try:
        while True:
            try:
                async with _identity(address, wanted, taken, frontend) as identity:
                    return await joiner.run(identity)
            except NameRefused as refused:
                taken.append(refused.name)
                if frontend.can_ask:
                    like = usual_name(address, otherwise=wanted, avoid=taken)
                    reason = sentence(str(refused), capital=False)  # it may begin with the name
                    wanted = await frontend.ask_name(reason, like)
                    if wanted is None:
                        return Exit.DONE
                elif refused.code == "bad_name" or name is not None:
                    raise Failure(_with_advice(refused)) from None
                # else the person didn't choose this name: the next one like it will do.
    except Interrupted:
        return Exit.INTERRUPTED
    except CommandRefused as refused:
        raise Failure(_with_advice(refused)) from None


def _with_advice(refused: CommandRefused) -> str:
    """Return the sentence of `refused`, which may begin with a name, and what helps against it."""
    if isinstance(refused, NameRefused):
        advice = say("help.join.name")
    elif refused.code in _HELPED:
        advice = say(f"help.join.{refused.code}")
    else:
        return str(refused)
    return f"{sentence(str(refused), capital=False)} {advice}"


@asynccontextmanager
async def _identity(
    address: Address, name: str | None, taken: Sequence[str], frontend: Frontend
) -> AsyncIterator[Identity]:
    """Claim an identity on this server; a temporary one if none can be stored here."""
    try:
        introducing = introduced(
            address, name, avoid=() if name else taken, is_robot=frontend.is_robot
        )
        async with introducing as identity:
            yield identity
    except BadName as error:
        raise UsageError(str(error)) from None
    except IdentityFolderError as error:
        frontend.say(f"{sentence(str(error))} {say('terminal.join.no_identity')}")
        yield Identity.make(name or name_like(login_name(), taken))


class RoomJoiner:
    """Returns to the room that we haven't left, or joins a chosen one, and plays there."""

    def __init__(
        self,
        address: Address,
        join_options: JoinOptions,
        frontend: Frontend,
        own_server: OwnServer,
    ) -> None:
        self._address = address
        self._join_options = join_options
        self._frontend = frontend
        self._own_server = own_server

    async def run(self, identity: Identity) -> Exit:
        """Choose a room and play in it.

        Raises:
            CommandRefused: the server refuses us.
            Unreachable: there is no server.
            Failure: there is nothing to choose.
            Interrupted: Ctrl-C, before there was a room.
        """
        last_room = self._last_room(identity.name)
        room = last_room.load()
        if room is not None and self._join_options in _NO_ROOM_NAMED:
            self._frontend.say(say("terminal.join.back", room=room))
            try:
                return await self._play_in(identity, Join(room))
            except NameRefused:
                raise
            except CommandRefused as refused:
                last_room.delete()
                self._frontend.say(sentence(str(refused)))
        request = await self._choose(identity)
        while request is not None:
            try:
                return await self._play_in(identity, request)
            except NameRefused:
                raise
            except CommandRefused as refused:
                request = await self._after_refusal(identity, request, refused)
        return Exit.DONE

    async def _after_refusal(
        self, identity: Identity, request: JoinRequest, refused: CommandRefused
    ) -> JoinRequest | None:
        """Return the request that the person makes instead; None if the person cancels.

        Raises:
            CommandRefused: no person can be asked, or there is nothing to choose.
        """
        if refused.code == "room_exists" and self._join_options.comes_back:
            return await self._own_room(identity)
        if not self._frontend.can_ask:
            raise refused
        if refused.code == "wrong_password":
            again = await self._with_password(request, refused)
            if again is not None or not self._join_options.names_no_room:
                return again
            return await self._choose(identity)
        if not self._join_options.names_no_room:
            raise refused
        return await self._choose(identity, RefusedRoom(request, sentence(str(refused))))

    async def _own_room(self, identity: Identity) -> Join:
        """Return the request to enter the room that was to be made, but is there already.

        Raises:
            Failure: it has another host.
        """
        options, server = self._join_options, self._address
        assert options.room is not None
        room = await look_at_room(server, identity, options.room)
        is_mine = same_name(room.room, self._hosted_room(identity).load() or "")
        if room.host is not None and not same_name(room.host, identity.name) and not is_mine:
            raise Failure(
                say("terminal.join.hosted", host=room.host, room=room.room, server=str(server)),
            )
        self._frontend.say(say("terminal.join.back_to_own", room=room.room))
        return options.to_join(room)

    async def _with_password(
        self, request: JoinRequest, refused: CommandRefused
    ) -> JoinRequest | None:
        """Return `request` with a password that the person types; None if cancelled."""
        is_first = request.password is None
        reason = say("terminal.join.private") if is_first else sentence(str(refused))
        password = await self._frontend.ask_password(reason)
        return None if password is None else replace(request, password=password)

    async def _choose(
        self, identity: Identity, refused: RefusedRoom | None = None
    ) -> JoinRequest | None:
        """Return the request for the wanted room, which isn't `refused`; None if cancelled."""
        join_options = self._join_options
        if join_options in _NO_ROOM_NAMED and join_options.create:
            return await self._set_up(identity)
        if join_options.create:
            return join_options.to_create()
        if join_options.room is not None:
            return Join(join_options.room, join_options.password, join_options.watch)

        async def rooms() -> Sequence[RoomListed]:
            return await list_rooms(self._address, identity)

        return await self._frontend.choose_room(rooms, join_options, str(self._address), refused)

    async def _set_up(self, identity: Identity) -> JoinRequest | None:
        """Return the request for a room of the person's own; None if the person cancels."""
        options, kept = self._join_options, self._hosted_room(identity)
        hosted: RoomListed | None = None
        if (code := kept.load()) is not None:
            try:
                hosted = await look_at_room(self._address, identity, code)
            except CommandRefused:
                kept.delete()
        match await self._frontend.set_up_room(options.to_create(), hosted):
            case RoomListed() as room:
                self._frontend.say(say("terminal.join.back_to_own", room=room.room))
                return options.to_join(room)
            case request:
                return request

    def _hosted_room(self, identity: Identity) -> LastRoom:
        return LastRoom(self._address, identity.name, kept=Kept.HOSTED)

    async def _play_in(self, identity: Identity, request: JoinRequest) -> Exit:
        """Play until the end in the room, or others; remember it only if its server is lost."""
        guests = await guests_address(self._address)
        is_robot = self._frontend.is_robot
        recorder = GameRecorder(str(self._address.canonical), is_robot=is_robot)

        def observe(update: Update) -> None:
            recorder(update)
            if isinstance(update, EnteredRoom):
                self._note_room(identity, update)

        connecting = RoomConnection(
            self._address,
            identity,
            request,
            guests_address=guests,
            observe=observe,
            revive=self._own_server.revive,
            ignored=IgnoredPeople.on_server(identity.server_id or self._address.canonical.url),
        )
        async with connecting as connection:
            assert connection.room is not None
            if self._join_options.comes_back:
                self._hosted_room(identity).save(connection.room.code)
            self._own_server.entered()
            if isinstance(request, Create):
                await self._seat_bots(connection, request.bots)
            is_lost = False
            try:
                exit_code = await self._frontend.play(connection, watching=request.watch)
                is_lost = exit_code is Exit.UNREACHABLE
                return exit_code
            finally:
                if not is_lost:
                    self._last_room(connection.me or identity.name).delete()

    def _note_room(self, identity: Identity, entered: EnteredRoom) -> None:
        """Save the room in which the person is, under the name that the person has there."""
        if entered.me != identity.name:
            self._last_room(identity.name).delete()
        self._last_room(entered.me).save(entered.room.code)

    def _last_room(self, name: str) -> LastRoom:
        return LastRoom(self._address, name)

    async def _seat_bots(self, connection: RoomConnection, bots: Sequence[str]) -> None:
        try:
            for bot in bots:
                await connection.ask(cmd.SeatBot(0, bot))
        except CommandRefused as refused:
            self._frontend.say(sentence(str(refused)))
