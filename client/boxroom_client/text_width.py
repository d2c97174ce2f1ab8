"""Widths of text in terminal cells, counted by grapheme clusters.

A cluster is what people see as one character, such as 👨‍👩‍👧 or é; it may have many code points:
https://www.unicode.org/reports/tr29/. Its width is what terminals agree on most, see `wcwidth`.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any


def graphemes(text: str) -> Iterable[str]:
    """Return the grapheme clusters of `text`, in order."""
    if text.isascii():
        return text
    # Here, because most texts are ASCII, and it takes time to import.
    from wcwidth import iter_graphemes

    return iter_graphemes(text)


def text_width(text: str) -> int:
    """Return the cells that `text`, which has no control characters, takes."""
    if text.isascii():
        return len(text)
    from wcwidth import width

    return sum(width(grapheme) for grapheme in graphemes(text))


def left_aligned(text: str, columns: int) -> str:
    """Return `text` with spaces behind it, in at least `columns` cells."""
    return text + " " * (columns - text_width(text))


def right_aligned(text: str, columns: int) -> str:
    """Return `text` with spaces before it, in at least `columns` cells."""
    return " " * (columns - text_width(text)) + text


def centred(text: str, columns: int) -> str:
    """Return `text` with spaces around it, in at least `columns` cells."""
    before = max(0, columns - text_width(text)) // 2
    return left_aligned(" " * before + text, columns)


def column_widths(table: Iterable[Sequence[str]]) -> Iterator[int]:
    """Yield the cells that each column of `table` takes."""
    for column in zip(*table, strict=True):
        yield max(map(text_width, column))


def beginning(text: str, columns: int) -> str:
    """Return as many grapheme clusters from the start of `text` as fit into `columns` cells."""
    kept: list[str] = []
    for grapheme in graphemes(text):
        columns -= text_width(grapheme)
        if columns < 0:
            break
        kept.append(grapheme)
    return "".join(kept)


def wrap(text: str, columns: int, **options: Any) -> list[str]:
    """Return `text` in lines of at most `columns` cells; the options are those of `textwrap`."""
    if text.isascii():
        return textwrap.wrap(text, columns, **options)
    import wcwidth

    return wcwidth.wrap(text, columns, **options)


def first_grapheme(text: str) -> str:
    """Return the first grapheme cluster of `text`; empty if there is none."""
    return next(iter(graphemes(text)), "")


def last_grapheme(text: str) -> str:
    """Return the last grapheme cluster of `text`; empty if there is none."""
    return list(graphemes(text))[-1] if text else ""
