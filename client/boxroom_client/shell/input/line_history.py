"""The history of typed lines, for which passwords are no lines."""

from collections.abc import Callable

from prompt_toolkit.history import InMemoryHistory


class LineHistory(InMemoryHistory):
    """Typed lines that can be recalled, without those that are typed while `is_secret`."""

    def __init__(self, is_secret: Callable[[], bool]) -> None:
        super().__init__()
        self._is_secret = is_secret

    def append_string(self, string: str) -> None:
        """Add a line, unless it is secret."""
        if not self._is_secret():
            super().append_string(string)
