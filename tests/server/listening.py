"""Everything that is logged while a test runs, as the server's own formatters write it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO


@contextmanager
def logged(formatter: logging.Formatter, *talkative: str) -> Iterator[StringIO]:
    """What is logged from now on; of the loggers `talkative` also what they say at DEBUG."""
    out = StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    levels = {logging.getLogger(name): logging.getLogger(name).level for name in talkative}
    logging.getLogger().addHandler(handler)
    for logger in levels:
        logger.setLevel(logging.DEBUG)
    try:
        yield out
    finally:
        logging.getLogger().removeHandler(handler)
        for logger, level in levels.items():
            logger.setLevel(level)
