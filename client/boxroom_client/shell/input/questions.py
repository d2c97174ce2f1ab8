"""Questions before an intent is executed that can't be undone, or that the room leads to.

A question stands where the prompt is, and the next line answers it: `y` or `yes` is a yes, in
German also `j` or `ja`; an empty line, `n` or `no` is a no. Any other line means what it always
means. It drops the question, and the person is told so. A question also goes when the room has gone
on to what it isn't about. Who answers after that has meant it, and nothing else: the answer is
dropped, too. Where a room needs a password, the next line is that; an empty one is a no. The full
screen and line mode share all of this.
"""

from collections.abc import Callable
from dataclasses import dataclass

from boxroom_client.shell.input.arguments import UNSENT, Context
from boxroom_client.shell.input.commands import parse
from boxroom_client.shell.input.intents import GoToRoom, Intent, PlayMove, Quit, SendCommand
from boxroom_client.shell.turns import PROMPT_END
from boxroom_common.phrases import say
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.room.text import clean, same_name


@dataclass(frozen=True, slots=True)
class Question:
    """A question to be answered with yes before `intent` is executed."""

    text: str
    intent: Intent
    position: object
    """Identifies the game or the position that it is about; in another one it isn't asked."""

    @property
    def prompt(self) -> str:
        """The prompt of the line in which it is answered."""
        return f"{self.text}{choice()}"


@dataclass(frozen=True, slots=True)
class PasswordQuestion:
    """The question for the password of a private room, to which the person wants to go."""

    room: str

    @property
    def text(self) -> str:
        """The question."""
        return say("terminal.line.password")

    @property
    def prompt(self) -> str:
        """The prompt of the line in which the password is typed."""
        return f"{self.text}{PROMPT_END}"


def choice() -> str:
    """Return what stands between a question and its answer.

    The capital letter is what Enter alone means.
    """
    return f" {say('terminal.ask.choice')} > "


def answer_in(line: str) -> bool | None:
    """Return whether `line` is a yes or a no; None if it is no answer."""
    word = clean(line).lower()
    if word in say("terminal.ask.yes").split():
        return True
    return False if word in ("", *say("terminal.ask.no").split()) else None


class Confirmation:
    """Passes intents on, those that can't be undone only after a yes.

    `tell` shows a sentence to the person; `confirms_moves` tells whether moves need a yes, too. A
    spectator is asked once whether to play in the next game, but not if `watching` by choice.
    """

    def __init__(
        self,
        tell: Callable[[str], None],
        confirms_moves: Callable[[], bool] = lambda: False,
        *,
        watching: bool = False,
    ) -> None:
        self.question: Question | PasswordQuestion | None = None
        """The question that waits for its answer."""
        # The last question, if it has gone without an answer, and no line has come since.
        self._gone: Question | None = None
        self._has_invited = watching  # whether a spectator needn't be asked to play (any more)
        self._tell = tell
        self._confirms_moves = confirms_moves

    @property
    def is_secret(self) -> bool:
        """True if the next line is a password, which isn't shown."""
        return isinstance(self.question, PasswordQuestion)

    def ask_password(self, room: str) -> None:
        """Take the next line for the password of `room`."""
        self.question = PasswordQuestion(room)

    def is_answer(self, line: str) -> bool:
        """Whether `line` answers the question."""
        return self.is_secret or (self.question is not None and answer_in(line) is not None)

    def read(self, line: str, context: Context) -> Intent | None:
        """Return the intent to execute now that `line` was typed; None if there is none."""
        self._let_go(context.room)
        gone, self._gone = self._gone, None
        if self.question is None and gone is not None and line.strip():
            answer = answer_in(line)
            if answer:
                self._tell(f"{gone.text} {say('terminal.ask.gone')}")
            if answer is not None:
                return None
        if self.question is None or not self.is_answer(line):
            return self.check(parse(line, context), context)
        question, self.question = self.question, None
        if isinstance(question, PasswordQuestion):
            return GoToRoom(question.room, line) if line else None
        return question.intent if answer_in(line) else None

    def follow(self, room: Room, me: str, *, is_busy: bool = False) -> None:
        """Let a question go that `room` has left behind, and ask the one that it leads to.

        That waits while the person `is_busy`, with another question or a line.
        """
        self._let_go(room)
        if self._has_invited or is_busy or self.question is not None or self._gone is not None:
            return
        if me in room.joining_next():
            self._has_invited = True
        elif room.phase is Phase.PLAYING and room.can_vote(me):
            intent = SendCommand(cmd.Rematch(UNSENT))
            text = say("join_next_really")
            self.question = Question(text, intent, _position(intent, room))
            self._has_invited = True

    def _let_go(self, room: Room) -> None:
        question = self.question
        if not isinstance(question, Question):
            return
        if question.position != _position(question.intent, room):
            self.question, self._gone = None, question

    def check(self, intent: Intent, context: Context) -> Intent | None:
        """Return `intent` if it can be executed now; else ask, and return None."""
        if isinstance(self.question, Question) and self.question.intent != intent:
            self._tell(f"{self.question.text} {say('terminal.ask.no_answer')}")
            self._gone = self.question
        self.question = None
        text = self._text(intent, context.room, context.me)
        if text is None:
            return intent
        self.question = Question(text, intent, _position(intent, context.room))
        return None

    def drop(self) -> None:
        """Take a no for the answer."""
        self.question = None

    def _text(self, intent: Intent, room: Room, me: str) -> str | None:
        """Return the question before `intent`; None if there is none."""
        is_playing = room.phase is Phase.PLAYING and room.is_player(me)
        match intent:
            case Quit() | GoToRoom(password=None) if is_playing:
                return say("leave_game")
            case Quit():
                return say("terminal.ask.leave")
            case SendCommand(command=cmd.Resign(seat=seat)) if room.phase is Phase.PLAYING:
                if len(room.seats_of(me)) == 1:
                    return say("terminal.ask.resign")
                return say("terminal.ask.resign_for", name=room.players[seat])
            case SendCommand(command=cmd.Kick(member=member)) if room.host == me:
                known = (name for name in room.members if same_name(name, member))
                name = next(known, None)
                return None if name in (None, me) else say("terminal.ask.kick", name=name)
            case PlayMove() if self._confirms_moves():
                return say("terminal.ask.play", move=intent.text)
            case _:
                return None


def _position(intent: Intent, room: Room) -> object:
    """Return what a question before `intent` is about."""
    match intent:
        case PlayMove():
            return room.game_number, room.history
        case SendCommand(command=cmd.Resign()):
            return room.game_number, room.phase
        case SendCommand(command=cmd.Rematch()):
            return room.game_number
        case _:
            return None
