"""Answers to requests for the shapes of a board, within the limits of the rooms of a server."""

from boxroom_engine.games.protocol import Game
from boxroom_engine.room.decision import refusal
from boxroom_engine.room.room import Settings
from boxroom_engine.room.rules.playing import check_settings
from boxroom_engine.wire.messages import GameGeometry, GetGeometry
from boxroom_server.computing import ComputingThread
from boxroom_server.net.frames import Outgoing, encode_outgoing
from boxroom_server.options import Options

READABLE_SHARE = 0.8
"""Greatest length of an answer, as a share of the bytes that a client may leave unread."""


class Geometries:
    """Computes geometries in a thread: the largest boards take many milliseconds."""

    def __init__(self, options: Options, thread: ComputingThread) -> None:
        self._limits = options.room_limits()
        self._most_bytes = READABLE_SHARE * options.unread_bytes
        self._thread = thread

    def game_of(self, request: GetGeometry) -> Game:
        """Return the game that `request` names; refuse one that no room could play."""
        settings = Settings(request.game, request.options, request.seats)
        check_settings(settings, self._limits)
        return settings.make_game()

    async def answer(self, request: GetGeometry, game: Game) -> Outgoing:
        """Return the encoded geometry of `game`; refuse one that the connection can't take."""
        outgoing = await self._thread.run(_encoded, request.id, game)
        if len(outgoing.frame) > self._most_bytes:
            raise refusal("too_large.shapes")
        return outgoing


def _encoded(message_id: int, game: Game) -> Outgoing:
    return encode_outgoing(GameGeometry.of(message_id, game.geometry()))
