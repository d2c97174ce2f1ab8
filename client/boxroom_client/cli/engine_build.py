"""The fast engine, built while a person plays."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue

from boxroom_common.kernel.use import build_in_background

_FIRST_SENTENCE_S = 1.0
"""Longest wait for the sentence about what is being built, or why it can't be."""


@contextmanager
def engine_built_meanwhile(say: Callable[[str], None]) -> Iterator[None]:
    """Build the fast engine during the context, if it isn't there; `say` how it goes.

    What happens during the context is said after it: a screen may hide the output until then.
    """
    said = SimpleQueue[str]()
    build = build_in_background(said.put, may_download=True)
    if build is not None:
        _pass_on(said, say, _FIRST_SENTENCE_S)
    yield
    while not said.empty():
        _pass_on(said, say, 0)
    if build is not None and build.is_alive():
        say("The fast engine isn't finished: the next game builds it, or boxroom solve does now.")


def _pass_on(said: SimpleQueue[str], say: Callable[[str], None], timeout_s: float) -> None:
    try:
        say(said.get(timeout=timeout_s))
    except Empty:
        return
