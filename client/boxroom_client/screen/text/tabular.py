"""Lines whose spaces mean something: tables, and lists that are indented."""

import re
from functools import lru_cache

from boxroom_client.screen.text.styled import text_width, wrapped

_LAST_COLUMN = re.compile(r"(.*\S)\s{2,}(?=\S)")
"""All but the last column of a line of a table, and what stands between."""
_TELLING = 24
"""Cells in which a sentence can still be read."""


@lru_cache(maxsize=1024)
def wrapped_table_line(text: str, columns: int, indent: int = 0) -> tuple[str, ...]:
    """`text` in lines of at most `columns` cells, with all of its spaces if it fits.

    If it doesn't, the last column is broken and stays a column; if that is too narrow to be
    read, it goes below the others. All lines but the first are indented by `indent` cells more.
    """
    if text_width(text) <= columns:
        return (text,)
    indent += len(text) - len(text.lstrip(" "))
    table = _LAST_COLUMN.match(text)
    if table is None:
        return wrapped(text, columns, indent)
    last, start = text[table.end() :], text_width(table[0])
    if columns - start >= _TELLING:
        first, *rest = wrapped(last, columns - start)
        return (table[0] + first, *(" " * start + line for line in rest))
    others = table[1]
    above = (others,) if text_width(others) <= columns else wrapped(others, columns, indent)
    indent = min(indent, columns // 2)
    return (*above, *(" " * indent + line for line in wrapped(last, columns - indent)))
