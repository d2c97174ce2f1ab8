"""The part of a server that can't save in what HAProxy does with its sessions.

Another server may be able to save: then the sessions had better go there. Or none is, because etcd
has no majority: then they had better stay. A server alone can't tell these apart, but HAProxy knows
the others. With `http-check send-state` each health check says how many servers HAProxy can use;
with `http-check disable-on-404` the status 404 keeps the sessions, and any other ends them.
"""

import re

from boxroom_server.clock import Clock

STATE_HEADER = "X-Haproxy-Server-State"
"""Header of a health check: `UP 1/2; …; weight=1/3; …`."""

SETTLED_MS = 3_000
"""How long another server is usable before the sessions had better go there.

When etcd fails or comes back, servers notice it one after the other.
"""

_STATE = re.compile(r"(UP|NOLB|DOWN)\b.*; weight=(\d+)/(\d+);")


class HaProxyView:
    """HAProxy's last answers to the question whether it can use another server."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._others_since_ms: int | None = None  # since when it can; None if it can't

    def keeps_sessions(self, state: str) -> bool:
        """Return whether sessions stay at a server that can't save, by its `state` for HAProxy.

        They don't if this isn't such a state.
        """
        found = _STATE.match(state)
        if found is None:
            return False
        word, own, usable = found[1], int(found[2]), int(found[3])
        if usable <= (own if word == "UP" else 0):
            self._others_since_ms = None
            return True
        now_ms = self._clock.now_ms()
        if self._others_since_ms is None:
            self._others_since_ms = now_ms
        return now_ms < self._others_since_ms + SETTLED_MS

    def forget(self) -> None:
        """Begin anew, as the server can save."""
        self._others_since_ms = None
