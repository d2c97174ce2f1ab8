"""Ends of WebSocket connections: close codes (RFC 6455, section 7.4), and labels for metrics.

A client may send any code, so only those that say that it is done have labels of their own: a label
such as 1011 counts what the server closed.
"""

from websockets.frames import Close, CloseCode
from websockets.protocol import Protocol

NO_PONG = Close(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
"""Close frame for a client that hasn't answered a ping: as a rule it has vanished."""

_NO_PONG, _OTHER = "no_pong", "other"

_FROM_SERVER = frozenset(code.value for code in CloseCode) | frozenset(range(4000, 4010))

_FROM_CLIENT = frozenset({CloseCode.NORMAL_CLOSURE, CloseCode.GOING_AWAY, CloseCode.NO_STATUS_RCVD})

LABELS = (*map(str, sorted(_FROM_SERVER)), _NO_PONG, _OTHER)
"""All values that `label` returns."""

ORDINARY = frozenset(
    {
        *(str(code.value) for code in _FROM_CLIENT),
        str(CloseCode.ABNORMAL_CLOSURE.value),  # the network was lost
        str(CloseCode.SERVICE_RESTART.value),
        _NO_PONG,
    }
)
"""Labels of ends that need no operator's attention."""


def close_code(protocol: Protocol | None) -> int:
    """Return the code of the side that closed first; 1006 if neither did.

    `protocol` is None if the connection was lost while there was nothing to remember.
    """
    first = _first_close(protocol)
    return CloseCode.ABNORMAL_CLOSURE if first is None else first.code


def label(protocol: Protocol | None) -> str:
    """Return the end of the connection as a metric label.

    It is `close_code`, but "no_pong" for a client that answered no ping, and "other" for codes that
    clients make up.
    """
    first = _first_close(protocol)
    if protocol is None or first is None:
        return str(CloseCode.ABNORMAL_CLOSURE.value)
    by_server = not protocol.close_rcvd_then_sent
    if by_server and first == NO_PONG:
        return _NO_PONG
    known = _FROM_SERVER if by_server else _FROM_CLIENT
    return str(int(first.code)) if first.code in known else _OTHER


def _first_close(protocol: Protocol | None) -> Close | None:
    """Return the close frame of the side that closed first; None if neither did."""
    if protocol is None:
        return None
    if protocol.close_rcvd_then_sent:
        return protocol.close_rcvd
    return protocol.close_sent
