"""Membership: enter, leave, return, and the host's powers over members."""

import msgspec
from tests.engine.room.hosting import LIMITS, ONE_BOX, HostedRoom, names, playing, with_policy

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.room import ChatTo, OnDrop, Settings

PRIVATE = Settings(options={"rows": 1, "cols": 1}, private=True)


class TestCreate:
    def test_whoever_makes_a_room_is_its_host_and_sits(self) -> None:
        room = HostedRoom()
        assert names(room.log[0].events) == "created joined sat"
        assert room.room.host == "Ada"
        assert room.room.seats[0].member == "Ada"

    def test_once(self) -> None:
        create = cmd.Create("0815", "Bob", ONE_BOX)
        assert HostedRoom().refuses(create) == "room_exists"


class TestEnter:
    def test_a_stranger_takes_the_first_empty_seat(self) -> None:
        assert HostedRoom().enter("Bob") == (ev.Joined("Bob"), ev.Sat(1, "Bob", "Bob"))

    def test_or_watches_on_request_in_a_full_room_and_during_a_game(self) -> None:
        room = HostedRoom()
        assert names(room.enter("Cleo", watch=True)) == "joined"
        assert names(room.enter("Bob")) == "joined sat"
        assert names(room.enter("Dan")) == "joined"
        room.ask("Ada", cmd.Start)
        assert names(room.enter("Eve")) == "joined"

    def test_who_is_here_already_changes_nothing(self) -> None:
        assert HostedRoom().enter("Ada") == ()

    def test_a_name_that_a_seat_has_gets_a_number(self) -> None:
        room = HostedRoom(Settings(seats=3))
        room.ask("Ada", cmd.Sit, name="Bob")
        assert room.enter("Bob")[1] == ev.Sat(2, "Bob", "Bob 2")

    def test_an_absent_member_returns_to_the_seat(self) -> None:
        room = HostedRoom()
        room.drop("Ada")
        assert room.enter("Ada") == (ev.Returned("Ada"),)
        assert room.room.members["Ada"].grace_until_ms is None

    def test_a_room_without_a_host_gets_one(self) -> None:
        room = HostedRoom(watch=True)
        assert names(room.drop("Ada")) == "left host_passed"
        assert room.room.host is None
        assert names(room.enter("Bob", watch=True)) == "joined host_passed"
        assert room.room.host == "Bob"

    def test_a_private_room_wants_its_password(self) -> None:
        room = HostedRoom(PRIVATE)
        assert room.refuses(cmd.Enter("Bob")) == "wrong_password"
        assert names(room.enter("Bob", admitted=True)) == "joined sat"

    def test_but_not_from_somebody_who_has_a_seat(self) -> None:
        room = playing(PRIVATE)
        room.drop("Ada")
        assert names(room.enter("Ada")) == "returned"
        room.ask("Bob", cmd.Leave)
        assert names(room.enter("Bob")) == "joined took_back"

    def test_a_full_room_takes_only_those_whose_seat_it_keeps(self) -> None:
        room = playing(limits=msgspec.structs.replace(LIMITS, members=2))
        assert room.refuses(cmd.Enter("Cleo")) == "room_full"
        room.ask("Bob", cmd.Leave)
        room.enter("Cleo")
        assert room.refuses(cmd.Enter("Dan")) == "room_full"
        assert names(room.enter("Bob")) == "joined took_back"

    def test_so_many_may_watch_and_who_gets_a_seat_or_has_one_doesnt_count(self) -> None:
        room = HostedRoom(limits=msgspec.structs.replace(LIMITS, spectators=1))
        room.enter("Bob", watch=True)
        assert room.refuses(cmd.Enter("Cleo", watch=True)) == "room_full"
        assert names(room.enter("Cleo")) == "joined sat"
        assert room.refuses(cmd.Enter("Dan")) == "room_full"
        room.ask("Bob", cmd.Leave)
        room.enter("Dan")
        room.ask("Ada", cmd.Start)
        room.ask("Cleo", cmd.Leave)
        assert room.refuses(cmd.Enter("Eve")) == "room_full"
        assert names(room.enter("Cleo")) == "joined took_back"


class TestLeave:
    def test_between_games_the_seat_is_empty_at_once(self) -> None:
        room = HostedRoom(others=["Bob"])
        assert room.ask("Bob", cmd.Leave) == (ev.Vacated(1), ev.Left("Bob"))
        assert "Bob" not in room.room.members

    def test_in_a_game_the_policy_decides_about_the_seat(self) -> None:
        for policy, events in {
            OnDrop.BOT: "stood_in left",
            OnDrop.WAIT: "left",
            OnDrop.FORFEIT: "withdrew ended left",
        }.items():
            room = playing(with_policy(policy))
            assert names(room.ask("Bob", cmd.Leave)) == events

    def test_the_seat_stays_theirs_until_the_host_empties_it(self) -> None:
        room = playing()
        room.ask("Bob", cmd.Leave)
        room.ask("Ada", cmd.Resign, seat=0)
        assert room.room.is_player("Bob")
        assert room.ask("Ada", cmd.Unseat, seat=1) == (ev.Vacated(1),)


