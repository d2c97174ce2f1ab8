"""Decoding of text that people and other programs wrote, whatever encoding they used.

Text is UTF-8, or UTF-16 if it begins with its byte order mark, as PowerShell's `>` writes it. A
line that isn't UTF-8 is Windows-1252, which has all printable characters of Latin-1: archives are
often put together from files of both encodings.
"""

import codecs
import re

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LONE_CR = re.compile(r"\r(?!\n)")
_MARKS = re.compile(r"^[\x1a\ufeff]+|\x1a+(?=\s*\Z)", re.MULTILINE)
"""Ctrl-Z, which ended a file of DOS, and byte order marks, also where files were joined."""


def decoded(content: bytes) -> str:
    """Return the text in `content`, with line feeds as line ends and no marks of its encoding."""
    return decoded_with_crlf(content).replace("\r\n", "\n")


def decoded_with_crlf(content: bytes) -> str:
    """Return the text in `content`; unlike `decoded`, keep line ends of two characters."""
    is_wide = content.startswith(_UTF_16)
    text = content.decode("utf-16", "replace") if is_wide else _in_lines(content)
    return _MARKS.sub("", _LONE_CR.sub("\n", text))


def _in_lines(content: bytes) -> str:
    return "".join(map(decoded_line, content.splitlines(keepends=True)))


def decoded_line(line: bytes) -> str:
    """Return the text in `line`, without a byte order mark."""
    line = line.removeprefix(codecs.BOM_UTF8)
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")  # which leaves five bytes without a meaning
