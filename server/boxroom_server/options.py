"""What a server can be told: addresses, limits and times, with generous defaults.

`boxroom serve` makes a flag of every field, with the help that stands beside it.
"""

from dataclasses import dataclass, field, fields

from boxroom_engine.bots.registry import bots_for, plain_name
from boxroom_engine.games.registry import KINDS
from boxroom_engine.room.house import House

DEFAULT_PORT = 8765

MOST = 1_000_000_000
"""The greatest number that an option takes, unless it says otherwise; the smallest is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything about a server that its operator chooses."""

    host: str = field(default="", metadata={"help": "address to bind (default: all)"})
    port: int = field(
        default=DEFAULT_PORT, metadata={"help": "port; 0 takes a free one", "most": 65_535}
    )

    rooms: int = field(default=10_000, metadata={"help": "rooms at once"})
    listed: int = field(default=200, metadata={"help": "rooms in the list of open rooms"})
    seats: int = field(default=50, metadata={"help": "seats in a room"})
    members: int = field(default=500, metadata={"help": "members in a room"})
    board: int = field(
        default=5_000, metadata={"help": "size of a board, in moves that one game can take"}
    )
    name_chars: int = field(default=24, metadata={"help": "characters in a name"})
    chat_chars: int = field(default=500, metadata={"help": "characters in a line of chat"})
    names: int = field(default=100_000, metadata={"help": "names that are kept for their owners"})
    name_days: float = field(
        default=180.0, metadata={"help": "days that a name is kept for an owner who doesn't come"}
    )
    keep_games: float = field(
        default=0.0,
        metadata={"help": "days that finished games are kept (default: 0, which is for ever)"},
    )

    message_bytes: int = field(default=16_384, metadata={"help": "bytes in a client's message"})
    messages_per_s: float = field(
        default=50.0, metadata={"help": "messages a second from a connection, on average"}
    )
    burst: int = field(default=200, metadata={"help": "messages at once from a connection"})
    connections_per_address: int = field(
        default=256, metadata={"help": "connections from one address"}
    )
    unread_bytes: int = field(
        default=1_048_576,
        metadata={"help": "bytes that wait for a slow reader before it is let go"},
    )
    drain_s: float = field(
        default=5.0, metadata={"help": "seconds that a slow reader has to catch up"}
    )
    hello_s: float = field(default=10.0, metadata={"help": "seconds to wait for a greeting"})

    grace_s: float = field(
        default=120.0, metadata={"help": "seconds that the seat of a dropped player is kept"}
    )
    empty_room_s: float = field(
        default=3_600.0, metadata={"help": "seconds before a room without people is closed"}
    )
    bot_s: float = field(
        default=2.0, metadata={"help": "seconds that a bot may think, shared when others wait"}
    )
    bot_workers: int = field(
        default=2,
        metadata={"help": "processes in which bots think; quick ones have one more", "least": 1},
    )
    pace_s: float = field(
        default=0.3, metadata={"help": "seconds a bot takes at least, so that eyes can follow"}
    )

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense, with a ValueError that names the option."""
        for option in fields(self):
            value = getattr(self, option.name)
            least = option.metadata.get("least", 0)
            most = option.metadata.get("most", MOST)
            if not isinstance(value, str) and not least <= value <= most:
                raise ValueError(f"{option.name} is {least} to {most}, not {value}")

    def house(self) -> House:
        """The rules of the house that these options make."""
        return House(
            bots={name: bots_for(kind) for name, kind in KINDS.items()},
            plain_bot=plain_name,
            seats=self.seats,
            members=self.members,
            longest_game=self.board,
            chat_chars=self.chat_chars,
            name_chars=self.name_chars,
            grace_ms=round(self.grace_s * 1000),
        )
