"""WebSocket frames (RFC 6455, section 5.2): outgoing ones made once, incoming ones found by length.

Nearly every message is one short text frame, and most of a server's time goes into those, so they
are made and read here. All other frames are left to websockets. Tests compare these functions with
the library's own.
"""

import struct

from msgspec import Struct
from websockets.frames import Opcode

from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import ServerMessage

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was built without its C extension
    from websockets.utils import apply_mask

_FIN_AND_TEXT = 0x81
_FIN_AND_PING = 0x89
_FIN_AND_PONG = 0x8A
_MASKED = 0x80
_LENGTH = 0x7F
_OPCODE = 0x0F
_OPCODES = frozenset(Opcode)

SHORT_BYTES = 125
"""The longest payload whose length fits into a frame's second byte."""

MOST_HEADER_BYTES = 14
"""Size of the longest header: opcode, a length of 64 bits, and a masking key."""

PING = bytes((_FIN_AND_PING, 0))
"""A server's ping without payload."""

_CACHED_SIZES = 1024

_HEADERS = tuple(
    bytes((_FIN_AND_TEXT, size))
    if size <= SHORT_BYTES
    else struct.pack("!BBH", _FIN_AND_TEXT, 126, size)
    for size in range(_CACHED_SIZES)
)
"""Headers of the server's text frames, by the size of the payload."""


class Outgoing(Struct, frozen=True, gc=False):
    """A message to any number of connections, encoded and framed once.

    The server offers no extensions, such as compression, so the frame is the same for all of them
    (see docs/adr/0003-broadcast.md).
    """

    payload: bytes
    """The message in JSON, as the log stores it."""
    frame: bytes
    """The same as an unmasked WebSocket frame."""


def encode_outgoing(message: ServerMessage) -> Outgoing:
    """Encode and frame `message`."""
    payload = encode(message)
    return Outgoing(payload, text_frame(payload))


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


def is_ping_or_pong(frame: bytes) -> bool:
    """Return whether `frame`, one of a client, is a ping or pong as it should be."""
    return (
        frame[0] in (_FIN_AND_PING, _FIN_AND_PONG)
        and frame[1] & _MASKED > 0
        and frame[1] & _LENGTH <= SHORT_BYTES
    )


def frame_size(data: bytes, at: int) -> int | None:
    """Return the size of a client's frame that begins at `at`; None if its header isn't complete.

    A frame without a mask or with an unknown opcode is an error already and counts as its first
    two bytes.
    """
    if len(data) < at + 2:
        return None
    if not data[at + 1] & _MASKED or data[at] & _OPCODE not in _OPCODES:
        return 2
    length = data[at + 1] & _LENGTH
    if length <= SHORT_BYTES:
        return 6 + length
    width = 2 if length == 126 else 8
    if len(data) < at + 2 + width:
        return None
    return 6 + width + int.from_bytes(data[at + 2 : at + 2 + width])
