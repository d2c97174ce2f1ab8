"""Output streams that pretend to be terminals."""

import io


class Stream(io.StringIO):
    """An output stream that may be a terminal."""

    def __init__(self, *, is_terminal: bool = True, encoding: str = "utf-8") -> None:
        super().__init__()
        self._is_terminal = is_terminal
        self._encoding = encoding

    def isatty(self) -> bool:
        return self._is_terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding
