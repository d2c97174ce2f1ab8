"""Logging: formatters that write lines for people or JSON for machines, and never a secret.

Secrets, passwords, tokens and chat must not get into a log. Our own calls don't mention them.
Other sources are closed here: websockets logs every frame at DEBUG, which `without_frames` rules
out, and the text of an exception may quote a client's message, so only its type and traceback are
written.
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
"""Value of a log record's extra field."""

SERVER_LOGGER = "boxroom_server"
"""Name of the parent of all loggers of the server."""

_FROM_THE_SYSTEM = (OSError, sqlite3.Error)
"""Exceptions whose texts an operator needs, and which quote nothing from a client."""


def fields(**named: Field) -> dict[str, dict[str, Field]]:
    """Return the `extra` argument of a logging call, for fields beside the event.

    Names may be any but `time`, `level`, `logger`, `event` and `exception`.
    """
    return {"fields": named}


def set_up(verbosity: int, *, as_json: bool) -> None:
    """Log to standard error: 0 warnings only, 1 events too, 2 each connection too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else LineFormatter())
    logging.basicConfig(level=logging.INFO if verbosity else logging.WARNING, handlers=[handler])
    if verbosity > 1:
        logging.getLogger(SERVER_LOGGER).setLevel(logging.DEBUG)
    logging.raiseExceptions = False  # or it prints the arguments of a call that can't be formatted


class LineFormatter(logging.Formatter):
    """Formatter of lines for people: time, level, logger, event, and fields as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter`; the record's cached exception text isn't used."""
        line = f"{self.formatTime(record)} {record.levelname} {record.name}: {record.getMessage()}"
        for name, value in _fields_of(record).items():
            line += f" {name}={msgspec.json.encode(value).decode()}"  # always one line
        error = _error_of(record)
        return line if error is None else f"{line}\n{describe(error)}"


class JsonFormatter(logging.Formatter):
    """Formatter of JSON objects: `time` (RFC 3339, UTC), `level`, `logger`, `event`, and fields.

    `exception` holds the type and traceback of an exception.
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
    """Return type and traceback of `error`, after those of its causes.

    Its text is included only if it comes from the operating system or from SQLite.
    """
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.insert(0, cause)
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\n".join(
        "".join(traceback.format_tb(one.__traceback__))
        + type(one).__qualname__
        + (f": {one}" if isinstance(one, _FROM_THE_SYSTEM) else "")
        for one in chain
    )


def log_unhandled(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an unhandled exception: an exception handler for an event loop.

    The loop's own handler would log the objects concerned and their exceptions' texts.
    """
    error = context.get("exception")
    if error is None:
        logger.error("event loop error: %s", context["message"])
    else:
        logger.error("unhandled exception", exc_info=error)


def without_frames(name: str) -> logging.LoggerAdapter[logging.Logger]:
    """Return the logger `name` for websockets, restricted to warnings and errors.

    So no level shows frames. Ordinary connections are logged by the server itself.
    """
    return _WarningsOnly(logging.getLogger(name), None)


class _WarningsOnly(logging.LoggerAdapter[logging.Logger]):
    def isEnabledFor(self, level: int) -> bool:  # noqa: N802 (logging's name)
        return level >= logging.WARNING and super().isEnabledFor(level)
