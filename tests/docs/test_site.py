"""The site of docs/ is built without a warning; its links are right; it loads nothing from afar."""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from tests.docs.pages import ROOT

pytest.importorskip(
    "sphinx", reason="Sphinx isn't installed; ./check --no-skips installs everything"
)
pytestmark = pytest.mark.long

LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
"""Attributes whose addresses a browser loads without being asked."""


class _Document(HTMLParser):
    """The addresses in a document, and the places in it to which an address can lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.linked: list[str] = []
        """Addresses that a reader may follow."""
        self.loaded: list[str] = []
        """Addresses that a browser loads."""
        self.places: set[str] = {""}
        """Parts of addresses behind `#`; without one an address leads to the top."""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if (tag, name) in LOADED:
                self.loaded.append(value)
            elif name == "href":
                self.linked.append(value)
            elif name == "id":
                self.places.add(value)
            elif name == "content" and value.startswith("0; url="):  # a page that redirects
                self.linked.append(value.removeprefix("0; url="))


@cache
def document(page: Path) -> _Document:
    return _Document(page.read_text(encoding="utf-8"))


def wrong_links(page: Path) -> Iterator[str]:
    """Yield the addresses in a page that lead to no file, or to no place in it."""
    for address in document(page).linked + document(page).loaded:
        parts = urlsplit(urljoin(page.as_uri(), address))
        target = Path(unquote(parts.path))
        if parts.scheme != "file":
            continue
        is_page = target.suffix == ".html" and target.exists()
        if not target.exists() or (
            is_page and unquote(parts.fragment) not in document(target).places
        ):
            yield f"{page.name}: {address}"


@cache
def build(folder: Path) -> Path:
    """Build the site in a folder, once; return where it is."""
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    doctrees, site = folder / "doctrees", folder / "site"
    built = subprocess.run(
        [*command, "--doctree-dir", str(doctrees), str(ROOT / "docs"), str(site)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    return site


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("docs")


@pytest.fixture
def site(folder: Path) -> Path:
    """The folder of the site; a fixture of a wider scope has to be quicker, even for long tests."""
    return build(folder)


def pages(site: Path) -> list[Path]:
    found = sorted(site.rglob("*.html"))
    assert len(found) > len([*(ROOT / "docs").rglob("*.md")])
    return found


def test_every_link_leads_to_a_place_that_there_is(site: Path) -> None:
    assert [wrong for page in pages(site) for wrong in wrong_links(page)] == []


def test_nothing_is_loaded_from_other_hosts(site: Path) -> None:
    hosts = {urlsplit(each).netloc for page in pages(site) for each in document(page).loaded}
    assert hosts == {""}
    for sheet in (site / "_static").rglob("*.css"):
        assert "url(http" not in sheet.read_text(encoding="utf-8").replace('"', "")


@pytest.mark.parametrize(
    ("before", "now"),
    [("protocol", "reference/protocol"), ("robots", "how-to/robots"), ("room", "reference/room")],
)
def test_pages_are_found_where_they_stood_before(site: Path, before: str, now: str) -> None:
    assert f"{now}.html" in document(site / f"{before}.html").linked


def test_what_robots_import_is_explained(site: Path) -> None:
    names = document(site / "reference" / "api.html").places
    assert {"boxroom.robots.makemove", "boxroom.State.play", "boxroom.solve"} <= names


def test_keys_and_commands_are_filled_in(site: Path) -> None:
    page = (site / "reference" / "keys.html").read_text(encoding="utf-8")
    for each in ("<strong>Shift-Tab</strong>", "<strong>Backspace</strong>", "/unkick"):
        assert each in page
