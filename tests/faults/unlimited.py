"""Options of a server whose limits for one person and one address are out of the way.

All clients of a test come from one address, and some of them make a room for every example.
"""

from typing import Any

MANY = 1_000_000

UNLIMITED: dict[str, Any] = {
    "burst": MANY,
    "chat_burst": MANY,
    "connections_per_address": MANY,
    "new_names": MANY,
    "rooms_per_address": MANY,
    "rooms_per_name": MANY,
}
