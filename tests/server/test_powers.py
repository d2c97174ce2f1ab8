"""A host's powers are checked for every message: here are all who don't have them."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, get_args

from tests.cases import each
from tests.server.talk import ONE_BOX, Lobby, Talk, lobby, until
from websockets.exceptions import ConnectionClosed

from boxroom_engine.room.decide import HostCommand
from boxroom_server.admin import messages as m

ONE_LOOP = True
COMMANDS: dict[str, dict[str, Any]] = {
    "start": {},
    "configure": {"settings": ONE_BOX},
    "seat_bot": {"bot": "greedy"},
    "fill": {"bot": "greedy"},
    "unseat": {"seat": 0},
    "kick": {"member": "Ada"},
    "unbar": {"member": "Ada"},
    "mute": {"member": "Ada"},
    "unmute": {"member": "Ada"},
    "hand_over": {"member": "Ada"},
}
"""Commands for hosts only, each with fields with which it would be accepted."""


def test_these_are_all_of_them() -> None:
    assert {kind.__struct_config__.tag for kind in get_args(HostCommand)} == set(COMMANDS)


async def player(place: Lobby, ada: Talk) -> Talk:
    return await place.join("Bob")


async def spectator(place: Lobby, ada: Talk) -> Talk:
    return await place.join("Bob", watch=True)


async def former_host(place: Lobby, ada: Talk) -> Talk:
    bob = await place.join("Bob")
    await ada.do("hand_over", member="Bob")
    await bob.do("hand_over", member="Ada")
    return bob


async def host_of_another_room(place: Lobby, ada: Talk) -> Talk:
    bob = await place.create("Bob", "cellar")
    await bob.do("leave")
    await bob.do("join_room", room="attic")
    return bob


async def returned_host(place: Lobby, ada: Talk) -> Talk:
    """Return a former host, whose powers passed on while he was disconnected."""
    bob = await place.join("Bob")
    await ada.do("hand_over", member="Bob")
    bob.cut()
    await ada.event("dropped", member="Bob")
    place.clock.advance(place.options.grace_s + 1)
    await ada.event("host_passed", member="Ada")
    return await place.join("Bob")


async def one_who_left(place: Lobby, ada: Talk) -> Talk:
    bob = await place.join("Bob")
    await ada.do("hand_over", member="Bob")
    await bob.do("leave")
    return bob


async def kicked(place: Lobby, ada: Talk) -> Talk:
    bob = await former_host(place, ada)
    await ada.do("kick", member="Bob")
    await bob.event("kicked")
    return bob


async def kicked_host(place: Lobby, ada: Talk) -> Talk:
    """Return a host whom the operator has kicked."""
    bob = await place.join("Bob")
    await ada.do("hand_over", member="Bob")
    await place.server.admin_commands.execute(m.Kick("attic", "Bob"), lambda: None)
    await bob.event("kicked")
    return bob


async def never_in(place: Lobby, ada: Talk) -> Talk:
    return await place.call("Bob")


Who = Callable[[Lobby, Talk], Awaitable[Talk]]


@each(
    "who, code",
    [
        (player, "not_host"),
        (spectator, "not_host"),
        (former_host, "not_host"),
        (host_of_another_room, "not_host"),
        (returned_host, "not_host"),
        (one_who_left, "not_in_a_room"),
        (kicked, "not_in_a_room"),
        (kicked_host, "not_in_a_room"),
        (never_in, "not_in_a_room"),
    ],
)
async def test_nobody_but_the_host_has_them(who: Who, code: str) -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        bob = await who(place, ada)
        before = place.room()
        for kind, fields in COMMANDS.items():
            assert await bob.refusal(kind, **fields) == code, kind
            assert place.room() is before


async def test_nobody_has_them_before_a_hello() -> None:
    async with lobby() as place:
        await place.create("Ada")
        before = place.room()
        for kind, fields in COMMANDS.items():
            stranger = await place.connect("Bob")
            assert await stranger.refusal(kind, **fields) == "no_hello"
            assert place.room() is before


@each("message", [m.Release("Bob"), m.Ban("Bob"), m.Ban("127.0.0.1")])
async def test_a_host_whose_session_was_terminated_has_none_before_the_connection_is_closed(
    message: m.Request,
) -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        bob = await place.join("Bob")
        await ada.do("hand_over", member="Bob")
        (session,) = place.server._sessions.with_name("Bob")
        session.terminate("enough")
        before = place.room()
        for kind, fields in COMMANDS.items():
            await bob.say(kind, **fields)
        await place.server.admin_commands.execute(message, lambda: None)
        assert (await bob.close_code())[0] == 4003
        await until(lambda: not place.room().is_connected("Bob"))
        entries = place.host().replay_buffer.entries
        assert not [it for it in entries if it.seq > before.seq and it.member is not None]


async def test_a_connection_that_was_replaced_has_none() -> None:
    async with lobby() as place:
        old = await place.create("Ada")
        new = await place.join("Ada")
        before = place.room()
        with suppress(ConnectionClosed):
            for kind, fields in COMMANDS.items():
                await old.say(kind, **fields)
        assert (await old.close_code())[0] == 4001
        assert place.room() is before
        await new.do("fill", bot="greedy")
