"""Requests for a stand-in or an end of the game: who may ask, who decides, and what follows."""

import pytest
from tests.engine.room.hosting import HostedRoom, names, playing, with_policy

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.room import AbortRequest, ChatTo, OnDrop, Phase, Settings, StandInRequest

TWO_BOXES: dict[str, int | str] = {"rows": 1, "cols": 2}


def three_people(**fields: int) -> HostedRoom:
    """Return a game of Ada, the host, Bob and Cleo, in which Ada is to move."""
    settings = Settings(options=TWO_BOXES, seats=3, **fields)  # type: ignore[arg-type]
    room = HostedRoom(settings, others=["Bob", "Cleo"])
    room.ask("Ada", cmd.Start)
    return room


def ada_sleeps(room: HostedRoom, seconds: int = 60) -> HostedRoom:
    room.now_ms += seconds * 1000
    return room


def answer(room: HostedRoom, member: str, *, agree: bool) -> tuple[ev.Event, ...]:
    asked = room.room.request
    assert isinstance(asked, StandInRequest | AbortRequest)
    return room.ask(member, cmd.Answer, since=asked.since, agree=agree)


class TestStandIn:
    def test_all_other_players_decide_but_not_the_sleeper(self) -> None:
        room = ada_sleeps(three_people())
        assert room.ask("Bob", cmd.StandIn, seat=0) == (ev.StandInAsked("Bob", 0, "greedy"),)
        assert room.room.deciding == ("Cleo",)
        assert answer(room, "Cleo", agree=True) == (ev.StoodIn(0, "greedy"),)
        assert room.room.bot_to_move() == (0, "greedy")
        assert room.room.unrated

    def test_the_host_asks_nobody(self) -> None:
        room = three_people()
        room.plays("Ada", "h0")
        room.now_ms += 60_000
        assert room.ask("Ada", cmd.StandIn, seat=1, bot="random") == (ev.StoodIn(1, "random"),)

    def test_nor_does_a_host_who_watches(self) -> None:
        room = HostedRoom(Settings(options=TWO_BOXES), watch=True, others=["Bob", "Cleo"])
        room.ask("Ada", cmd.Start)
        room.now_ms += 60_000
        assert room.ask("Ada", cmd.StandIn, seat=0) == (ev.StoodIn(0, "greedy"),)

    def test_the_only_other_player_asks_nobody(self) -> None:
        room = ada_sleeps(playing())
        assert room.ask("Bob", cmd.StandIn, seat=0) == (ev.StoodIn(0, "greedy"),)

    def test_it_is_too_early_until_the_time_of_the_settings(self) -> None:
        room = three_people(stand_in_s=20)
        room.now_ms += 19_001
        answered = room.answer(room.asked("Bob", cmd.StandIn, seat=0))
        assert isinstance(answered, CommandRefused)
        assert (answered.code, answered.phrase.values) == ("too_early", {"name": "Ada", "n": 1})
        room.now_ms += 999
        assert names(room.ask("Bob", cmd.StandIn, seat=0)) == "stand_in_asked"

    def test_the_time_is_that_of_the_turn(self) -> None:
        room = ada_sleeps(three_people())
        room.plays("Ada", "h0")
        assert room.refused("Ada", cmd.StandIn, seat=1) == "too_early"

    def test_the_time_begins_again_when_the_server_wakes(self) -> None:
        room = ada_sleeps(three_people())
        room.does(cmd.Wake(1000))
        for name in ("Ada", "Bob", "Cleo"):
            room.enter(name)
        assert room.refused("Bob", cmd.StandIn, seat=0) == "too_early"

    def test_only_for_another_person_to_move(self) -> None:
        room = ada_sleeps(playing(with_policy(OnDrop.BOT, seats=3)))
        assert room.refused("Bob", cmd.StandIn, seat=1) == "yourself"
        assert room.refused("Ada", cmd.StandIn, seat=1) == "not_to_move"
        assert room.refused("Bob", cmd.StandIn, seat=2) == "no_change"
        assert room.refused("Bob", cmd.StandIn, seat=3) == "no_such_seat"
        assert room.refused("Bob", cmd.StandIn, seat=0, bot="deep") == "no_such_bot"

    def test_spectators_dont_ask(self) -> None:
        room = ada_sleeps(playing(spectators=["Cleo"]))
        assert room.refused("Cleo", cmd.StandIn, seat=0) == "not_a_player"

    def test_the_next_command_of_the_player_ends_it(self) -> None:
        room = ada_sleeps(playing())
        room.ask("Bob", cmd.StandIn, seat=0)
        room.now_ms += 5_000
        assert names(room.ask("Ada", cmd.Say, text="here")) == "took_back said"
        assert room.room.turn_since_ms == room.now_ms
        assert room.room.unrated

    def test_a_refused_command_doesnt(self) -> None:
        room = ada_sleeps(playing())
        room.ask("Bob", cmd.StandIn, seat=0)
        assert room.refused("Ada", cmd.Say, text="") == "empty_text"
        assert room.room.bot_to_move() is not None

    def test_it_helps_where_all_wait_for_one_who_is_gone(self) -> None:
        room = playing(with_policy(OnDrop.WAIT))
        room.drop("Ada")
        room.waits_out_the_grace()
        room.now_ms += 60_000
        assert room.ask("Bob", cmd.StandIn, seat=0) == (ev.StoodIn(0, "greedy"),)

    def test_a_new_game_is_rated_again(self) -> None:
        room = ada_sleeps(playing())
        room.ask("Bob", cmd.StandIn, seat=0)
        room.ask("Ada", cmd.Abort)
        answer(room, "Bob", agree=True)
        assert not room.room.unrated


