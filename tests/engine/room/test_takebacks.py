"""Takebacks: whose moves go back, who has to agree, and what is stale after them."""

import msgspec
from msgspec.structs import replace
from tests.cases import each
from tests.engine.room.hosting import ONE_BOX, HostedRoom, names, playing

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Audience, Phase, Settings, UndoRequest
from boxroom_engine.room.view import Snapshot, room_from_snapshot, snapshot

TWO_BOXES = Settings(options={"rows": 1, "cols": 2})
"""Lines h0 to h3, v0 to v2; the left box has h0, h2, v0 and v1."""

THREE = Settings(options={"rows": 1, "cols": 2}, seats=3)


def against_a_bot(settings: Settings = TWO_BOXES) -> HostedRoom:
    room = HostedRoom(settings)
    room.ask("Ada", cmd.Fill, bot="greedy")
    room.ask("Ada", cmd.Start)
    return room


def three_people() -> HostedRoom:
    """Return a game of Ada, Bob and Cleo in which Ada has played h0."""
    room = HostedRoom(THREE, others=["Bob", "Cleo"])
    room.ask("Ada", cmd.Start)
    room.plays("Ada", "h0")
    return room


def undo(room: HostedRoom, member: str) -> tuple[ev.Event, ...]:
    return room.ask(member, cmd.Undo, ply=room.ply)


def answer(room: HostedRoom, member: str, *, agree: bool) -> tuple[ev.Event, ...]:
    asked = room.room.undo
    assert asked is not None
    return room.ask(member, cmd.AnswerUndo, ply=asked.ply, agree=agree)


def moves(room: HostedRoom) -> str:
    return " ".join(room.room.tokens)


class TestAtOnce:
    def test_against_a_bot_until_it_is_the_persons_turn_again(self) -> None:
        room = against_a_bot()
        room.plays("Ada", "h0")
        room.bot_plays("h1")
        assert undo(room, "Ada") == (ev.Undone("Ada", 0, 3, 0, (0, 0)),)
        assert (moves(room), room.to_move, room.room.undos) == ("", 0, 1)

    def test_also_before_the_bot_has_moved(self) -> None:
        room = against_a_bot()
        room.plays("Ada", "h0")
        undo(room, "Ada")
        assert (moves(room), room.to_move) == ("", 0)

    def test_the_bots_moves_after_a_box_go_back_with_the_others(self) -> None:
        room = against_a_bot()
        room.plays("Ada", "h0")
        room.bot_plays("h2")
        room.plays("Ada", "v0")
        room.bot_plays("v1")
        room.bot_plays("h1")
        assert room.room.state is not None
        assert room.room.state.scores == (0, 1)
        undo(room, "Ada")
        assert moves(room) == "h0 h2"
        assert room.room.state.scores == (0, 0)

    def test_after_a_box_the_move_that_won_it_goes_back(self) -> None:
        room = against_a_bot()
        room.plays("Ada", "h0")
        room.bot_plays("h2")
        room.plays("Ada", "h1")
        room.bot_plays("v0")
        room.plays("Ada", "v1")
        assert room.to_move == 0
        undo(room, "Ada")
        assert (moves(room), room.to_move) == ("h0 h2 h1 v0", 0)
        undo(room, "Ada")
        assert (moves(room), room.to_move) == ("h0 h2", 0)

    def test_at_one_keyboard_by_one_move(self) -> None:
        room = HostedRoom(TWO_BOXES)
        room.ask("Ada", cmd.Sit, name="Bea")
        room.ask("Ada", cmd.Start)
        room.plays("Ada", "h0", "h1")
        undo(room, "Ada")
        assert (moves(room), room.to_move) == ("h0", 1)

    def test_people_who_are_gone_are_not_asked(self) -> None:
        room = playing(TWO_BOXES)
        room.plays("Ada", "h0")
        room.ask("Bob", cmd.Leave)
        assert names(undo(room, "Ada")) == "undone"

    def test_those_who_gave_up_are_not_asked(self) -> None:
        room = three_people()
        room.ask("Cleo", cmd.Resign, seat=2)
        room.plays("Bob", "h1")
        room.plays("Ada", "h2")
        undo(room, "Ada")
        assert room.room.others_in_game("Ada") == ("Bob",)


