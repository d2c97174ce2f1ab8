"""Codec of messages: JSON in UTF-8, which it validates while it decodes."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import msgspec

from boxroom_engine.room.commands import CommandId
from boxroom_engine.wire.messages import ClientMessage, ServerMessage

Message = TypeVar("Message")

_REASON_CHARS = 300

_from_client: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_from_server: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class _IdOnly(msgspec.Struct):
    id: CommandId = 0


_id_decoder = msgspec.json.Decoder(_IdOnly)


class MessageError(ValueError):
    """The bytes aren't a message of this protocol; `id` is the message's id, or 0 if unreadable."""

    def __init__(self, reason: str, message_id: int = 0) -> None:
        super().__init__(reason)
        self.id = message_id


encode: Callable[[ClientMessage | ServerMessage], bytes] = msgspec.json.Encoder().encode
"""Return a message as UTF-8 JSON."""


def _decode(decoder: msgspec.json.Decoder[Message], raw: bytes) -> Message:
    try:
        return decoder.decode(raw)
    except RecursionError:
        raise MessageError("the message is nested too deeply", _id_of(raw)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        # Bad UTF-8 doesn't raise MsgspecError. The reason may quote the message: cut it.
        raise MessageError(str(error)[:_REASON_CHARS], _id_of(raw)) from None


decode_from_client: Callable[[bytes], ClientMessage] = partial(_decode, _from_client)
"""Return the client's message in `raw`.

Raises:
    MessageError: `raw` isn't a client's message; the reason names the field.
"""

decode_from_server: Callable[[bytes], ServerMessage] = partial(_decode, _from_server)
"""Return the server's message in `raw`; see `decode_from_client`."""


def _id_of(raw: bytes) -> int:
    """Return the id of an invalid message, by which its sender can identify it; 0 if unreadable."""
    try:
        return _id_decoder.decode(raw).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return 0
