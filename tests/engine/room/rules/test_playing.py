"""Games in a room: settings, start, moves, resignation, end and rematch."""

import pytest
from msgspec.structs import replace
from tests.cases import each
from tests.engine.room.hosting import LIMITS, ONE_BOX, HostedRoom, names, playing, with_policy

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decide import decide
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Audience, OnDrop, Phase, RequestedSettings, Room, Settings
from boxroom_engine.room.view import snapshot, view

TWO_BOXES = Settings(options={"rows": 1, "cols": 2})
NOUGHTS = Settings(game="noughts")
WITH_HINTS = replace(ONE_BOX, hints=True)


def ended() -> HostedRoom:
    """Return a room whose game is over: Bob drew the last line and took the box."""
    room = playing()
    for name, move in [("Ada", "h0"), ("Bob", "h1"), ("Ada", "v0"), ("Bob", "v1")]:
        room.plays(name, move)
    return room


class TestStart:
    def test_by_the_host_with_everybody_there(self) -> None:
        room = HostedRoom(others=["Bob"])
        assert room.ask("Ada", cmd.Start) == (ev.Started(1, ("Ada", "Bob")),)
        assert room.room.phase is Phase.PLAYING

    def test_with_a_clock_the_first_deadline_stands_in_the_event(self) -> None:
        room = HostedRoom(with_policy(OnDrop.BOT, clock_s=5), others=["Bob"])
        assert room.ask("Ada", cmd.Start) == (ev.Started(1, ("Ada", "Bob"), room.now_ms + 5_000),)

    def test_but_none_if_a_bot_begins(self) -> None:
        room = HostedRoom(with_policy(OnDrop.BOT, clock_s=5), watch=True)
        room.ask("Ada", cmd.Fill, bot="greedy")
        assert room.ask("Ada", cmd.Start) == (ev.Started(1, ("greedy", "greedy 2")),)

    def test_with_another_player_to_begin(self) -> None:
        room = HostedRoom(Settings(options={"rows": 1, "cols": 1}, seats=3), others=["Bob", "Cleo"])
        assert room.ask("Ada", cmd.Start, first=2) == (
            ev.Rotated(),
            ev.Rotated(),
            ev.Started(1, ("Cleo", "Ada", "Bob")),
        )
        assert room.to_move == 0

    def test_with_a_player_to_begin_who_is_there(self) -> None:
        room = HostedRoom(others=["Bob"])
        assert room.refused("Ada", cmd.Start, first=2) == "no_such_seat"

    def test_not_with_empty_seats(self) -> None:
        assert HostedRoom().refused("Ada", cmd.Start) == "empty_seats"

    def test_not_without_somebody_who_is_away(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.drop("Bob")
        assert room.refused("Ada", cmd.Start) == "absent_player"

    def test_not_twice(self) -> None:
        assert playing().refused("Ada", cmd.Start) == "game_on"

    def test_again_after_a_game_without_asking_the_others(self) -> None:
        assert ended().ask("Ada", cmd.Start) == (ev.Started(2, ("Ada", "Bob")),)


class TestHints:
    def test_a_person_whose_turn_it_is_may_ask(self) -> None:
        room = playing(WITH_HINTS)
        assert room.ask("Ada", cmd.AskHint, seat=0, ply=0, game=1) == (ev.HintAsked(0),)
        room.plays("Ada", "h0")
        assert room.ask("Bob", cmd.AskHint, seat=1, ply=1) == (ev.HintAsked(1),)

    def test_which_changes_nothing(self) -> None:
        room = playing(WITH_HINTS)
        before = snapshot(room.room, Audience.PLAYER)
        room.ask("Ada", cmd.AskHint, seat=0, ply=0)
        after = snapshot(room.room, Audience.PLAYER)
        assert replace(after, seq=before.seq) == before

    def test_everybody_learns_of_it(self) -> None:
        for audience in Audience:
            assert view(ev.HintAsked(0), audience) == ev.HintAsked(0)

    def test_not_where_the_host_does_not_allow_it(self) -> None:
        assert playing().refused("Ada", cmd.AskHint, seat=0, ply=0) == "hints_off"

    def test_the_host_may_allow_it_between_games(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.ask("Ada", cmd.Configure, settings=WITH_HINTS)
        room.ask("Ada", cmd.Start)
        assert room.ask("Ada", cmd.AskHint, seat=0, ply=0) == (ev.HintAsked(0),)

    def test_not_for_others_nor_out_of_turn(self) -> None:
        room = playing(WITH_HINTS, spectators=["Cleo"])
        assert room.refused("Bob", cmd.AskHint, seat=1, ply=0) == "not_your_turn"
        assert room.refused("Bob", cmd.AskHint, seat=0, ply=0) == "not_your_seat"
        assert room.refused("Cleo", cmd.AskHint, seat=0, ply=0) == "not_your_seat"

    def test_not_for_a_position_that_is_past(self) -> None:
        room = playing(WITH_HINTS)
        assert room.refused("Ada", cmd.AskHint, seat=0, ply=1) == "stale"
        assert room.refused("Ada", cmd.AskHint, seat=0, ply=0, game=2) == "stale"

    def test_not_when_nobody_plays(self) -> None:
        room = HostedRoom(WITH_HINTS)
        assert room.refused("Ada", cmd.AskHint, seat=0, ply=0) == "not_started"
        assert ended().refused("Ada", cmd.AskHint, seat=0, ply=4) == "game_over"


class TestConfigure:
    def test_changes_everything_but_the_people(self) -> None:
        room = HostedRoom(others=["Bob"])
        assert room.ask("Ada", cmd.Configure, settings=NOUGHTS) == (ev.Configured(NOUGHTS),)
        assert [holder.name for holder in room.room.seats] == ["Ada", "Bob"]

    def test_and_what_they_said(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.Say, text="let's play something else")
        room.ask("Ada", cmd.Configure, settings=NOUGHTS)
        assert len(room.room.chat) == 1

    def test_forgets_the_names_of_those_who_were_kicked_out_of_the_game(self) -> None:
        room = playing(with_policy(OnDrop.FORFEIT))
        room.ask("Ada", cmd.Kick, member="Bob")
        room.ask("Ada", cmd.Configure, settings=NOUGHTS)
        assert room.room.seats[1].name is None

    def test_puts_a_finished_game_away(self) -> None:
        room = ended()
        room.ask("Ada", cmd.Configure, settings=NOUGHTS)
        assert room.room.phase is Phase.WAITING
        assert room.room.state is None

    def test_to_what_it_is_changes_nothing(self) -> None:
        assert HostedRoom().refused("Ada", cmd.Configure, settings=ONE_BOX) == "no_change"

    def test_added_seats_get_glyphs_of_their_own(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.Configure, settings=Settings(seats=4))
        assert [holder.glyph for holder in room.room.seats] == [0, 1, 2, 3]

    def test_not_to_a_game_that_does_not_exist(self) -> None:
        room = HostedRoom()
        for settings in [
            Settings(game="chess"),
            Settings(options={"rows": 0}),
            Settings(options={"height": 3}),
            Settings(game="noughts", seats=1),
        ]:
            assert room.refused("Ada", cmd.Configure, settings=settings) == "bad_option"

    @each(
        "game, options",
        [
            ("dots", {"rows": "3"}),
            ("dots", {"rows": 3, "cols": "1", "border": "half"}),
            ("noughts", {"line": "3"}),
            ("stonehenge", {"size": "2"}),
            ("subtract-square", {"start": "9"}),
        ],
    )
    def test_numbers_are_no_text(self, game: str, options: dict[str, int | str]) -> None:
        room = HostedRoom()
        settings = Settings(game=game, options=options)
        settings.make_game()
        assert room.refused("Ada", cmd.Configure, settings=settings) == "bad_option"
        create = cmd.Create("4711", "Ada", settings)
        with pytest.raises(CommandRefused, match="not '"):
            decide(Room("cellar"), create, 0, LIMITS)

    def test_a_room_with_numbers_as_text_goes_on(self) -> None:
        settings = Settings(options={"rows": "1", "cols": "1"})
        room = HostedRoom(others=["Bob"])
        room.append(ev.Entry(room.room.seq + 1, 0, (ev.Configured(settings),)))
        room.ask("Ada", cmd.Start)
        room.plays("Ada", "h0")
        room.plays("Bob", "h1")

    def test_not_beyond_the_limits_of_the_house(self) -> None:
        room = HostedRoom()
        too_many = Settings(seats=LIMITS.seats + 1)
        assert room.refused("Ada", cmd.Configure, settings=too_many) == "too_many_seats"
        assert LIMITS.longest_game == 60
        largest = Settings(options={"rows": 5, "cols": 5})
        assert names(room.ask("Ada", cmd.Configure, settings=largest)) == "configured"
        too_large = Settings(options={"rows": 5, "cols": 6})
        assert room.refused("Ada", cmd.Configure, settings=too_large) == "too_large"

    def test_no_board_has_too_many_lines(self) -> None:
        room = HostedRoom(limits=RoomLimits())
        lines = Settings(game="noughts", options={"dims": "3,2,2,2,2,2,2,2", "line": 2})
        answer = room.answer(room.asked("Ada", cmd.Configure, settings=lines))
        assert isinstance(answer, CommandRefused)
        assert answer.code == "too_large"
        assert "57152 steps of work" in str(answer)

    def test_never_takes_a_seat_from_somebody(self) -> None:
        room = HostedRoom(Settings(seats=3), others=["Bob", "Cleo"])
        assert room.refused("Ada", cmd.Configure, settings=ONE_BOX) == "seats_taken"
        room.ask("Cleo", cmd.Stand)
        assert names(room.ask("Ada", cmd.Configure, settings=ONE_BOX)) == "configured"

    def test_not_to_a_game_that_a_seated_bot_does_not_play(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.Fill, bot="random")
        assert room.refused("Ada", cmd.Configure, settings=NOUGHTS) == "no_such_bot"

    def test_options_of_a_seated_bot_make_no_difference_to_that(self) -> None:
        limits = replace(LIMITS, plain_bot=str, bots={"dots": ("ace",), "noughts": ("ace",)})
        room = HostedRoom(limits=limits)
        room.ask("Ada", cmd.Fill, bot="ace:depth=3")
        assert names(room.ask("Ada", cmd.Configure, settings=NOUGHTS)) == "configured"

    def test_a_room_stays_private_or_public(self) -> None:
        private = Settings(private=True)
        assert HostedRoom().refused("Ada", cmd.Configure, settings=private) == "bad_option"


class TestPlay:
    def test_a_move_comes_with_its_effects(self) -> None:
        room = playing()
        assert room.plays("Ada", "h0") == (ev.Played(0, "h0", (), 1, (0, 0)),)

    def test_as_the_game_writes_it(self) -> None:
        assert playing().plays("Ada", "H00") == (ev.Played(0, "h0", (), 1, (0, 0)),)

    def test_who_takes_a_box_goes_again_with_a_fresh_clock(self) -> None:
        room = playing(with_policy(OnDrop.BOT, clock_s=5))
        for name, move in [("Ada", "h0"), ("Bob", "h2"), ("Ada", "v0")]:
            room.plays(name, move)
        room.now_ms += 1_000
        deadline_ms = room.now_ms + 5_000
        assert room.plays("Bob", "v1") == (
            ev.Played(1, "v1", (0,), 1, (0, 1), deadline_ms=deadline_ms),
        )

    def test_the_last_one_ends_the_game(self) -> None:
        room = playing()
        for name, move in [("Ada", "h0"), ("Bob", "h1"), ("Ada", "v0")]:
            room.plays(name, move)
        assert room.plays("Bob", "v1") == (
            ev.Played(1, "v1", (0,), None, (0, 1)),
            ev.Ended((0, 1), (1,), (0, 2)),
        )
        assert room.room.phase is Phase.OVER

    def test_a_draw_has_no_winners(self) -> None:
        room = playing(NOUGHTS)
        for turn, move in enumerate("041352687"):
            events = room.plays(("Ada", "Bob")[turn % 2], move)
        assert events[-1] == ev.Ended((0, 0), (), (1, 1))

    def test_only_in_a_game(self) -> None:
        fields = {"seat": 0, "move": "h0", "ply": 0}
        assert HostedRoom().refused("Ada", cmd.Play, **fields) == "not_started"
        assert ended().refused("Ada", cmd.Play, **fields) == "game_over"

    def test_only_for_ones_own_seat(self) -> None:
        room = playing(spectators=["Cleo"])
        for name in ("Bob", "Cleo"):
            assert room.refused(name, cmd.Play, seat=0, move="h0", ply=0) == "not_your_seat"
        assert room.refused("Ada", cmd.Play, seat=9, move="h0", ply=0) == "not_your_seat"

    def test_only_in_ones_turn(self) -> None:
        assert playing().refused("Bob", cmd.Play, seat=1, move="h0", ply=0) == "not_your_turn"

    def test_only_in_answer_to_the_position_as_it_is(self) -> None:
        room = playing()
        for ply in (1, 99):
            assert room.refused("Ada", cmd.Play, seat=0, move="h0", ply=ply) == "stale"

    def test_never_in_another_game(self) -> None:
        room = playing()
        assert room.refused("Ada", cmd.Play, seat=0, move="h0", ply=0, game=2) == "stale"
        assert names(room.ask("Ada", cmd.Play, seat=0, move="h0", ply=0, game=1)) == "played"

    @each(
        "settings, move, code",
        [
            (ONE_BOX, "v1", "already_drawn"),
            (ONE_BOX, "h2", "out_of_range"),
            (ONE_BOX, "hello", "malformed_move"),
            (NOUGHTS, "4", "cell_taken"),
            (NOUGHTS, "9", "out_of_range"),
            (NOUGHTS, "h0", "malformed_move"),
        ],
    )
    def test_only_moves_of_the_game(self, settings: Settings, move: str, code: str) -> None:
        room = playing(settings)
        room.plays("Ada", "v1" if settings is ONE_BOX else "4")
        assert room.refused("Bob", cmd.Play, seat=1, move=move, ply=1) == code

    def test_one_person_may_play_several_seats(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.Sit, name="Bea")
        assert room.ask("Ada", cmd.Start) == (ev.Started(1, ("Ada", "Bea")),)
        assert (
            names(room.plays("Ada", "h0", "h1", "v0", "v1")) == "played played played played ended"
        )


class TestBots:
    def test_play_for_their_own_seats(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        assert room.room.bot_to_move() is None
        room.plays("Ada", "h0")
        assert room.room.bot_to_move() == (1, "greedy")
        assert room.bot_plays("h1") == (ev.Played(1, "h1", (), 0, (0, 0), ev.MoveSource.BOT),)

    def test_never_for_a_person(self) -> None:
        room = playing()
        for by in (ev.MoveSource.BOT, ev.MoveSource.PLAYER):
            assert room.refuses(cmd.PlayFor(0, "h0", 0, by)) == "not_your_seat"

    def test_never_as_if_a_person_had_played(self) -> None:
        room = HostedRoom(watch=True)
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        assert room.refuses(cmd.PlayFor(0, "h0", 0, ev.MoveSource.PLAYER)) == "not_your_seat"

    def test_never_into_another_position(self) -> None:
        room = playing()
        assert room.refuses(cmd.PlayFor(1, "h0", 0)) == "stale"
        assert room.refuses(cmd.PlayFor(0, "h0", 1)) == "stale"
        assert HostedRoom().refuses(cmd.PlayFor(0, "h0", 0)) == "stale"

    def test_never_an_illegal_move(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        room.plays("Ada", "h0")
        assert room.refuses(cmd.PlayFor(1, "h0", 1)) == "already_drawn"


class TestResign:
    def test_takes_a_seat_out_of_the_game(self) -> None:
        room = playing(with_policy(OnDrop.BOT, seats=3))
        assert room.ask("Ada", cmd.Resign, seat=0) == (
            ev.Withdrew(0, ev.WithdrawalReason.RESIGNED, 1, (0, 0, 0)),
        )
        room.plays("Bob", "h0")
        room.bot_plays("h1")
        assert room.to_move == 1

    def test_of_the_last_but_one_ends_it(self) -> None:
        assert playing().ask("Bob", cmd.Resign, seat=1) == (
            ev.Withdrew(1, ev.WithdrawalReason.RESIGNED, None, (0, 0)),
            ev.Ended((0, 0), (0,), (2, 0)),
        )

    def test_gives_the_next_one_a_fresh_clock_and_leaves_another_clock_alone(self) -> None:
        settings = with_policy(OnDrop.BOT, seats=3, clock_s=5)
        room = HostedRoom(settings, others=["Bob", "Cleo"])
        room.ask("Ada", cmd.Start)
        first_deadline_ms = room.room.deadline_ms
        room.now_ms += 1_000
        room.ask("Bob", cmd.Resign, seat=1)
        assert room.room.deadline_ms == first_deadline_ms
        room.ask("Ada", cmd.Resign, seat=0)
        assert room.room.phase is Phase.OVER
        assert room.room.deadline_ms is None

    def test_passes_the_clock_on(self) -> None:
        settings = with_policy(OnDrop.BOT, seats=3, clock_s=5)
        room = HostedRoom(settings, others=["Bob", "Cleo"])
        room.ask("Ada", cmd.Start)
        room.now_ms += 1_000
        (withdrew,) = room.ask("Ada", cmd.Resign, seat=0)
        assert withdrew == ev.Withdrew(
            0, ev.WithdrawalReason.RESIGNED, 1, (0, 0, 0), deadline_ms=room.now_ms + 5_000
        )

    def test_only_for_ones_own_seat_in_a_game_and_once(self) -> None:
        assert HostedRoom().refused("Ada", cmd.Resign, seat=0) == "not_started"
        assert ended().refused("Ada", cmd.Resign, seat=0) == "game_over"
        room = playing(with_policy(OnDrop.BOT, seats=3))
        assert room.refused("Ada", cmd.Resign, seat=1) == "not_your_seat"
        room.ask("Ada", cmd.Resign, seat=0)
        assert room.refused("Ada", cmd.Resign, seat=0) == "already_out"


def test_a_game_of_a_public_room_has_the_link_that_comes_with_its_command() -> None:
    room = HostedRoom(others=["Bob"])
    start = replace(room.asked("Ada", cmd.Start), link="one")
    assert room.does(start) == (ev.Started(1, ("Ada", "Bob"), link="one"),)
    assert room.room.game_link == snapshot(room.room, Audience.SPECTATOR).game_link == "one"
    room.ask("Ada", cmd.Resign, seat=0)
    assert room.room.game_link == "one"
    room.ask("Bob", cmd.Rematch)
    *_, started = room.does(replace(room.asked("Ada", cmd.Rematch), link="two"))
    assert started == ev.Started(2, ("Bob", "Ada"), link="two")
    room.ask("Ada", cmd.Resign, seat=1)
    room.ask("Ada", cmd.Configure, settings=RequestedSettings(options={"rows": 1, "cols": 2}))
    assert room.room.game_link == ""


def test_a_game_of_a_private_room_has_no_link() -> None:
    room = HostedRoom(replace(ONE_BOX, private=True), watch=True)
    room.ask("Ada", cmd.Fill, bot="greedy")
    (started,) = room.does(replace(room.asked("Ada", cmd.Start), link="one"))
    assert started == ev.Started(1, ("greedy", "greedy 2"))
    assert room.room.game_link == ""


class TestRematch:
    def test_when_every_player_asks_the_seats_rotate_and_it_begins(self) -> None:
        room = ended()
        assert room.ask("Bob", cmd.Rematch) == (ev.RematchWanted("Bob"),)
        assert room.ask("Ada", cmd.Rematch) == (
            ev.RematchWanted("Ada"),
            ev.Rotated(),
            ev.Started(2, ("Bob", "Ada")),
        )

    def test_the_first_one_comes_last_and_the_others_one_seat_down(self) -> None:
        room = HostedRoom(with_policy(OnDrop.BOT, seats=3), others=["Bob", "Cleo"])
        room.ask("Ada", cmd.Start)
        room.ask("Ada", cmd.Resign, seat=0)
        room.ask("Bob", cmd.Resign, seat=1)
        for name in ("Ada", "Bob", "Cleo"):
            events = room.ask(name, cmd.Rematch)
        assert events[-1] == ev.Started(2, ("Bob", "Cleo", "Ada"))

    def test_glyphs_go_along_with_their_people(self) -> None:
        room = ended()
        before = {holder.name: holder.glyph for holder in room.room.seats}
        room.ask("Bob", cmd.Rematch)
        room.ask("Ada", cmd.Rematch)
        assert {holder.name: holder.glyph for holder in room.room.seats} == before

    def test_asking_twice_counts_once(self) -> None:
        room = ended()
        room.ask("Bob", cmd.Rematch)
        assert room.refused("Bob", cmd.Rematch) == "no_change"

    def test_a_repeat_has_the_same_answer_whatever_has_happened_since(self) -> None:
        room = ended()
        asked = room.asked("Bob", cmd.Rematch)
        room.does(asked)
        seq = room.room.seq
        room.ask("Ada", cmd.Rematch)
        assert room.room.phase is Phase.PLAYING
        assert room.answer(asked) == seq

    def test_bots_are_not_asked(self) -> None:
        room = HostedRoom()
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        room.ask("Ada", cmd.Resign, seat=0)
        assert names(room.ask("Ada", cmd.Rematch)) == "rematch_wanted rotated started"

    def test_where_only_bots_play_the_host_asks(self) -> None:
        room = HostedRoom(watch=True, others=[])
        room.enter("Bob", watch=True)
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        for move in ("h0", "h1", "v0", "v1"):
            room.bot_plays(move)
        assert room.refused("Bob", cmd.Rematch) == "not_a_player"
        assert names(room.ask("Ada", cmd.Rematch)) == "rematch_wanted rotated started"

    def test_who_went_is_not_waited_for(self) -> None:
        room = HostedRoom(Settings(seats=3, options={"rows": 1, "cols": 1}), others=["Bob", "Cleo"])
        room.ask("Ada", cmd.Start)
        room.ask("Ada", cmd.Resign, seat=0)
        room.ask("Bob", cmd.Resign, seat=1)
        room.ask("Bob", cmd.Rematch)
        room.ask("Cleo", cmd.Leave)
        assert names(room.ask("Ada", cmd.Rematch)) == "rematch_wanted"
        assert room.refused("Ada", cmd.Rematch) == "empty_seats"
        room.ask("Ada", cmd.Fill, bot="greedy")
        assert names(room.ask("Ada", cmd.Rematch)) == "rotated started"

    def test_but_an_absent_player_has_to_come_back_or_lose_the_seat(self) -> None:
        room = ended()
        room.drop("Bob")
        assert names(room.ask("Ada", cmd.Rematch)) == "rematch_wanted"
        assert room.refused("Ada", cmd.Rematch) == "absent_player"
        room.enter("Bob")
        assert names(room.ask("Bob", cmd.Rematch)) == "rematch_wanted rotated started"

    def test_and_begins_as_the_last_one_who_has_voted_is_back(self) -> None:
        room = ended()
        room.ask("Bob", cmd.Rematch)
        room.drop("Bob")
        assert names(room.ask("Ada", cmd.Rematch)) == "rematch_wanted"
        assert room.enter("Ada") == ()  # with another device, which begins nothing
        assert names(room.enter("Bob", link="two")) == "returned rotated started"
        assert room.room.game_link == "two"

    def test_before_the_first_game_too_when_all_are_ready(self) -> None:
        room = HostedRoom(others=["Bob"])
        assert names(room.ask("Bob", cmd.Rematch)) == "rematch_wanted"
        assert room.refused("Bob", cmd.Rematch) == "no_change"
        assert names(room.ask("Ada", cmd.Rematch)) == "rematch_wanted started"

    def test_a_vote_waits_for_another_player(self) -> None:
        room = HostedRoom()
        assert names(room.ask("Ada", cmd.Rematch)) == "rematch_wanted"
        assert room.refused("Ada", cmd.Rematch) == "empty_seats"
        room.enter("Bob")
        assert names(room.ask("Bob", cmd.Rematch)) == "rematch_wanted started"

    def test_whoever_stands_up_takes_the_vote_back(self) -> None:
        room = ended()
        room.ask("Bob", cmd.Rematch)
        assert names(room.ask("Bob", cmd.Stand)) == "vacated rematch_unwanted"

    def test_a_spectator_gets_the_seat_of_a_person_who_left(self) -> None:
        room = playing(spectators=["Cleo"])
        room.ask("Bob", cmd.Leave)
        room.ask("Ada", cmd.Resign, seat=0)
        assert names(room.ask("Cleo", cmd.Rematch)) == "rematch_wanted"
        events = room.ask("Ada", cmd.Rematch)
        assert names(events) == "rematch_wanted rotated vacated sat started"
        assert room.room.players == ("Cleo", "Ada")

    def test_not_in_a_game_nor_by_spectators_without_a_seat(self) -> None:
        assert playing().refused("Ada", cmd.Rematch) == "game_on"
        room = ended()
        room.enter("Cleo")
        assert room.refused("Cleo", cmd.Rematch) == "not_a_player"
