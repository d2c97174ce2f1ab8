"""Work counted in bytecodes, which doesn't depend on the machine or on what else it does."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Counter:
    """Number of bytecodes that ran in a `with` statement of `counting`."""

    bytecodes = 0


@contextmanager
def counting() -> Iterator[Counter]:
    """Count the bytecodes that run in the context."""
    counter = Counter()

    def trace(frame: FrameType, event: str, arg: Any) -> Callable[..., Any]:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        counter.bytecodes += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield counter
    finally:
        sys.settrace(before)
