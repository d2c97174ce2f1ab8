"""Multicast on the loopback interface, where tests of discovery don't disturb the network.

Other tests may run on this machine at the same time: every test gives its servers names that no
other test uses, and looks for those.
"""

import secrets
import socket
from contextlib import suppress
from functools import cache

import pytest

LOOPBACK = ["127.0.0.1"]
"""Addresses of the interfaces that tests use."""

_GROUP, _PORT = "224.0.0.251", 5353
_LIMIT_S = 2.0


@cache
def _no_multicast() -> str | None:
    """Return the reason why a multicast datagram doesn't come back; None if it does."""
    sent = secrets.token_bytes(16)
    here = socket.inet_aton(LOOPBACK[0])
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with suppress(AttributeError):  # not everywhere
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            probe.bind(("", _PORT))
            probe.setsockopt(
                socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(_GROUP) + here
            )
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
            probe.settimeout(_LIMIT_S)
            probe.sendto(sent, (_GROUP, _PORT))
            while probe.recv(9000) != sent:
                pass
    except OSError as error:  # TimeoutError is one
        return f"impossible here: no multicast on the loopback interface: {error!r}"
    return None


needs_multicast = pytest.mark.skipif(_no_multicast() is not None, reason=_no_multicast() or "")


def own_name() -> str:
    """Return a name for a server that no other test uses."""
    return f"Boxroom on test {secrets.token_hex(4)}"


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses of the library between questions and between announcements.

    Where it has no such names (they are its own), tests only take longer.
    """
    monkeypatch.setattr("zeroconf._core._CHECK_TIME", 20, raising=False)
    monkeypatch.setattr("zeroconf._core._PROBE_RANDOM_DELAY_INTERVAL", (5, 10), raising=False)
    monkeypatch.setattr("zeroconf._core._REGISTER_TIME", 20, raising=False)
    monkeypatch.setattr("zeroconf._core._UNREGISTER_TIME", 20, raising=False)
