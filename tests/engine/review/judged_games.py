"""Games with a judgement of each of their positions."""

from collections.abc import Sequence

from boxroom_engine.games.protocol import State
from boxroom_engine.review.judging import JudgedGame, JudgePosition, judgement_of


def judged(positions: Sequence[State], judge: JudgePosition) -> JudgedGame:
    """Return the game that went through `positions`; the judge is asked from its end on."""
    backwards = [judgement_of(position, judge) for position in reversed(positions)]
    return JudgedGame(tuple(positions), tuple(reversed(backwards)))
