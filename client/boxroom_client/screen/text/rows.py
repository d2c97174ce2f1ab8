"""Rows of styled text, measured in terminal cells: clip, fill and wrap.

A fragment is a style and a text, as prompt_toolkit takes them. The style is always a class,
such as `class:banner`, which a theme defines. Texts have been cleaned before, so they hold no
control characters.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from boxroom_client.text_width import beginning, text_width

Fragment = tuple[str, str]
Row = list[Fragment]


def row_width(row: Iterable[Fragment]) -> int:
    """Return the cells that `row` takes."""
    return sum(text_width(text) for _, text in row)


def clipped_text(text: str, columns: int, more: str = "…") -> str:
    """Cut `text` to at most `columns` cells, with `more` where something was cut."""
    if text_width(text) <= columns:
        return text
    room = columns - text_width(more)
    if room < 0:
        return more[:columns]
    return beginning(text, room) + more


def clipped(row: Sequence[Fragment], columns: int, more: str = "…") -> Row:
    """Cut `row` to at most `columns` cells, with `more` where something was cut."""
    if row_width(row) <= columns:
        return list(row)
    kept: Row = []
    left = columns
    for style, text in row:
        width = text_width(text)
        if width < left:
            kept.append((style, text))
            left -= width
            continue
        kept.append((style, clipped_text(text + more, left, more)))
        break
    return kept


def filled(row: Sequence[Fragment], columns: int, style: str = "") -> Row:
    """Return `row` in exactly `columns` cells: cut, or filled up with spaces in `style`."""
    kept = clipped(row, columns)
    gap = columns - row_width(kept)
    return [*kept, (style, " " * gap)] if gap else kept


@lru_cache(maxsize=4096)
def wrapped(text: str, columns: int, indent: int = 0) -> tuple[str, ...]:
    """Wrap `text` to at most `columns` cells, between words where that is possible.

    All lines but the first are indented by `indent` cells. Leading spaces are kept.
    """
    columns = max(columns, 2)  # what one wide character takes
    indent = min(indent, columns // 2, columns - 2)
    lines: list[str] = []
    line = text[: len(text) - len(text.lstrip(" "))]
    is_empty = True
    for word in text.split():
        room = columns - text_width(line) - (0 if is_empty else 1)
        if text_width(word) <= room:
            line += word if is_empty else f" {word}"
            is_empty = False
            continue
        if not is_empty:
            lines.append(line)
            line = " " * indent
        rest = word
        while text_width(rest) > columns - text_width(line):
            piece = clipped_text(rest, columns - text_width(line), "")
            lines.append(line + piece)
            rest = rest[len(piece) :]
            line = " " * indent
        line += rest
        is_empty = not rest
    if not is_empty or not lines:
        lines.append(line)
    return tuple(lines)
