"""Lists of origins of web pages."""

import pytest

from boxroom_engine.wire.origins import parse_origins


def test_origins_are_separated_by_commas() -> None:
    assert parse_origins("") == frozenset()
    assert parse_origins("https://A.example, http://localhost:8000") == {
        "https://a.example",
        "http://localhost:8000",
    }


@pytest.mark.parametrize(
    "text", ["example.org", "*", "https://example.org/", "https://a b", "null"]
)
def test_a_malformed_origin_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"an origin is like https://example\.org"):
        parse_origins(text)