class TestNumbers:
    def test_what_was_meant_for_a_position_before_is_stale(self) -> None:
        room = against_a_bot()
        for _ in range(2):
            first = room.ply
            room.plays("Ada", "h0")
            undo(room, "Ada")
            for ply in range(room.ply):
                assert room.refused("Ada", cmd.Play, seat=0, move="h0", ply=ply) == "stale"
                assert room.refused("Ada", cmd.AskHint, seat=0, ply=ply) in {"stale", "hints_off"}
                assert room.refuses(cmd.PlayFor(1, "h1", ply)) == "stale"
            assert room.ply == first + 2

    def test_a_bots_move_for_the_same_board_before_is_stale(self) -> None:
        room = against_a_bot()
        room.plays("Ada", "h0")
        late = cmd.PlayFor(1, "h1", room.ply)
        undo(room, "Ada")
        room.plays("Ada", "h0")
        assert room.refuses(late) == "stale"
        room.bot_plays("h1")

    def test_a_repeated_command_has_its_answer_still(self) -> None:
        room = against_a_bot()
        play = room.asked("Ada", cmd.Play, seat=0, move="h0", ply=0)
        room.does(play)
        played = room.room.seq
        back = room.asked("Ada", cmd.Undo, ply=1)
        room.does(back)
        undone = room.room.seq
        assert (room.answer(play), room.answer(back)) == (played, undone)
        assert moves(room) == ""

    def test_a_new_game_counts_from_0(self) -> None:
        room = against_a_bot(ONE_BOX)
        room.plays("Ada", "h0")
        undo(room, "Ada")
        room.ask("Ada", cmd.Resign, seat=0)
        room.ask("Ada", cmd.Start)
        assert (room.ply, room.room.undos) == (0, 0)


class TestConsent:
    def test_the_others_are_asked_and_their_consent_takes_the_move_back(self) -> None:
        room = playing(TWO_BOXES)
        room.plays("Ada", "h0")
        room.plays("Bob", "h1")
        assert undo(room, "Ada") == (ev.UndoAsked("Ada", 0),)
        assert room.room.undo == UndoRequest("Ada", 2, 0)
        assert moves(room) == "h0 h1"
        assert answer(room, "Bob", agree=True) == (ev.Undone("Ada", 0, 3, 0, (0, 0)),)
        assert (moves(room), room.to_move, room.room.undos) == ("", 0, 1)

    def test_all_of_them_have_to_agree(self) -> None:
        room = three_people()
        undo(room, "Ada")
        assert answer(room, "Bob", agree=True) == (ev.UndoAgreed("Bob"),)
        assert room.refused("Bob", cmd.AnswerUndo, ply=1, agree=True) == "no_change"
        assert names(answer(room, "Cleo", agree=True)) == "undone"

    def test_one_of_them_can_decline(self) -> None:
        room = three_people()
        undo(room, "Ada")
        answer(room, "Bob", agree=True)
        assert answer(room, "Cleo", agree=False) == (ev.UndoDeclined("Cleo"),)
        assert (room.room.undo, moves(room)) == (None, "h0")
        assert room.refused("Bob", cmd.AnswerUndo, ply=1, agree=True) == "stale"

    def test_the_player_who_asked_can_think_again(self) -> None:
        room = three_people()
        undo(room, "Ada")
        assert room.refused("Ada", cmd.AnswerUndo, ply=1, agree=True) == "not_a_player"
        assert answer(room, "Ada", agree=False) == (ev.UndoDeclined("Ada"),)

    def test_only_players_are_asked(self) -> None:
        room = playing(TWO_BOXES, spectators=["Cleo"])
        room.plays("Ada", "h0")
        undo(room, "Ada")
        assert room.refused("Cleo", cmd.AnswerUndo, ply=1, agree=True) == "not_a_player"
        assert room.refused("Cleo", cmd.AnswerUndo, ply=1, agree=False) == "not_a_player"

    def test_an_answer_is_for_one_request(self) -> None:
        room = three_people()
        undo(room, "Ada")
        room.plays("Bob", "h1")
        undo(room, "Ada")
        assert room.refused("Bob", cmd.AnswerUndo, ply=1, agree=True) == "stale"
        assert room.refused("Bob", cmd.AnswerUndo, ply=2, agree=True, game=7) == "stale"

    @each("member", ["Ada", "Bob"])
    def test_a_player_who_leaves_or_is_cut_off_ends_it(self, member: str) -> None:
        for end in (cmd.Leave, None):
            room = three_people()
            undo(room, "Ada")
            if end is None:
                room.drop(member)
            else:
                room.ask(member, end)
            assert room.room.undo is None

    def test_a_move_of_a_person_ends_it(self) -> None:
        room = three_people()
        undo(room, "Ada")
        room.plays("Bob", "h1")
        assert room.room.undo is None

    def test_a_move_of_a_bot_does_not(self) -> None:
        room = HostedRoom(THREE, others=["Bob"])
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        room.plays("Ada", "h0")
        room.plays("Bob", "h1")
        undo(room, "Ada")
        room.bot_plays("h2")
        answer(room, "Bob", agree=True)
        assert moves(room) == ""

    def test_spectators_who_go_do_not(self) -> None:
        room = playing(TWO_BOXES, spectators=["Cleo"])
        room.plays("Ada", "h0")
        undo(room, "Ada")
        room.drop("Cleo")
        assert room.room.undo is not None


