"""The powers of a host: what is possible in which phase, and what is said instead."""

import msgspec
from msgspec.structs import replace
from tests.engine.room.hosting import LIMITS, HostedRoom, playing

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.powers import MOST_PEOPLE, Power, powers
from boxroom_engine.room.room import Settings

LIMITS_OF_A_CROWD = replace(LIMITS, members=50, spectators=50)


def of(room: HostedRoom, member: str = "Ada") -> dict[str, Power]:
    """Return the powers of `member` by their names, with those for whom they are."""
    listed = powers(room.room, member, room.now_ms, room.limits)
    return {f"{power.power} {power.name}".strip(): power for power in listed}


def possible(room: HostedRoom) -> set[str]:
    return {name for name, power in of(room).items() if power.refused is None}


def test_only_the_host_has_any() -> None:
    assert powers(HostedRoom(others=["Bob"]).room, "Bob", 0, LIMITS) == ()


def test_between_games_seats_and_people_are_arranged() -> None:
    room = HostedRoom(others=["Bob"])
    assert possible(room) == {
        *("start", "configure", "unseat Bob", "mute Bob", "kick Bob", "hand_over Bob"),
    }
    assert str(of(room)["fill"].refused) == (
        "every seat is taken: empty one, or add one in the settings"
    )


def test_an_empty_seat_is_for_a_bot_of_ones_choice() -> None:
    room = HostedRoom()
    assert possible(room) == {"configure", "seat_bot", "fill"}
    assert of(room)["seat_bot"].is_open


def test_in_a_game_it_is_paused_and_a_bot_plays_for_one_who_thinks_for_long() -> None:
    room = playing()
    room.plays("Ada", "h0")
    assert "stand_in Bob" not in possible(room)
    room.now_ms += 60_000
    assert possible(room) == {
        *("pause", "stand_in Bob", "abort", "mute Bob", "kick Bob", "hand_over Bob"),
    }
    assert str(of(room)["start"].refused) == (
        "a game is on: that has to wait until it is over, but a bot can play for Bob"
    )
    assert of(room)["stand_in Bob"].arguments == {"seat": 1}


def test_in_a_pause_no_bot_plays_instead() -> None:
    room = playing()
    room.plays("Ada", "h0")
    room.ask("Ada", cmd.Pause)
    assert str(of(room)["start"].refused) == (
        "a game is on: that has to wait until it is over, or until all players end it"
    )
    assert of(room)["stand_in Bob"].refused is not None


def test_what_was_done_can_be_undone() -> None:
    room = playing(spectators=["Cleo"])
    room.ask("Ada", cmd.Mute, member="Bob")
    room.ask("Ada", cmd.Kick, member="Cleo")
    room.ask("Ada", cmd.Pause)
    assert possible(room) >= {"unmute Bob", "unbar Cleo", "unpause"}
    assert not possible(room) & {"mute Bob", "pause"}


def test_all_that_is_possible_is_accepted() -> None:
    for name in possible(HostedRoom(others=["Bob"])):
        room = HostedRoom(others=["Bob"])
        power = of(room)[name]
        if not power.is_open:
            command = {"type": power.power, "id": 1, **power.arguments}
            given = msgspec.convert(command, type=cmd.AnyMemberCommand)
            assert room.does(cmd.FromMember("Ada", given))


def test_many_people_have_one_line() -> None:
    room = HostedRoom(Settings(), limits=LIMITS_OF_A_CROWD)
    for number in range(MOST_PEOPLE + 1):
        room.enter(f"Guest {number}", watch=True)
    assert of(room)["kick"].is_open
    assert "kick Guest 0" not in of(room)
