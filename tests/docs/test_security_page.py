"""docs/explanation/security.md names tests that exist, for every one of its promises."""

import re

from tests.docs.pages import ROOT, is_test

PAGE = (ROOT / "docs" / "explanation" / "security.md").read_text(encoding="utf-8")


def promises() -> list[tuple[str, list[str]]]:
    """Return each item of the lists of promises, with the tests that it names."""
    lists = re.findall(r"^Promises:\n\n(.*?)\n\n", PAGE, re.MULTILINE | re.DOTALL)
    items = [item for each in lists for item in re.split(r"^- ", each, flags=re.MULTILINE)[1:]]
    return [(item, re.findall(r"`(tests/[^`]+)`", item)) for item in items]


def test_every_test_that_is_named_exists() -> None:
    assert len(promises()) > 40
    for _, tests in promises():
        for each in tests:
            assert is_test(each), each


def test_every_promise_has_a_test() -> None:
    assert [promise for promise, tests in promises() if not tests] == []
