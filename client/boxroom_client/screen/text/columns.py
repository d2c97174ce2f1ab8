"""Columns of text beside one another, in as much space as there is."""

from collections.abc import Sequence

from boxroom_client.screen.text.styled import text_width

GAP = 2
"""Cells between two columns."""

_LEAST = 8
"""Cells in which a text that is cut can still be guessed."""


def column_widths(table: Sequence[Sequence[str]], columns: int) -> tuple[int, ...]:
    """The widths of the columns of `table` in `columns` cells, `GAP` between them.

    The widest are cut first. The last ones are left out where too little would be left of each.
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
    """The widths, the widest of them cut down to one another so that they fit."""
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
