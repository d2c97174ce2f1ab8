"""Deleting finished games that have been kept for long enough, while a server runs."""

from boxroom_server.clock import DAY_MS, Clock
from boxroom_server.storage.ledger import Ledger

LOOK_AGAIN_S = 60.0
"""How often some old games are deleted."""


async def forget_old_games(ledger: Ledger, days: float, clock: Clock) -> None:
    """Delete the games that ended more than `days` ago, and those that will have, for ever."""
    while True:
        ledger.forget_games(clock.now_ms() - round(days * DAY_MS))
        await clock.sleep(LOOK_AGAIN_S)
