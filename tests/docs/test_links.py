"""Every link on the pages leads to a file, and to a heading of it, as a repository shows them."""

import re
from functools import cache
from pathlib import Path

from tests.cases import each
from tests.docs.pages import PAGES, ROOT

_CODE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)


def text(page: Path) -> str:
    return _CODE.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each("page", [*PAGES, ROOT / "CHANGELOG.md"])
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    for address in re.findall(r"\]\(([^)\s]+)\)", text(page)):
        if "://" in address:
            continue
        path, _, anchor = address.partition("#")
        target = page.parent / path if path else page
        assert target.is_file(), address
        if anchor:
            assert anchor in anchors(target), address
