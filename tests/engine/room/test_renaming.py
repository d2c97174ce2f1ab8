"""Another name for a member: all places in which it stands, and what is refused."""

from tests.cases import each
from tests.engine.room.hosting import LIMITS, HostedRoom

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.accepted import checkpoint, from_checkpoint
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Audience, Phase, Settings
from boxroom_engine.room.view import snapshot

ONE_BOX = Settings(options={"rows": 1, "cols": 1}, best_of=3)


def after_a_game() -> HostedRoom:
    """Ada, the host, and Bob, who has won a game of a series; Cleo watches."""
    room = HostedRoom(ONE_BOX, person="a")
    room.enter("Bob", person="b")
    room.enter("Cleo", person="c", watch=True)
    room.ask("Ada", cmd.Start)
    room.ask("Ada", cmd.Resign, seat=0)
    return room


def test_the_name_stands_in_the_place_of_the_former_one() -> None:
    room = after_a_game()
    room.ask("Ada", cmd.Rematch)
    assert room.enter("Anna", former_name="Ada", person="a") == (ev.Renamed("Ada", "Anna"),)
    after = room.room
    assert after.host == "Anna"
    assert [*after.members] == ["Anna", "Bob", "Cleo"]
    assert (after.seats[0].member, after.seats[0].name) == ("Anna", "Anna")
    assert after.players == ("Anna", "Bob")
    assert after.rematch == {"Anna"}
    assert {row.name for row in after.table} == {row.name for row in after.series}
    assert {row.name for row in after.table} == {"Anna", "Bob"}


def test_the_series_goes_on() -> None:
    room = after_a_game()
    room.enter("Bert", former_name="Bob", person="b")
    for name in ("Ada", "Bert"):
        room.ask(name, cmd.Rematch)
    mine = room.room.seats_of("Ada")[0]
    room.ask("Ada", cmd.Resign, seat=mine)
    assert ev.SeriesWon("Bert") in room.log[-1].events
    assert {row.name: row.series for row in room.room.table} == {"Ada": 0, "Bert": 1}


def test_a_further_person_at_the_keyboard_keeps_the_own_name() -> None:
    room = HostedRoom(Settings(seats=2), person="a")
    room.ask("Ada", cmd.Sit, name="Ann")
    room.enter("Eve", former_name="Ada", person="a")
    assert [holder.name for holder in room.room.seats] == ["Eve", "Ann"]
    assert {holder.member for holder in room.room.seats} == {"Eve"}


def test_private_messages_stay_readable_and_what_was_said_stays_as_it_was() -> None:
    room = after_a_game()
    room.ask("Ada", cmd.Tell, to="Bob", text="psst")
    room.ask("Ada", cmd.Say, text="hello")
    for former, name, person in (("Ada", "Anna", "a"), ("Bob", "Bert", "b")):
        room.enter(name, former_name=former, person=person)
    for name in ("Anna", "Bert"):
        member = room.room.members[name]
        (line,) = snapshot(room.room, Audience.PLAYER, member).private
        assert (line.member, line.to, line.text) == ("Anna", "Bert", "psst")
    assert room.room.chat[-1].member == "Ada"


def test_a_repeated_command_is_known_under_the_new_name_also_from_a_checkpoint() -> None:
    room = after_a_game()
    said = cmd.FromMember("Ada", cmd.Say(70, "hello"))
    room.does(said)
    seq = room.room.seq
    room.enter("Anna", former_name="Ada", person="a")
    assert room.answer(cmd.FromMember("Anna", said.command)) == seq
    _, accepted = from_checkpoint(checkpoint(room.room, room.accepted))
    assert accepted.last_id("Anna") == 70
    assert accepted.last_id("Ada") == 0


def test_an_absent_player_comes_back_under_another_name() -> None:
    room = after_a_game()
    room.drop("Bob")
    renamed, returned = room.enter("Bert", former_name="Bob", person="b")
    assert renamed == ev.Renamed("Bob", "Bert")
    assert returned == ev.Returned("Bert", person="b")
    assert room.room.is_player("Bert")


def test_without_a_membership_it_is_an_ordinary_entry() -> None:
    room = after_a_game()
    assert ev.Joined("Eve", person="d") in room.enter("Eve", former_name="Dora", person="d")
    room.enter("Anna", former_name="Ada", person="a")
    assert room.enter("Anna", former_name="Ada", person="a") == ()


def test_a_game_has_the_names_of_its_beginning() -> None:
    room = after_a_game()
    for name in ("Ada", "Bob"):
        room.ask(name, cmd.Rematch)
    assert room.room.phase is Phase.PLAYING
    for former in ("Ada", "Cleo"):
        entry = cmd.Enter("Anna", former_name=former, person=former[0].lower())
        assert room.refuses(entry) == "game_on"


@each(
    "name, code",
    [
        ("BOB", "name_taken"),  # a player
        ("cleo", "name_taken"),  # a spectator
        ("Dora", "name_taken"),  # a row of the table
        ("ANN", "name_taken"),  # a further person at a keyboard
        ("Zoe", "barred"),
        ("Adda", None),
    ],
)
def test_names_in_the_room_are_taken(name: str, code: str | None) -> None:
    room = HostedRoom(Settings(options={"rows": 1, "cols": 1}, seats=3), person="a")
    room.enter("Dora", person="d")
    room.ask("Ada", cmd.Sit, name="Ann")
    room.ask("Ada", cmd.Start)
    for seat in (0, 1):
        room.ask(room.room.seats[seat].member or "", cmd.Resign, seat=seat)
    room.ask("Dora", cmd.Leave)
    for other in ("Bob", "Cleo", "Zoe"):
        room.enter(other, person=other)
    room.ask("Ada", cmd.Kick, member="Zoe")
    entry = cmd.Enter(name, former_name="Ada", person="a")
    assert (room.refuses(entry) if code else room.does(entry) and None) == code


def test_look_alikes_of_names_in_the_room_are_refused() -> None:
    limits = RoomLimits(bots=LIMITS.bots, look_alike=lambda name, others: "Bob")
    room = HostedRoom(ONE_BOX, limits=limits, person="a")
    assert room.refuses(cmd.Enter("B0b", former_name="Ada", person="a")) == "looks_alike"
