"""Chat: its audiences, and the time at which players receive the chat of spectators."""

from msgspec.structs import replace
from tests.cases import each
from tests.engine.room.hosting import LIMITS, HostedRoom, Mirror, names, playing

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import CHAT_TAIL, Audience, ChatTo, Reaction, Settings
from boxroom_engine.room.view import is_same_for_all, snapshot, view, view_of_member


def whisper(room: HostedRoom, text: str = "psst") -> tuple[ev.Event, ...]:
    return room.ask("Cleo", cmd.Say, text=text, to=ChatTo.SPECTATORS)


def test_a_line_is_for_all() -> None:
    room = HostedRoom()
    assert room.ask("Ada", cmd.Say, text="hi") == (ev.Said("Ada", "hi", room.now_ms),)
    (line,) = room.room.chat
    assert (line.seq, line.member, line.text) == (room.room.seq, "Ada", "hi")


def test_it_is_cleaned() -> None:
    (said,) = HostedRoom().ask("Ada", cmd.Say, text=" \x1b[31mred\u202e\n")
    assert isinstance(said, ev.Said)
    assert said.text == "[31mred"


@each("text", ["", "  ", "\u200b", "\u200d", "\n"])
def test_an_empty_line_is_refused(text: str) -> None:
    assert HostedRoom().refused("Ada", cmd.Say, text=text) == "empty_text"


def test_a_long_line_is_refused_and_never_cut() -> None:
    room = HostedRoom()
    longest = "x" * LIMITS.chat_chars
    assert names(room.ask("Ada", cmd.Say, text=longest)) == "said"
    assert room.refused("Ada", cmd.Say, text=longest + "x") == "too_long"


class TestSeveralPeopleAtOneKeyboard:
    def test_who_is_to_move_speaks(self) -> None:
        room = two_at_a_keyboard()
        room.ask("Ada", cmd.Start)
        assert said(room) == "Ada"
        room.ask("Ada", cmd.Play, seat=0, move="h0", ply=0)
        assert said(room) == "Bea"
        room.ask("Ada", cmd.Play, seat=1, move="h1", ply=1)
        assert said(room) == "Ada, Bea", "it is the bot's turn"

    def test_outside_of_a_game_any_of_them(self) -> None:
        room = two_at_a_keyboard()
        assert said(room) == "Ada, Bea"
        room.ask("Ada", cmd.Stand, seat=0)
        assert said(room) == "Bea"
        room.ask("Ada", cmd.Stand)
        assert said(room) == "Ada"

    def test_lines_of_before_have_the_name_of_the_member(self) -> None:
        assert ev.Said("Ada", "hi", 0).speaker == "Ada"


def two_at_a_keyboard() -> HostedRoom:
    """Ada and, as Bea, the person beside her, and then a bot."""
    room = HostedRoom(Settings(seats=3, options={"rows": 1, "cols": 1}))
    room.ask("Ada", cmd.Sit, name="Bea")
    room.ask("Ada", cmd.Fill, bot="greedy")
    return room


def said(room: HostedRoom) -> str:
    (event,) = room.ask("Ada", cmd.Say, text="hi")
    assert isinstance(event, ev.Said)
    assert room.room.chat[-1].speaker == event.speaker
    return event.speaker


class TestSpectators:
    def test_talk_among_themselves_while_others_play(self) -> None:
        room = playing(spectators=["Cleo"])
        (said,) = whisper(room)
        assert view(said, Audience.SPECTATOR) is said
        assert view(said, Audience.PLAYER) == ev.Hidden()
        assert not is_same_for_all(room.log[-1])

    def test_are_overheard_when_the_game_is_over(self) -> None:
        room = playing(spectators=["Cleo"])
        whisper(room)
        lines = room.room.unrevealed
        events = room.ask("Ada", cmd.Resign, seat=0)
        assert names(events) == "withdrew ended revealed"
        assert events[-1] == ev.Revealed(lines)
        assert room.room.chat == lines
        assert room.room.unrevealed == ()

    def test_their_lines_are_filed_where_they_were_said(self) -> None:
        room = playing(spectators=["Cleo"])
        room.ask("Ada", cmd.Say, text="one")
        whisper(room, "two")
        room.ask("Bob", cmd.Say, text="three")
        room.ask("Ada", cmd.Resign, seat=0)
        assert [line.text for line in room.room.chat] == ["one", "two", "three"]

    def test_talk_to_all_when_nobody_plays(self) -> None:
        room = HostedRoom()
        room.enter("Cleo", watch=True)
        assert whisper(room) == (ev.Said("Cleo", "psst", room.now_ms),)

    def test_only_they_do(self) -> None:
        room = playing()
        assert room.refused("Ada", cmd.Say, text="psst", to=ChatTo.SPECTATORS) == "not_a_spectator"

    def test_also_not_who_has_given_up_or_left_the_game(self) -> None:
        room = playing(spectators=["Cleo"])
        whisper(room)
        room.ask("Bob", cmd.Leave)
        room.enter("Bob")
        assert room.room.audience("Bob") is Audience.PLAYER
        assert snapshot(room.room, room.room.audience("Bob")).unrevealed == ()

    def test_everybody_agrees_about_the_last_lines_however_many_there_were(self) -> None:
        room = playing(spectators=["Cleo"])
        mirrors = {audience: Mirror(snapshot(room.room, audience)) for audience in Audience}
        for number in range(CHAT_TAIL + 20):
            whisper(room, f"psst {number}")
            room.ask("Ada", cmd.Say, text=f"hm {number}")
        room.ask("Ada", cmd.Resign, seat=0)
        for audience, mirror in mirrors.items():
            for entry in room.log:
                if entry.seq > mirror.room.seq:
                    mirror.follow(entry, audience)
            assert mirror.equals(room.room, audience)
        assert len(room.room.chat) == CHAT_TAIL
        assert room.room.chat[-1].text == f"hm {CHAT_TAIL + 19}"
        assert room.room.chat[-2].text == f"psst {CHAT_TAIL + 19}"


