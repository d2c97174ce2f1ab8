"""Pauses: who begins and ends them, and the times that stand still meanwhile."""

from msgspec.structs import replace
from tests.cases import each
from tests.engine.room.hosting import LIMITS, HostedRoom, names, playing, with_policy

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import OnDrop, PauseBegun, Settings
from boxroom_engine.room.timers import next_timer

HOUR_MS = 3_600_000
CLOCK = with_policy(OnDrop.BOT, clock_s=60)


def paused(settings: Settings = CLOCK) -> HostedRoom:
    """Return a room in which Ada, the host, pauses after 20 seconds of her turn."""
    room = playing(settings, spectators=["Cleo"])
    room.now_ms += 20_000
    assert room.ask("Ada", cmd.Pause) == (ev.Paused("Ada"),)
    return room


class TestBegin:
    def test_the_host_pauses_at_once(self) -> None:
        room = paused()
        assert room.room.pause == PauseBegun("Ada", room.now_ms)
        assert room.refused("Ada", cmd.Pause) == "no_change"

    def test_of_players_all_others_agree(self) -> None:
        room = playing()
        assert room.ask("Bob", cmd.Pause) == (ev.PauseAsked("Bob"),)
        since = room.room.seq
        assert room.refused("Bob", cmd.Pause) == "no_change"
        assert room.ask("Ada", cmd.Answer, since=since, agree=True) == (ev.Paused("Bob"),)
        assert room.room.request is None

    def test_the_host_who_agrees_asks_no_others(self) -> None:
        settings = Settings(options={"rows": 1, "cols": 2}, seats=3)
        room = HostedRoom(settings, others=["Bob", "Cleo"])
        room.ask("Ada", cmd.Start)
        room.ask("Bob", cmd.Pause)
        since = room.room.seq
        assert set(room.room.deciding) == {"Ada", "Cleo"}
        assert room.ask("Ada", cmd.Answer, since=since, agree=True) == (ev.Paused("Bob"),)

    def test_a_player_against_bots_asks_nobody(self) -> None:
        room = HostedRoom(Settings(options={"rows": 1, "cols": 1}), watch=True)
        room.enter("Bob")
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        assert room.ask("Bob", cmd.Pause) == (ev.Paused("Bob"),)

    def test_spectators_dont(self) -> None:
        room = playing(spectators=["Cleo"])
        assert room.refused("Cleo", cmd.Pause) == "not_a_player"

    def test_only_a_running_game_is_paused(self) -> None:
        assert HostedRoom().refused("Ada", cmd.Pause) == "not_started"
        assert HostedRoom().refused("Ada", cmd.Unpause) == "not_started"
        assert playing().refused("Ada", cmd.Unpause) == "no_change"

    def test_it_ends_a_request(self) -> None:
        room = playing()
        room.ask("Bob", cmd.Abort)
        room.ask("Ada", cmd.Pause)
        assert room.room.request is None


class TestEnd:
    def test_the_clock_goes_on_with_the_time_that_was_left(self) -> None:
        room = paused()
        room.now_ms += HOUR_MS
        assert room.ask("Ada", cmd.Unpause) == (ev.Unpaused("Ada"),)
        assert room.room.deadline_ms == room.now_ms + 40_000
        assert room.room.turn_since_ms == room.now_ms - 20_000

    def test_who_paused_goes_on_too_and_nobody_else(self) -> None:
        room = playing()
        room.ask("Bob", cmd.Pause)
        room.ask("Ada", cmd.Answer, since=room.room.seq, agree=True)
        assert room.room.unpausers() == ("Ada", "Bob")
        assert names(room.ask("Bob", cmd.Unpause)) == "unpaused"
        room.ask("Ada", cmd.Pause)
        assert room.refused("Bob", cmd.Unpause) == "paused"

    def test_any_player_goes_on_while_those_are_away(self) -> None:
        room = paused()
        room.drop("Ada")
        assert room.room.unpausers() == ("Bob",)
        assert room.refused("Cleo", cmd.Unpause) == "paused"
        assert room.ask("Bob", cmd.Unpause) == (ev.Unpaused("Bob"),)

    def test_it_ends_before_the_game_does(self) -> None:
        room = paused()
        assert names(room.ask("Bob", cmd.Resign, seat=1)) == "withdrew unpaused ended"
        assert room.room.pause is None

    def test_it_ends_before_the_game_is_aborted(self) -> None:
        room = paused()
        room.ask("Ada", cmd.Abort)
        answer = room.ask("Bob", cmd.Answer, since=room.room.seq, agree=True)
        assert names(answer) == "unpaused aborted"

    def test_it_ends_also_in_a_room_that_has_had_its_events(self) -> None:
        room = paused()
        room.limits = replace(LIMITS, events=room.room.seq)
        assert names(room.ask("Ada", cmd.Unpause)) == "unpaused"


