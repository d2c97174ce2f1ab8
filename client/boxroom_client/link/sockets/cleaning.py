"""Decoding of a server's messages, with control characters removed from every text in them.

A text with escape sequences could take over the terminal. Servers clean what they receive, but a
stranger's server may not. So this module cleans every text in every field of every message,
before other code sees it: a list of fields would miss the next one.
"""

from typing import Any

import msgspec

from boxroom_engine.room.text import clean
from boxroom_engine.wire.codec import MessageError, decode_from_server
from boxroom_engine.wire.messages import ServerMessage


def read_message(raw: bytes) -> ServerMessage:
    """Decode the server's message in `raw`, and clean every text in it.

    Raises:
        MessageError: it isn't a valid message, before or after cleaning.
    """
    plain = _cleaned(msgspec.to_builtins(decode_from_server(raw)))
    try:
        message: ServerMessage = msgspec.convert(plain, type=ServerMessage)
    except msgspec.ValidationError as error:
        raise MessageError(str(error)) from None
    return message


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
