"""Output of line mode: lines wrapped to the terminal's width, and boards."""

import re
import shutil
from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from boxroom_client.profile.config import NUMBERS, SIZE
from boxroom_client.profile.settings_file import SaveSetting, never_saved
from boxroom_client.shell.input.intents import Resize, ShowNumbers
from boxroom_client.shell.output.describe import scores
from boxroom_client.shell.output.painting import Canvas, Colours
from boxroom_client.text_width import text_width, wrap
from boxroom_common.phrases import say
from boxroom_common.qr_codes import dark_on_light, qr_lines
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room.room import Room

_TABLE = re.compile(r"\s*\S.*?\s{2,}(?=\S)")


class Printer:
    """Prints to standard output, looked up anew each time."""

    def __init__(
        self, canvas: Canvas, *, is_terminal: bool, save: SaveSetting = never_saved
    ) -> None:
        self.canvas = canvas
        self._is_terminal = is_terminal
        self._save = save  # called for each change that the person makes

    def say(self, lines: Iterable[str]) -> None:
        """Print `lines`, each wrapped to the width."""
        columns = _columns()
        for line in lines:
            print(self.canvas.text("\n".join(wrapped(line, columns))), flush=True)

    def verbatim(self, text: str) -> None:
        """Print `text` unchanged, to be copied."""
        print(text, flush=True)

    def link(self, link: str) -> None:
        """Print `link` unchanged, and in a terminal its QR code, if that fits."""
        self.verbatim(link)
        if not self._is_terminal:
            return
        lines = qr_lines(link)
        columns = shutil.get_terminal_size().columns
        if self.canvas.ascii_only or self.canvas.colours is Colours.NONE:
            self.say([say("terminal.line.qr_needs_colours")])
        elif len(lines[0]) > columns:
            self.say([say("terminal.line.qr_needs_columns", needed=len(lines[0]), columns=columns)])
        else:
            self.verbatim("\n".join(map(dark_on_light, lines)))

    def adjust(self, change: ShowNumbers | Resize) -> None:
        """Draw boards with `change` from now on."""
        remark = ""
        match change:
            case ShowNumbers():
                numbers = not self.canvas.numbers if change.on is None else change.on
                self.canvas = replace(self.canvas, numbers=numbers)
                remark = self._save(NUMBERS, numbers)
            case Resize():
                self.canvas = replace(self.canvas, size=change.size)
                remark = self._save(SIZE, change.size)
            case _:
                assert_never(change)
        if remark:
            self.say([remark])

    def board(self, room: Room, side: Seat) -> None:
        """Print the board from that `side`, with the scores below it."""
        if room.state is None:
            return
        columns, lines = shutil.get_terminal_size()
        glyphs = [holder.glyph for holder in room.seats]
        # Half of the screen, so that the board stays visible when a few lines follow.
        drawing = self.canvas.board(
            room.state, glyphs, columns, lines // 2 if self._is_terminal else None, side
        )
        below = scores(room, columns, ascii_only=self.canvas.ascii_only)
        text = self.canvas.paint([(), *drawing.rows, (), *below, ()], glyphs)
        print(text, flush=True)
        if drawing.width > columns:
            self.say([say("terminal.line.wide_board", width=drawing.width, columns=columns)])


def _columns() -> int:
    return max(20, shutil.get_terminal_size().columns)


def wrapped(line: str, columns: int) -> list[str]:
    """Wrap `line`; further lines are indented like the last column of a table."""
    if text_width(line) <= columns:
        return [line]
    table = _TABLE.match(line)
    before = text_width(table[0]) if table else 0
    indent = before if 0 < before < columns // 2 else _indent_of(line)
    return wrap(
        line,
        columns,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )


def _indent_of(line: str) -> int:
    indent = len(line) - len(line.lstrip())
    return indent + 2 if indent else 0
