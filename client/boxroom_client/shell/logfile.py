"""The log file of the client, for messages that would disturb a person at a terminal."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path

from platformdirs import user_log_path

MOST_BYTES = 1_000_000


def default_log_file() -> Path:
    """Return the usual log file, which may not exist yet."""
    return user_log_path("boxroom", appauthor=False) / "boxroom.log"


@contextmanager
def all_logging_to(file: Path) -> Iterator[None]:
    """Log all warnings and errors to `file` only, those of the `warnings` module as well.

    If it can't be written, they are dropped.
    """
    with logging_to(file):
        logging.captureWarnings(capture=True)
        try:
            yield
        finally:
            logging.captureWarnings(capture=False)


@contextmanager
def logging_to(file: Path, name: str | None = None) -> Iterator[None]:
    """Log warnings and errors of the logger `name` and those below it to `file` only.

    Without a name, it is the root. If the file can't be written, they are dropped.
    """
    logger = logging.getLogger(name)
    before = logger.handlers[:], logger.propagate
    handler = _handler(file)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger.handlers[:], logger.propagate = [handler], False
    try:
        yield
    finally:
        logger.handlers[:], logger.propagate = before
        handler.close()


def _handler(file: Path) -> logging.Handler:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return RotatingFileHandler(
            file, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=True
        )
    except OSError:
        return logging.NullHandler()
