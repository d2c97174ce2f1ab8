"""`boxroom replay`: show a recorded game, position by position."""

import argparse
import shutil
from collections.abc import Iterator
from itertools import chain

from boxroom_client.cli.arguments.record import (
    Step,
    add_record_with_end,
    all_steps,
    record_from,
    steps,
)
from boxroom_client.cli.arguments.settings import (
    add_display_flags,
    canvas_for,
    settings_from,
    speak,
)
from boxroom_client.cli.arguments.shells import has_screen, look_of, screen_theme
from boxroom_client.profile.config import ResolvedSettings
from boxroom_client.shell import room_settings
from boxroom_client.shell.output.advice import narrate_with_advice
from boxroom_client.shell.output.describe import scores
from boxroom_client.shell.output.painting import Canvas
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.pdn_records import pdn_of_record

_NO_MEMBER = ""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom replay",
        description="Go through a recorded game on the full screen, or print how it ended or every "
        "position on the way.",
    )
    add_record_with_end(made, otherwise="the beginning; where it is printed, the end")
    made.add_argument("--every", action="store_true", help="print every position")
    made.add_argument(
        "--pdn", action="store_true", help="print the whole game in PDN, if it is one of draughts"
    )
    made.add_argument("--plain", action="store_true", help="print, also in a terminal")
    add_display_flags(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Show the game on the full screen, or print its positions."""
    if args.pdn:
        print(_in_pdn(args), end="")
        return Exit.DONE
    settings = settings_from(args)
    speak(settings)
    if has_screen(args) and not args.every:
        return _show_on_screen(args, settings)
    played = steps(args)
    canvas = canvas_for(settings)
    print(canvas.text(room_settings.in_words(played[0][1].settings)))
    for number, step in enumerate(played):
        if args.every or number == len(played) - 1:
            print()
            print("\n".join(_shown(number, step, canvas)))
    return Exit.DONE


def _in_pdn(args: argparse.Namespace) -> str:
    record = record_from(args)
    try:
        return pdn_of_record(record).format()
    except FormatError as error:
        raise Failure(f"that game can't be written in PDN: {error}") from None


def _show_on_screen(args: argparse.Namespace, settings: ResolvedSettings) -> Exit:
    # Here, because it takes long to import, and printing doesn't need it.
    from boxroom_client.cli.arguments.event_loop import run_until_done
    from boxroom_client.screen.replay.app import ReplayScreen

    played, look, theme = all_steps(args), look_of(settings), screen_theme(settings)

    async def shown() -> Exit:
        return await ReplayScreen(played, look, theme, at=args.to or 0).run()

    return run_until_done(shown())


def _shown(number: int, step: Step, canvas: Canvas) -> Iterator[str]:
    events, room = step
    assert room.state is not None
    columns = shutil.get_terminal_size().columns
    glyphs = [holder.glyph for holder in room.seats]
    drawing = canvas.board(room.state, glyphs, columns, None)
    told = (narrate_with_advice(event, room, room, _NO_MEMBER) for event in events)
    first, *rest = chain.from_iterable(told)
    yield canvas.text(f"{number}. {first}" if number else first)
    yield ""
    yield canvas.paint(drawing.rows, glyphs)
    yield ""
    yield canvas.paint(scores(room, columns, ascii_only=canvas.ascii_only), glyphs)
    if rest:
        yield canvas.text("\n".join(rest))
