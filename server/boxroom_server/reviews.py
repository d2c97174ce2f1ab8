"""Reviews of finished games, and judgements of single positions, for people who ask.

A review names the moves that cost boxes, and better ones; a judgement the best moves of a position,
and what another one would cost.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from boxroom_common.phrases import in_english
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.games.record import Record
from boxroom_engine.phrases import phrase
from boxroom_engine.review.review import obstacle_to_review
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.wire.messages import (
    AskJudgement,
    GameRecord,
    GameReview,
    GetGame,
    GetReview,
    PositionJudgement,
)
from boxroom_server.bots.jobs import Job, JudgePosition, Result, ReviewGame
from boxroom_server.bots.pool import BotPool
from boxroom_server.computing import ComputingThread
from boxroom_server.people.finished_games import FinishedGames

logger = logging.getLogger(__name__)

MOST_PENDING = 10
"""Reviews and judgements that one client may wait for at a time, from all its connections."""


class Reviews:
    """Answers requests for reviews; bot processes compute them, in the client's fair share."""

    def __init__(
        self, bots: BotPool, finished_games: FinishedGames, computing_thread: ComputingThread
    ) -> None:
        self._bots = bots
        self._finished_games = finished_games
        self._computing_thread = computing_thread
        self._pending: Counter[str] = Counter()  # by client

    async def review(
        self, request: GetReview, name: str, client: str, room: Room | None
    ) -> GameReview:
        """Return the answer to `request` of the owner of `name`, who is in `room`, or refuse."""
        with self._waiting(client):
            game, record = await self._reviewable(request, name, room)
            review = await self._work(client, ReviewGame(record))
        fields = msgspec.structs.asdict(review)
        return GameReview(**fields, id=request.id, words=_words(game))

    async def judge(
        self, request: AskJudgement, name: str, client: str, room: Room | None
    ) -> PositionJudgement:
        """Return the answer to `request` of the owner of `name`, who is in `room`, or refuse.

        The game in `room` may be running; the caller has checked that they may ask there.
        """
        with self._waiting(client):
            game, record = await self._reviewable(request, name, room)
            position, move = await self._computing_thread.run(_named, request, record)
            job = JudgePosition(position, request.ply, move, request.all_moves)
            judged = await self._work(client, job)
        if judged is None:
            raise refusal("no_review.early")
        fields = msgspec.structs.asdict(judged)
        return PositionJudgement(**fields, id=request.id, ply=request.ply, words=_words(game))

    @contextmanager
    def _waiting(self, client: str) -> Iterator[None]:
        """Count one more request for which `client` waits, or refuse it."""
        if self._pending[client] >= MOST_PENDING:
            raise refusal("too_fast.reviews", n=MOST_PENDING)
        self._pending[client] += 1
        try:
            yield
        finally:
            self._pending[client] -= 1
            if not self._pending[client]:
                del self._pending[client]

    async def _reviewable(
        self, request: GetReview | AskJudgement, name: str, room: Room | None
    ) -> tuple[Game, str]:
        """Return the game that was played and its record; refuse if it can't be reviewed."""
        game, record = await self._played(request, name, room)
        if (obstacle := obstacle_to_review(game)) is not None:
            raise CommandRefused("no_review", obstacle)
        return game, record

    async def _played(
        self, request: GetReview | AskJudgement, name: str, room: Room | None
    ) -> tuple[Game, str]:
        """Return the game that was played and its record; refuse if there is none."""
        if request.game is not None or request.link is not None:
            stored = await self._stored(request, name)
            if stored.room is None:
                raise refusal("no_review.version")
            return stored.room.settings.make_game(), stored.record
        must_be_over = isinstance(request, GetReview)
        if room is None or room.state is None or (must_be_over and room.phase is not Phase.OVER):
            raise refusal("not_over.review")
        assert room.record is not None
        return room.state.game, room.record.format()

    async def _stored(self, request: GetReview | AskJudgement, name: str) -> GameRecord:
        if request.link is not None:
            return await self._finished_games.see(request.link)
        assert request.game is not None
        stored = await self._finished_games.answer(name, GetGame(request.id, request.game))
        assert isinstance(stored, GameRecord)
        return stored

    async def _work(self, client: str, job: Job[Result]) -> Result:
        try:
            return await self._bots.work(client, job)
        except Exception as error:
            logger.warning("there is no %s: %r", job.kind, error)
            raise refusal("no_review") from None


def _named(request: AskJudgement, record: str) -> tuple[State, Move | None]:
    """Return the position of a game and the move that `request` names, or refuse."""
    positions = [each for each in Record.parse(record).positions() if not each.is_over]
    if request.ply >= len(positions):
        raise refusal("no_such_ply", ply=request.ply, last=len(positions) - 1)
    position = positions[request.ply]
    if request.move is None:
        return position, None
    try:
        move = position.game.parse_move(request.move)
        position.play(move)
    except MoveError as error:
        raise CommandRefused(error.code, error.phrase) from None
    return position, move


def _words(game: Game) -> dict[str, str]:
    return {word: in_english(phrase(f"meaning.{word}")) for word in game.kind.abilities.glossary}
