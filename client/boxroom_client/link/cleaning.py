"""Reading what a server sends, so that no text in it can fool a terminal.

Servers clean what they take in, but a client can't know what a stranger's server does. So
every text of every message is cleaned here, before anything else sees it, whatever field it
stands in: a list of fields would miss the next one.
"""

from typing import Any

import msgspec

from boxroom_engine.room.text import clean
from boxroom_engine.wire.codec import MessageError, decode_from_server
from boxroom_engine.wire.messages import ServerMessage


def read_message(raw: bytes) -> ServerMessage:
    """The server's message in `raw`, with every text in it cleaned.

    Raises:
        MessageError: it isn't one, or not any more when it is clean.
    """
    plain = _cleaned(msgspec.to_builtins(decode_from_server(raw)))
    try:
        message: ServerMessage = msgspec.convert(plain, type=ServerMessage)
    except msgspec.ValidationError as error:
        raise MessageError(str(error)) from None
    return message


def _cleaned(value: Any) -> Any:
    """`value`, which JSON could hold, with every text in it cleaned."""
    match value:
        case str():
            return value.strip() if value.isascii() and value.isprintable() else clean(value)
        case list() | tuple():
            return [_cleaned(item) for item in value]
        case dict():
            return {_cleaned(key): _cleaned(item) for key, item in value.items()}
        case _:
            return value
