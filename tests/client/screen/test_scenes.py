"""Golden pictures of every screen at three sizes, and what they look like in the four themes.

`tests/golden/screen/scenes/NAME.txt` has for each size the text of the screen and, below it, a
letter for the classes of each cell. `styles.txt` has the style of all these classes in each theme,
so that a theme that changes changes this file alone.
"""

import re
import string
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import pytest
from prompt_toolkit.styles import Attrs
from tests.client.screen.scenes import GERMAN_SCENES, SCENES, THEMES, Cell, Cells, cells_of, looks
from tests.conftest import GOLDEN

PLACE = "scenes"
STYLES = "styles"
LETTERS = string.ascii_letters + string.digits


class Legend:
    """The letter of each set of classes, in the order in which they first occur."""

    def __init__(self) -> None:
        self.letters: dict[str, str] = {"": " "}

    def letter(self, classes: str) -> str:
        """Return the letter of `classes`."""
        return self.letters.setdefault(classes, LETTERS[len(self.letters) - 1])

    def lines(self) -> Iterable[str]:
        """Yield a line for each letter."""
        for classes, letter in self.letters.items():
            if classes:
                yield f"{letter} = {classes}"


def block(title: str, rows: Iterable[str]) -> str:
    return "\n".join([f"# {title}", *(row.rstrip() for row in rows)]).rstrip() + "\n"


@pytest.mark.parametrize("name", SCENES)
async def test_the_screen_looks_as_it_did(name: str, golden: Callable[[str, str], None]) -> None:
    legend, blocks = Legend(), []
    for columns, lines in SCENES[name].sizes:
        cells = await cells_of(SCENES[name], columns, lines)
        assert all(len(row) == columns for row in cells)
        blocks += [
            block(f"{columns}x{lines}", map(text_of, cells)),
            block(f"{columns}x{lines}, classes", classes_of(cells, legend)),
        ]
    blocks.append(block("legend", legend.lines()))
    golden(f"{PLACE}/{name}", "\n".join(blocks))


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("name", GERMAN_SCENES)
async def test_the_screen_is_german(name: str, golden: Callable[[str, str], None]) -> None:
    """Only its text is compared: what cells look like doesn't depend on the language."""
    blocks = []
    for columns, lines in GERMAN_SCENES[name].sizes:
        cells = await cells_of(GERMAN_SCENES[name], columns, lines)
        blocks.append(block(f"{columns}x{lines}", map(text_of, cells)))
    golden(f"{PLACE}/german/{name}", "\n".join(blocks))


def text_of(row: Sequence[Cell]) -> str:
    """Return the text of a row; not the length of the help, which changes with each command."""
    text = "".join(cell.char for cell in row)
    return re.sub(r"(?<=▼ )\d+(?= more)|(?<=▼ noch )\d+", lambda found: "#" * len(found[0]), text)


def classes_of(cells: Cells, legend: Legend) -> Iterable[str]:
    for row in cells:
        visible = (cell.char.strip() or shows_on_spaces(cell.classes) for cell in row)
        yield "".join(
            legend.letter(cell.classes) if is_visible else " "
            for cell, is_visible in zip(row, visible, strict=True)
        )


@lru_cache(maxsize=1000)
def shows_on_spaces(classes: str) -> bool:
    """Whether an empty cell with these classes looks unlike others in a theme."""
    return any(look.bgcolor or look.reverse or look.underline for look in looks(classes))


def test_the_styles_of_all_screens(golden: Callable[[str, str], None]) -> None:
    lines = []
    for classes in sorted(classes_in_golden_files()):
        themes = zip(THEMES, looks(classes), strict=True)
        styles = (f"  {theme:<8} {in_words(look)}" for theme, look in themes)
        lines += [classes, *styles]
    golden(f"{PLACE}/{STYLES}", "\n".join(line.rstrip() for line in lines) + "\n")


def classes_in_golden_files() -> set[str]:
    """Return all sets of classes of the legends."""
    found: set[str] = set()
    for name in SCENES:
        text = (GOLDEN / "screen" / PLACE / f"{name}.txt").read_text(encoding="utf-8")
        legend = text.partition("# legend\n")[2].splitlines()
        found |= {line.partition(" = ")[2] for line in legend}
    return found


def in_words(look: Attrs) -> str:
    """Return the style as a theme's file would have it."""
    colours = [f"fg:{look.color}"] if look.color else []
    colours += [f"bg:{look.bgcolor}"] if look.bgcolor else []
    words = ("bold", "italic", "underline", "reverse", "dim")
    return " ".join([*colours, *(word for word in words if getattr(look, word))])