class TestPrivateMessages:
    def test_are_for_two_members_and_no_audience(self) -> None:
        room = three_people()
        (told,) = room.ask("Ada", cmd.Tell, to="bob", text=" psst\n")
        assert told == ev.Told("Ada", "Bob", "psst", room.now_ms, persons=("", "b1"))
        assert not is_same_for_all(room.log[-1])
        for audience in Audience:
            assert view(told, audience) == ev.Hidden()
            readers = [
                name
                for name, member in room.room.members.items()
                if view_of_member(told, audience, member) is told
            ]
            assert readers == ["Ada", "Bob"]
            assert view_of_member(told, audience, None) == ev.Hidden()

    def test_stand_in_the_snapshots_of_the_two(self) -> None:
        room = three_people()
        room.ask("Bob", cmd.Tell, to="Ada", text="psst")
        private = {name: seen_by(room, name) for name in room.room.members}
        assert private == {"Ada": ["psst"], "Bob": ["psst"], "Cleo": []}

    def test_are_not_for_the_next_owner_of_a_name(self) -> None:
        room = three_people()
        room.ask("Ada", cmd.Tell, to="Bob", text="psst")
        assert names(room.enter("Bob", person="b2")) == "returned"
        assert seen_by(room, "Bob") == []
        room.ask("Ada", cmd.Tell, to="Bob", text="who are you?")
        assert seen_by(room, "Bob") == ["who are you?"]
        room.enter("Bob", person="b1")
        assert seen_by(room, "Bob") == ["psst"]

    def test_are_there_again_for_a_spectator_who_comes_back(self) -> None:
        room = three_people()
        room.ask("Ada", cmd.Tell, to="Cleo", text="psst")
        assert names(room.drop("Cleo")) == "left"
        assert names(room.enter("Cleo", person="c1", watch=True)) == "joined"
        assert seen_by(room, "Cleo") == ["psst"]

    def test_name_who_speaks_of_several_people_at_a_keyboard(self) -> None:
        room = two_at_a_keyboard()
        room.enter("Cleo", watch=True)
        (told,) = room.ask("Ada", cmd.Tell, to="Cleo", text="hi")
        assert isinstance(told, ev.Told)
        assert told.speaker == "Ada, Bea"

    @each(
        "to, text, code",
        [
            ("Zoe", "hi", "no_such_member"),
            ("Bob", "hi", "no_such_member"),
            ("ada", "hi", "yourself"),
            ("Cleo", " ", "empty_text"),
            ("Cleo", "x" * (LIMITS.chat_chars + 1), "too_long"),
        ],
    )
    def test_are_refused(self, to: str, text: str, code: str) -> None:
        room = three_people()
        room.drop("Bob")
        assert room.refused("Ada", cmd.Tell, to=to, text=text) == code


def test_a_reaction_is_for_all_and_in_no_chat() -> None:
    room = playing(spectators=["Cleo"])
    before = room.room
    reacted = room.ask("Cleo", cmd.React, reaction=Reaction.NICE)
    assert reacted == (ev.Reacted("Cleo", Reaction.NICE),)
    assert is_same_for_all(room.log[-1])
    assert room.room == replace(before, seq=before.seq + 1)


