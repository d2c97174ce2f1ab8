"""Themes: the built-in ones, and users' files."""

import re
from colorsys import rgb_to_hsv
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.styles import Attrs
from tests.cases import each
from tests.client.screen.looks import on_screen

from boxroom_client.screen.themes import theme as module
from boxroom_client.screen.themes.theme import (
    FIXED_STYLES,
    ROLES,
    Theme,
    ThemeError,
    load_theme,
    theme_on,
    themes,
    themes_folder,
)
from boxroom_client.shell.output.report import ReportKind
from boxroom_engine.games.drawing import Ink
from boxroom_engine.games.marks import SEAT_COLOURS

SOURCES = Path(module.__file__).parent
BUILT_IN = ("contrast", "dark", "light", "plain")
LEAST_CONTRAST = {"dark": 4.5, "light": 4.5, "contrast": 7.0}
"""Contrasts that WCAG 2.2 requires of text (AA; AAA): https://www.w3.org/TR/WCAG22/#contrast-minimum"""

every_theme = each("name", BUILT_IN)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    themes_folder().mkdir()
    return themes_folder()


def written(folder: Path, text: str, name: str = "sea") -> str:
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return name


def look_of(theme: Theme, classes: str) -> Attrs:
    """Return the attributes on a screen."""
    return on_screen(theme.style()).get_attrs_for_style_str(classes)


# Those of Boxroom


def test_there_are_four(folder: Path) -> None:
    assert themes() == ("auto", *BUILT_IN)


@every_theme
def test_built_in_themes_have_all_roles_themselves(name: str) -> None:
    path = SOURCES / f"{name}.toml"
    given_roles = re.findall(
        r'^"?([a-z0-9.]+)"? = ', path.read_text().partition("[styles]")[2], re.MULTILINE
    )
    assert tuple(given_roles) == ROLES
    assert load_theme(name) == load_theme(str(path))


def test_the_dark_theme_explains_all_roles() -> None:
    text = (SOURCES / "dark.toml").read_text()
    explained = re.findall(r'^"?([a-z0-9.]+)"? = .*"  # \w', text, re.MULTILINE)
    assert tuple(explained) == ROLES


def test_contrast_fills_boxes_with_the_colours_of_painting() -> None:
    styles = load_theme("contrast").styles
    for number, colour in enumerate(SEAT_COLOURS):
        assert f"bg:{colour.hex.lower()}" in styles[f"seat{number}"].split()


@each("name", ["dark", "light"])
def test_seats_have_about_the_hues_of_painting(name: str) -> None:
    styles = load_theme(name).styles
    for number, colour in enumerate(SEAT_COLOURS):
        red, green, blue = (
            int(styles[f"seat{number}"].removeprefix("fg:#")[at : at + 2], 16) / 255
            for at in (0, 2, 4)
        )
        hue = rgb_to_hsv(red, green, blue)[0]
        wanted = rgb_to_hsv(colour.red / 255, colour.green / 255, colour.blue / 255)[0]
        assert min(abs(hue - wanted), 1 - abs(hue - wanted)) < 0.05, number


def test_plain_has_no_colours() -> None:
    theme = load_theme("plain")
    assert all(":" not in style for style in theme.styles.values())
    menu = look_of(theme, "class:completion-menu class:completion-menu.completion.current")
    assert (menu.color, menu.bgcolor, menu.reverse) == ("", "", True)


@every_theme
def test_without_colours_one_still_sees_what_is_where(name: str) -> None:
    theme = load_theme(name)

    def attributes(role: str) -> Attrs:
        return look_of(theme, f"class:{role}")._replace(color="", bgcolor="")

    for state in ("title.turn", "players.turn", "menu.current", "list.current"):
        assert attributes(state) != attributes(state.partition(".")[0])
    board = ["board.open", "board.drawn", "board.fresh", "board.last", "board.cursor"]
    for one, other in pairwise(board):
        assert attributes(one) != attributes(other)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def grounds(background: str) -> tuple[str, ...]:
    """Return colours that terminals have as background."""
    if background == "dark":  # xterm, VS Code, One Dark, Nord, Solarized, Ubuntu
        return ("000000", "1e1e1e", "282c34", "2e3440", "002b36", "300a24")
    return ("ffffff", "fdf6e3", "eeeeee")  # xterm, Solarized, GNOME


