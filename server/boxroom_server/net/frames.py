"""WebSocket frames (RFC 6455, section 5.2), as far as Boxroom handles them itself.

Nearly every message is one short text frame, and nearly all of a server's time goes into
those, so they are made and read here without the websockets library; all other frames are
left to it. Tests hold these functions against the library's own.
"""

import struct

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was built without its C extension
    from websockets.utils import apply_mask

_FIN_AND_TEXT = 0x81
_MASKED = 0x80
_LENGTH = 0x7F

SHORT = 125
"""The most bytes whose number fits into a frame's second byte."""

_FEW = 1024

_HEADS = tuple(
    bytes((_FIN_AND_TEXT, size)) if size <= SHORT else struct.pack("!BBH", _FIN_AND_TEXT, 126, size)
    for size in range(_FEW)
)
"""How a text frame of a server begins, by the size of what is in it, as far as most need it."""

_END_OF_REQUEST = b"\r\n\r\n"


def text_frame(payload: bytes) -> bytes:
    """An unmasked, unfragmented text frame, as servers send them."""
    length = len(payload)
    if length < _FEW:
        return _HEADS[length] + payload
    if length < 65_536:
        return struct.pack("!BBH", _FIN_AND_TEXT, 126, length) + payload
    return struct.pack("!BBQ", _FIN_AND_TEXT, 127, length) + payload


def short_text(data: bytes) -> bytes | None:
    """The text in `data` if that is one short text frame of a client and nothing else."""
    size = len(data) - 6
    if 0 <= size <= SHORT and data[0] == _FIN_AND_TEXT and data[1] == _MASKED | size:
        return apply_mask(data[6:], data[2:6])
    return None


class FrameTrack:
    """Knows whether what a client has sent so far ends between two frames."""

    def __init__(self) -> None:
        self.between_frames = False
        """Whether the next byte begins a frame."""
        self._in_request = True
        self._piece = b""  # of a header that isn't complete
        self._missing = 0  # bytes of a frame whose header is

    def follow(self, data: bytes) -> None:
        """Note what the client has sent next: its HTTP request first, then frames."""
        data = self._piece + data
        at = self._missing
        if self._in_request:
            end = data.find(_END_OF_REQUEST)
            if end < 0:
                self._piece = data[1 - len(_END_OF_REQUEST) :]
                return
            self._in_request = False
            at = end + len(_END_OF_REQUEST)
        while at < len(data):
            size = _frame_size(data, at)
            if size is None:
                self._piece, self._missing = data[at:], 0
                self.between_frames = False
                return
            at += size
        self._piece, self._missing = b"", at - len(data)
        self.between_frames = not self._missing


def _frame_size(data: bytes, at: int) -> int | None:
    """The bytes of the frame that begins at `at`; None if too little of its header is there."""
    if len(data) < at + 2:
        return None
    length = data[at + 1] & _LENGTH
    head = 6 if data[at + 1] & _MASKED else 2
    if length <= SHORT:
        return head + length
    width = 2 if length == 126 else 8
    if len(data) < at + 2 + width:
        return None
    return head + width + int.from_bytes(data[at + 2 : at + 2 + width])
