"""The modules of the page as one script, so that a browser asks for one file and not for fifty.

Each module becomes a function that is called once, after those that it imports. What it exports are
names of the whole script, which are therefore exported once; all else stays its own.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping

_IMPORT = re.compile(r"^import\s+\{\s*\w+(?:\s*,\s*\w+)*,?\s*\}\s+from\s+'([^']+)';", re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundle(modules: Mapping[str, str], first: str) -> str:
    """Return the module `first` and all that it imports, by path, as one script.

    Raises:
        ValueError: modules import each other in a circle, or in a form that isn't known here, or
            two of them export the same name.
        KeyError: there is no module of an imported path.
    """
    order = dict.fromkeys(_imported_first(modules, first, ()))
    exporters: dict[str, str] = {}
    for path in order:
        for name in exported(modules[path]):
            if name in exporters:
                raise ValueError(f"{exporters[name]} and {path} both export {name}")
            exporters[name] = path
    return "".join(_as_function(path, modules[path]) for path in order)


def exported(source: str) -> list[str]:
    """Return the names that a module exports."""
    return _EXPORT.findall(source)


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


def _as_function(path: str, source: str) -> str:
    body = _EXPORT.sub(lambda match: match[0].removeprefix("export "), _IMPORT.sub("", source))
    if unknown := _OTHER.search(body):
        raise ValueError(f"{path}: the bundle doesn't know this form: {unknown[0]}")
    names = ", ".join(exported(source))
    if not names:
        return f"(() => {{\n{body}\n}})();\n"
    return f"const {{ {names} }} = (() => {{\n{body}\nreturn {{ {names} }};\n}})();\n"
