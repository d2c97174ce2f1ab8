"""Questions: only a yes is a yes, and no line loses its meaning because a question is open."""

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.client.fake_connection import small
from tests.engine.room.hosting import HostedRoom

from boxroom_client.shell.input.arguments import UNSENT, Context
from boxroom_client.shell.input.commands import COMMANDS, parse
from boxroom_client.shell.input.intents import Intent, Nothing, PlayMove, Quit, SendCommand
from boxroom_client.shell.input.questions import Confirmation
from boxroom_engine.room import commands as cmd

RESIGN = SendCommand(cmd.Resign(UNSENT, 0))
GONE = "This isn't asked any more, so nothing is done."


def under_way() -> HostedRoom:
    room = HostedRoom(small(2, 2), others=["Bob"])
    room.ask("Ada", cmd.Start)
    return room


class Asked:
    """Ada's questions in a room, and what she is told."""

    def __init__(
        self,
        room: HostedRoom | None = None,
        *,
        confirms_moves: bool = False,
        me: str = "Ada",
        watching: bool = False,
    ) -> None:
        self.room = room or under_way()
        self.me = me
        self.told: list[str] = []
        self.confirmation = Confirmation(
            self.told.append, lambda: confirms_moves, watching=watching
        )

    def type(self, line: str) -> Intent | None:
        return self.confirmation.read(line, Context(self.room.room, self.me, ("greedy",)))

    def follow(self, *, is_busy: bool = False) -> None:
        self.confirmation.follow(self.room.room, self.me, is_busy=is_busy)

    @property
    def prompt(self) -> str | None:
        question = self.confirmation.question
        return None if question is None else question.prompt


@each("yes", ["y", "Y", "yes", "YES", " yes "])
def test_only_a_yes_is_a_yes(yes: str) -> None:
    ada = Asked()
    assert ada.type("/resign") is None
    assert ada.prompt == "Give the game up? y/N > "
    assert ada.type(yes) == RESIGN
    assert ada.prompt is None
    assert ada.told == []


@each("no", ["", " ", "n", "N", "no", "NO"])
def test_enter_alone_is_a_no(no: str) -> None:
    ada = Asked()
    ada.type("/resign")
    assert ada.type(no) is None
    assert ada.prompt is None
    assert ada.type(no) == parse(no, Context(ada.room.room, "Ada"))


LINES = st.one_of(
    st.text(),
    st.sampled_from(["h0", "h 3", "hello", "no way", "yes!", "ye", "yy", "nn", "/hint", "/bot x"]),
    st.sampled_from([command.example for command in COMMANDS]),
)


@given(first=st.sampled_from(["/resign", "/quit", "/kick Bob"]), line=LINES)
def test_any_other_line_means_what_it_always_means(first: str, line: str) -> None:
    asked, unasked = Asked(), Asked()
    assert asked.type(first) is None
    if asked.confirmation.is_answer(line):
        return
    assert asked.type(line) == unasked.type(line)
    assert asked.prompt == unasked.prompt
    is_repeated = asked.prompt is not None and line.strip().lower() == first.lower()
    assert len(asked.told) == 0 if is_repeated else 1


def test_the_dropped_question_is_told() -> None:
    ada = Asked()
    ada.type("/resign")
    assert isinstance(ada.type("hello"), SendCommand)
    assert ada.told == ["Give the game up? There was no answer, so nothing is done."]


@each("answer", ["y", "no", "YES"])
def test_a_late_answer_is_dropped_and_only_that(answer: str) -> None:
    ada = Asked()
    ada.type("/resign")
    ada.type("hello")
    ada.told.clear()
    assert ada.type(answer) is None
    is_yes = answer.lower().startswith("y")
    assert ada.told == (["Give the game up? " + GONE] if is_yes else [])
    assert ada.type(answer) == SendCommand(cmd.Say(UNSENT, answer))


def test_what_comes_after_a_question_is_a_line_as_usual() -> None:
    ada = Asked()
    ada.type("/resign")
    ada.type("hello")
    ada.type("world")
    assert ada.type("y") == SendCommand(cmd.Say(UNSENT, "y"))


def test_one_question_replaces_another() -> None:
    ada = Asked()
    ada.type("/resign")
    assert ada.type("/quit") is None
    assert ada.prompt == "Leave the game that is on? y/N > "
    assert ada.type("y") == Quit()


def test_a_yes_is_void_when_another_game_has_begun() -> None:
    ada = Asked()
    ada.type("/resign")
    ada.room.ask("Bob", cmd.Resign, seat=1)
    ada.room.ask("Ada", cmd.Rematch)
    ada.room.ask("Bob", cmd.Rematch)
    assert ada.type("y") is None
    assert ada.told == ["Give the game up? " + GONE]


def test_a_question_goes_when_the_game_is_over() -> None:
    ada = Asked()
    ada.type("/resign")
    ada.follow()
    assert ada.prompt == "Give the game up? y/N > "
    ada.room.ask("Bob", cmd.Resign, seat=1)
    ada.follow()
    assert ada.prompt is None
    assert ada.type("y") is None
    assert ada.told == ["Give the game up? " + GONE]


