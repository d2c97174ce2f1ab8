"""Players who drop out of a game: grace time, the three policies, the return, and clocks."""

from tests.cases import each
from tests.engine.room.hosting import LIMITS, HostedRoom, names, playing, with_policy

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import OnDrop, Phase
from boxroom_engine.room.timers import ClockDue, Timer, next_timer


def gone(policy: OnDrop, *, clock_s: int | None = None) -> HostedRoom:
    """Return a room in which Ada dropped out on her turn and her grace time is over."""
    room = playing(with_policy(policy, seats=3, clock_s=clock_s))
    room.drop("Ada")
    room.waits_out_the_grace()
    return room


class TestWithinTheGraceTime:
    @each("policy", OnDrop)
    def test_nothing_changes_but_that_the_player_is_absent(self, policy: OnDrop) -> None:
        room = playing(with_policy(policy))
        assert names(room.drop("Ada")) == "dropped"
        assert room.room.bot_to_move() is None
        assert names(room.enter("Ada")) == "returned"

    def test_the_clock_runs_on(self) -> None:
        room = playing(with_policy(OnDrop.WAIT, clock_s=5))
        deadline_ms = room.room.deadline_ms
        room.drop("Ada")
        assert room.room.deadline_ms == deadline_ms
        assert names(room.misses_the_clock("h0")) == "played"


