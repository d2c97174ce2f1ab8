"""A long text over the whole terminal, to be read page by page."""

from collections.abc import Iterable

from boxroom_client.screen.text.styled import Row
from boxroom_client.screen.text.tabular import wrapped_table_line
from boxroom_client.screen.themes.signs import signs


def paged(
    title: str,
    texts: Iterable[str],
    first: int,
    columns: int,
    lines: int,
    *,
    ascii_only: bool = False,
) -> tuple[list[Row], int]:
    """`lines` rows with `texts` from line `first` on, and where they really begin.

    That is another line where `first` is before the beginning, or where the rest would leave
    a gap.
    """
    sign = signs(ascii_only=ascii_only)
    broken = [line for text in texts for line in wrapped_table_line(sign.text(text), columns)]
    shown = lines - 2
    first = max(0, min(first, len(broken) - shown))
    rows = [
        sign.fitted([("class:log.answer", text)], columns) for text in broken[first : first + shown]
    ]
    rows += [sign.fitted([], columns)] * (shown - len(rows))
    more = len(broken) - first - shown
    below = f"{sign.below} {more} more lines: PgDn {sign.dot} " if more > 0 else ""
    last = sign.fitted([("class:footer", f"{below}Esc or F1 closes this")], columns)
    return [sign.fitted([("class:title", title)], columns), *rows, last], first