class TestRefused:
    def test_where_the_host_does_not_want_it_or_a_clock_runs(self) -> None:
        for settings in (replace(TWO_BOXES, takebacks=0), replace(TWO_BOXES, clock_s=5)):
            room = playing(settings)
            room.plays("Ada", "h0")
            assert room.refused("Ada", cmd.Undo, ply=1) == "takebacks_off"

    def test_more_often_than_the_room_allows_in_a_game(self) -> None:
        room = playing(replace(TWO_BOXES, takebacks=2))
        room.plays("Ada", "h0")
        undo(room, "Ada")
        answer(room, "Bob", agree=False)
        undo(room, "Ada")
        answer(room, "Bob", agree=True)
        room.plays("Ada", "h0")
        assert room.refused("Ada", cmd.Undo, ply=room.ply) == "no_takebacks_left"

    def test_without_a_move_of_ones_own(self) -> None:
        room = playing(TWO_BOXES)
        assert room.refused("Ada", cmd.Undo, ply=0) == "nothing_to_undo"
        room.plays("Ada", "h0")
        assert room.refused("Bob", cmd.Undo, ply=1) == "nothing_to_undo"

    def test_beyond_a_withdrawal(self) -> None:
        room = three_people()
        room.ask("Cleo", cmd.Resign, seat=2)
        assert room.refused("Ada", cmd.Undo, ply=2) == "nothing_to_undo"
        assert room.refused("Cleo", cmd.Undo, ply=2) == "not_your_seat"

    def test_of_spectators_and_before_and_after_the_game(self) -> None:
        room = HostedRoom(TWO_BOXES, others=["Bob"])
        assert room.refused("Ada", cmd.Undo, ply=0) == "not_started"
        room = playing(ONE_BOX, spectators=["Cleo"])
        room.plays("Ada", "h0")
        assert room.refused("Cleo", cmd.Undo, ply=1) == "not_your_seat"
        room.ask("Ada", cmd.Resign, seat=0)
        assert room.room.phase is Phase.OVER
        assert room.refused("Ada", cmd.Undo, ply=2) == "game_over"
        assert room.refused("Ada", cmd.AnswerUndo, ply=2, agree=True) == "game_over"

    def test_while_one_is_asked_for(self) -> None:
        room = three_people()
        room.plays("Bob", "h1")
        undo(room, "Ada")
        assert room.refused("Ada", cmd.Undo, ply=2) == "no_change"
        assert room.refused("Bob", cmd.Undo, ply=2) == "undo_pending"

    def test_while_a_player_is_away_who_may_come_back(self) -> None:
        room = playing(TWO_BOXES)
        room.plays("Ada", "h0")
        room.drop("Bob")
        assert room.refused("Ada", cmd.Undo, ply=1) == "absent_player"


class TestSnapshot:
    def test_of_a_room_after_a_takeback(self) -> None:
        room = playing(TWO_BOXES)
        room.plays("Ada", "h0")
        undo(room, "Ada")
        answer(room, "Bob", agree=True)
        room.plays("Ada", "h1")
        undo(room, "Ada")
        seen = snapshot(room.room, Audience.PLAYER)
        assert (seen.ply, seen.undo, seen.undos) == (3, UndoRequest("Ada", 3, 0), 2)
        assert room_from_snapshot(seen).ply == 3

    def test_without_takebacks_is_as_it_always_was(self) -> None:
        room = playing(TWO_BOXES)
        room.plays("Ada", "h0")
        encoded = msgspec.json.encode(snapshot(room.room, Audience.SPECTATOR))
        for name in (b"ply", b"undo", b"takebacks"):
            assert name not in encoded
        assert room_from_snapshot(msgspec.json.decode(encoded, type=Snapshot)) == room.room
