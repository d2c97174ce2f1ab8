"""The modules of the page as one script, and its style sheets as one: a browser asks for two files.

The script is the modules one after the other, each after those that it imports, without the lines
that import and export. So no two modules may give the same name to something.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping

_IMPORT = re.compile(
    r"^import\s+\{\s*\w+(?:\s*,\s*\w+)*,?\s*\}\s+from\s+'([^']+)';\n?", re.MULTILINE
)
_SHEET = re.compile(r"^@import '\./([^']+)';$", re.MULTILINE)
_NAME = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) \w)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import\b|export\b|var\b|(?:const|let) \W).*", re.MULTILINE)


def bundle(modules: Mapping[str, str], first: str) -> str:
    """Return the module `first` and all that it imports, by path, as one script.

    Raises:
        ValueError: modules import each other in a circle, or in a form that isn't known here, or
            two of them have the same name for something.
        KeyError: there is no module of an imported path.
    """
    order = dict.fromkeys(_imported_first(modules, first, ()))
    owners: dict[str, str] = {}
    for path in order:
        for name in names(modules[path]):
            if name in owners:
                raise ValueError(f"{owners[name]} and {path} both have the name {name}")
            owners[name] = path
    return "".join(_without_links(path, modules[path]) for path in order)


def bundle_sheets(sheets: Mapping[str, str], first: str) -> str:
    """Return the style sheet `first` with those that it imports, by path, in their places.

    Raises:
        KeyError: there is no sheet of an imported path.
    """
    return _SHEET.sub(lambda match: sheets[match[1]], sheets[first])


def names(source: str) -> list[str]:
    """Return the names that a module gives, exported or not."""
    return _NAME.findall(source)


def _imported_first(
    modules: Mapping[str, str], path: str, importers: tuple[str, ...]
) -> Iterator[str]:
    """Yield the paths of a module and of all that it imports, these first, some more than once."""
    if path in importers:
        raise ValueError(f"modules import each other: {', '.join((*importers, path))}")
    for match in _IMPORT.finditer(modules[path]):
        imported = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1]))
        yield from _imported_first(modules, imported, (*importers, path))
    yield path


def _without_links(path: str, source: str) -> str:
    body = _EXPORT.sub("", _IMPORT.sub("", source))
    if unknown := _OTHER.search(body):
        raise ValueError(f"{path}: the bundle doesn't know this form: {unknown[0]}")
    return f"{body}\n"
