"""The parts of every full screen: a control that draws rows, and a prompt_toolkit application.

The application sets the title of the terminal's window while it has the terminal.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindingsBase, merge_key_bindings
from prompt_toolkit.layout import Layout, UIContent, UIControl
from prompt_toolkit.layout.containers import AnyContainer
from prompt_toolkit.layout.layout import FocusableElement
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import DynamicStyle

from boxroom_client.grapheme_cells import ClusterRenderer, cluster_keys, in_cells
from boxroom_client.job_control import JobControl
from boxroom_client.screen.text.rows import Row
from boxroom_client.screen.themes.look import ScreenLook

BackgroundTask = Coroutine[Any, Any, Any]
"""Runs while a screen is shown, see `run_screen`."""

ESCAPE_S = 0.03
"""Seconds that Esc waits for the rest of a key; terminals send the parts of a key together."""

REDRAW_S = 0.02
"""Least seconds between two pictures."""


PROGRAM = "Boxroom"

_PUSH_TITLE, _POP_TITLE = "\x1b[22;0t", "\x1b[23;0t"
"""XTWINOPS: save and restore the titles of the window and of its icon,
https://invisible-island.net/xterm/ctlseqs/ctlseqs.html."""


class TerminalTitle:
    """The title of the terminal's window, as far as the terminal has one."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._has_title = isinstance(output, Vt100_Output) and output.term not in (
            "dumb",
            "linux",
            "eterm-color",
        )
        # The title that it has now; None: the one that it had before.
        self._shown: str | None = None

    def show(self, title: str) -> None:
        """Give the window `title`, and save the one that it had before."""
        if not self._has_title or title == self._shown:
            return
        if self._shown is None:
            self._output.write_raw(_PUSH_TITLE)
        self._output.set_title(title)
        self._output.flush()
        self._shown = title

    def put_back(self) -> None:
        """Give the window the title that it had before; none, if the terminal can't save it."""
        if self._shown is None:
            return
        self._shown = None
        self._output.clear_title()
        self._output.write_raw(_POP_TITLE)
        with suppress(OSError):  # the terminal has gone
            self._output.flush()

    @contextmanager
    def given_back(self) -> Iterator[None]:
        """Put the title back for a context, after which the next picture shows ours again."""
        self.put_back()
        yield


class RowsControl(UIControl):
    """A control that draws itself as rows for the space it gets."""

    def __init__(
        self,
        rows: Callable[[int, int], Sequence[Row]],
        *,
        clicked: Callable[[int, int], None] | None = None,
        wheeled: Callable[[int, int, int], None] | None = None,
        focusable: bool = False,
    ) -> None:
        """Draw with `rows(columns, lines)`; report `clicked(x, y)` and `wheeled(x, y, by)`."""
        self._rows = rows
        self._clicked = clicked
        self._wheeled = wheeled
        self._focusable = focusable

    def is_focusable(self) -> bool:
        """Whether it can have the focus."""
        return self._focusable

    def create_content(self, width: int, height: int) -> UIContent:
        rows = self._rows(width, height)

        def line(number: int) -> StyleAndTextTuples:
            row = rows[number] if number < len(rows) else []
            return [(style, in_cells(text)) for style, text in row]

        return UIContent(line, len(rows), Point(0, 0), show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> Any:
        x, y = mouse_event.position
        match mouse_event.event_type:
            case MouseEventType.MOUSE_UP if self._clicked is not None:
                self._clicked(x, y)
            case MouseEventType.SCROLL_UP if self._wheeled is not None:
                self._wheeled(x, y, -1)
            case MouseEventType.SCROLL_DOWN if self._wheeled is not None:
                self._wheeled(x, y, 1)
            case _:
                return NotImplemented
        return None


def application(
    container: AnyContainer,
    keys: KeyBindingsBase,
    look: ScreenLook,
    *,
    focus: FocusableElement | None = None,
    title: Callable[[], str] = lambda: PROGRAM,
) -> "ScreenApplication":
    """Return a full-screen application with the session's input and output.

    Ctrl-Z stops it, where the system can.
    It must run in the main thread, which gets the signal for a new terminal size.
    """
    app = ScreenApplication(
        layout=Layout(container, focused_element=focus),
        style=DynamicStyle(look.style),
        full_screen=True,
        mouse_support=Condition(look.has_mouse),
        min_redraw_interval=REDRAW_S,
        enable_page_navigation_bindings=False,
        color_depth=colour_depth(os.environ),
    )
    app.key_bindings = merge_key_bindings([cluster_keys(), keys, app.job_control.keys()])
    app.timeoutlen = ESCAPE_S
    app.ttimeoutlen = ESCAPE_S
    app.before_render += lambda _: app.title.show(title())
    return app


class ScreenApplication(Application[Any]):
    """An application that sets the title of the terminal's window."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        ClusterRenderer.draw(self)
        self.title = TerminalTitle(self.output)
        """Shown with each picture, and put back when the terminal is given away."""
        self.job_control = JobControl(self.title.given_back)
        """Gives the terminal to the shell while the program is stopped."""


def colour_depth(environ: Mapping[str, str]) -> ColorDepth | None:
    """Return true colour if COLORTERM promises it, which prompt_toolkit doesn't check.

    None leaves the choice to prompt_toolkit, which respects TERM and https://no-color.org.
    """
    if environ.get("NO_COLOR") or environ.get("PROMPT_TOOLKIT_COLOR_DEPTH"):
        return None
    is_true = environ.get("COLORTERM") in {"truecolor", "24bit"}
    return ColorDepth.TRUE_COLOR if is_true else None


async def run_screen(app: ScreenApplication, *background: BackgroundTask | None) -> Any:
    """Run `app` and return its result, or None at the end of the input.

    The `background` tasks run as long. If one fails, the screen is closed and the error raised;
    if one returns a result other than None, the screen is closed with that result.
    """
    coroutines = [coroutine for coroutine in background if coroutine is not None]
    tasks: list[asyncio.Task[Any]] = []

    def start_tasks() -> None:
        for coroutine in coroutines:
            task = asyncio.create_task(coroutine)
            task.add_done_callback(lambda done: _close_after(app, done))
            tasks.append(task)

    try:
        with app.job_control.active():
            # Started by `app`: the screen can't be closed before it runs.
            return await app.run_async(start_tasks, set_exception_handler=False)
    except EOFError:
        return None
    finally:
        app.title.put_back()
        for coroutine in coroutines[len(tasks) :]:
            coroutine.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _close_after(app: Application[Any], task: asyncio.Task[Any]) -> None:
    if task.cancelled() or app.is_done:
        return
    if (error := task.exception()) is not None:
        app.exit(exception=error)
    elif task.result() is not None:
        app.exit(result=task.result())
