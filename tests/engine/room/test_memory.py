"""Event numbers, repeated commands, and the limits of what a room remembers."""

import msgspec
import pytest
from tests.engine.room.hosting import HostedRoom, names, playing

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.accepted import (
    COMMANDS_REMEMBERED,
    FORMER_MEMBERS_REMEMBERED,
    AcceptedCommands,
)
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Room


class TestLog:
    def test_folding_it_gives_the_room(self) -> None:
        room = playing()
        room.plays("Ada", "h0")
        folded, accepted = Room("attic"), AcceptedCommands()
        for entry in room.log:
            folded = evolve_entry(folded, entry)
            accepted.add(entry, folded)
        assert folded == room.room
        assert accepted.stored() == room.accepted.stored()

    def test_numbers_are_contiguous(self) -> None:
        room = playing()
        assert [entry.seq for entry in room.log[1:]] == [e.last_seq + 1 for e in room.log[:-1]]
        assert room.log[0].seq == 1

    def test_a_gap_or_a_repeat_is_an_error(self) -> None:
        room = HostedRoom()
        said = (ev.Said("Ada", "hi", 0),)
        for seq in (room.room.seq, room.room.seq + 2):
            with pytest.raises(ValueError, match="can't follow"):
                evolve_entry(room.room, ev.Entry(seq, 0, said))

    def test_names_its_room(self) -> None:
        assert evolve_entry(Room(""), HostedRoom().log[0]).code == "attic"


class TestRepeats:
    def test_give_the_same_answer_and_nothing_else(self) -> None:
        room = playing()
        played = room.asked("Ada", cmd.Play, seat=0, move="h0", ply=0)
        room.does(played)
        seq = room.room.seq
        room.plays("Bob", "h1")
        assert room.answer(played) == seq
        assert room.room.seq == seq + 1

    def test_of_the_very_last_command_too(self) -> None:
        room = HostedRoom(others=["Bob"])
        left = room.asked("Bob", cmd.Leave)
        room.does(left)
        assert room.answer(left) == room.room.seq

    def test_ids_are_each_members_own(self) -> None:
        room = HostedRoom(others=["Bob"])
        for name in ("Ada", "Bob"):
            assert names(room.does(cmd.FromMember(name, cmd.Say(id=7, text="hi")))) == "said"

    def test_a_refused_command_may_come_again_if_no_later_one_was_accepted(self) -> None:
        room = HostedRoom()
        start = room.asked("Ada", cmd.Start)
        assert room.refuses(start) == "empty_seats"
        room.enter("Bob")
        assert names(room.does(start)) == "started"
        play, say = room.asked("Ada", cmd.Play, seat=0, move="h9", ply=0), cmd.Say(id=9, text="oh")
        assert room.refuses(play) == "out_of_range"
        room.does(cmd.FromMember("Ada", say))
        assert room.refuses(play) == "too_old"

    def test_are_remembered_for_a_while_and_then_refused(self) -> None:
        room = HostedRoom()
        says = [room.asked("Ada", cmd.Say, text="hi") for _ in range(5 * COMMANDS_REMEMBERED)]
        for number, say in enumerate(says, 1):
            seq = room.room.seq + len(room.does(say))
            known = room.accepted.stored()["Ada"]
            assert min(number, COMMANDS_REMEMBERED) <= len(known) < 2 * COMMANDS_REMEMBERED
            assert room.answer(say) == seq
        for say in says[-COMMANDS_REMEMBERED:]:
            assert isinstance(room.answer(say), int)
        assert room.refuses(says[0]) == "too_old"

    def test_ids_may_leave_gaps_but_only_grow(self) -> None:
        room = HostedRoom()
        for command_id in (5, 1000):
            assert (
                names(room.does(cmd.FromMember("Ada", cmd.Say(id=command_id, text="hi")))) == "said"
            )
        assert room.refuses(cmd.FromMember("Ada", cmd.Say(id=999, text="hi"))) == "too_old"

    def test_of_those_who_left_and_whose_last_is_the_longest_ago_are_forgotten(self) -> None:
        room = HostedRoom(limits=RoomLimits(), watch=True)
        room.ask("Ada", cmd.Say, text="hi")
        spectators = [f"Guest {number}" for number in range(FORMER_MEMBERS_REMEMBERED)]
        for name in (*spectators, spectators[0], "Bob", "Cleo"):
            room.enter(name, watch=True)
            room.ask(name, cmd.Leave)
        remembered = set(room.accepted.stored())
        assert {"Ada", spectators[0], "Bob", "Cleo"} <= remembered
        assert not {spectators[1], spectators[2]} <= remembered
        assert len(remembered) <= FORMER_MEMBERS_REMEMBERED + 2

    def test_that_are_stored_without_an_id_are_none(self) -> None:
        accepted = AcceptedCommands({"Ada": ()})
        assert accepted.answer("Ada", 1) is None
        assert accepted.last_id("Ada") == 0


class TestDeciding:
    def test_what_would_change_nothing_is_refused_and_not_remembered(self) -> None:
        room = HostedRoom()
        assert room.refused("Ada", cmd.Configure, settings=room.room.settings) == "no_change"
        assert room.accepted.last_id("Ada") == 0

    def test_refusals_are_sentences(self) -> None:
        room = HostedRoom()
        answer = room.answer(room.asked("Ada", cmd.Start))
        assert isinstance(answer, CommandRefused)
        assert answer.code == "empty_seats"
        assert str(answer) == "1 seat is empty: wait for players, or fill up with bots"


def test_entries_are_json_and_back() -> None:
    for entry in playing().log:
        assert msgspec.json.decode(msgspec.json.encode(entry), type=ev.Entry) == entry
