"""What every full screen is made of: panes that draw rows, in an application of prompt_toolkit."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindingsBase
from prompt_toolkit.layout import Layout, UIContent, UIControl
from prompt_toolkit.layout.containers import AnyContainer
from prompt_toolkit.layout.layout import FocusableElement
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle, DynamicStyle

from boxroom_client.screen.text.styled import Row

ESCAPE_S = 0.03
"""How long Esc waits for more: keys that are sent as Esc and something come in one piece."""

REDRAW_S = 0.02
"""The least time between two pictures, however much happens."""


class RowsControl(UIControl):
    """A pane that draws itself as rows for the space it gets."""

    def __init__(
        self,
        rows: Callable[[int, int], Sequence[Row]],
        *,
        clicked: Callable[[int, int], None] | None = None,
        wheeled: Callable[[int, int, int], None] | None = None,
        focusable: bool = False,
    ) -> None:
        """`rows(columns, lines)` draws; `clicked(x, y)` and `wheeled(x, y, by)` hear of cells."""
        self._rows = rows
        self._clicked = clicked
        self._wheeled = wheeled
        self._focusable = focusable

    def is_focusable(self) -> bool:
        """Whether keys can go here."""
        return self._focusable

    def create_content(self, width: int, height: int) -> UIContent:
        """See `UIControl`."""
        rows = self._rows(width, height)

        def line(number: int) -> StyleAndTextTuples:
            return list(rows[number]) if number < len(rows) else []

        return UIContent(line, len(rows), Point(0, 0), show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> Any:
        """See `UIControl`."""
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
    style: Callable[[], BaseStyle],
    *,
    focus: FocusableElement | None = None,
    mouse: Callable[[], bool] = lambda: True,
) -> Application[Any]:
    """A full-screen application; input and output are those of the session.

    It must run in the main thread, where the size of the terminal is watched.
    """
    app: Application[Any] = Application(
        layout=Layout(container, focused_element=focus),
        key_bindings=keys,
        style=DynamicStyle(style),
        full_screen=True,
        mouse_support=Condition(mouse),
        min_redraw_interval=REDRAW_S,
        enable_page_navigation_bindings=False,
        color_depth=colour_depth(os.environ),
    )
    app.timeoutlen = ESCAPE_S
    app.ttimeoutlen = ESCAPE_S
    return app


def colour_depth(environ: Mapping[str, str]) -> ColorDepth | None:
    """True colours where the terminal says that it has them, which prompt_toolkit doesn't ask.

    None leaves the choice to prompt_toolkit, which heeds TERM and https://no-color.org.
    """
    if environ.get("NO_COLOR") or environ.get("PROMPT_TOOLKIT_COLOR_DEPTH"):
        return None
    is_true = environ.get("COLORTERM") in {"truecolor", "24bit"}
    return ColorDepth.TRUE_COLOR if is_true else None
