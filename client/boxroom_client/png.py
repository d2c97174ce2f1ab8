"""An SVG picture as PNG, for where SVG isn't taken.

It needs resvg-py, which isn't installed with Boxroom unless asked for (`boxroom[png]`), and a
monospaced font of the system.
"""

from boxroom_client.exits import Failure

_PAPER = "#ffffff"
"""Behind the picture, which is transparent in itself and dark on light."""

_ZOOM = 2.0
"""Pixels of PNG for each of SVG, so that small letters stay sharp."""


def png_of(svg: str) -> bytes:
    """The picture on white paper, twice as large.

    Raises:
        Failure: resvg-py isn't installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise Failure(
            "PNG takes resvg-py, which isn't installed: pip install resvg-py, or let --out end in"
            " .svg, which every browser shows"
        ) from None
    return resvg_py.svg_to_bytes(svg_string=svg, background=_PAPER, zoom=_ZOOM)
