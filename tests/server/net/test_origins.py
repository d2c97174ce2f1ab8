"""Which web pages may have their readers' browsers connect here."""

import pytest

from boxroom_server.net.origins import may_connect, parse_origins

ALLOWED = parse_origins("https://example.org, http://localhost:8000")


@pytest.mark.parametrize(
    ("sent", "may"),
    [
        ([], True),
        (["https://example.org"], True),
        (["HTTPS://Example.org"], True),
        (["http://localhost:8000"], True),
        (["http://example.org"], False),
        (["https://example.org:8443"], False),
        (["https://example.org.evil.example"], False),
        (["https://evil.example"], False),
        (["null"], False),
        ([""], False),
        (["https://example.org", "https://evil.example"], False),
    ],
)
def test_no_browser_or_a_page_that_is_allowed(sent: list[str], may: bool) -> None:
    assert may_connect(sent, ALLOWED) is may


def test_without_a_list_no_page_is_allowed() -> None:
    assert parse_origins("") == frozenset()
    assert may_connect([], parse_origins(""))
    assert not may_connect(["https://example.org"], parse_origins(""))


@pytest.mark.parametrize(
    "text", ["example.org", "*", "https://example.org/", "https://a b", "null"]
)
def test_what_is_no_origin_is_told(text: str) -> None:
    with pytest.raises(ValueError, match=r"an origin is like https://example\.org"):
        parse_origins(text)