def test_a_yes_to_a_move_is_void_in_another_position() -> None:
    ada = Asked(confirms_moves=True)
    ada.type("h0")
    assert ada.prompt == "Play h0? y/N > "
    ada.room.plays("Ada", "h1")
    assert ada.type("y") is None
    assert ada.type("v0") is None
    assert ada.type("y") == PlayMove("v0")


def test_who_plays_for_two_is_asked_about_one_of_them() -> None:
    room = HostedRoom(small(2, 2))
    room.ask("Ada", cmd.Sit, name="Cleo")
    room.ask("Ada", cmd.Start)
    ada = Asked(room)
    ada.type("/resign cleo")
    assert ada.prompt == "Give the game up for Cleo? y/N > "


def test_a_kick_is_asked_about_by_the_name_of_the_member() -> None:
    ada = Asked()
    ada.type("/kick bOB")
    assert ada.prompt == "Send Bob out? y/N > "
    assert ada.type("y") == SendCommand(cmd.Kick(UNSENT, "bOB"))


@each("line", ["/kick Zoe", "/kick Ada", "/hint", "h0", "", "/rematch"])
def test_what_can_be_undone_or_will_be_refused_isnt_asked_about(line: str) -> None:
    ada = Asked()
    assert ada.type(line) == parse(line, Context(ada.room.room, "Ada", ("greedy",)))
    assert ada.prompt is None


def test_leaving_is_asked_about_between_games_as_well() -> None:
    ada = Asked(HostedRoom(small(2, 2)))
    ada.type("/quit")
    assert ada.prompt == "Leave the room? y/N > "


def test_an_empty_line_without_a_question_is_nothing() -> None:
    assert Asked().type("") == Nothing()


INVITATION = "Do you want to play in the next game? y/N > "
JOIN_NEXT = SendCommand(cmd.Rematch(UNSENT))


def with_a_free_place() -> HostedRoom:
    """Return a room with a game, in which Bob has left his seat, and Cleo watches."""
    room = under_way()
    room.ask("Bob", cmd.Leave)
    room.enter("Cleo")
    return room


def test_who_comes_during_a_game_is_asked_once_for_the_next_one() -> None:
    cleo = Asked(with_a_free_place(), me="Cleo")
    cleo.follow()
    assert cleo.prompt == INVITATION
    assert cleo.type("y") == JOIN_NEXT
    cleo.room.ask("Cleo", cmd.Rematch)
    cleo.room.ask("Cleo", cmd.Stand)
    cleo.follow()
    assert cleo.prompt is None
    assert cleo.told == []


def test_a_no_isnt_asked_again() -> None:
    cleo = Asked(with_a_free_place(), me="Cleo")
    cleo.follow()
    assert cleo.type("") is None
    cleo.follow()
    assert cleo.prompt is None


def test_who_has_left_the_table_is_asked_in_the_next_game() -> None:
    room = HostedRoom(small(2, 2, seat_range=(2, 4)), others=["Bob", "Cleo"])
    room.ask("Cleo", cmd.Stand)
    cleo = Asked(room, me="Cleo")
    cleo.follow()
    assert cleo.prompt is None
    room.ask("Ada", cmd.Start)
    cleo.follow()
    assert cleo.prompt == INVITATION


def test_it_is_asked_when_a_place_becomes_free() -> None:
    room = under_way()
    room.enter("Cleo")
    cleo = Asked(room, me="Cleo")
    cleo.follow()
    assert cleo.prompt is None
    room.ask("Bob", cmd.Leave)
    cleo.follow(is_busy=True)
    assert cleo.prompt is None
    cleo.follow()
    assert cleo.prompt == INVITATION


def test_it_isnt_asked_over_another_question_nor_before_a_late_answer() -> None:
    cleo = Asked(with_a_free_place(), me="Cleo")
    cleo.type("/quit")
    cleo.follow()
    assert cleo.prompt == "Leave the room? y/N > "
    cleo.type("hello")
    cleo.follow()
    assert cleo.prompt is None
    assert cleo.type("y") is None
    cleo.follow()
    assert cleo.prompt == INVITATION


def test_the_next_game_ends_the_question() -> None:
    cleo = Asked(with_a_free_place(), me="Cleo")
    cleo.follow()
    cleo.room.ask("Ada", cmd.Resign, seat=0)
    cleo.follow()
    assert cleo.prompt == INVITATION
    cleo.room.enter("Bob")
    cleo.room.ask("Ada", cmd.Rematch)
    cleo.room.ask("Bob", cmd.Rematch)
    cleo.follow()
    assert cleo.prompt is None


def test_players_and_people_who_came_to_watch_arent_asked() -> None:
    room = with_a_free_place()
    for asked in (Asked(room), Asked(room, me="Cleo", watching=True)):
        asked.follow()
        assert asked.prompt is None


def test_who_has_a_seat_in_the_next_game_isnt_asked() -> None:
    room = HostedRoom(small(2, 2, seat_range=(2, 4)), others=["Bob"])
    room.ask("Ada", cmd.Start)
    room.enter("Cleo")  # and thereby has one
    cleo = Asked(room, me="Cleo")
    cleo.follow()
    room.ask("Cleo", cmd.Stand)
    cleo.follow()
    assert cleo.prompt is None
