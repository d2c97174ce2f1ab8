"""Close codes of WebSocket connections (RFC 6455, section 7.4), as metrics count them."""

from websockets.frames import CloseCode
from websockets.protocol import Protocol

_OURS = range(4000, 4010)
_KNOWN = frozenset(code.value for code in CloseCode) | frozenset(_OURS)

_OTHER = "other"

LABELS = (*map(str, sorted(_KNOWN)), _OTHER)
"""All values that `label` returns."""

ORDINARY = frozenset(
    {
        CloseCode.NORMAL_CLOSURE,
        CloseCode.GOING_AWAY,
        CloseCode.NO_STATUS_RCVD,
        CloseCode.ABNORMAL_CLOSURE,  # the network was lost
        CloseCode.SERVICE_RESTART,
    }
)
"""Close codes that need no operator's attention."""


def close_code(protocol: Protocol | None) -> int:
    """Return the code of the side that closed first; 1006 if neither did.

    `protocol` is None if the connection was lost while there was nothing to remember.
    """
    if protocol is None:
        return CloseCode.ABNORMAL_CLOSURE
    first, second = protocol.close_sent, protocol.close_rcvd
    if protocol.close_rcvd_then_sent:
        first, second = second, first
    frame = first or second
    return CloseCode.ABNORMAL_CLOSURE if frame is None else frame.code


def label(code: int) -> str:
    """Return `code` as a metric label; "other" for codes that a client has made up."""
    return str(int(code)) if code in _KNOWN else _OTHER
