"""Reviews of finished games for people who ask: the moves that cost boxes, and better ones."""

import logging
from collections import Counter

from boxroom_common.phrases import in_english
from boxroom_engine.games.protocol import Game
from boxroom_engine.games.record import Record
from boxroom_engine.phrases import phrase
from boxroom_engine.review.review import obstacle_to_review
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.wire.messages import GameRecord, GameReview, GetGame, GetReview
from boxroom_server.bots.pool import BotPool
from boxroom_server.people.finished_games import FinishedGames

logger = logging.getLogger(__name__)

MOST_PENDING = 10
"""Reviews that one client may wait for at a time, from all its connections."""


class Reviews:
    """Answers requests for reviews; bot processes compute them, in the client's fair share."""

    def __init__(self, bots: BotPool, finished_games: FinishedGames) -> None:
        self._bots = bots
        self._finished_games = finished_games
        self._pending: Counter[str] = Counter()  # by client

    async def answer(
        self, request: GetReview, name: str, client: str, room: Room | None
    ) -> GameReview:
        """Return the answer to `request` of the owner of `name`, who is in `room`, or refuse."""
        if self._pending[client] >= MOST_PENDING:
            raise refusal("too_fast.reviews", n=MOST_PENDING)
        self._pending[client] += 1
        try:
            game, record = await self._played(request, name, room)
            if (obstacle := obstacle_to_review(game)) is not None:
                raise CommandRefused("no_review", obstacle)
            return await self._review(request.id, client, game, record)
        finally:
            self._pending[client] -= 1
            if not self._pending[client]:
                del self._pending[client]

    async def _played(self, request: GetReview, name: str, room: Room | None) -> tuple[Game, str]:
        """Return the game that was played and its record; refuse if there is none."""
        if request.game is not None or request.link is not None:
            stored = await self._stored(request, name)
            if stored.room is None:
                raise refusal("no_review.version")
            return stored.room.settings.make_game(), stored.record
        if room is None or room.state is None or room.phase is not Phase.OVER:
            raise refusal("not_over.review")
        game = room.state.game
        opening = len(room.settings.opening)
        return game, Record(game, room.players, room.tokens, opening).format()

    async def _stored(self, request: GetReview, name: str) -> GameRecord:
        if request.link is not None:
            return await self._finished_games.see(request.link)
        assert request.game is not None
        stored = await self._finished_games.answer(name, GetGame(request.id, request.game))
        assert isinstance(stored, GameRecord)
        return stored

    async def _review(self, message_id: int, client: str, game: Game, record: str) -> GameReview:
        try:
            review = await self._bots.review(client, record)
        except Exception as error:
            logger.warning("there is no review: %r", error)
            raise refusal("no_review") from None
        return GameReview(
            review.findings,
            review.first_judged,
            review.turning_point,
            review.behind,
            review.margins,
            id=message_id,
            words={word: _meaning(word) for word in game.kind.abilities.glossary},
        )


def _meaning(word: str) -> str:
    return in_english(phrase(f"meaning.{word}"))