@each("terminal", ["dark", "light", None])
@each("name", ["auto", *LEAST_CONTRAST])
def test_everything_can_be_read_on_every_background(
    name: str, terminal: str | None, folder: Path
) -> None:
    theme = theme_on(terminal, name)
    least = LEAST_CONTRAST.get(name, 4.5)
    for kind in [terminal] if terminal else ["dark", "light"]:
        ink = "ffffff" if kind == "dark" else "000000"
        for ground in grounds(kind):
            for role in ROLES:
                look = look_of(theme, f"class:{role}")
                # The seats' colours fill boxes in the theme `contrast`.
                needed = min(least, 4.5) if role.startswith("seat") else least
                assert contrast(look.color or ink, look.bgcolor or ground) >= needed, (role, ground)


def test_auto_suits_the_terminal(folder: Path) -> None:
    assert theme_on("light", "auto").name == "Light"
    assert theme_on("dark", "auto").name == "Dark"
    assert theme_on(None, "auto").name == "Dark"
    written(folder, 'name = "Mine"\nbackground = "any"', "auto")
    assert theme_on("light", "auto").name == "Mine"


def test_a_theme_paints_a_background_that_is_not_its_own(folder: Path) -> None:
    assert look_of(theme_on("dark", "dark"), "").bgcolor == ""
    assert look_of(theme_on("light", "plain"), "").bgcolor == ""
    for terminal in ("light", None):
        assert contrast(look_of(theme_on(terminal, "dark"), "").bgcolor or "ffffff", "000000") < 1.5
    assert look_of(theme_on("dark", "light"), "").bgcolor == "ffffff"


def test_whatever_the_screen_uses_is_a_role() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in SOURCES.parent.rglob("*.py"))
    used = set(re.findall(r"[\" ]class:([a-z0-9.]*[a-z0-9])(?=[\" ])", source))
    made = {f"log.{kind.value}" for kind in ReportKind} | {f"board.{ink.value}" for ink in Ink}
    assert (used - FIXED_STYLES.keys()) | made <= set(ROLES)


@every_theme
def test_qr_codes_are_black_on_white_in_every_theme(name: str) -> None:
    look = look_of(load_theme(name), "class:qr")
    assert (look.color, look.bgcolor, look.reverse) == ("000000", "ffffff", False)


# As prompt_toolkit sees them


def test_a_style_is_made_once() -> None:
    assert load_theme("dark").style() is load_theme("dark").style()
    assert load_theme("dark").style() is not load_theme("light").style()


def test_roles_are_classes(folder: Path) -> None:
    theme = load_theme(
        written(
            folder,
            'background = "dark"\n[styles]\ntitle = "fg:#0072b2"\n"title.turn" = "underline"\n'
            'menu = "bg:#111111"\nsuggestion = "fg:ansired"',
        )
    )
    turn = look_of(theme, "class:title.turn")
    assert (turn.color, turn.underline) == ("0072b2", True)
    assert look_of(theme, "class:completion-menu.completion").bgcolor == "111111"
    assert look_of(theme, "class:auto-suggestion").color == "ansired"


# Those of others


def test_a_theme_is_found_by_its_name_or_its_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder, 'background = "light"\nname = "The \\u001b sea"')
    (folder / "notes.txt").touch()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    assert themes() == ("auto", *BUILT_IN, "sea")
    for name in ("sea", "sea.toml", "./sea.toml", str(folder / "sea.toml"), "~/sea.toml"):
        assert load_theme(name) == load_theme("sea")
    assert load_theme("sea").name == "The  sea"


def test_ones_own_go_before_the_built_in_ones(folder: Path) -> None:
    written(folder, 'background = "dark"\n[styles]\ntitle = "italic"', "dark")
    assert themes() == ("auto", *BUILT_IN)
    assert load_theme("dark").styles["title"] == "italic"
    assert load_theme("dark").styles["key"] == "bold"


