"""Messages to bytes and back: JSON in UTF-8, validated while it is decoded."""

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


class _JustId(msgspec.Struct):
    id: CommandId = 0


_just_id = msgspec.json.Decoder(_JustId)


class MessageError(ValueError):
    """The bytes are no message of this protocol; `id` is theirs if it could be read, or 0."""

    def __init__(self, reason: str, message_id: int = 0) -> None:
        super().__init__(reason)
        self.id = message_id


encode: Callable[[ClientMessage | ServerMessage], bytes] = msgspec.json.Encoder().encode
"""A message as UTF-8 JSON."""


def _decode(decoder: msgspec.json.Decoder[Message], raw: bytes) -> Message:
    try:
        return decoder.decode(raw)
    except RecursionError:
        raise MessageError("that is nested too deeply", _id_of(raw)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        # Bad UTF-8 doesn't raise MsgspecError. The reason may quote what was sent: cut it.
        raise MessageError(str(error)[:_REASON_CHARS], _id_of(raw)) from None


decode_from_client: Callable[[bytes], ClientMessage] = partial(_decode, _from_client)
"""The client's message in some bytes.

Raises:
    MessageError: they aren't one; the reason names the field.
"""

decode_from_server: Callable[[bytes], ServerMessage] = partial(_decode, _from_server)
"""The server's message in some bytes; see `decode_from_client`."""


def _id_of(raw: bytes) -> int:
    """The id of a message that is wrong otherwise, so that its sender learns which it was."""
    try:
        return _just_id.decode(raw).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return 0
