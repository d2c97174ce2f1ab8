"""`boxroom draw`: a position of a recorded game as a picture, or the whole game as a strip."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from boxroom_client.cli.arguments.record import Step, add_record_with_end, steps
from boxroom_client.cli.arguments.settings import add_display_flags, canvas_from
from boxroom_client.shell import room_settings
from boxroom_client.shell.output.describe import scores
from boxroom_client.shell.output.painting import Canvas
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.games.drawing import Ink, Rows, Size, Span, side_by_side, width_of
from boxroom_engine.games.picture import picture
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Room
from boxroom_engine.wording import listed

_WIDEST = 120
"""Columns of a picture; a wider board is drawn compact."""

_SUFFIXES = (".svg", ".png")

_PNG_BACKGROUND = "#ffffff"
"""White, because the SVG is transparent and drawn in dark colours."""

_PNG_ZOOM = 2.0
"""Pixels of PNG for each of SVG, so that small letters stay sharp."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom draw",
        description="Draw a position of a recorded game as a picture, or every position up to there"
        " as a strip.",
    )
    add_record_with_end(made)
    made.add_argument(
        "--strip",
        action="store_true",
        help="draw every position up to there, side by side; compact, unless --zoom says otherwise",
    )
    made.add_argument(
        "--out",
        required=True,
        type=Path,
        metavar="F.svg|png",
        help="the file to write, as SVG or, where resvg-py is installed, as PNG",
    )
    add_display_flags(made, full_screen=False)
    return made


def run(args: argparse.Namespace) -> int:
    """Write the picture, and print its path."""
    suffix = args.out.suffix.lower()
    if suffix not in _SUFFIXES:
        raise UsageError(f"--out ends in {' or '.join(_SUFFIXES)}, not {args.out.suffix!r}")
    played = steps(args)
    _, room = played[-1]
    canvas = canvas_from(args)
    board = _strip(played, canvas) if args.strip else _board(room, canvas)
    below = scores(room, max(width_of(board), 40), ascii_only=canvas.ascii_only)
    title = f"{room_settings.in_words(room.settings)}: {listed(room.players)}"
    svg = picture([*board, [], *below], _glyphs(room), title)
    _write(args.out, _png(svg) if suffix == ".png" else svg.encode())
    print(args.out)
    return Exit.DONE


def _strip(played: Sequence[Step], canvas: Canvas) -> Rows:
    """Draw every position below a caption of its move."""
    small = replace(canvas, size=canvas.size or Size.COMPACT)
    pictures = [
        [[_caption(number, step)], *_board(step[1], small)] for number, step in enumerate(played)
    ]
    return side_by_side(pictures, _WIDEST)


def _caption(number: int, step: Step) -> Span:
    """Return the move in few words, because a board may be narrow."""
    events, _ = step
    match events[0]:
        case ev.Played(seat=seat, move=move):
            return Span(f"{number}. {move}", Ink.DRAWN, Seat(seat))
        case ev.Withdrew(seat=seat):
            return Span(f"{number}. gives up", Ink.DRAWN, Seat(seat))
        case _:
            return Span("start", Ink.DOT)


def _board(room: Room, canvas: Canvas) -> Rows:
    assert room.state is not None
    return canvas.board(room.state, _glyphs(room), _WIDEST, None).rows


def _glyphs(room: Room) -> list[int]:
    return [holder.glyph for holder in room.seats]


def _png(svg: str) -> bytes:
    """Convert the picture to PNG, with resvg-py and a monospaced font of the system.

    Raises:
        Failure: resvg-py, which `boxroom[png]` brings, isn't installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise Failure(
            "PNG takes resvg-py, which isn't installed: pip install resvg-py, or let --out end in"
            " .svg, which every browser shows"
        ) from None
    return resvg_py.svg_to_bytes(svg_string=svg, background=_PNG_BACKGROUND, zoom=_PNG_ZOOM)


def _write(path: Path, picture: bytes) -> None:
    try:
        path.write_bytes(picture)
    except OSError as error:
        raise Failure(f"can't write {path}: {error.strerror}") from None
