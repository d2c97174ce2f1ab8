"""docs/security.md names tests that exist, for every promise in its tables."""

import re

from tests.docs.pages import ROOT, is_test

PAGE = ROOT / "docs" / "security.md"


def promises() -> list[tuple[str, list[str]]]:
    """Return the tests beside each promise."""
    rows = re.findall(
        r"^\| (.+) \| (`tests/.+`) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return [(promise, re.findall(r"`([^`]+)`", tests)) for promise, tests in rows]


def test_every_test_that_is_named_exists() -> None:
    for _, tests in promises():
        for each in tests:
            assert is_test(each), each


def test_every_promise_has_a_test() -> None:
    tables = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    heads = tables.count("| promise | tests |")
    assert len(promises()) == len(tables) - heads
