"""Checks of a robot's answer, and errors that name the rule that it broke.

A robot is foreign code, so its answer may be anything. The error gives its author the position,
the answer and the rule.
"""

from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.dots import Position
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.robots.board import broken_rule
from boxroom_engine.robots.geometry import board_of, move_of

_MOST_CHARS = 200


class RobotMistake(BoxroomError):
    """A mistake of a robot; the message is for its author.

    Attributes:
        position: the position that the robot got, as text.
    """

    def __init__(self, position: str, mistake: str) -> None:
        self.position = position
        super().__init__(f"in {position} the robot {mistake}")


class RobotRaised(RobotMistake):
    """An exception that a robot raised; `what` describes it and its place."""

    def __init__(self, position: str, what: str) -> None:
        super().__init__(position, f"raised {what}")


class BadAnswer(RobotMistake):
    """An answer of a robot that isn't a legal move or turn.

    Attributes:
        answer: the answer as text, cut if it is long.
        rule: the rule that it broke, a sentence.
    """

    def __init__(self, position: str, answer: object, rule: str) -> None:
        self.answer = _shown(answer)
        self.rule = rule
        super().__init__(position, f"answered {self.answer}: {rule}")


def check_turn(state: State, answer: object) -> tuple[Move, ...]:
    """Return the moves of a classic robot's turn, in order; the game mustn't be over.

    Raises:
        BadAnswer: `answer` isn't the list of all lines of one turn.
        OptionError: a classic robot can't play this game.
    """
    board = board_of(state)
    if not isinstance(answer, list):
        kind = _kind_of(answer)
        raise BadAnswer(repr(board), answer, f"a turn is a list of lines, and that is {kind}")
    broken = broken_rule(board, answer)
    if broken is not None:
        raise BadAnswer(repr(board), answer, broken)
    assert isinstance(state, Position)  # else it has no board
    return tuple(move_of(state.game.grid, line) for line in answer)


def check_move(state: State, answer: object) -> Move:
    """Return the move of a modern robot, given as its number or its text; the game mustn't be over.

    Raises:
        BadAnswer: `answer` is no move, or no legal one.
    """
    position = state.game.format_position(state)
    match answer:
        case bool():
            pass  # a number in Python, but no move
        case int() | str():
            try:
                move = state.game.parse_move(answer) if isinstance(answer, str) else Move(answer)
                state.play(move)
            except MoveError as error:
                raise BadAnswer(position, answer, str(error)) from None
            return move
        case _:
            pass
    rule = f"a move is a number or a text such as {_example(state)!r}, and that is "
    raise BadAnswer(position, answer, rule + _kind_of(answer))


def _example(state: State) -> str:
    return state.game.format_move(state.legal_moves()[0])


def _kind_of(answer: object) -> str:
    return "None, as of a function without return" if answer is None else type(answer).__name__


def _shown(answer: object) -> str:
    try:
        text = repr(answer)
    except Exception as error:  # it is the robot's own class
        text = f"something whose repr raises {type(error).__name__}"
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1]}…"
