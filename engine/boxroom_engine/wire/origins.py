"""Origins of web pages (RFC 6454), as users list them."""

import re

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s,]+")


def parse_origins(text: str) -> frozenset[str]:
    """Return the origins in `https://example.org,http://localhost:8000,…`, in lower case.

    Raises:
        ValueError: an entry is malformed; the sentence says which.
    """
    origins = [each.strip().lower() for each in text.split(",") if each.strip()]
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(f"an origin is like https://example.org, without a path: {origin!r}")
    return frozenset(origins)
