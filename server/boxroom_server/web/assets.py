"""The page as it is sent: its files, hashed and compressed once for each process."""

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import PurePosixPath

from boxroom_engine.wire.schema import SCHEMA_FILE
from boxroom_server.web.page_files import CONTENT_TYPES, page_files

INDEX = "index.html"
"""The document that loads all other files."""

ICON = "icon.svg"

GAMES = "/games/"
"""The path before the link of a finished game, at which the document is served, too."""

_LINK = re.compile(rb'\b(href|src|data-turn)="')

SCHEMA_TYPE = "application/schema+json"
"""Content type of the schema of the protocol, for authors of clients."""

_PLACEHOLDER = b"assets/HASH/"
"""The folder of the other files, as the document names it before the hash is known."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the page, as it is sent."""

    content_type: str
    body: bytes
    gzipped: bytes | None
    """The same compressed; None if that isn't shorter."""
    etag: str
    """A weak entity tag (RFC 9110, section 8.8.3): the same for both forms."""

    @property
    def is_document(self) -> bool:
        """Whether a browser can show it as a page of its own, for which it needs a policy."""
        return self.content_type.startswith(("text/html", "image/svg"))


@dataclass(frozen=True, slots=True)
class Assets:
    """All files of one version of the page."""

    version: str
    """A hash of all files, which names their folder."""
    by_path: Mapping[str, Asset]
    """Each file by its path in a URL."""


@cache
def page_assets() -> Assets:
    """Return what this program was installed with: the page, and the schema of the protocol."""
    page = make_assets(page_files())
    schema = resources.files("boxroom_engine.wire") / SCHEMA_FILE
    asset = _asset(SCHEMA_FILE, schema.read_bytes(), SCHEMA_TYPE)
    return replace(page, by_path={**page.by_path, f"/{SCHEMA_FILE}": asset})


def make_assets(files: Mapping[str, bytes]) -> Assets:
    """Return `files`, by name, under the paths at which they are served.

    All but the document are in a folder named after the hash of them all, so that a browser may
    keep them for ever.
    """
    version = _hash_of(files)
    by_path = {
        f"/assets/{version}/{name}": _page_asset(name, content)
        for name, content in files.items()
        if name != INDEX
    }
    document = files[INDEX].replace(_PLACEHOLDER, f"assets/{version}/".encode())
    by_path["/"] = _page_asset(INDEX, document)
    by_path[GAMES] = _page_asset(INDEX, _LINK.sub(rb'\1="../', document))
    by_path["/favicon.ico"] = _page_asset(ICON, files[ICON])
    return Assets(version, by_path)


def _hash_of(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{len(files[name])}\0".encode())
        digest.update(files[name])
    return digest.hexdigest()[:16]


def _page_asset(name: str, content: bytes) -> Asset:
    return _asset(name, content, CONTENT_TYPES[PurePosixPath(name).suffix])


def _asset(name: str, content: bytes, content_type: str) -> Asset:
    gzipped = gzip.compress(content, mtime=0)
    etag = f'W/"{_hash_of({name: content})}"'
    return Asset(content_type, content, gzipped if len(gzipped) < len(content) else None, etag)