class TestBot:
    def test_plays_on(self) -> None:
        room = playing(with_policy(OnDrop.BOT))
        room.drop("Ada")
        assert room.waits_out_the_grace() == (
            ev.GraceOver("Ada"),
            ev.StoodIn(0, "greedy"),
            ev.HostPassed("Bob"),
        )
        assert room.room.bot_to_move() == (0, "greedy")
        assert names(room.bot_plays("h0")) == "played"

    def test_hands_the_seat_back_to_whoever_returns(self) -> None:
        room = gone(OnDrop.BOT)
        assert room.enter("Ada") == (ev.Returned("Ada"), ev.TookBack(0))
        assert names(room.plays("Ada", "h0")) == "played"

    def test_hands_it_back_to_somebody_who_had_left(self) -> None:
        room = playing(with_policy(OnDrop.BOT))
        room.ask("Ada", cmd.Leave)
        assert names(room.enter("Ada")) == "joined took_back"

    def test_hands_it_back_also_when_the_game_is_over(self) -> None:
        room = gone(OnDrop.BOT)
        room.ask("Bob", cmd.Resign, seat=1)
        room.bot_plays("h0")
        for move in ("h1", "h2", "h3", "h4", "h5", "v0", "v1", "v2", "v3"):
            room.bot_plays(move)
        assert room.room.phase is Phase.OVER
        assert names(room.enter("Ada")) == "returned took_back"

    def test_plays_on_in_the_next_game_while_its_person_is_away(self) -> None:
        room = gone(OnDrop.BOT)
        room.bot_plays("h0")
        room.ask("Bob", cmd.Resign, seat=1)
        while (to_move := room.room.bot_to_move()) is not None:
            assert room.room.state is not None
            move = room.room.state.legal_moves()[0]
            room.does(cmd.PlayFor(to_move[0], room.room.state.game.format_move(move), room.ply))
        assert room.ask("Bob", cmd.Start) == (ev.Started(2, ("Ada", "Bob", "greedy")),)
        assert room.room.seats[0].bot == "greedy"

    def test_gives_way_at_the_start_of_a_game_if_its_person_is_there(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        room.misses_the_clock("h0")
        room.plays("Bob", "h1")
        assert names(room.misses_the_clock("h2")) == "played stood_in"
        room.ask("Bob", cmd.Resign, seat=1)
        assert room.ask("Ada", cmd.Start)[0] == ev.TookBack(0)

    def test_stops_the_clock_and_whoever_takes_the_seat_back_gets_a_fresh_one(self) -> None:
        room = gone(OnDrop.BOT, clock_s=20)
        assert room.room.deadline_ms is None
        assert room.enter("Ada")[1] == ev.TookBack(0, room.now_ms + 20_000)


class TestWait:
    def test_waits_and_the_clock_with_it(self) -> None:
        room = playing(with_policy(OnDrop.WAIT, clock_s=20))
        room.drop("Ada")
        assert names(room.waits_out_the_grace()) == "grace_over host_passed"
        assert room.to_move == 0
        assert next_timer(room.room) is None

    def test_a_fresh_clock_runs_for_whoever_returns(self) -> None:
        room = gone(OnDrop.WAIT, clock_s=20)
        assert room.enter("Ada") == (ev.Returned("Ada"), ev.TookBack(0, room.now_ms + 20_000))

    def test_no_clock_no_need_to_say_so(self) -> None:
        assert names(gone(OnDrop.WAIT).enter("Ada")) == "returned"

    def test_no_clock_begins_for_somebody_who_is_gone(self) -> None:
        room = playing(with_policy(OnDrop.WAIT, clock_s=20))
        room.ask("Bob", cmd.Leave)
        room.plays("Ada", "h0")
        assert room.to_move == 1
        assert room.room.deadline_ms is None


class TestForfeit:
    def test_takes_the_seat_out_of_the_game(self) -> None:
        room = playing(with_policy(OnDrop.FORFEIT, seats=3))
        room.drop("Ada")
        events = room.waits_out_the_grace()
        assert names(events) == "grace_over withdrew host_passed"
        assert events[1] == ev.Withdrew(0, ev.WithdrawalReason.FORFEITED, 1, (0, 0, 0))

    def test_whoever_returns_watches(self) -> None:
        room = gone(OnDrop.FORFEIT)
        assert names(room.enter("Ada")) == "returned"
        assert room.refused("Ada", cmd.Play, seat=0, move="h0", ply=1) == "not_your_turn"

    def test_who_has_several_seats_is_out_with_all_of_them(self) -> None:
        room = HostedRoom(with_policy(OnDrop.FORFEIT, seats=3))
        room.ask("Ada", cmd.Sit, name="Bea")
        room.enter("Bob")
        room.ask("Ada", cmd.Start)
        assert names(room.ask("Ada", cmd.Leave)) == "withdrew withdrew ended left host_passed"


class TestClock:
    def test_runs_out_and_a_bot_plays_this_one_move(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        deadline_ms = room.now_ms + 5_000
        assert next_timer(room.room) == Timer(deadline_ms, ClockDue(0, 0))
        assert room.misses_the_clock("h0") == (
            ev.Played(0, "h0", (), 1, (0, 0), ev.MoveSource.CLOCK, deadline_ms + 5_000),
        )

    def test_not_too_early_nor_without_a_clock(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        assert room.refuses(cmd.PlayFor(0, "h0", 0, ev.MoveSource.CLOCK)) == "too_early"
        room = playing()
        assert room.refuses(cmd.PlayFor(0, "h0", 0, ev.MoveSource.CLOCK)) == "too_early"

    def test_not_twice_and_not_after_the_move(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        room.misses_the_clock("h0")
        assert room.refuses(cmd.PlayFor(0, "h1", 0, ev.MoveSource.CLOCK)) == "stale"
        room.plays("Bob", "h1")
        assert room.refuses(cmd.PlayFor(1, "h2", 1, ev.MoveSource.CLOCK)) == "stale"

    def test_missed_as_often_as_the_house_allows_is_dropping_out(self) -> None:
        assert LIMITS.missed_clocks == 2
        for policy, events in {
            OnDrop.BOT: "played stood_in",
            OnDrop.WAIT: "played",
            OnDrop.FORFEIT: "played withdrew ended",
        }.items():
            room = playing(with_policy(policy, clock_s=5))
            assert names(room.misses_the_clock("h0")) == "played"
            room.plays("Bob", "h1")
            assert names(room.misses_the_clock("h2")) == events

    def test_in_a_row(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        room.misses_the_clock("h0")
        room.plays("Bob", "h1")
        room.plays("Ada", "h2")
        room.plays("Bob", "h3")
        assert names(room.misses_the_clock("v0")) == "played"

    def test_misses_of_the_last_game_are_forgotten(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        room.misses_the_clock("h0")
        room.ask("Bob", cmd.Resign, seat=1)
        room.ask("Ada", cmd.Start)
        assert names(room.misses_the_clock("h0")) == "played"

    @each(
        "kind, fields, events",
        [
            (cmd.Sit, {}, "took_back"),
            (cmd.Sit, {"seat": 0}, "took_back"),
            (cmd.Play, {"seat": 0, "move": "v0", "ply": 4}, "took_back played"),
        ],
    )
    def test_one_who_is_here_takes_the_seat_back_by_sitting_or_playing(
        self, kind: type[cmd.AnyMemberCommand], fields: dict[str, object], events: str
    ) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        room.misses_the_clock("h0")
        room.plays("Bob", "h1")
        room.misses_the_clock("h2")
        assert room.room.seats[0].bot == "greedy"
        room.plays("Bob", "h3")
        assert names(room.ask("Ada", kind, **fields)) == events
        assert room.room.seats[0].bot is None

    def test_a_seat_that_was_taken_back_has_missed_nothing(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        room.misses_the_clock("h0")
        room.plays("Bob", "h1")
        room.misses_the_clock("h2")
        room.plays("Bob", "h3")
        room.ask("Ada", cmd.Sit)
        assert names(room.misses_the_clock("v0")) == "played"


class TestTimers:
    def test_the_earliest_comes_first(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        room.drop("Bob")
        assert next_timer(room.room) == Timer(room.now_ms + 5_000, ClockDue(0, 0))
        room.now_ms += 3_000
        room.plays("Ada", "h0")
        room.now_ms += 4_999
        room.enter("Bob")
        room.plays("Bob", "h1")
        room.drop("Bob")
        room.plays("Ada", "h2")
        assert next_timer(room.room) == Timer(room.now_ms + 5_000, ClockDue(1, 3))

    def test_a_quiet_room_waits_for_nothing(self) -> None:
        assert next_timer(playing().room) is None
