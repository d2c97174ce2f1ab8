"""Checkpoints and finished games of one room, which are saved beside its entries."""

from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import OVER, Room
from boxroom_server.clock import Clock
from boxroom_server.rooms.host import RoomHost
from boxroom_server.storage.ledger import Ledger, finished_game

CHECKPOINT_EVERY = 200
"""Events between two checkpoints, so that waking needn't read the whole log."""


class Archive:
    """Saves checkpoints and finished games of the room of `host`: an `Activity` of its owner."""

    def __init__(self, host: RoomHost, log: str, ledger: Ledger, clock: Clock) -> None:
        self._host = host
        self._log = log
        self._ledger = ledger
        self._clock = clock
        # Seq of the last checkpoint, or a lower bound for it.
        entries = host.replay_buffer.entries
        self._checkpoint_seq = entries[0].seq if entries else host.room.seq

    def start(self) -> None:
        """Save a finished game: the last server may have ended before that was saved."""
        if self._host.room.phase is OVER:
            self._save_game(self._host.room)

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Save the game that has ended, or a checkpoint if one is due."""
        if after.phase is OVER and before.phase is not OVER:
            self._save_game(after)
        if after.seq >= self._checkpoint_seq + CHECKPOINT_EVERY:
            self._checkpoint_seq = after.seq
            self._host.save_checkpoint()

    async def stop(self) -> None:
        pass

    def _save_game(self, room: Room) -> None:
        self._ledger.save_game(finished_game(self._log, room, self._clock.now_ms()))
