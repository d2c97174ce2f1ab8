"""Reviews of finished games for people who ask: the moves that cost boxes, and better ones."""

import logging
from collections import Counter

from boxroom_engine.games.protocol import Game
from boxroom_engine.games.record import Record
from boxroom_engine.review.review import Obstacle, obstacle_to_review
from boxroom_engine.room.decision import Refusal
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.wire.messages import GameRecord, GameReview, GetGame, GetReview
from boxroom_server.bots.pool import BotPool
from boxroom_server.people.finished_games import FinishedGames

logger = logging.getLogger(__name__)

MOST_PENDING = 10
"""Reviews that one client may wait for at a time, from all its connections."""

_NOT_OVER = Refusal("not_over", "a game can be reviewed when it is over")


class Reviews:
    """Answers requests for reviews; bot processes compute them, in the client's fair share."""

    def __init__(self, bots: BotPool, finished_games: FinishedGames) -> None:
        self._bots = bots
        self._finished_games = finished_games
        self._pending: Counter[str] = Counter()  # by client

    async def answer(
        self, request: GetReview, name: str, client: str, room: Room | None
    ) -> GameReview | Refusal:
        """Return the answer to `request` of the owner of `name`, who is in `room`."""
        if self._pending[client] >= MOST_PENDING:
            text = f"{MOST_PENDING} reviews are pending for your address: wait for them"
            return Refusal("too_fast", text)
        self._pending[client] += 1
        try:
            played = await self._played(request, name, room)
            if isinstance(played, Refusal):
                return played
            game, record = played
            return _obstacle(game) or await self._review(request.id, client, game, record)
        finally:
            self._pending[client] -= 1
            if not self._pending[client]:
                del self._pending[client]

    async def _played(
        self, request: GetReview, name: str, room: Room | None
    ) -> tuple[Game, str] | Refusal:
        """Return the game that was played and its record, or a refusal if there is none."""
        if request.game is not None:
            stored = await self._finished_games.answer(name, GetGame(request.id, request.game))
            if not isinstance(stored, GameRecord):
                assert isinstance(stored, Refusal)
                return stored
            if stored.room is None:
                return Refusal("no_review", "this version of the server can't play that game")
            return stored.room.settings.make_game(), stored.record
        if room is None or room.state is None or room.phase is not Phase.OVER:
            return _NOT_OVER
        game = room.state.game
        return game, Record(game, room.players, room.tokens).format()

    async def _review(
        self, message_id: int, client: str, game: Game, record: str
    ) -> GameReview | Refusal:
        try:
            review = await self._bots.review(client, record)
        except Exception as error:
            logger.warning("there is no review: %r", error)
            return Refusal("no_review", "the review failed: ask again")
        return GameReview(
            message_id,
            review.findings,
            review.first_judged,
            review.turning_point,
            dict(game.kind.abilities.glossary),
        )


def _obstacle(game: Game) -> Refusal | None:
    """Return the reason why no game of this kind can be reviewed; None if there is none."""
    match obstacle_to_review(game):
        case None:
            return None
        case Obstacle.NO_JUDGE:
            text = f"moves of {game.kind.title} can't be reviewed"
        case Obstacle.ALONE:
            text = "a single player gets every box, in whatever order: there is nothing to review"
        case Obstacle.MORE_THAN_TWO:
            text = "only games of two can be reviewed: among more there is no best play against all"
    return Refusal("no_review", text)
