"""What the tests of whole programs share."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c_reaches_the_programs() -> Iterator[None]:
    """A shell that runs the tests in the background has them and their children ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