class TestAway:
    def test_it_is_noted_beside_the_name_until_the_next_command(self) -> None:
        room = playing(spectators=["Cleo"])
        assert room.ask("Ada", cmd.GoAway, text=" the\tdoor ") == (ev.WentAway("Ada", "the door"),)
        assert room.room.members["Ada"].away == "the door"
        assert room.ask("Ada", cmd.GoAway) == (ev.WentAway("Ada"),)
        assert room.room.members["Ada"].away == ""
        back, _ = room.plays("Ada", "h0")
        assert back == ev.CameBack("Ada")
        assert room.room.members["Ada"].away is None

    def test_a_refused_command_does_not_end_it(self) -> None:
        room = playing()
        room.ask("Bob", cmd.GoAway)
        assert room.refused("Bob", cmd.Say, text=" ") == "empty_text"
        assert room.room.members["Bob"].away == ""

    def test_one_can_just_be_back(self) -> None:
        room = playing()
        room.ask("Ada", cmd.GoAway)
        assert room.ask("Ada", cmd.GoAway, text=None) == (ev.CameBack("Ada"),)
        assert room.refused("Ada", cmd.GoAway, text=None) == "no_change"

    def test_the_reason_is_short(self) -> None:
        room = playing(limits=RoomLimits(bots=LIMITS.bots))
        assert room.refused("Ada", cmd.GoAway, text="x" * 61) == "too_long"
        room.ask("Ada", cmd.GoAway, text="x" * 60)

    def test_it_ends_with_the_connection_and_by_another_one(self) -> None:
        room = playing()
        for ends in (room.drop, room.enter):
            room.enter("Ada")
            room.ask("Ada", cmd.GoAway)
            ends("Ada")
            assert room.room.members["Ada"].away is None

    def test_it_changes_no_vote_and_no_request(self) -> None:
        room = playing()
        room.plays("Ada", "h0")
        room.ask("Ada", cmd.Undo, ply=1)
        room.ask("Bob", cmd.GoAway)
        assert room.room.undo is not None
        assert "Bob" in room.room.deciding
        room.ask("Bob", cmd.AnswerUndo, ply=1, agree=True)
        assert room.room.members["Bob"].away is None


def three_people() -> HostedRoom:
    """Ada and Bob in seats, and Cleo who watches."""
    room = HostedRoom()
    room.enter("Bob", person="b1")
    room.enter("Cleo", person="c1", watch=True)
    return room


def seen_by(room: HostedRoom, name: str) -> list[str]:
    """Return the private messages in the snapshot for a member."""
    member = room.room.members[name]
    return [line.text for line in snapshot(room.room, room.room.audience(name), member).private]


def test_everything_else_is_for_everybody() -> None:
    room = playing(spectators=["Cleo"])
    whisper(room)
    room.ask("Ada", cmd.Resign, seat=0)
    for entry in room.log:
        for event in entry.events:
            if not isinstance(event, ev.Said):
                assert all(view(event, audience) is event for audience in Audience)


class TestAMutedMember:
    def test_plays_on_and_says_nothing(self) -> None:
        room = playing(spectators=["Cleo"])
        assert room.ask("Ada", cmd.Mute, member="BOB") == (ev.Muted("Bob"),)
        assert room.refused("Bob", cmd.Say, text="spam") == "muted"
        assert room.refused("Bob", cmd.Say, text="spams", action=True) == "muted"
        assert room.refused("Bob", cmd.Tell, to="Ada", text="spam") == "muted"
        assert room.refused("Bob", cmd.React, reaction=Reaction.WOW) == "muted"
        room.plays("Ada", "h0")
        assert names(room.plays("Bob", "h1")) == "played"

    def test_talks_again(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.ask("Ada", cmd.Mute, member="Bob")
        assert room.ask("Ada", cmd.Unmute, member="bob") == (ev.Unmuted("Bob"),)
        assert names(room.ask("Bob", cmd.Say, text="sorry")) == "said"

    def test_is_muted_also_after_coming_back(self) -> None:
        room = HostedRoom()
        room.enter("Cleo", watch=True)
        room.ask("Ada", cmd.Mute, member="Cleo")
        room.ask("Cleo", cmd.Leave)
        room.enter("Cleo", watch=True)
        assert room.refused("Cleo", cmd.Say, text="spam") == "muted"

    def test_who_has_become_the_host_may_talk_again(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.ask("Ada", cmd.Mute, member="Bob")
        room.ask("Ada", cmd.Leave)
        assert room.room.host == "Bob"
        assert room.ask("Bob", cmd.Unmute, member="Bob") == (ev.Unmuted("Bob"),)

    def test_other_names_are_refused(self) -> None:
        room = HostedRoom(others=["Bob"])
        room.ask("Ada", cmd.Mute, member="Bob")
        assert room.refused("Ada", cmd.Mute, member="Bob") == "no_change"
        assert room.refused("Ada", cmd.Mute, member="Ada") == "yourself"
        assert room.refused("Ada", cmd.Mute, member="Zoe") == "no_such_member"
        assert room.refused("Ada", cmd.Unmute, member="Ada") == "no_such_member"
