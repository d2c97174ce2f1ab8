"""Drawings of the assignment, and a reader of their ley-lines.

The reader doesn't use the engine's numbering: cells are letters, and it follows a ley-line stroke
by stroke.
"""

from collections.abc import Iterator
from textwrap import dedent

SIZE_1 = r"""
      @   @
     /   /
@ - A - B
     \ / \
  @ - C   @
       \
        @
"""

SIZE_2 = r"""
            @   @
           /   /
      @ - A - B   @
         / \ / \ /
    @ - C - D - E
         \ / \ / \
      @ - F - G   @
           \   \
            @   @
"""

SIZE_3 = r"""
          @   @
         /   /
    @ - A - B   @
       / \ / \ /
  @ - C - D - E   @
     / \ / \ / \ /
@ - F - G - H - I
     \ / \ / \ / \
  @ - J - K - L   @
       \   \   \
        @   @   @
"""

PICTURES = {size: dedent(text).strip("\n") for size, text in enumerate((SIZE_1, SIZE_2, SIZE_3), 1)}

_WAYS = (("-", 2, 0), ("/", -1, 1), ("\\", -1, -1))
"""Strokes from a marker, with half of the step to the next letter."""


def ley_lines_in(picture: str) -> Iterator[str]:
    """Return the letters of each ley-line from its marker on, the markers in reading order."""
    at = {
        (x, y): char
        for y, row in enumerate(picture.splitlines())
        for x, char in enumerate(row)
        if char != " "
    }
    for (x, y), char in at.items():
        if char == "@":
            yield _followed(at, x, y)


def _followed(at: dict[tuple[int, int], str], x: int, y: int) -> str:
    (way,) = (way for way in _WAYS if at.get((x + way[1], y + way[2])) == way[0])
    stroke, dx, dy = way
    letters = ""
    while at.get((x + dx, y + dy)) == stroke:
        x, y = x + 2 * dx, y + 2 * dy
        letters += at[x, y]
    return letters
