"""What a robot has answered, and which rule it broke.

A robot is somebody else's function, so its answer may be anything. Whoever wrote it is told the
position, the answer and the rule, which is what one needs to find the mistake.
"""

from boxroom_engine.games.dots import Position
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.robots.board import broken_rule
from boxroom_engine.robots.geometry import board_of, move_of

_MOST_CHARS = 200


class RobotMistake(Exception):
    """A robot has made a mistake; the sentence is for its author.

    Attributes:
        position: as the robot was shown it, as text.
    """

    def __init__(self, position: str, mistake: str) -> None:
        self.position = position
        super().__init__(f"in {position} the robot {mistake}")


class RobotRaised(RobotMistake):
    """A robot has raised an exception, and `what` says which and where."""

    def __init__(self, position: str, what: str) -> None:
        super().__init__(position, f"raised {what}")


class BadAnswer(RobotMistake):
    """A robot has answered what can't be played.

    Attributes:
        answer: what it answered, as text, cut if it is long.
        rule: the rule that it broke, a sentence.
    """

    def __init__(self, position: str, answer: object, rule: str) -> None:
        self.answer = _shown(answer)
        self.rule = rule
        super().__init__(position, f"answered {self.answer}: {rule}")


def check_turn(position: Position, answer: object) -> tuple[Move, ...]:
    """The moves of the turn that a classic robot has answered in a game that isn't over, in order.

    Raises:
        BadAnswer: it isn't the list of all lines of one turn.
        OptionError: there is no board for a classic robot in this game.
    """
    board = board_of(position)
    if not isinstance(answer, list):
        kind = _kind_of(answer)
        raise BadAnswer(repr(board), answer, f"a turn is a list of lines, and that is {kind}")
    broken = broken_rule(board, answer)
    if broken is not None:
        raise BadAnswer(repr(board), answer, broken)
    return tuple(move_of(position.game.grid, line) for line in answer)


def check_move(state: State, answer: object) -> Move:
    """The move that a modern robot has answered in a game that isn't over.

    It may be its number, or what people type for it.

    Raises:
        BadAnswer: it is no move, or can't be played now.
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
