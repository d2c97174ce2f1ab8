"""Where log messages go while the screen is shown: into a file, for on the screen they would
land in the middle of the board.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path

from platformdirs import user_log_path

MOST_BYTES = 1_000_000


def default_log_file() -> Path:
    """The file: it is made when there is something to write."""
    return user_log_path("boxroom", appauthor=False) / "boxroom.log"


@contextmanager
def logging_to(file: Path) -> Iterator[None]:
    """Log warnings and worse to `file`, and nowhere else; where that can't be, nowhere at all."""
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
