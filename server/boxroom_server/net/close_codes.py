"""By which close code (RFC 6455, section 7.4) a conversation has ended, as it is counted."""

from websockets.frames import CloseCode
from websockets.protocol import OPEN, Protocol

_OURS = range(4000, 4010)
_KNOWN = frozenset(code.value for code in CloseCode) | frozenset(_OURS)

_OTHER = "other"

LABELS = (*map(str, sorted(_KNOWN)), _OTHER)
"""All that `label` ever gives."""

ORDINARY = frozenset(
    {
        CloseCode.NORMAL_CLOSURE,
        CloseCode.GOING_AWAY,
        CloseCode.NO_STATUS_RCVD,
        CloseCode.ABNORMAL_CLOSURE,  # a network that was lost
        CloseCode.SERVICE_RESTART,
    }
)
"""What an operator needn't look at."""


def close_code(protocol: Protocol) -> int:
    """The code of whoever closed first; 1006 if nobody did, and the connection was lost.

    It is 1011 for a conversation that is over on a connection which is open: it has failed,
    and that is how websockets is going to close it.
    """
    if protocol.state is OPEN:
        return CloseCode.INTERNAL_ERROR
    first, second = protocol.close_sent, protocol.close_rcvd
    if protocol.close_rcvd_then_sent:
        first, second = second, first
    frame = first or second
    return CloseCode.ABNORMAL_CLOSURE if frame is None else frame.code


def label(code: int) -> str:
    """`code` as a key that can't be made up: a client closes with what it likes."""
    return str(int(code)) if code in _KNOWN else _OTHER
