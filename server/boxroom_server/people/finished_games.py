"""The finished games, for people who ask the server for theirs, or for one by its link."""

import secrets

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

    A person sees the games that they took part in, and everybody those of which they know the link.
    """

    def __init__(
        self, ledger: Ledger, computing_thread: ComputingThread, *, has_links: bool = True
    ) -> None:
        self._ledger = ledger
        self._has_links = has_links and ledger.keeps_games  # else nobody could open them
        self._computing_thread = computing_thread

    async def answer(self, name: str, request: ListGames | GetGame) -> Games | GameRecord:
        """Return the answer to `request` of the owner of `name`, or refuse it."""
        try:
            if isinstance(request, ListGames):
                return await self._page(fold(name), request)
            return await self._record(fold(name), request)
        except CannotSave as error:
            raise refusal("cannot_load", error=str(error)) from None

    def new_link(self) -> str:
        """Return a link for a game that may begin: 128 random bits; "" if there are no links."""
        return secrets.token_urlsafe(16) if self._has_links else ""

    async def see(self, link: str, message_id: int = 0) -> GameRecord:
        """Return the game with that link, or refuse."""
        try:
            game = await self._computing_thread.run(self._ledger.game_linked, link)
        except CannotSave as error:
            raise refusal("cannot_load", error=str(error)) from None
        if game is None:
            raise refusal("no_such_game.link")
        end = await self._computing_thread.run(_end_of, game, None)
        return GameRecord(message_id, _listed(game), game.record, end)

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
        game.id,
        game.room,
        game.ended_ms,
        game.game,
        game.players,
        game.scores,
        game.winners,
        game.link,
    )


def _end_of(game: StoredGame, key: str | None) -> Snapshot | None:
    """Return the end of a game as its player with that folded name saw it; None: anybody else.

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
            game_link=game.link,
            players=game.players,
        )
        return snapshot(with_tokens(ended, record.tokens), Audience.PLAYER)
    except GameError:
        return None
