"""From one room to another over the same connection; in a cluster, too."""

from tests.cases import each
from tests.server.manual_clock import ManualClock
from tests.server.stores import Store, lobby_on
from tests.server.talk import ONE_BOX, lobby, until

ONE_LOOP = True


async def test_a_member_leaves_the_room_when_the_other_one_lets_it_in(store: Store) -> None:
    async with lobby_on(store, ManualClock()) as place:
        ada, bob = await place.create("Ada"), await place.create("Bob", "cellar")
        await bob.do("join_room", room="Attic")
        assert bob.seen.code == "attic"
        await ada.event("sat", member="Bob")
        await until(lambda: "Bob" not in place.room("cellar").members)
        assert place.room("cellar").host is None
        await bob.do("say", text="here I am")
        await ada.event("said", member="Bob")


async def test_there_and_back_again(store: Store) -> None:
    async with lobby_on(store, ManualClock()) as place:
        await place.create("Ada")
        bob = await place.create("Bob", "cellar")
        for room in ("attic", "cellar", "attic", "cellar"):
            await bob.do("join_room", room=room)
            await bob.do("say", text=f"in the {room}")
        assert [line.text for line in place.room("cellar").chat] == ["in the cellar"] * 2
        assert place.room("cellar").host == "Bob"


@each(
    "wanted, code",
    [
        ({"room": "atic"}, "no_such_room"),
        ({"room": "attic"}, "wrong_password"),
        ({"room": "attic", "password": "sesam"}, "wrong_password"),
    ],
)
async def test_who_is_not_let_in_stays(wanted: dict[str, str], code: str) -> None:
    async with lobby() as place:
        await place.create("Ada", settings={**ONE_BOX, "private": True}, password="sesame")
        bob = await place.create("Bob", "cellar")
        seq = bob.seen.seq
        assert await bob.refusal("join_room", **wanted) == code
        assert (await bob.do("say", text="still here")) == seq + 1
        assert place.room("cellar").is_player("Bob")


async def test_who_leaves_a_game_so_is_replaced_as_by_leave() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        await place.create("Cleo", "cellar")
        await bob.do("join_room", room="cellar")
        await ada.event("stood_in", seat=1)
        await ada.event("left", member="Bob")
        assert bob.seen.code == "cellar"


async def test_nothing_of_the_former_room_comes_after_the_other_one() -> None:
    """Its own `left` would look as if it had left the other one."""
    async with lobby() as place:
        ada, bob = await place.create("Ada"), await place.create("Bob", "cellar")
        cleo = await place.join("Cleo", "cellar")
        await bob.do("join_room", room="attic")
        await cleo.event("left", member="Bob")
        await cleo.do("say", text="gone")
        await bob.do("say", text="here")
        await ada.event("said", text="here")
        entered = max(i for i, heard in enumerate(bob.heard) if heard["type"] == "in_room")
        events = [each for heard in bob.heard[entered:] for each in heard.get("events", ())]
        assert [event["type"] for event in events] == ["said"]


async def test_a_connection_that_is_lost_on_the_way_leaves_one_member() -> None:
    async with lobby() as place:
        ada, bob = await place.create("Ada"), await place.create("Bob", "cellar")
        await bob.say("join_room", room="attic")
        bob.cut()
        await ada.do("say", text="hm")
        again = await place.call("Bob")
        await again.do("join_room", room="attic")
        await until(lambda: not place.room("cellar").is_connected("Bob"))
        assert again.seen.is_connected("Bob")
