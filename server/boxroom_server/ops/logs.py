"""How a server writes its log: lines for people, or JSON for machines, and never a secret.

Secrets, passwords, tokens and what people say to one another must not get into a log. Our own
calls don't mention them. That leaves what others write: websockets shows every frame at DEBUG,
which `without_frames` rules out, and the text of an exception may quote what a client has sent,
so of exceptions only their types and places are written.
"""

import asyncio
import logging
import sqlite3
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

logger = logging.getLogger(__name__)

Field = str | int | float | bool | Mapping[str, str | int | float] | None
"""What a line of the log may say beside its event."""

OURS = "boxroom_server"
"""The logger above all of the server's."""

_FROM_THE_SYSTEM = (OSError, sqlite3.Error)
"""Exceptions whose texts an operator needs, and which no client has a say in."""


def fields(**named: Field) -> dict[str, dict[str, Field]]:
    """The `extra` of a call to a logger that has more to say than its event.

    Names are any but `time`, `level`, `logger`, `event` and `exception`.
    """
    return {"fields": named}


def set_up(verbosity: int, *, as_json: bool) -> None:
    """Log to standard error: warnings only, with 1 what happens, with 2 each connection, too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else LineFormatter())
    logging.basicConfig(level=logging.INFO if verbosity else logging.WARNING, handlers=[handler])
    if verbosity > 1:
        logging.getLogger(OURS).setLevel(logging.DEBUG)
    logging.raiseExceptions = False  # it would show the arguments of a call that can't be written


class LineFormatter(logging.Formatter):
    """One line for people: when, how bad, where, what, and fields as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter`; what another formatter has made of an exception isn't used."""
        line = f"{self.formatTime(record)} {record.levelname} {record.name}: {record.getMessage()}"
        for name, value in _fields_of(record).items():
            line += f" {name}={msgspec.json.encode(value).decode()}"  # on one line, whatever it is
        error = _error_of(record)
        return line if error is None else f"{line}\n{describe(error)}"


class JsonFormatter(logging.Formatter):
    """One JSON object: `time` (RFC 3339, UTC), `level`, `logger`, `event`, and the fields.

    With an exception, `exception` tells its type and places.
    """

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter`."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry: dict[str, Field] = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **_fields_of(record),
        }
        error = _error_of(record)
        if error is not None:
            entry["exception"] = describe(error)
        return msgspec.json.encode(entry).decode()


def _fields_of(record: logging.LogRecord) -> dict[str, Field]:
    named: dict[str, Field] = getattr(record, "fields", {})
    return named


def _error_of(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info else None


def describe(error: BaseException) -> str:
    """What `error` is, where it was raised, and the same of what it came from, before it.

    Its text only if that comes from the operating system or from SQLite.
    """
    chain: list[BaseException] = []
    came_from: BaseException | None = error
    while came_from is not None and came_from not in chain:
        chain.insert(0, came_from)
        came_from = came_from.__cause__ or (
            None if came_from.__suppress_context__ else came_from.__context__
        )
    return "\n".join(
        "".join(traceback.format_tb(one.__traceback__))
        + type(one).__qualname__
        + (f": {one}" if isinstance(one, _FROM_THE_SYSTEM) else "")
        for one in chain
    )


def log_unhandled(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what was raised where nobody waits for it: an exception handler for an event loop.

    The loop's own would show the objects concerned, and an exception that one of them holds.
    """
    error = context.get("exception")
    if error is None:
        logger.error("something is wrong: %s", context["message"])
    else:
        logger.error("nobody has handled an exception", exc_info=error)


def without_frames(name: str) -> logging.LoggerAdapter[logging.Logger]:
    """The logger `name` for websockets, in which nobody can turn on what shows every frame.

    What it says of ordinary connections is left out as well: the server says that itself.
    """
    return _WarningsOnly(logging.getLogger(name), None)


class _WarningsOnly(logging.LoggerAdapter[logging.Logger]):
    def isEnabledFor(self, level: int) -> bool:  # noqa: N802 (logging's name)
        return level >= logging.WARNING and super().isEnabledFor(level)
