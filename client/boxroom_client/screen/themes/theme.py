"""Themes: the styles of the parts of the full screen, read from TOML files.

A theme file names the background that it is made for, and gives styles to roles. Missing roles
have the style of the built-in theme for the same background.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boxroom_client.profile.identity import default_config_folder
from boxroom_client.profile.toml_file import TomlError, TomlFile, read_toml
from boxroom_client.screen.themes.style_words import StyleMistake, checked_style
from boxroom_common.phrases import say
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.marks import SEAT_COLOURS
from boxroom_engine.room.text import clean
from boxroom_engine.wording import did_you_mean, listed

if TYPE_CHECKING:  # it takes a tenth of a second to import
    from prompt_toolkit.styles import Style

ROLES = (
    "board.gap",
    "board.dot",
    "board.open",
    "board.number",
    "board.drawn",
    "board.owned",
    "board.fresh",
    "board.last",
    "board.cursor",
    "board.premove",
    "board.sign",
    *(f"seat{number}" for number in range(len(SEAT_COLOURS))),
    "title",
    "title.turn",
    "banner",
    "rule",
    "key",
    "footer",
    "players",
    "players.turn",
    "players.score",
    "players.note",
    "log.chat",
    "log.mine",
    "log.aside",
    "log.private",
    "log.reaction",
    "log.event",
    "log.coming",
    "log.notice",
    "log.answer",
    "log.mistake",
    "log.name",
    "log.more",
    "input",
    "prompt",
    "suggestion",
    "menu",
    "menu.current",
    "question",
    "list",
    "list.current",
)
"""The roles that a theme gives styles to: prompt_toolkit's classes, without `class:`.

`dark.toml` explains each.
"""

BACKGROUNDS = ("dark", "light", "any")

AUTO = "auto"
"""The name that stands for the theme `dark` or `light`, whichever suits the terminal."""

_PAPERS: Mapping[str, str] = {"dark": "fg:#e0e0e0 bg:#101010", "light": "fg:#101010 bg:#ffffff"}
"""For each background, the style of a screen on a terminal that has another one."""

_CLASSES_OF_PROMPT_TOOLKIT: Mapping[str, tuple[str, ...]] = {
    "auto-suggestion": ("suggestion",),
    "completion-menu": ("menu",),
    "completion-menu.completion": ("menu",),
    "completion-menu.completion.current": ("menu", "menu.current"),
    "completion-menu.meta.completion": ("menu",),
    "completion-menu.meta.completion.current": ("menu", "menu.current"),
    "scrollbar.background": ("menu",),
    "scrollbar.button": ("menu", "menu.current"),
}
"""The roles that replace the styles of prompt_toolkit's own parts."""

FIXED_STYLES: Mapping[str, str] = {"qr": "noinherit #000000 bg:#ffffff"}
"""Styles that no theme may change: cameras need QR codes black on white."""

_BUILT_IN = Path(__file__).parent
_BASES = {"dark": "dark", "light": "light", "any": "plain"}
"""For each background, the built-in theme that supplies missing roles."""


class ThemeError(BoxroomError):
    """The theme doesn't exist or can't be used; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme: `styles` has a style string of prompt_toolkit for each role."""

    name: str
    background: str
    """The background that the theme is made for: one of `BACKGROUNDS`."""
    styles: Mapping[str, str]
    terminal: str | None = None
    """The terminal's own background, "dark" or "light"; None if it is unknown."""
    paper: str = ""
    """Style of the whole screen, where the terminal's background isn't the theme's."""

    def on(self, terminal: str | None) -> "Theme":
        """Return it for a terminal with that background; None stands for an unknown one."""
        paper = "" if terminal == self.background else _PAPERS.get(self.background, "")
        return replace(self, terminal=terminal, paper=paper)

    def style(self) -> "Style":
        """Return the theme as a style of prompt_toolkit, the same object each time."""
        return _style((("", self.paper), *self.styles.items()))


@lru_cache(maxsize=8)
def _style(styles: tuple[tuple[str, str], ...]) -> "Style":
    """Cached, because prompt_toolkit asks for it all the time and compares styles by `id`."""
    from prompt_toolkit.styles import Style

    look = dict(styles)
    theirs = [
        (name, " ".join(["noinherit", *(look[role] for role in roles)]))
        for name, roles in _CLASSES_OF_PROMPT_TOOLKIT.items()
    ]
    return Style([*styles, *theirs, *FIXED_STYLES.items()])


def themes_folder() -> Path:
    """Return the folder of the user's own themes, which may not exist."""
    return default_config_folder() / "themes"


def themes(folder: Path | None = None) -> tuple[str, ...]:
    """Return the names of all themes, the user's (in `folder`) and the built-in ones."""
    return tuple(sorted({AUTO, *_paths(folder or themes_folder())}))


