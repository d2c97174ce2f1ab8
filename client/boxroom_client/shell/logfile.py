"""The log file for messages while a screen is shown; printed, they would break the picture."""

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
def logging_to(file: Path) -> Iterator[None]:
    """Log warnings and errors to `file` only; if it can't be written, drop them."""
    root = logging.getLogger()
    before = root.handlers[:]
    handler = _handler(file)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.handlers[:] = [handler]
    logging.captureWarnings(capture=True)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        root.handlers[:] = before
        handler.close()


def _handler(file: Path) -> logging.Handler:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return RotatingFileHandler(
            file, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=True
        )
    except OSError:
        return logging.NullHandler()
