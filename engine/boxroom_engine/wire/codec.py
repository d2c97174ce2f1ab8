"""Codec of messages: JSON in UTF-8, which it validates while it decodes."""

import json
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import msgspec

from boxroom_engine.errors import BoxroomError
from boxroom_engine.room.commands import CommandId
from boxroom_engine.wire.messages import ClientMessage, ServerMessage

Message = TypeVar("Message")

_REASON_CHARS = 300

_from_client: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_from_server: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


_TOO_DEEP = "the message is nested too deeply"


class _IdOnly(msgspec.Struct):
    id: CommandId = 0


_id_decoder = msgspec.json.Decoder(_IdOnly)


class MessageError(BoxroomError, ValueError):
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
        reason = _TOO_DEEP
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        # Bad UTF-8 doesn't raise MsgspecError. The reason may quote the message: cut it.
        reason = str(error)[:_REASON_CHARS]
    # Raised here, it doesn't refer to the error before, with which it would refer to all callers.
    raise MessageError(reason, _id_of(raw))


def decode_from_client(raw: bytes) -> ClientMessage:
    """Return the client's message in `raw`.

    Raises:
        MessageError: `raw` isn't a client's message; the reason names the field.
    """
    message = _decode(_from_client, raw)
    once = encode(message)  # each field that isn't at its default, once, as our client sends it
    if once != raw and (raw.count(b":") != once.count(b":") or b"\\" in raw):
        _refuse_doubled_fields(raw)  # or find that a default was sent, or a colon escaped
    return message


decode_from_server: Callable[[bytes], ServerMessage] = partial(_decode, _from_server)
"""Return the server's message in `raw`.

Raises:
    MessageError: `raw` isn't a server's message.
"""


def _refuse_doubled_fields(raw: bytes) -> None:
    """Read valid JSON once more, since msgspec takes the last of several fields with one name."""
    try:
        _names_checker.decode(raw.decode())
        return
    except RecursionError:
        reason = _TOO_DEEP
    except ValueError as error:
        reason = str(error)[:_REASON_CHARS]
    raise MessageError(reason, _id_of(raw))


def _check_names(fields: list[tuple[str, object]]) -> None:
    seen: set[str] = set()
    for name, _ in fields:
        if name in seen:
            raise ValueError(f"the field {name!r} appears twice")
        seen.add(name)


# Numbers stay text: they may be too long for Python.
_names_checker = json.JSONDecoder(object_pairs_hook=_check_names, parse_int=str, parse_float=str)


def _id_of(raw: bytes) -> int:
    """Return the id of an invalid message, by which its sender can identify it; 0 if unreadable."""
    try:
        return _id_decoder.decode(raw).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return 0
