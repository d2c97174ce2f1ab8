"""Messages that come in the request for a WebSocket, which saves their client a round trip.

A browser can send nothing over a WebSocket before the response to its request is there, but it
names the subprotocols that it would speak (RFC 6455, section 1.9). Beside `boxroom` it may offer
`boxroom.` and a message in base64url, any number of times. These count as the first messages of
the connection, in that order.
"""

import binascii
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Sequence
from itertools import chain

from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.headers import parse_subprotocol
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

SUBPROTOCOL = Subprotocol("boxroom")
"""The subprotocol that the server selects where it is offered."""

_MESSAGE = f"{SUBPROTOCOL}."


def select_subprotocol(_: ServerProtocol, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Return the one of the `offered` subprotocols that the server speaks; None for no one."""
    return SUBPROTOCOL if SUBPROTOCOL in offered else None


def early_frames(headers: Headers) -> bytes:
    """Return the messages in the headers of a request as the frames that a client would send.

    The request has been accepted, and so its headers are valid.
    """
    sent = headers.get_all("Sec-WebSocket-Protocol")
    offered = [*chain.from_iterable(map(parse_subprotocol, sent))]
    if SUBPROTOCOL not in offered:
        return b""
    return b"".join(_frames(offered))


def _frames(offered: Sequence[Subprotocol]) -> Iterator[bytes]:
    for name in offered:
        if name.startswith(_MESSAGE):
            payload = _decoded(name.removeprefix(_MESSAGE))
            yield Frame(Opcode.TEXT, payload).serialize(mask=True)


def _decoded(text: str) -> bytes:
    """Return the bytes of `text`; of one that isn't base64url none, which is no message, either."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        return b""
