"""Tables as text: the widths of their columns, and wrapped lines."""

import re
from collections.abc import Sequence
from functools import lru_cache

from boxroom_client.screen.text.rows import wrapped
from boxroom_client.text_width import text_width

GAP = 2
"""Cells between two columns."""

_LEAST = 8
"""Least cells of a column whose text is cut."""

_LAST_COLUMN = re.compile(r"(.*\S)\s{2,}(?=\S)")
"""All but the last column of a line of a table, and the gap before the last."""
_LEAST_SENTENCE = 24
"""Least cells in which a sentence is readable."""


def column_widths(table: Sequence[Sequence[str]], columns: int) -> tuple[int, ...]:
    """Return the widths of the columns of `table` in `columns` cells, `GAP` between them.

    The widest are cut first. The last ones are left out if the columns became too narrow.
    """
    count = max((len(line) for line in table), default=0)
    wanted = [
        max(text_width(line[number]) for line in table if number < len(line))
        for number in range(count)
    ]
    for shown in range(count, 1, -1):
        place = columns - GAP * (shown - 1)
        widths = _cut(wanted[:shown], place)
        if place >= 0 and all(
            width >= min(full, _LEAST) for width, full in zip(widths, wanted, strict=False)
        ):
            return widths
    return _cut(wanted[:1], columns)


def _cut(wanted: Sequence[int], columns: int) -> tuple[int, ...]:
    """Return the widths, the widest cut to the same width so that all fit."""
    for most in range(max(wanted, default=0), -1, -1):
        spare = columns - sum(min(width, most) for width in wanted)
        if spare >= 0:
            break
    widths = [min(width, most) for width in wanted]
    for number, full in enumerate(wanted):
        if spare and widths[number] < full:
            widths[number] += 1
            spare -= 1
    return tuple(widths)


@lru_cache(maxsize=1024)
def wrapped_table_line(text: str, columns: int, indent: int = 0) -> tuple[str, ...]:
    """Wrap `text`, a line of a table, to `columns` cells; it keeps all its spaces if it fits.

    Else the last column is wrapped within its column or, if that is too narrow, below the
    others. All lines but the first are indented by `indent` cells more.
    """
    if text_width(text) <= columns:
        return (text,)
    indent += len(text) - len(text.lstrip(" "))
    table = _LAST_COLUMN.match(text)
    if table is None:
        return wrapped(text, columns, indent)
    last, start = text[table.end() :], text_width(table[0])
    if columns - start >= _LEAST_SENTENCE:
        first, *rest = wrapped(last, columns - start)
        return (table[0] + first, *(" " * start + line for line in rest))
    others = table[1]
    above = (others,) if text_width(others) <= columns else wrapped(others, columns, indent)
    indent = min(indent, columns // 2)
    return (*above, *(" " * indent + line for line in wrapped(last, columns - indent)))
