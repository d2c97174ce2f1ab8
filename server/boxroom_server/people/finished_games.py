"""The finished games of one person, for people who ask the server for theirs."""

from boxroom_engine.games.errors import GameError
from boxroom_engine.games.record import Record
from boxroom_engine.room.decision import refusal
from boxroom_engine.room.effects.games import with_tokens
from boxroom_engine.room.room import Audience, Phase, Room, SeatHolder, Settings
from boxroom_engine.room.text import fold
from boxroom_engine.room.view import Snapshot, snapshot
from boxroom_engine.wire.messages import GameListed, GameRecord, Games, GetGame, ListGames
from boxroom_server.computing import ComputingThread
from boxroom_server.storage.ledger import Ledger, StoredGame
from boxroom_server.storage.room_log import CannotSave

PAGE = 50
"""Games in a page of the list."""

_NEWER_THAN_ALL = 2**63 - 1
_MOST_DIGITS = 18


class FinishedGames:
    """Answers requests for the finished games in `ledger`.

    A person sees only games that they took part in, in public rooms as well.
    """

    def __init__(self, ledger: Ledger, computing_thread: ComputingThread) -> None:
        self._ledger = ledger
        self._computing_thread = computing_thread

    async def answer(self, name: str, request: ListGames | GetGame) -> Games | GameRecord:
        """Return the answer to `request` of the owner of `name`, or refuse it."""
        try:
            if isinstance(request, ListGames):
                return await self._page(fold(name), request)
            return await self._record(fold(name), request)
        except CannotSave as error:
            raise refusal("cannot_load", error=str(error)) from None

    async def _page(self, key: str, request: ListGames) -> Games:
        after = request.after
        if after and not (after.isascii() and after.isdigit() and len(after) <= _MOST_DIGITS):
            raise refusal("bad_option.after")
        before = int(after) if after else _NEWER_THAN_ALL
        games = await self._computing_thread.run(self._listed, key, before)
        page = games[:PAGE]
        return Games(request.id, page, str(page[-1].game) if len(games) > PAGE else "")

    def _listed(self, key: str, before: int) -> tuple[GameListed, ...]:
        """Return a page of games, and one more if there is another page."""
        return tuple(map(_listed, self._ledger.newest_games_of(key, before, PAGE + 1)))

    async def _record(self, key: str, request: GetGame) -> GameRecord:
        found = await self._computing_thread.run(self._found, key, request)
        if found is None:
            raise refusal("no_such_game", game=request.game)
        return found

    def _found(self, key: str, request: GetGame) -> GameRecord | None:
        game = self._ledger.game_of(key, request.game)
        if game is None:
            return None
        return GameRecord(request.id, _listed(game), game.record, _end_of(game, key))


def _listed(game: StoredGame) -> GameListed:
    return GameListed(
        game.id, game.room, game.ended_ms, game.game, game.players, game.scores, game.winners
    )


def _end_of(game: StoredGame, key: str) -> Snapshot | None:
    """Return the end of a game as its player with that folded name saw it.

    It is None if the record is damaged, or of a game that this version doesn't know. The player
    is the member in the seats with that name.
    """
    try:
        record = Record.parse(game.record)
        ended = Room(
            game.room,
            phase=Phase.OVER,
            settings=Settings.of_record(record),
            seats=tuple(
                SeatHolder(seat, player, player if fold(player) == key else None)
                for seat, player in enumerate(game.players)
            ),
            game_number=game.id,
            players=game.players,
        )
        return snapshot(with_tokens(ended, record.tokens), Audience.PLAYER)
    except GameError:
        return None