class TestNudge:
    def test_all_can_nudge_the_player_to_move(self) -> None:
        room = ada_sleeps(playing(spectators=["Cleo"]), 10)
        assert room.ask("Cleo", cmd.Nudge, seat=0) == (ev.Nudged("Cleo", 0),)

    def test_not_sooner_than_ten_seconds_after_the_turn_began_or_the_last_nudge(self) -> None:
        room = ada_sleeps(playing(), 9)
        assert room.refused("Bob", cmd.Nudge, seat=0) == "too_early"
        ada_sleeps(room, 1).ask("Bob", cmd.Nudge, seat=0)
        assert ada_sleeps(room, 9).refused("Bob", cmd.Nudge, seat=0) == "too_early"
        assert names(ada_sleeps(room, 1).ask("Bob", cmd.Nudge, seat=0)) == "nudged"

    def test_not_oneself_nor_others_than_the_one_to_move(self) -> None:
        room = ada_sleeps(playing())
        assert room.refused("Ada", cmd.Nudge, seat=0) == "yourself"
        assert room.refused("Ada", cmd.Nudge, seat=1) == "not_to_move"
        room.drop("Ada")
        assert room.refused("Bob", cmd.Nudge, seat=0) == "absent_player"


class TestAbort:
    def test_all_others_agree(self) -> None:
        room = three_people()
        assert room.ask("Bob", cmd.Abort) == (ev.AbortAsked("Bob"),)
        assert answer(room, "Ada", agree=True) == (ev.Agreed("Ada"),)
        assert answer(room, "Cleo", agree=True) == (ev.Aborted("Bob"),)
        assert (room.room.phase, room.room.state) == (Phase.WAITING, None)
        assert [holder.member for holder in room.room.seats] == ["Ada", "Bob", "Cleo"]

    def test_at_once_against_bots(self) -> None:
        room = HostedRoom(Settings(options=TWO_BOXES))
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        assert room.ask("Ada", cmd.Abort) == (ev.Aborted("Ada"),)

    def test_by_a_host_who_watches_bots_but_not_people(self) -> None:
        room = HostedRoom(Settings(options=TWO_BOXES), watch=True)
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        assert room.ask("Ada", cmd.Abort) == (ev.Aborted("Ada"),)
        room.ask("Ada", cmd.Unseat, seat=0)
        room.enter("Bob")
        room.ask("Ada", cmd.Start)
        assert room.refused("Ada", cmd.Abort) == "not_a_player"

    def test_a_sleeper_for_whom_a_bot_plays_isnt_asked(self) -> None:
        room = ada_sleeps(playing())
        room.ask("Bob", cmd.StandIn, seat=0)
        assert room.ask("Bob", cmd.Abort) == (ev.Aborted("Bob"),)

    def test_spectators_chat_is_revealed(self) -> None:
        room = playing(spectators=["Cleo"])
        room.ask("Cleo", cmd.Say, text="dull", to=ChatTo.SPECTATORS)
        room.ask("Ada", cmd.Abort)
        assert names(answer(room, "Bob", agree=True)) == "aborted revealed"

    def test_who_has_a_seat_in_the_next_game_keeps_it(self) -> None:
        room = playing(spectators=["Cleo"])
        room.ask("Bob", cmd.Leave)
        room.ask("Cleo", cmd.Rematch)
        assert names(room.ask("Ada", cmd.Abort)) == "aborted rematch_wanted"
        assert room.room.joining_next() == ("Cleo",)
        room.ask("Ada", cmd.Start)
        assert room.room.players == ("Ada", "Cleo")

    def test_not_between_games(self) -> None:
        assert HostedRoom().refused("Ada", cmd.Abort) == "not_started"


