"""Write the icons for home screens, drawn from the icon.svg of the page, beside its manifest.

::

    .venv/bin/python -m scripts.write_icons

resvg-py draws them, which `boxroom[png]` brings: devices take no SVG for a home screen.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import resvg_py

PAGE = Path(__file__).resolve().parents[1] / "server/boxroom_server/web/page"
FOLDER = PAGE / "home_screen"


@dataclass(frozen=True, slots=True)
class Icon:
    """One of the files, a square."""

    name: str
    size_px: int
    fills_square: bool = False
    """True for filled corners, of which the device cuts out a shape of its own."""
    margin: int = 0
    """Room added at each side, in units of the drawing, which is 32 wide."""


ICONS = (
    Icon("apple-180.png", 180, fills_square=True),
    Icon("icon-192.png", 192),
    Icon("icon-512.png", 512),
    # Any device shows the inner circle that is 80 percent wide; the margin brings all dots into it.
    Icon("maskable-512.png", 512, fills_square=True, margin=2),
)


def drawn(icon: Icon) -> bytes:
    """Return the icon as PNG."""
    svg = (PAGE / "icon.svg").read_text(encoding="utf-8")
    ground = re.findall(r'<rect [^>]*fill="(#\w+)"', svg)[0]
    width = 32 + 2 * icon.margin
    box = f'viewBox="{-icon.margin} {-icon.margin} {width} {width}"'
    return resvg_py.svg_to_bytes(
        svg_string=svg.replace('viewBox="0 0 32 32"', box),
        background=ground if icon.fills_square else None,
        width=icon.size_px,
        height=icon.size_px,
    )


if __name__ == "__main__":
    for icon in ICONS:
        (FOLDER / icon.name).write_bytes(drawn(icon))
