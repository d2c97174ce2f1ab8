"""Seats between games: people sit and stand, the host seats bots and empties seats."""

from msgspec.structs import replace
from tests.cases import each
from tests.engine.room.hosting import LIMITS, HostedRoom, names, playing

from boxroom_common.look_alikes import look_alike, mistake_in_new_name
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Settings

THREE_SEATS = Settings(seats=3, options={"rows": 1, "cols": 1})


class TestSit:
    def test_in_the_first_empty_seat_or_in_a_certain_one(self) -> None:
        room = HostedRoom(THREE_SEATS, watch=True)
        assert room.ask("Ada", cmd.Sit) == (ev.Sat(0, "Ada", "Ada"),)
        room.enter("Bob", watch=True)
        assert room.ask("Bob", cmd.Sit, seat=2) == (ev.Sat(2, "Bob", "Bob"),)

    def test_several_seats_are_for_several_people_at_one_keyboard(self) -> None:
        room = HostedRoom(THREE_SEATS)
        assert room.refused("Ada", cmd.Sit) == "already_seated"
        assert room.ask("Ada", cmd.Sit, name="Bea") == (ev.Sat(1, "Ada", "Bea"),)
        assert room.room.seats_of("Ada") == (0, 1)

    @each("name", ["", "!", "\u200b", "x" * (LIMITS.name_chars + 1)])
    def test_a_name_has_letters_and_not_too_many(self, name: str) -> None:
        assert HostedRoom().refused("Ada", cmd.Sit, name=name) == "bad_name"

    @each("name", ["Ada", "ADA", "Bob", "greedy"])
    def test_a_name_is_not_somebody_elses(self, name: str) -> None:
        room = HostedRoom(Settings(seats=4), others=["Bob"])
        room.ask("Ada", cmd.SeatBot, bot="greedy")
        assert room.refused("Ada", cmd.Sit, name=name) == "name_taken"

    @each(
        "name, code",
        [
            ("AdaI", "looks_alike"),
            ("BOB", "name_taken"),
            ("2", "bad_name"),
            ("Expert", "bad_name"),
            ("Вob", "bad_name"),
        ],
    )
    def test_a_name_can_not_be_mistaken_for_another(self, name: str, code: str) -> None:
        limits = replace(LIMITS, look_alike=look_alike, mistake_in_new_name=mistake_in_new_name)
        room = HostedRoom(Settings(seats=4), others=["Bob"], limits=limits)
        room.enter("Adal", watch=True)
        assert room.refused("Ada", cmd.Sit, name=name) == code
        room.ask("Ada", cmd.Sit, name="Bea")

    def test_not_where_somebody_sits_nor_where_no_seat_is(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.enter("Cleo")
        assert room.refused("Cleo", cmd.Sit, seat=1) == "seat_taken"
        assert room.refused("Cleo", cmd.Sit, seat=2) == "no_such_seat"
        assert room.refused("Cleo", cmd.Sit) == "no_empty_seat"

    def test_not_during_a_game(self) -> None:
        room = playing(spectators=["Cleo"])
        assert room.refused("Cleo", cmd.Sit) == "game_on"
        assert room.refused("Ada", cmd.Sit) == "game_on"


class TestStand:
    def test_from_one_seat_or_from_all(self) -> None:
        room = HostedRoom(THREE_SEATS)
        room.ask("Ada", cmd.Sit, name="Bea")
        room.ask("Ada", cmd.Sit, name="Cy")
        assert room.ask("Ada", cmd.Stand, seat=1) == (ev.Vacated(1),)
        assert room.ask("Ada", cmd.Stand) == (ev.Vacated(0), ev.Vacated(2))

    def test_only_from_ones_own(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.enter("Cleo")
        assert room.refused("Cleo", cmd.Stand) == "not_your_seat"
        assert room.refused("Ada", cmd.Stand, seat=1) == "not_your_seat"
        assert room.refused("Ada", cmd.Stand, seat=9) == "not_your_seat"

    def test_not_during_a_game(self) -> None:
        assert playing().refused("Ada", cmd.Stand) == "game_on"


class TestBots:
    def test_one_takes_an_empty_seat(self) -> None:
        room = HostedRoom(THREE_SEATS)
        assert room.ask("Ada", cmd.SeatBot, bot="greedy") == (ev.BotSat(1, "greedy", "greedy"),)
        assert room.ask("Ada", cmd.SeatBot, bot="greedy", seat=2) == (
            ev.BotSat(2, "greedy", "greedy 2"),
        )

    def test_or_all_of_them(self) -> None:
        room = HostedRoom(THREE_SEATS)
        assert names(room.ask("Ada", cmd.Fill, bot="random")) == "bot_sat bot_sat"
        assert room.refused("Ada", cmd.Fill, bot="random") == "no_empty_seat"

    def test_are_not_called_like_a_member(self) -> None:
        room = HostedRoom(THREE_SEATS)
        room.enter("Greedy", watch=True)
        assert room.ask("Ada", cmd.SeatBot, bot="greedy") == (ev.BotSat(1, "greedy", "greedy 2"),)

    def test_must_play_the_rooms_game(self) -> None:
        room = HostedRoom(Settings(game="noughts"))
        assert room.refused("Ada", cmd.SeatBot, bot="random") == "no_such_bot"
        assert room.refused("Ada", cmd.Fill, bot="random") == "no_such_bot"

    def test_may_have_options_which_the_house_writes_plainly(self) -> None:
        room = HostedRoom(THREE_SEATS, limits=replace(LIMITS, plain_bot=str.lower))
        assert room.ask("Ada", cmd.SeatBot, bot="greedy:Ply=3") == (
            ev.BotSat(1, "greedy:ply=3", "greedy"),
        )
        assert room.ask("Ada", cmd.Fill, bot="greedy:PLY=4") == (
            ev.BotSat(2, "greedy:ply=4", "greedy 2"),
        )

    def test_have_none_that_the_house_refuses(self) -> None:
        room = HostedRoom(THREE_SEATS)
        for kind in (cmd.SeatBot, cmd.Fill):
            assert room.refused("Ada", kind, bot="greedy:ply=3") == "bad_option"
            assert room.refused("Ada", kind, bot="greedier:ply=3") == "no_such_bot"

    def test_need_an_empty_seat(self) -> None:
        room = HostedRoom(others=["Bob"])
        assert room.refused("Ada", cmd.SeatBot, bot="greedy") == "no_empty_seat"
        assert room.refused("Ada", cmd.SeatBot, bot="greedy", seat=1) == "seat_taken"
        assert room.refused("Ada", cmd.SeatBot, bot="greedy", seat=2) == "no_such_seat"


class TestBotsInsteadOfBots:
    def test_the_only_bot_where_no_seat_is_empty(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.SeatBot, bot="random")
        assert room.ask("Ada", cmd.SeatBot, bot="greedy") == (
            ev.Vacated(1),
            ev.BotSat(1, "greedy", "greedy"),
        )

    def test_the_one_in_the_named_seat(self) -> None:
        room = HostedRoom(THREE_SEATS)
        room.ask("Ada", cmd.Fill, bot="random")
        assert room.refused("Ada", cmd.SeatBot, bot="greedy") == "no_empty_seat"
        assert room.ask("Ada", cmd.SeatBot, bot="greedy", seat=2) == (
            ev.Vacated(2),
            ev.BotSat(2, "greedy", "greedy"),
        )

    def test_not_while_a_seat_is_empty_unless_it_is_named(self) -> None:
        room = HostedRoom(THREE_SEATS)
        room.ask("Ada", cmd.SeatBot, bot="random")
        assert room.ask("Ada", cmd.SeatBot, bot="greedy") == (ev.BotSat(2, "greedy", "greedy"),)

    def test_not_the_same_one(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.SeatBot, bot="greedy")
        assert room.refused("Ada", cmd.SeatBot, bot="greedy") == "no_change"

    def test_not_during_a_game(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.SeatBot, bot="random")
        room.ask("Ada", cmd.Start)
        assert room.refused("Ada", cmd.SeatBot, bot="greedy") == "game_on"

    def test_not_one_that_stands_in_for_a_person(self) -> None:
        room = playing(Settings(seats=2, options={"rows": 1, "cols": 1}))
        room.ask("Bob", cmd.Leave)
        room.ask("Ada", cmd.Resign, seat=0)
        assert room.room.seats[1].bot == "greedy"
        assert room.refused("Ada", cmd.SeatBot, bot="random", seat=1) == "seat_taken"
        assert room.refused("Ada", cmd.SeatBot, bot="random") == "no_empty_seat"


class TestUnseat:
    def test_empties_a_seat_whoever_holds_it(self) -> None:
        room = HostedRoom(THREE_SEATS, others=["Bob"])
        room.ask("Ada", cmd.Fill, bot="greedy")
        for seat in range(3):
            assert room.ask("Ada", cmd.Unseat, seat=seat) == (ev.Vacated(seat),)
        assert set(room.room.members) == {"Ada", "Bob"}

    def test_needs_somebody_in_it(self) -> None:
        room = HostedRoom()
        assert room.refused("Ada", cmd.Unseat, seat=1) == "seat_empty"
        assert room.refused("Ada", cmd.Unseat, seat=2) == "no_such_seat"


HOST_COMMANDS: list[tuple[type[cmd.AnyMemberCommand], dict[str, object]]] = [
    (cmd.Start, {}),
    (cmd.Configure, {"settings": THREE_SEATS}),
    (cmd.SeatBot, {"bot": "greedy"}),
    (cmd.Fill, {"bot": "greedy"}),
    (cmd.Unseat, {"seat": 0}),
    (cmd.Kick, {"member": "Ada"}),
    (cmd.Unbar, {"member": "Bob"}),
    (cmd.Mute, {"member": "Ada"}),
    (cmd.Unmute, {"member": "Bob"}),
    (cmd.HandOver, {"member": "Bob"}),
]


@each("kind, fields", HOST_COMMANDS)
def test_only_the_host_may(kind: type[cmd.AnyMemberCommand], fields: dict[str, object]) -> None:
    assert HostedRoom(others=["Bob"]).refused("Bob", kind, **fields) == "not_host"


@each("kind, fields", HOST_COMMANDS[:5])
def test_only_between_games(kind: type[cmd.AnyMemberCommand], fields: dict[str, object]) -> None:
    assert playing().refused("Ada", kind, **fields) == "game_on"


GROWING = Settings(options={"rows": 1, "cols": 1}, seat_range=(2, 3))


def growing(*others: str, settings: Settings = GROWING) -> HostedRoom:
    return HostedRoom(settings, others=others)


def ended(*others: str) -> HostedRoom:
    """Return a room after a game of Ada and Bob, during which `others` came."""
    room = growing("Bob")
    room.ask("Ada", cmd.Start)
    for name in others:
        room.enter(name)
    room.ask("Ada", cmd.Resign, seat=0)
    return room


class TestGrowing:
    def test_whoever_comes_gets_a_seat_up_to_the_greatest_number(self) -> None:
        room = growing("Bob")
        assert names(room.enter("Cleo")) == "joined reseated sat"
        assert room.room.settings.seats == 3
        assert names(room.enter("Dan")) == "joined"
        assert room.refused("Dan", cmd.Sit) == "no_empty_seat"

    def test_a_bot_and_a_person_at_the_same_keyboard_do_too(self) -> None:
        settings = replace(GROWING, seat_range=(2, 4))
        room = growing("Bob", settings=settings)
        assert names(room.ask("Ada", cmd.SeatBot, bot="greedy")) == "reseated bot_sat"
        assert names(room.ask("Bob", cmd.Sit, name="Bo")) == "reseated sat"

    def test_votes_of_those_who_are_ready_stay(self) -> None:
        room = growing("Bob")
        room.ask("Ada", cmd.Rematch)
        room.enter("Cleo")
        room.ask("Bob", cmd.Rematch)
        assert names(room.ask("Cleo", cmd.Rematch)) == "rematch_wanted started"

    def test_the_game_starts_without_empty_seats(self) -> None:
        room = growing("Bob", "Cleo")
        room.ask("Bob", cmd.Leave)
        events = room.ask("Ada", cmd.Start)
        assert events[0] == ev.Reseated((0, 2), 2)
        assert room.room.players == ("Ada", "Cleo")
        assert [holder.glyph for holder in room.room.seats] == [0, 2]

    def test_but_not_with_fewer_than_the_least_number(self) -> None:
        assert growing().refused("Ada", cmd.Start) == "empty_seats"

    def test_whoever_comes_in_a_game_has_a_seat_in_the_next(self) -> None:
        room = ended("Cleo", "Dan")
        assert room.room.joining_next() == ("Cleo",)
        assert room.refused("Cleo", cmd.Rematch) == "no_change"
        assert room.refused("Dan", cmd.Rematch) == "not_a_player"
        room.ask("Bob", cmd.Rematch)
        events = room.ask("Ada", cmd.Rematch)
        assert names(events) == "rematch_wanted rotated reseated sat started"
        assert room.room.players == ("Bob", "Ada", "Cleo")

    def test_with_a_start_by_the_host_or_other_settings_as_well(self) -> None:
        assert names(ended("Cleo").ask("Ada", cmd.Start)) == "reseated sat started"
        changed = replace(GROWING, hints=True)
        events = ended("Cleo").ask("Ada", cmd.Configure, settings=changed)
        assert names(events) == "configured reseated sat"

    def test_after_a_game_that_ends_without_a_winner_as_well(self) -> None:
        room = HostedRoom(GROWING)
        room.ask("Ada", cmd.SeatBot, bot="greedy")
        room.ask("Ada", cmd.Start)
        room.enter("Cleo")
        assert names(room.ask("Ada", cmd.Abort)) == "aborted reseated sat"

    def test_who_only_watches_gives_it_up(self) -> None:
        room = ended("Cleo")
        assert names(room.ask("Cleo", cmd.Stand)) == "rematch_unwanted"
        assert room.refused("Cleo", cmd.Stand) == "not_your_seat"

    def test_who_comes_to_watch_gets_none(self) -> None:
        room = growing("Bob")
        room.ask("Ada", cmd.Start)
        assert names(room.enter("Cleo", watch=True)) == "joined"
        assert room.refused("Bob", cmd.Rematch) == "game_on"
        assert names(room.ask("Cleo", cmd.Rematch)) == "rematch_wanted"

    def test_the_seat_of_a_person_who_left_is_dropped(self) -> None:
        room = growing("Bob", "Cleo")
        room.ask("Ada", cmd.Start)
        room.ask("Bob", cmd.Leave)
        room.ask("Ada", cmd.Resign, seat=0)
        room.ask("Cleo", cmd.Resign, seat=2)
        room.ask("Ada", cmd.Rematch)
        events = room.ask("Cleo", cmd.Rematch)
        assert names(events) == "rematch_wanted rotated vacated reseated started"
        assert room.room.players == ("Cleo", "Ada")

    def test_but_if_the_game_needs_it_the_bot_plays_on(self) -> None:
        room = growing("Bob")
        room.ask("Ada", cmd.Start)
        room.ask("Bob", cmd.Leave)
        room.ask("Ada", cmd.Resign, seat=0)
        assert names(room.ask("Ada", cmd.Rematch)) == "rematch_wanted rotated started"
        assert room.room.seats[0].bot == "greedy"

    def test_the_host_fixes_the_number_and_drops_empty_seats(self) -> None:
        room = growing("Bob", "Cleo")
        room.ask("Bob", cmd.Stand)
        fixed = replace(GROWING, seats=2, seat_range=None)
        assert names(room.ask("Ada", cmd.Configure, settings=fixed)) == "reseated configured"
        assert room.refused("Bob", cmd.Sit) == "no_empty_seat"

    def test_a_range_that_no_game_or_server_takes_is_refused(self) -> None:
        room = growing("Bob", "Cleo")
        for wrong, code in (
            (replace(GROWING, seat_range=(3, 2)), "bad_option"),
            (replace(GROWING, seat_range=(2, 7)), "too_many_seats"),
            (Settings(game="stonehenge", seat_range=(2, 3)), "bad_option"),
            (replace(GROWING, seat_range=(2, 2)), "seats_taken"),
        ):
            assert room.refused("Ada", cmd.Configure, settings=wrong) == code