class TestAnswers:
    def test_one_who_declines_ends_the_request(self) -> None:
        room = three_people()
        room.ask("Bob", cmd.Abort)
        assert answer(room, "Cleo", agree=False) == (ev.Declined("Cleo"),)
        assert room.room.request is None

    def test_the_one_who_asked_can_end_it_and_not_agree(self) -> None:
        room = three_people()
        room.ask("Bob", cmd.Abort)
        asked = room.room.request
        assert isinstance(asked, AbortRequest)
        assert room.refused("Bob", cmd.Answer, since=asked.since, agree=True) == "not_a_player"
        assert answer(room, "Bob", agree=False) == (ev.Declined("Bob"),)

    def test_nobody_agrees_twice_nor_to_what_is_over(self) -> None:
        room = three_people()
        room.ask("Bob", cmd.Abort)
        since = room.room.seq
        answer(room, "Ada", agree=True)
        assert room.refused("Ada", cmd.Answer, since=since, agree=True) == "no_change"
        answer(room, "Cleo", agree=False)
        room.ask("Cleo", cmd.Abort)
        assert room.refused("Ada", cmd.Answer, since=since, agree=True) == "stale"

    def test_an_answer_to_a_takeback_is_none_to_another_request(self) -> None:
        room = three_people()
        room.plays("Ada", "h0")
        room.ask("Bob", cmd.Abort)
        assert room.refused("Ada", cmd.AnswerUndo, ply=1, agree=True) == "stale"

    @pytest.mark.parametrize("kind", [cmd.Abort, cmd.Undo])
    def test_one_request_at_a_time(self, kind: type[cmd.Abort | cmd.Undo]) -> None:
        room = three_people()
        room.plays("Ada", "h0")
        fields = {"ply": 1} if kind is cmd.Undo else {}
        room.ask("Ada", kind, **fields)
        assert room.refused("Ada", cmd.Abort) == "no_change"
        code = "undo_pending" if kind is cmd.Undo else "request_pending"
        assert room.refused("Bob", cmd.Abort) == code

    def test_one_who_is_away_has_to_come_back_first(self) -> None:
        room = three_people()
        room.drop("Cleo")
        assert room.refused("Bob", cmd.Abort) == "absent_player"

    def test_a_move_of_a_person_ends_it(self) -> None:
        room = three_people()
        room.ask("Bob", cmd.Abort)
        room.plays("Ada", "h0")
        assert room.room.request is None
