"""The script that draws the icons for home screens."""

from scripts.write_icons import FOLDER, ICONS, Icon, drawn
from tests.cases import each


@each("icon", ICONS)
def test_the_page_has_each_icon_as_it_is_drawn(icon: Icon) -> None:
    """`python -m scripts.write_icons` writes them."""
    assert (FOLDER / icon.name).read_bytes() == drawn(icon)


def test_the_page_has_no_other_icon() -> None:
    assert {path.name for path in FOLDER.glob("*.png")} == {icon.name for icon in ICONS}
