"""The finished games that the user took part in, as a server lists them."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from boxroom_client.cli.arguments.event_loop import run_until_done
from boxroom_client.cli.arguments.settings import server_address
from boxroom_client.link.conversation import get_finished_game, list_finished_games
from boxroom_client.link.greeting import introduced
from boxroom_client.profile.config import NAME, ResolvedSettings
from boxroom_client.profile.history import PlayedGame
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.wire.messages import GameListed

T = TypeVar("T")


def games_on(settings: ResolvedSettings, most: int) -> list[PlayedGame]:
    """Return the user's games on the server of the settings, the newest first, without moves.

    Raises:
        Unreachable, CommandRefused, IdentityError: see `introduced`.
        Failure: a signal has interrupted it.
        UsageError: the settings name no server.
    """
    address = _address(settings)

    async def games(identity: Identity) -> list[GameListed]:
        return await list_finished_games(address, identity, most)

    return [_played(address, game, "") for game in _asked(settings, address, games)]


def game_on(settings: ResolvedSettings, number: int) -> PlayedGame:
    """Return one of the user's games on the server of the settings; see `games_on`."""
    address = _address(settings)

    async def game(identity: Identity) -> PlayedGame:
        answer = await get_finished_game(address, identity, number)
        return _played(address, answer.game, answer.record)

    return _asked(settings, address, game)


def _address(settings: ResolvedSettings) -> Address:
    address = server_address(settings)
    if address is None:
        raise UsageError("--server needs the address of a server")
    return address


def _asked(
    settings: ResolvedSettings,
    address: Address,
    ask: Callable[[Identity], Coroutine[Any, Any, T]],
) -> T:
    async def introduce_and_ask() -> T:
        async with introduced(address, settings[NAME]) as identity:
            return await ask(identity)

    answer = run_until_done(introduce_and_ask())
    if isinstance(answer, Exit):
        raise Failure("it was interrupted", answer)
    return answer


def _played(address: Address, game: GameListed, record: str) -> PlayedGame:
    """Return `game` as it would be in the history; without a record it has only the heading."""
    heading = f"{game.kind} | {', '.join(game.players)} |"
    return PlayedGame(
        game.game,
        str(address),
        "",
        0,
        game.room,
        game.ended_ms,
        None,
        helped=False,
        scores=game.scores,
        winners=game.winners,
        bots=(None,) * len(game.players),
        record=record or heading,
    )
