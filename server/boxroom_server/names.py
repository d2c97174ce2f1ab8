"""Who is called what on this server: a name belongs to the secret that came with it first."""

import hashlib
import hmac
from collections import OrderedDict

from boxroom_engine.room.text import fold


class Names:
    """Names and hashes of their secrets; the secrets themselves are not kept.

    A secret is long and random, so a fast hash is enough. Beyond `most` names the one that
    was claimed longest ago is free again.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._owners: OrderedDict[str, tuple[str, bytes]] = OrderedDict()

    def is_known(self, name: str) -> bool:
        """Whether `name` is somebody's."""
        return fold(name) in self._owners

    def claim(self, name: str, secret: str) -> str | None:
        """The name as it is written here, or None if it is somebody else's.

        It belongs to `secret` from the first claim on, however its case is written later.
        """
        key = fold(name)
        digest = hashlib.sha256(secret.encode()).digest()
        written, kept = self._owners.setdefault(key, (name, digest))
        if not hmac.compare_digest(kept, digest):
            return None
        self._owners.move_to_end(key)
        if len(self._owners) > self._most:
            self._owners.popitem(last=False)
        return written