class TestHostPasses:
    def test_to_the_player_who_has_sat_longest(self) -> None:
        room = HostedRoom(Settings(seats=3), watch=True)
        for name in ("Cleo", "Dan"):
            room.enter(name, watch=True)
        room.enter("Bob")
        room.ask("Dan", cmd.Sit)
        room.ask("Ada", cmd.Leave)
        assert room.room.host == "Bob"

    def test_else_to_the_member_who_has_been_here_longest(self) -> None:
        room = HostedRoom(watch=True)
        for name in ("Cleo", "Dan"):
            room.enter(name, watch=True)
        room.ask("Ada", cmd.Leave)
        assert room.room.host == "Cleo"

    def test_only_to_somebody_who_is_connected(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.enter("Cleo", watch=True)
        room.drop("Bob")
        room.ask("Ada", cmd.Leave)
        assert room.room.host == "Cleo"

    def test_not_before_the_grace_time_of_an_absent_host_is_over(self) -> None:
        room = HostedRoom(others=["Bob"])
        assert names(room.drop("Ada")) == "dropped"
        assert room.room.host == "Ada"
        assert names(room.waits_out_the_grace()) == "vacated left host_passed"
        assert room.room.host == "Bob"


class TestDrop:
    def test_twice_is_once(self) -> None:
        room = HostedRoom()
        room.drop("Ada")
        assert room.drop("Ada") == ()
        assert room.drop("Zoe") == ()

    def test_those_who_are_lost_together_drop_out_in_one_entry(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.enter("Cleo", watch=True)
        events = room.does(cmd.Drop(("Cleo", "Zoe", "Bob", "Cleo")))
        assert events == (ev.Left("Cleo"), ev.Dropped("Bob", room.now_ms + LIMITS.grace_ms))
        assert room.room.is_connected("Ada")

    def test_who_is_absent_gives_no_commands(self) -> None:
        room = playing()
        room.drop("Ada")
        assert room.refused("Ada", cmd.Resign, seat=0) == "not_a_member"


class TestEndOfGrace:
    def test_not_too_early_and_not_for_another_absence(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.drop("Bob")
        first = cmd.EndGrace("Bob", room.now_ms + LIMITS.grace_ms)
        assert room.refuses(first) == "too_early"
        room.enter("Bob")
        assert room.refuses(first) == "stale"
        room.now_ms += 1_000
        room.drop("Bob")
        room.now_ms += LIMITS.grace_ms
        assert room.refuses(first) == "stale"
        assert names(room.waits_out_the_grace()) == "vacated left"

    def test_who_lost_the_seat_meanwhile_has_left(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.drop("Bob")
        room.ask("Ada", cmd.Unseat, seat=1)
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        assert room.waits_out_the_grace() == (ev.Left("Bob"),)

    def test_who_loses_the_seat_after_it_has_left(self) -> None:
        room = playing()
        room.drop("Bob")
        room.waits_out_the_grace()
        room.ask("Ada", cmd.Resign, seat=0)
        assert "Bob" in room.room.members
        assert room.ask("Ada", cmd.Unseat, seat=1) == (ev.Vacated(1), ev.Left("Bob"))


class TestKick:
    def test_between_games_the_seat_is_empty(self) -> None:
        room = HostedRoom(others=["Bob"])
        assert room.ask("Ada", cmd.Kick, member="Bob") == (ev.Vacated(1), ev.Kicked("Bob"))

    def test_no_clock_runs_for_the_bot_that_takes_over(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        room.plays("Ada", "h0")
        assert room.room.deadline_ms is not None
        room.ask("Ada", cmd.Kick, member="Bob")
        assert room.room.deadline_ms is None

    def test_the_bot_that_takes_over_leaves_with_the_game(self) -> None:
        room = playing(with_policy(OnDrop.BOT, seats=3))
        room.ask("Ada", cmd.Kick, member="Bob")
        room.ask("Ada", cmd.Resign, seat=0)
        events: tuple[ev.Event, ...] = ()
        while (state := room.room.running) is not None:
            events = room.bot_plays(state.game.format_move(state.legal_moves()[0]))
        assert names(events) == "played ended vacated"
        assert room.room.empty_seats() == (1,)
        assert [row.name for row in room.room.table] == ["Ada", "Bob", "greedy"]

    def test_also_with_a_game_that_is_aborted(self) -> None:
        room = playing(with_policy(OnDrop.BOT))
        room.ask("Ada", cmd.Kick, member="Bob")
        assert names(room.ask("Ada", cmd.Abort)) == "aborted vacated"
        assert room.room.seats[1].is_empty

    def test_the_seat_is_out_where_no_bots_stand_in(self) -> None:
        for policy in (OnDrop.WAIT, OnDrop.FORFEIT):
            room = playing(with_policy(policy, seats=3))
            events = room.ask("Ada", cmd.Kick, member="Bob")
            assert names(events) == "withdrew kicked"
            assert isinstance(events[0], ev.Withdrew)
            assert events[0].why is ev.WithdrawalReason.KICKED

    def test_which_ends_the_game_of_the_last_but_one(self) -> None:
        room = playing(with_policy(OnDrop.WAIT), spectators=["Cleo"])
        room.ask("Cleo", cmd.Say, text="hm", to=ChatTo.SPECTATORS)
        events = room.ask("Ada", cmd.Kick, member="Bob")
        assert names(events) == "withdrew ended revealed kicked"

    def test_the_seat_keeps_the_name_but_is_free_for_others_after_the_game(self) -> None:
        room = playing(with_policy(OnDrop.WAIT))
        room.ask("Ada", cmd.Kick, member="Bob")
        assert room.room.seats[1].name == "Bob"
        assert room.room.seats[1].is_empty
        assert room.ask("Ada", cmd.Sit, name="Bob") == (ev.Sat(1, "Ada", "Bob"),)

    def test_also_somebody_who_left_and_for_whom_the_game_waits(self) -> None:
        room = playing(with_policy(OnDrop.WAIT))
        room.ask("Bob", cmd.Leave)
        assert names(room.ask("Ada", cmd.Kick, member="Bob")) == "withdrew ended kicked"

    def test_who_had_given_up_is_only_sent_out(self) -> None:
        room = playing(with_policy(OnDrop.BOT, seats=3))
        room.ask("Bob", cmd.Resign, seat=1)
        assert room.ask("Ada", cmd.Kick, member="Bob") == (ev.Kicked("Bob"),)

    def test_never_oneself(self) -> None:
        assert HostedRoom().refused("Ada", cmd.Kick, member="ada") == "yourself"

    def test_nobody_who_is_not_here(self) -> None:
        assert HostedRoom().refused("Ada", cmd.Kick, member="Zoe") == "no_such_member"


class TestUnbar:
    def test_lets_the_person_in_again(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.ask("Ada", cmd.Kick, member="Bob")
        assert room.ask("Ada", cmd.Unbar, member="bOB") == (ev.Unbarred("Bob"),)
        assert room.room.barred == frozenset()
        assert names(room.enter("Bob")) == "joined sat"

    def test_only_those_who_were_sent_out(self) -> None:
        room = HostedRoom(others=["Bob", "Cleo"])
        assert room.refused("Ada", cmd.Unbar, member="Bob") == "no_such_member"
        room.ask("Ada", cmd.Kick, member="Cleo")
        answer = room.answer(room.asked("Ada", cmd.Unbar, member="Bob"))
        assert isinstance(answer, CommandRefused)
        assert str(answer) == "Bob wasn't sent out; those who were: Cleo"


class TestExpel:
    def test_is_a_kick_by_who_runs_the_server(self) -> None:
        room = playing()
        events = room.does(cmd.Expel("bOB"))
        assert events == (ev.BotSat(1, "greedy", "greedy"), ev.Kicked("Bob"))
        assert room.refuses(cmd.Enter("Bob", admitted=True)) == "barred"

    def test_makes_nobody_the_host_where_nobody_is_left(self) -> None:
        room = HostedRoom()
        assert names(room.does(cmd.Expel("Ada"))) == "vacated kicked host_passed"
        assert room.room.host is None
        room.enter("Bob")
        assert room.room.host == "Bob"

    def test_also_somebody_who_is_away_or_has_left_the_game(self) -> None:
        room = playing(with_policy(OnDrop.WAIT, seats=3))
        room.drop("Bob")
        assert names(room.does(cmd.Expel("Bob"))) == "withdrew kicked"

    def test_nobody_who_is_not_here(self) -> None:
        assert HostedRoom().refuses(cmd.Expel("Zoe")) == "no_such_member"


class TestHandOver:
    def test_makes_another_member_the_host(self) -> None:
        room = HostedRoom(others=["Bob"])
        assert room.ask("Ada", cmd.HandOver, member="bob") == (ev.HostPassed("Bob"),)
        assert room.refused("Ada", cmd.HandOver, member="Bob") == "not_host"

    def test_who_must_be_here(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.drop("Bob")
        assert room.refused("Ada", cmd.HandOver, member="Bob") == "no_such_member"
        assert room.refused("Ada", cmd.HandOver, member="Zoe") == "no_such_member"
        assert room.refused("Ada", cmd.HandOver, member="Ada") == "yourself"


def test_strangers_have_no_say() -> None:
    assert HostedRoom().refused("Zoe", cmd.Say, text="hi") == "not_a_member"
