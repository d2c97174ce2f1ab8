"""Parameters of the runs: what random numbers start from, and options that lift limits.

All clients of a test come from one address, and some of them make a room for every example.
"""

import os
import secrets
from typing import Any

SEED = int(os.environ.get("BOXROOM_SEED") or secrets.randbelow(2**32))
"""Seed of all runs of this process: BOXROOM_SEED, to repeat one, or a new one."""

MANY = 1_000_000

UNLIMITED: dict[str, Any] = {
    "burst": MANY,
    "chat_burst": MANY,
    "connections_per_address": MANY,
    "new_names": MANY,
    "rooms_per_address": MANY,
    "rooms_per_name": MANY,
}
"""Options that lift the limits for one person and one address."""
