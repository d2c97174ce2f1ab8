"""Decoding of a server's messages, with control characters removed from every text in them.

A text with escape sequences could take over the terminal. Servers clean what they receive, but a
stranger's server may not. So this module cleans every text in every field of every message,
before other code sees it: a list of fields would miss the next one.
"""

from typing import Any

import msgspec

from boxroom_engine.room.events import Event
from boxroom_engine.room.text import clean
from boxroom_engine.wire.codec import MessageError, decode_from_server
from boxroom_engine.wire.messages import ServerMessage

_UNKNOWN = ("Invalid value ", "Invalid enum value ")
"""Beginnings of the errors of msgspec at unknown tags, and at unknown values of enumerations."""


def read_message(raw: bytes) -> ServerMessage:
    """Decode the server's message in `raw`, and clean every text in it.

    An event with a type or a value that came after this client is `Hidden`.

    Raises:
        MessageError: it isn't a valid message, before or after cleaning.
    """
    try:
        return _message(_cleaned(msgspec.to_builtins(_decoded(raw))))
    except RecursionError:
        raise MessageError("a phrase has too many levels") from None


def _decoded(raw: bytes) -> ServerMessage:
    try:
        return decode_from_server(raw)
    except MessageError:
        match _decoded_json(raw):
            case {"type": "events", "events": list(events)} as plain:
                return _message(plain | {"events": [_known(event) for event in events]})
            case _:
                raise


def _message(plain: Any) -> ServerMessage:
    """Return the message that `plain` stands for, without the fields that none has."""
    try:
        message: ServerMessage = msgspec.convert(plain, type=ServerMessage)
    except msgspec.ValidationError as error:
        raise MessageError(str(error)) from None
    return message


def _decoded_json(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _known(event: Any) -> Any:
    try:
        msgspec.convert(event, type=Event)
    except msgspec.ValidationError as error:
        if str(error).startswith(_UNKNOWN):
            return {"type": "hidden"}
    return event


def _cleaned(value: Any) -> Any:
    """Return `value`, made of what JSON has, with every text in it cleaned."""
    match value:
        case str():
            return value.strip() if value.isascii() and value.isprintable() else clean(value)
        case list() | tuple():
            return [_cleaned(item) for item in value]
        case dict():
            return {_cleaned(key): _cleaned(item) for key, item in value.items()}
        case _:
            return value
