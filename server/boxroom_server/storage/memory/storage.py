"""A storage in memory, with a ledger that saves nothing."""

from collections.abc import Callable, Sequence

from boxroom_server.storage.ledger import BanKind, BanRecord, FinishedGame, NameRecord, StoredGame
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.room_log import RoomLog
from boxroom_server.storage.storage import Storage


class MemoryLedger:
    """A ledger that saves nothing: its users remember what this process has to know."""

    keeps_games = False

    def __init__(self) -> None:
        self.name_changed: list[Callable[[str, NameRecord | None], None]] = []
        """Called when another server has changed a name."""
        self.ban_changed: list[Callable[[BanKind, str, BanRecord | None], None]] = []
        """Called when another server has changed a ban."""

    def names(self) -> Sequence[NameRecord]:
        return ()

    def save_name(self, name: NameRecord) -> None:
        pass

    def delete_name(self, key: str) -> None:
        pass

    def save_game(self, game: FinishedGame) -> None:
        pass

    def newest_games_of(self, key: str, before: int, count: int) -> Sequence[StoredGame]:
        return ()

    def game_of(self, key: str, id: int) -> StoredGame | None:
        return None

    def game_linked(self, link: str) -> StoredGame | None:
        return None

    def forget_games_of(self, key: str) -> None:
        pass

    def delete_old_games(self, before_ms: int) -> None:
        pass

    def bans(self) -> Sequence[BanRecord]:
        return ()

    def save_ban(self, ban: BanRecord) -> None:
        pass

    def delete_ban(self, kind: BanKind, who: str) -> None:
        pass


def memory_storage(room_log: RoomLog | None = None) -> Storage:
    """Return a storage that ends with the process; tests bring room logs of their own."""
    return Storage(MemoryLog() if room_log is None else room_log, MemoryLedger())
