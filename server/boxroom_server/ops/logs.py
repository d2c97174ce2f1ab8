"""Logging: formatters that write lines for people or JSON for machines, and never a secret.

Secrets, passwords, tokens and chat must not get into a log. Our own calls don't mention them, and
websockets logs warnings and errors only (see `net.connection`). The text of an exception may quote
a client's message, so only its type and traceback are written.

Nor can a client fill a disk: the handler limits lines of the same kind.
"""

import asyncio
import logging
import sqlite3
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

from boxroom_server.net.rate_limits import KeyedRateLimiter

logger = logging.getLogger(__name__)

Field = str | int | float | bool | Sequence[str] | Mapping[str, str | int | float] | None
"""Value of a log record's extra field."""

SERVER_LOGGER = "boxroom_server"
"""Name of the parent of all loggers of the server."""

console = logging.getLogger(f"{SERVER_LOGGER}.console")
"""Logger of the sentences for the person who starts the server, whatever the verbosity."""

LINES_AT_ONCE = 1_000
"""Lines of one kind that are written without a pause."""

LINES_PER_S = 1.0
"""Lines of one kind a second, on average: with 200 bytes each, 17 MB a day."""

_FROM_THE_SYSTEM = (OSError, sqlite3.Error)
"""Exceptions whose texts an operator needs, and which quote nothing from a client."""


def fields(**named: Field) -> dict[str, dict[str, Field]]:
    """Return the `extra` argument of a logging call, for fields beside the event.

    Names may be any but `time`, `level`, `logger`, `event` and `exception`.
    """
    return {"fields": named}


def set_up(verbosity: int, *, as_json: bool) -> None:
    """Log to standard error: 0 warnings only, 1 events too, 2 each connection too."""
    handler = LimitedHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else LineFormatter())
    logging.basicConfig(level=logging.INFO if verbosity else logging.WARNING, handlers=[handler])
    if verbosity > 1:
        logging.getLogger(SERVER_LOGGER).setLevel(logging.DEBUG)
    console.setLevel(logging.INFO)
    console.propagate = False
    console.handlers = [ConsoleHandler(JsonFormatter() if as_json else SentenceFormatter())]
    if as_json:
        _log_instead_of_printing()
    # Its warnings are about peers that have gone, whom the event loop still writes to.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    logging.raiseExceptions = False  # or it prints the arguments of a call that can't be formatted


def _log_instead_of_printing() -> None:
    """Have Python log the warnings and exceptions that it would print."""
    logging.captureWarnings(True)

    def log(unhandled: "threading.ExceptHookArgs | sys.UnraisableHookArgs") -> None:
        logger.error("unhandled exception", exc_info=unhandled.exc_value)

    threading.excepthook = sys.unraisablehook = log


class ConsoleHandler(logging.Handler):
    """A handler that prints lines: to standard error if they tell of trouble."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self.setFormatter(formatter)

    def emit(self, record: logging.LogRecord) -> None:
        """Print the record; the server goes on when a stream can't be written any more."""
        stream = sys.stdout if record.levelno < logging.WARNING else sys.stderr
        with suppress(OSError, SystemExit):  # the latter for commands without a reader
            print(self.format(record), file=stream, flush=True)


class SentenceFormatter(logging.Formatter):
    """Formatter of sentences for people, as commands print them."""

    def format(self, record: logging.LogRecord) -> str:
        sentence = record.getMessage()
        return sentence if record.levelno < logging.WARNING else f"boxroom: {sentence}"


class LimitedHandler(logging.StreamHandler[TextIO]):
    """A stream handler with a limit of lines for each kind: logger, level and event.

    After lines that weren't written the next one of that kind has their number as `suppressed`.
    Lines below INFO have no limit.
    """

    def __init__(self, stream: TextIO, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self._limiter = KeyedRateLimiter(LINES_PER_S, LINES_AT_ONCE, now_s)
        self._suppressed: Counter[object] = Counter()  # lines not written, by kind

    def emit(self, record: logging.LogRecord) -> None:
        kind = (record.name, record.levelno, record.msg)
        if record.levelno >= logging.INFO and not self._limiter.take(kind):
            self._suppressed[kind] += 1
            return
        if suppressed := self._suppressed.pop(kind, 0):
            record.fields = {**_fields_of(record), "suppressed": suppressed}
        super().emit(record)


class LineFormatter(logging.Formatter):
    """Formatter of lines for people: time, level, logger, event, and fields as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line, without its cached text of the exception."""
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
