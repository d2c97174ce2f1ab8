"""Capture of log output, as the server's formatters write it."""

import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

from boxroom_server.ops import logs


@contextmanager
def captured_log(formatter: logging.Formatter, *debug_loggers: str) -> Iterator[StringIO]:
    """Capture all log output; of `debug_loggers` from DEBUG on."""
    out = StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    levels = {logging.getLogger(name): logging.getLogger(name).level for name in debug_loggers}
    logging.getLogger().addHandler(handler)
    for logger in levels:
        logger.setLevel(logging.DEBUG)
    try:
        yield out
    finally:
        logging.getLogger().removeHandler(handler)
        for logger, level in levels.items():
            logger.setLevel(level)


@contextmanager
def fresh_logging() -> Iterator[None]:
    """Reset logging as in a new process; restore it afterwards."""
    root = logging.getLogger()
    handlers, level, shows = root.handlers[:], root.level, logging.raiseExceptions
    hooks = threading.excepthook, sys.unraisablehook
    root.handlers[:] = []
    try:
        yield
    finally:
        logging.captureWarnings(False)
        threading.excepthook, sys.unraisablehook = hooks
        root.handlers[:] = handlers
        root.setLevel(level)
        for name in (logs.SERVER_LOGGER, "asyncio"):
            logging.getLogger(name).setLevel(logging.NOTSET)
        logging.raiseExceptions = shows