@each("background, base", [("dark", "dark"), ("light", "light"), ("any", "plain")])
def test_gaps_are_filled_by_the_theme_for_the_background(
    background: str, base: str, folder: Path
) -> None:
    theme = load_theme(written(folder, f'background = "{background}"\n[styles]\nkey = "dim"'))
    assert theme == Theme("sea", background, {**load_theme(base).styles, "key": "dim"})


def test_roles_with_dots_may_stand_without_quotation_marks(folder: Path) -> None:
    theme = load_theme(
        written(
            folder,
            'background = "dark"\n[styles]\nboard.dot = "dim"\n[styles.log]\nchat = "italic"',
        )
    )
    assert (theme.styles["board.dot"], theme.styles["log.chat"]) == ("dim", "italic")


@each(
    "text, why",
    [
        ("x", "isn't TOML"),
        ("", 'background has to be "dark", "light" or "any"'),
        ('background = "drak"', 'line 1: background has to be "dark"'),
        ("background = ['dark']", "line 1: background has to be"),
        ('background = "any"\nname = 5', "line 2: the name has to be text"),
        ('background = "any"\nname = ""', "line 2: the name has to be text"),
        ('background = "any"\nstyles = "bold"', "line 2: styles is a table"),
        ('background = "any"\n[stylez]', "a theme has no 'stylez': did you mean styles?"),
        ('background = "any"\nkey = "bold"', "line 2: a theme has no 'key'"),
    ],
)
def test_a_file_that_is_no_theme_is_explained(text: str, why: str, folder: Path) -> None:
    with pytest.raises(ThemeError) as error:
        load_theme(written(folder, text))
    assert str(error.value).startswith(str(folder / "sea.toml"))
    assert why in str(error.value)


@each(
    "style, why",
    [
        ('"board.dott" = "bold"', "'board.dott' isn't a role: did you mean board.dot?"),
        ('xyzzy = "bold"', "'xyzzy' isn't a role; there are board.gap, "),
        ('title = "blod"', "'title': 'blod' isn't a word for styles: did you mean bold?"),
        ("title = 5", '\'title\' isn\'t text: write it as in "title" = "bold"'),
        ('board.dot.x = "bold"', "'board.dot' isn't text"),
        ('board.dot = "bold"\n"board.dot" = "dim"', "'board.dot' is there twice"),
        (
            'title = "bold"\ntitle.turn = "dim"',
            'a role with a dot stands in quotation marks, as in "title.turn" = "bold"',
        ),
    ],
)
def test_a_mistake_in_a_style_names_the_role(style: str, why: str, folder: Path) -> None:
    with pytest.raises(ThemeError) as error:
        load_theme(written(folder, f'background = "any"\n[styles]\n{style}'))
    assert str(error.value).startswith(str(folder / "sea.toml"))
    assert why in str(error.value)


@each(
    "name, why",
    [
        ("drak", "there is no theme 'drak': did you mean dark?"),
        ("xyz", "there is no theme 'xyz'; there are auto, contrast, dark, light and plain"),
        ("", "there is no theme ''"),
        ("x.toml", "there is no file x.toml"),
        ("/", "/ can't be read"),
        ("~nobody-at-all/x.toml", "there is no file ~nobody-at-all/x.toml"),
        ("\0.toml", "can't be read"),
    ],
)
def test_a_theme_that_isnt_there_is_told(name: str, why: str, folder: Path) -> None:
    with pytest.raises(ThemeError) as error:
        load_theme(name)
    assert why in str(error.value)


KEYS = st.sampled_from(["name", "background", "styles", "x"])
VALUES = st.sampled_from(['"dark"', '"any"', "5", "{}", '{key = "bold"}', "{a.b = 1}", "[{}]"])


@given(st.dictionaries(KEYS, VALUES))
def test_any_toml_is_a_whole_theme_or_explained(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text("".join(f"{key} = {value}\n" for key, value in table.items()))
    try:
        theme = load_theme(str(path))
    except ThemeError as error:
        told = str(error)
    else:
        told = str(path)
        assert tuple(theme.styles) == ROLES
        theme.style()
    assert told.startswith(str(path))
