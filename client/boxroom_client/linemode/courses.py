"""Puzzles and lessons in line mode: boards and sentences are printed, lines with moves are read."""

import shutil

from boxroom_client.linemode.lines import Lines
from boxroom_client.shell.courses import Course, Stage
from boxroom_client.shell.frontend import Interrupted
from boxroom_client.shell.output.painting import Canvas
from boxroom_common.exits import Exit
from boxroom_engine.games.errors import GameError

_LEAVES = frozenset({"/quit", "quit", "q"})
_GLYPHS = (0, 1)


class CourseLines:
    """Asks the tasks of `course`, each until it is solved, as long as there are `lines`."""

    def __init__(self, course: Course, lines: Lines, canvas: Canvas) -> None:
        self._course = course
        self._lines = lines
        self._canvas = canvas

    async def run(self) -> Exit:
        """Ask until the input ends or the person leaves; return the exit code."""
        with self._lines.opened():
            self._print(self._course.title)
            self._show()
            try:
                while (line := await self._lines.next(lambda: "> ")) is not None:
                    if line.strip().lower() in _LEAVES:
                        break
                    if line.strip():
                        self._answer(line)
                    if self._course.stage is Stage.OVER:
                        break
            except Interrupted:
                return Exit.INTERRUPTED
        return Exit.DONE

    def _answer(self, line: str) -> None:
        course = self._course
        try:
            course.play(course.move_of(line))
        except GameError as error:
            self._print(str(error))
            return
        self._print(*course.lines[: None if course.stage is Stage.SOLVED else -1])
        is_solved = course.stage is Stage.SOLVED
        while course.stage is Stage.REFUTED:
            course.go_on()
            if course.stage is Stage.REFUTED:
                self._print(f"  {course.lines[0]}")
        if is_solved:
            course.go_on()
            if course.stage is Stage.OVER:
                return
            self._print("", course.title)
        self._show()

    def _show(self) -> None:
        columns = shutil.get_terminal_size().columns
        drawing = self._canvas.board(
            self._course.position, _GLYPHS, columns, None, self._course.seat
        )
        print(f"\n{self._canvas.paint(drawing.rows, _GLYPHS)}\n")
        self._print(*self._course.lines)

    def _print(self, *texts: str) -> None:
        print(self._canvas.text("\n".join(texts)), flush=True)
