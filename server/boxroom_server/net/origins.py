"""Which web pages may have their readers' browsers connect here.

A browser lets any page open a WebSocket to any server and says which page it was, in `Origin`
(RFC 6455, section 10.2). Programs other than browsers send no such header; it is no help
against them, and they don't need it.
"""

import re
from collections.abc import Collection, Sequence

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s,]+")


def parse_origins(text: str) -> frozenset[str]:
    """The origins in `https://example.org,http://localhost:8000,…`; no text is none.

    Raises:
        ValueError: one of them is none; the sentence says which.
    """
    origins = [each.strip().lower() for each in text.split(",") if each.strip()]
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(f"an origin is like https://example.org, without a path: {origin!r}")
    return frozenset(origins)


def may_connect(sent: Sequence[str], allowed: Collection[str]) -> bool:
    """Whether who sent these `Origin` headers may: no browser, or a page that is allowed."""
    return all(origin.lower() in allowed for origin in sent)
