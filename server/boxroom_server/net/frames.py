"""Short WebSocket text frames (RFC 6455, section 5.2), made and parsed without the library.

Nearly every message is one short text frame, and most of a server's time goes into those. All
other frames are left to websockets. Tests compare these functions with the library's own.
"""

import struct

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was built without its C extension
    from websockets.utils import apply_mask

_FIN_AND_TEXT = 0x81
_MASKED = 0x80
_LENGTH = 0x7F

SHORT_BYTES = 125
"""The longest payload whose length fits into a frame's second byte."""

_CACHED_SIZES = 1024

_HEADERS = tuple(
    bytes((_FIN_AND_TEXT, size))
    if size <= SHORT_BYTES
    else struct.pack("!BBH", _FIN_AND_TEXT, 126, size)
    for size in range(_CACHED_SIZES)
)
"""Headers of the server's text frames, by the size of the payload."""

_END_OF_REQUEST = b"\r\n\r\n"


def text_frame(payload: bytes) -> bytes:
    """Return `payload` as an unmasked, unfragmented text frame, as servers send them."""
    length = len(payload)
    if length < _CACHED_SIZES:
        return _HEADERS[length] + payload
    if length < 65_536:
        return struct.pack("!BBH", _FIN_AND_TEXT, 126, length) + payload
    return struct.pack("!BBQ", _FIN_AND_TEXT, 127, length) + payload


def short_text(data: bytes) -> bytes | None:
    """Return the text in `data` if that is exactly one short text frame of a client, else None."""
    size = len(data) - 6
    if 0 <= size <= SHORT_BYTES and data[0] == _FIN_AND_TEXT and data[1] == _MASKED | size:
        return apply_mask(data[6:], data[2:6])
    return None


class FrameTracker:
    """Frame boundaries in what a client has sent so far, followed by counting lengths."""

    def __init__(self) -> None:
        self.between_frames = False
        """Whether the next byte begins a frame."""
        self._in_request = True  # the HTTP request isn't complete yet
        self._partial_header = b""  # or the last bytes of the request that isn't complete
        self._missing = 0  # bytes to come of a frame whose header is complete

    def feed(self, data: bytes) -> None:
        """Follow the next bytes from the client: its HTTP request first, then frames."""
        data = self._partial_header + data
        at = self._missing
        if self._in_request:
            end = data.find(_END_OF_REQUEST)
            if end < 0:
                self._partial_header = data[1 - len(_END_OF_REQUEST) :]
                return
            self._in_request = False
            at = end + len(_END_OF_REQUEST)
        while at < len(data):
            size = _frame_size(data, at)
            if size is None:
                self._partial_header, self._missing = data[at:], 0
                self.between_frames = False
                return
            at += size
        self._partial_header, self._missing = b"", at - len(data)
        self.between_frames = not self._missing


def _frame_size(data: bytes, at: int) -> int | None:
    """Return the size of the frame that begins at `at`; None if its header isn't complete."""
    if len(data) < at + 2:
        return None
    length = data[at + 1] & _LENGTH
    head = 6 if data[at + 1] & _MASKED else 2
    if length <= SHORT_BYTES:
        return head + length
    width = 2 if length == 126 else 8
    if len(data) < at + 2 + width:
        return None
    return head + width + int.from_bytes(data[at + 2 : at + 2 + width])
