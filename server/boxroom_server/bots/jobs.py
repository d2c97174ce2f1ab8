"""Jobs of bot processes: a bot chooses a move, or a game is reviewed, or a position judged."""

import operator
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from boxroom_common.kernel.use import is_missing
from boxroom_engine.bots.levels import title_of
from boxroom_engine.bots.registry import SOLVING_BOTS, bot_of
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.abilities import Judge
from boxroom_engine.games.protocol import Game, Move, Seat, State
from boxroom_engine.games.record import Record
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.review.coaching import CoachWords, coached_game, remark
from boxroom_engine.review.position import JudgedPosition, judged_position
from boxroom_engine.review.review import Review, Reviewing
from boxroom_engine.room.limits import bot_kind
from boxroom_engine.stopping import Limit, StopToken

_REVIEW_TABLE_BYTES = 64 << 20
"""Memory, about, for what a review learns about positions; it is given back at the end."""

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class BotFailed(BoxroomError):
    """A job has no result, for the reason in the message; its process can be asked again."""


class Job(Protocol[Result_co]):
    """Work for a bot process; both the job and its result can be pickled."""

    @property
    def kind(self) -> str:
        """Kind of work, for metrics: the kind of a bot, `review` or `judge`."""

    def __call__(self, limit_s: float) -> Result_co:
        """Do the work in about `limit_s` seconds."""


class BotAnswer(NamedTuple):
    """A bot's move, and its remark for the table if it has one."""

    move: Move
    remark: Phrase | None = None


Choose = Callable[[str, State, float, int], BotAnswer]
"""Function that chooses: name of a bot, state, limit in seconds and seed to an answer."""


def choose_move(bot: str, state: State, limit_s: float, seed: int) -> BotAnswer:
    """Return the move of the bot called `bot`, and its last remark."""
    remarks: list[Phrase] = []
    if state.game.kind.uses_kernel and bot_kind(bot) in SOLVING_BOTS and is_missing():
        remarks.append(phrase("remark.slow", bot=title_of(bot_kind(bot))))
    limit = Limit(limit_s, time.monotonic, remarks.append)
    move = bot_of(bot).choose(state, limit, random.Random(seed))
    return BotAnswer(move, remarks[-1] if remarks else None)


@dataclass(frozen=True, slots=True)
class ChooseMove:
    """The job of `bot` to choose a move in `state`; the move needn't be legal."""

    choose: Choose
    bot: str
    state: State
    seed: int

    @property
    def kind(self) -> str:
        return bot_kind(self.bot)

    def __call__(self, limit_s: float) -> BotAnswer:
        """Return the bot's answer.

        Anything but a whole number might fail to be pickled.
        """
        move, remark = self.choose(self.bot, self.state, limit_s, self.seed)
        return BotAnswer(Move(operator.index(move)), remark)


@dataclass(frozen=True, slots=True)
class ReviewGame:
    """The job to review a game that can be reviewed, from its end, as far as the time allows."""

    record: str
    kind: str = "review"

    def __call__(self, limit_s: float) -> Review:
        """Return the review."""
        return _review(self.record, limit_s)[0].result()


@dataclass(frozen=True, slots=True)
class JudgePosition:
    """The job to judge a position of a game that can be reviewed, and a legal move or None.

    With `all_moves` it judges each legal move in the time that is left.
    """

    position: State
    ply: int
    move: Move | None
    all_moves: bool = False
    kind: str = "judge"

    def __call__(self, limit_s: float) -> JudgedPosition | None:
        """Return the judgement; None if the time is too short for one."""
        judge = _judge_of(self.position.game, limit_s)
        return judged_position(self.position, self.ply, self.move, judge, all_moves=self.all_moves)


@dataclass(frozen=True, slots=True)
class CoachMove:
    """The job to say that a legal move, made after `ply` others, changed who wins."""

    position: State
    ply: int
    move: Move
    kind: str = "judge"

    def __call__(self, limit_s: float) -> CoachWords | None:
        """Return the words; None if it didn't, or the time is too short to know."""
        judged = JudgePosition(self.position, self.ply, self.move)(limit_s)
        return None if judged is None else remark(self.position, judged)


@dataclass(frozen=True, slots=True)
class SumUpGame:
    """The job to say what went well for a seat of a finished game, and what to practise."""

    record: str
    seat: Seat
    kind: str = "review"

    def __call__(self, limit_s: float) -> CoachWords:
        """Return the words, about as much of the game as the time allows."""
        reviewing, judge = _review(self.record, limit_s)
        return coached_game(reviewing, self.seat, judge)


def _review(record_text: str, limit_s: float) -> tuple[Reviewing, Judge]:
    """Review a game from its end; return the review with its judge, who still knows the game."""
    record = Record.parse(record_text)
    judge = _judge_of(record.game, limit_s)
    reviewing = Reviewing(tuple(record.positions()), judge, record.opening)
    for _ in reviewing.findings():
        pass
    return reviewing, judge


def _judge_of(game: Game, limit_s: float) -> Judge:
    """Return a judge that stops `limit_s` from now."""
    until_s = time.monotonic() + limit_s
    make_judge = game.kind.abilities.judge
    assert make_judge is not None, "else it can't be reviewed"
    stop = StopToken(lambda: until_s - time.monotonic())
    return make_judge(game, limit_s, stop, time.monotonic, _REVIEW_TABLE_BYTES)
