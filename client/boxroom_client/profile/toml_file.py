"""TOML files that people write, with a message for every error in them."""

import re
import tomllib
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boxroom_engine.decoding import decoded_with_crlf
from boxroom_engine.errors import BoxroomError

_MOST_BYTES = 100_000
_MARK = BOM_UTF8.decode()


class TomlError(BoxroomError):
    """The file can't be read; `str(error)` names it and says why."""


class NoSuchToml(TomlError):
    """There is no file at the path."""


@dataclass(frozen=True, slots=True)
class TomlFile:
    """Content of the TOML file at `path`."""

    path: Path
    text: str
    """The text, its lines ended by LF or CRLF, without a byte order mark."""
    table: Mapping[str, Any]
    mark: str = ""
    """The byte order mark in front of the text, as Windows writes it; empty if there is none."""

    def place_of(self, key: str) -> str:
        """Return the path, with the line that assigns `key` of the outermost table if found."""
        assigned = rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*="
        assignment = re.search(assigned, self.text, re.MULTILINE)
        if assignment is None:  # a table, or a key in another spelling
            return str(self.path)
        return f"{self.path}, line {self.text.count(chr(10), 0, assignment.start()) + 1}"


def read_toml(path: Path) -> TomlFile:
    """Read and parse the file at `path`.

    Raises:
        NoSuchToml: there is no such file.
        TomlError: it can't be read, or isn't TOML.
    """
    try:
        with path.open("rb") as file:
            written = file.read(_MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise NoSuchToml(f"there is no file {path}") from None
    except (OSError, ValueError) as error:  # ValueError: a path that no system has
        reason = getattr(error, "strerror", None) or error
        raise TomlError(f"{path} can't be read: {reason}") from None
    if len(written) > _MOST_BYTES:
        raise TomlError(f"{path} is far too large: at most {_MOST_BYTES:,} bytes are read")
    text = decoded_with_crlf(written)
    return TomlFile(path, text, _parsed(path, text), _MARK if written.startswith(BOM_UTF8) else "")


def _parsed(path: Path, text: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise TomlError(f"{path} isn't TOML that can be read: it is nested too deep") from None
    except ValueError as error:  # TOMLDecodeError, or a number that is too long
        raise TomlError(f"{path} isn't TOML: {error}") from None
