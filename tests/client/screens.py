"""A stream that may be a terminal, and a clock, for tests of status lines."""

import io


class Screen(io.StringIO):
    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s
