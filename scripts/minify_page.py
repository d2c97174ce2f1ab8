"""The page as wheels have it: one script, and no file with comments or needless white space.

hatch_build.py writes it into a wheel, so that a server needs no minifier.
"""

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from rcssmin import cssmin
from rjsmin import jsmin

from boxroom_server.web.page_files import bundled_files

MINIFIERS: Mapping[str, Callable[[bytes], bytes]] = {".css": cssmin, ".js": jsmin}
"""Functions that leave out what only people need, by the suffix of a file."""


def minified_page() -> dict[str, bytes]:
    """Return the contents of the page's files, by path."""
    return {path: minified(path, content) for path, content in bundled_files().items()}


def minified(path: str, content: bytes) -> bytes:
    """Return a script or a style sheet without what only people need; other files as they are."""
    minify = MINIFIERS.get(PurePosixPath(path).suffix)
    return content if minify is None else minify(content)


def write_page(folder: Path) -> None:
    """Write the files into a new folder."""
    for path, content in minified_page().items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
