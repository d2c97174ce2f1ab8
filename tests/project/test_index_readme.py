"""The README on an index of packages: every link and picture leads to a file of the repository."""

import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from scripts.index_readme import with_addresses

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REPOSITORY = "https://example.org/ada/boxroom"


class Addresses(HTMLParser):
    """The addresses of links, `links`, and of pictures, `pictures`, in a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if address := found.get("href"):
            self.links.append(address)
        if address := found.get("src"):
            self.pictures.append(address)


def shown(markdown: str) -> Addresses:
    """Return the addresses on the page that a text becomes."""
    return Addresses(pytest.importorskip("markdown_it").MarkdownIt().render(markdown))


def paths(addresses: list[str], beginning: str) -> Iterator[str]:
    """Yield the paths that addresses have behind a beginning, which all of them have."""
    for address in addresses:
        assert address.startswith(beginning)
        yield address.removeprefix(beginning)


def test_links_and_pictures_lead_to_the_files_of_the_version() -> None:
    here, there = shown(README), shown(with_addresses(README, REPOSITORY, "1.2.3"))
    assert here.links == [*paths(there.links, f"{REPOSITORY}/blob/v1.2.3/")]
    assert here.pictures == [*paths(there.pictures, f"{REPOSITORY}/raw/v1.2.3/")]
    assert here.links
    assert here.pictures


def test_addresses_of_other_places_and_of_headings_stay() -> None:
    text = "[a](https://example.com/) [b](#rules) ![c](http://example.com/c.svg)"
    assert with_addresses(text, REPOSITORY, "1.2.3") == text


def test_all_addresses_of_the_project_are_in_its_repository() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    repository = project["urls"]["Repository"]
    assert all(address.startswith(repository) for address in project["urls"].values())
