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


def under_way() -> HostedRoom:
    room = HostedRoom(small(2, 2), others=["Bob"])
    room.ask("Ada", cmd.Start)
    return room


class Asked:
    """Ada's questions in a room, and what she is told."""

    def __init__(self, room: HostedRoom | None = None, *, confirms_moves: bool = False) -> None:
        self.room = room or under_way()
        self.told: list[str] = []
        self.confirmation = Confirmation(self.told.append, lambda: confirms_moves)

    def type(self, line: str) -> Intent | None:
        return self.confirmation.read(line, Context(self.room.room, "Ada", ("greedy",)))

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
    assert ada.told == ["Give the game up? The game has gone on since, so nothing is done."]


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
