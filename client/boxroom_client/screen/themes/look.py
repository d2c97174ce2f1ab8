"""The look of the full screen, which all its screens share."""

from collections.abc import Callable
from dataclasses import dataclass

from prompt_toolkit.styles import BaseStyle

from boxroom_client.screen.themes.symbols import UNICODE, Symbols


@dataclass(frozen=True, slots=True)
class ScreenLook:
    """The styles and symbols of screens, and whether they take mouse clicks."""

    style: Callable[[], BaseStyle]
    """Returns the styles of the theme, which the person may change while a screen is shown."""
    symbols: Symbols = UNICODE
    has_mouse: Callable[[], bool] = lambda: True
    """Returns whether mouse clicks are taken, which the person may change as well."""
