"""The files of the page: read, bundled, hashed and compressed once for each process."""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

from rcssmin import cssmin
from rjsmin import jsmin

from boxroom_common.phrases import ENGLISH, LANGUAGES, table
from boxroom_engine.wire.schema import SCHEMA_FILE
from boxroom_server.web.bundle import bundle

CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Content types by the suffix of a file; files with other suffixes aren't served."""

MINIFIERS: Mapping[str, Callable[[bytes], bytes]] = {".css": cssmin, ".js": jsmin}
"""Functions that leave out what only people need, by the suffix of a file."""

INDEX = "index.html"
"""The document that loads all other files."""

SCRIPT = "main.js"
"""The script that the document starts: the module of that name, and all that it imports."""

ICON = "icon.svg"

SCHEMA_TYPE = "application/schema+json"
"""Content type of the schema of the protocol, for authors of clients."""

PHRASES = "phrases.js"
"""The module with the sentences of all languages, which is made of their tables.

It has the keys once, then the texts of one language after another: that compresses best.
"""

_OF_OTHERS = (
    *("address.", "advice.", "bot.", "caution.", "ended.", "game_rules.", "help.", "hint."),
    *("how_to_move.", "identity_link.", "invitation.", "member.", "option.robot.", "room."),
    *("rooms.", "ruler", "settings.of_host", "style.", "terminal."),
)
"""Beginnings of the keys of phrases of terminals and robots, which no page says or is told."""

_OF_PROGRAMS = (
    *("refusal.bad_message", "refusal.bad_name.room", "refusal.bad_option.after"),
    *("refusal.bad_option.form", "refusal.bad_option.private", "refusal.looks_alike.room"),
    *("refusal.not_a_spectator", "refusal.room_exists"),
    *("refusal.bad_text.secret", "refusal.cannot_follow", "refusal.greeted_already"),
    *("refusal.name_unknown", "refusal.no_hello", "refusal.no_such_seat"),
    *("refusal.not_recognised", "refusal.not_your_seat.bot", "refusal.other_channel"),
    *("refusal.stale.grace", "refusal.too_early", "refusal.too_fast.hello", "refusal.too_old"),
    *("refusal.yourself", "move.dots.number", "move.draughts.number", "move.draughts.over_at_turn"),
    *("move.no_seat", "move.noughts.lesson", "move.over.", "move.stonehenge.number"),
    *("move.subtract-square.number", "move.turn.seat", "move.withdrawal", "move.withdrawn"),
    *("option.bounds", "option.choices", "option.digits", "option.dots.small", "option.no_such"),
    *("option.none", "option.number", "option.unknown", "option.whole_number"),
)
"""Beginnings of the keys of refusals of messages that no page sends.

Only programmers read them, in English. For some of the messages the page has words of its own.
"""

_OF_SERVER = (
    *("guess", "move.", "name.", "notice.", "option.", "refusal.", "remark."),
    *("game.", "meaning.", "rules.", "title.", "word."),
)
"""Beginnings of the keys of a server's phrases, beside which messages have the English."""

_OF_LINK = ("refusal.in_a_room", "refusal.not_in_a_room", "refusal.other_room", "refusal.too_long")
"""Beginnings of the keys of phrases with which the page itself refuses something."""

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


def page_files() -> dict[str, bytes]:
    """Return the contents of the page's files as they are served, by name."""
    files = source_files()
    modules = {name: files.pop(name).decode() for name in [*files] if name.endswith(".js")}
    files[SCRIPT] = bundle(modules, SCRIPT).encode()
    return {name: _minified(name, content) for name, content in files.items()}


def source_files() -> dict[str, bytes]:
    """Return the contents of the page's files as people write them, by path, and `PHRASES`."""
    return dict(_files_in(resources.files(__package__) / "page")) | {PHRASES: _phrases()}


def _phrases() -> bytes:
    """Return the module with the tables of all languages, as not every browser imports JSON."""
    keys = [key for key in table(ENGLISH) if any(_is_said(key, each) for each in LANGUAGES)]
    texts = [
        [table(language)[key] if _is_said(key, language) else 0 for key in keys]
        for language in LANGUAGES
    ]
    return (
        f"export const CODES = {_compact(LANGUAGES)};\n"
        f"export const KEYS = {_compact(keys)};\n"
        "/** @type {(import('./words.js').Text | 0)[][]} */ "
        f"export const TEXTS = {_compact(texts)};\n"
    ).encode()


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _is_said(key: str, language: str) -> bool:
    """Return True if the page needs the text of `key`.

    It needs no English text that stands in the messages of a server.
    """
    if key.startswith(_OF_OTHERS + _OF_PROGRAMS):
        return False
    return language != ENGLISH or key.startswith(_OF_LINK) or not key.startswith(_OF_SERVER)


def _files_in(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            yield from _files_in(entry, f"{name}/")
        elif PurePosixPath(name).suffix in CONTENT_TYPES:
            yield name, entry.read_bytes()


def _minified(name: str, content: bytes) -> bytes:
    """Return a script or a style sheet without comments and needless white space."""
    minify = MINIFIERS.get(PurePosixPath(name).suffix)
    return content if minify is None else minify(content)


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