def theme_on(terminal: str | None, name_or_path: str) -> Theme:
    """Return the theme of that name or file for a terminal with the background `terminal`.

    `AUTO` is the theme `light` on a light background, else `dark`.

    Raises:
        ThemeError: the theme doesn't exist, or its file is invalid.
    """
    is_auto = name_or_path == AUTO and AUTO not in _paths(themes_folder())
    return load_theme((terminal or "dark") if is_auto else name_or_path).on(terminal)


def lasting_name(name_or_path: str) -> str:
    """Return the name of a theme, or the path of its file, for commands in any folder."""
    path = _path_of(name_or_path)
    return name_or_path if path is None else str(path.absolute())


def _path_of(name_or_path: str) -> Path | None:
    """Return the path of a theme's file; None for a theme's name."""
    is_path = "/" in name_or_path or name_or_path.endswith(".toml")
    return _without_tilde(name_or_path) if is_path else None


def load_theme(name_or_path: str, folder: Path | None = None) -> Theme:
    """Return the theme of that name or file; with a slash or a `.toml` ending it is a path.

    The user's own (in `folder`) go before the built-in ones of the same name.

    Raises:
        ThemeError: the theme doesn't exist, or its file is invalid.
    """
    path = _path_of(name_or_path)
    if path is None:
        paths = _paths(folder or themes_folder())
        if name_or_path not in paths:
            guess = did_you_mean(name_or_path, sorted({AUTO, *paths}))
            raise ThemeError(say("terminal.display.no_theme", name=repr(name_or_path), guess=guess))
        path = paths[name_or_path]
    theme = _read(path)
    base = _read(_BUILT_IN / f"{_BASES[theme.background]}.toml")
    styles = {role: theme.styles.get(role, base.styles.get(role, "")) for role in ROLES}
    return Theme(theme.name, theme.background, styles)


def _paths(folder: Path) -> Mapping[str, Path]:
    found: dict[str, Path] = {}
    for place in (_BUILT_IN, folder):
        with suppress(OSError):  # a folder that can't be listed has no usable themes
            found |= {path.stem: path for path in place.iterdir() if path.suffix == ".toml"}
    return found


def _without_tilde(path: str) -> Path:
    with suppress(RuntimeError):  # no user has that name
        return Path(path).expanduser()
    return Path(path)


def _read(path: Path) -> Theme:
    """Return the theme in the file at `path`, with the roles that are in the file."""
    try:
        file = read_toml(path)
    except TomlError as error:
        raise ThemeError(f"{error}{_advice(str(error))}") from None
    for key in file.table:
        if key not in ("name", "background", "styles"):
            guess = did_you_mean(key, ("name", "background", "styles"))
            raise ThemeError(f"{file.place_of(key)}: a theme has no {key!r}{guess}")
    return Theme(_name(file), _background(file), _styles(file))


def _advice(error: str) -> str:
    """Explain a role with a dot: TOML takes `title.turn = …` for a part of `title`."""
    if "overwrite" not in error:
        return ""
    return ': a role with a dot stands in quotation marks, as in "title.turn" = "bold"'


def _name(file: TomlFile) -> str:
    name = file.table.get("name", file.path.stem)
    if not isinstance(name, str) or not clean(name):
        raise ThemeError(f'{file.place_of("name")}: the name has to be text, as in name = "Sea"')
    return clean(name)


def _background(file: TomlFile) -> str:
    background = file.table.get("background")
    if background not in BACKGROUNDS:
        choices = listed((f'"{choice}"' for choice in BACKGROUNDS), "or")
        raise ThemeError(f"{file.place_of('background')}: background has to be {choices}")
    return str(background)


def _styles(file: TomlFile) -> Mapping[str, str]:
    table = file.table.get("styles", {})
    if not isinstance(table, dict):
        raise ThemeError(f"{file.place_of('styles')}: styles is a table, with [styles] above it")
    styles: dict[str, str] = {}
    for role, style in _flat(table):
        where = f"{file.path}: in [styles], {role!r}"
        if role not in ROLES:
            raise ThemeError(f"{where} isn't a role{did_you_mean(role, ROLES)}")
        if role in styles:
            raise ThemeError(f"{where} is there twice: leave one of them out")
        if not isinstance(style, str):
            raise ThemeError(f'{where} isn\'t text: write it as in "{role}" = "bold"')
        try:
            styles[role] = checked_style(style)
        except StyleMistake as mistake:
            raise ThemeError(f"{where}: {mistake}") from None
    return styles


def _flat(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield role and style; `board.dot = …` without quotation marks is a table in TOML."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{rest}", style) for rest, style in value.items())
        else:
            yield key, value