class TestMeanwhile:
    @each(
        "kind, fields",
        [
            (cmd.Play, {"seat": 0, "move": "h0", "ply": 0}),
            (cmd.AskHint, {"seat": 0, "ply": 0}),
            (cmd.Undo, {"ply": 0}),
            (cmd.Nudge, {"seat": 1}),
            (cmd.StandIn, {"seat": 1}),
        ],
    )
    def test_nobody_moves(
        self, kind: type[cmd.AnyMemberCommand], fields: dict[str, object]
    ) -> None:
        assert paused().refused("Ada", kind, **fields) == "paused"

    def test_the_refusal_names_those_who_can_go_on(self) -> None:
        room = paused()
        answer = room.answer(room.asked("Bob", cmd.Play, seat=1, move="h0", ply=0))
        assert str(answer) == "the game is paused: Ada can go on"

    def test_no_timer_runs(self) -> None:
        room = paused()
        room.drop("Bob")
        assert next_timer(room.room) is None
        room.now_ms += HOUR_MS
        until_ms = room.room.members["Bob"].grace_until_ms
        assert until_ms is not None
        assert room.refuses(cmd.EndGrace("Bob", until_ms)) == "paused"
        assert room.refuses(cmd.PlayFor(0, "h0", 0, ev.MoveSource.CLOCK)) == "paused"

    def test_a_grace_time_begins_at_the_end(self) -> None:
        room = paused()
        room.now_ms += HOUR_MS
        room.drop("Bob")
        room.now_ms += HOUR_MS
        room.ask("Ada", cmd.Unpause)
        assert room.room.members["Bob"].grace_until_ms == room.now_ms + LIMITS.grace_ms

    def test_bots_dont_move(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        room.plays("Ada", "h0")
        room.ask("Ada", cmd.Pause)
        assert room.room.bot_to_move() is None
        assert room.refuses(cmd.PlayFor(1, "h1", 1)) == "paused"
        room.ask("Ada", cmd.Unpause)
        assert room.room.bot_to_move() == (1, "greedy")

    def test_who_gets_the_turn_has_a_whole_clock(self) -> None:
        room = playing(with_policy(OnDrop.BOT, seats=3, clock_s=60), spectators=["Cleo"])
        room.now_ms += 20_000
        room.ask("Ada", cmd.Pause)
        room.now_ms += HOUR_MS
        room.ask("Ada", cmd.Resign, seat=0)
        room.now_ms += HOUR_MS
        room.ask("Ada", cmd.Unpause)
        assert room.room.deadline_ms == room.now_ms + 60_000
        assert room.room.turn_since_ms == room.now_ms

    def test_the_server_may_start_again(self) -> None:
        room = paused()
        room.now_ms += HOUR_MS
        room.does(cmd.Wake(HOUR_MS))
        room.enter("Ada")
        assert room.room.pause is not None
        room.now_ms += HOUR_MS
        room.ask("Ada", cmd.Unpause)
        assert room.room.deadline_ms == room.now_ms + 40_000
        assert room.room.members["Bob"].grace_until_ms == room.now_ms + LIMITS.grace_ms

    def test_a_stand_in_is_sent_away_and_the_person_waits(self) -> None:
        room = playing(CLOCK)
        room.now_ms += 60_000
        room.ask("Bob", cmd.StandIn, seat=0)
        room.ask("Ada", cmd.Pause)
        assert room.room.seats[0].bot is None
        assert room.room.pause is not None
