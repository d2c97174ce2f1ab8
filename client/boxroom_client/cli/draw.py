"""`boxroom draw`: a position of a recorded game as a picture."""

import argparse
from pathlib import Path

from boxroom_client.cli.look import add_look, canvas_from
from boxroom_client.cli.record_argument import add_record_with_end, steps
from boxroom_client.exits import Exit, Failure, UsageError
from boxroom_client.shell import settings as room_settings
from boxroom_client.shell.describe import scores
from boxroom_client.shell.wording import listed
from boxroom_engine.games.picture import picture

_WIDEST = 120
"""Columns of a picture; a wider board is drawn compact."""

_SUFFIXES = (".svg",)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="boxroom draw", description="Draw a position of a recorded game as an SVG picture."
    )
    add_record_with_end(made)
    made.add_argument("--out", required=True, type=Path, metavar="F.svg", help="the file to write")
    add_look(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Write the picture, and say where it is."""
    if args.out.suffix.lower() not in _SUFFIXES:
        raise UsageError(f"--out ends in {' or '.join(_SUFFIXES)}, not {args.out.suffix!r}")
    _, room = steps(args)[-1]
    assert room.state is not None
    canvas = canvas_from(args)
    glyphs = [holder.glyph for holder in room.seats]
    drawing = canvas.board(room.state, glyphs, _WIDEST, None)
    below = scores(room, max(drawing.width, 40), ascii_only=canvas.ascii_only)
    title = f"{room_settings.in_words(room.settings)}: {listed(room.players)}"
    try:
        args.out.write_text(picture([*drawing.rows, [], *below], glyphs, title), encoding="utf-8")
    except OSError as error:
        raise Failure(f"can't write {args.out}: {error.strerror}") from None
    print(args.out)
    return Exit.DONE
