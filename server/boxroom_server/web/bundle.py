"""The modules of the page as one script, so that a browser asks for one file and not for fifty.

Each module becomes a function that returns what the module exports. It is called once, after those
that it imports, so that names of two modules can't clash, and nothing is visible to the document.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping

_IMPORT = re.compile(r"""^import\s+(?:(\w+)|\{([^}]*)\})\s+from\s+'([^']+)';""", re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)
_EXPORTS = re.compile(r"^export \{([^}]*)\};", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundle(modules: Mapping[str, str], first: str) -> str:
    """Return the module `first` and all that it imports, by path, as one script.

    Raises:
        ValueError: modules import each other in a circle, or in a form that isn't known here.
        KeyError: there is no module of an imported path.
    """
    order = list(_imported_first(modules, first, ()))
    names = {path: f"${number}" for number, path in enumerate(dict.fromkeys(order))}
    return "".join(_as_function(path, modules[path], names) for path in names)


def _imported_first(
    modules: Mapping[str, str], path: str, importers: tuple[str, ...]
) -> Iterator[str]:
    """Yield the paths of a module and of all that it imports, these first, some more than once."""
    if path in importers:
        raise ValueError(f"modules import each other: {', '.join((*importers, path))}")
    for match in _IMPORT.finditer(modules[path]):
        yield from _imported_first(modules, _joined(path, match[3]), (*importers, path))
    yield path


def _joined(path: str, imported: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))


def _as_function(path: str, source: str, names: Mapping[str, str]) -> str:
    def bindings(match: re.Match[str]) -> str:
        module = names[_joined(path, match[3])]
        if match[1]:
            return f"const {match[1]} = {module}.default;"
        return f"const {{{match[2].replace(' as ', ': ')}}} = {module};"

    exported = [match[1] for form in (_EXPORT, _EXPORTS) for match in form.finditer(source)]
    if _DEFAULT.search(source):
        exported.append("default: $default")
    body = _DEFAULT.sub("const $default = ", _EXPORTS.sub("", _IMPORT.sub(bindings, source)))
    body = _EXPORT.sub(lambda match: match[0].removeprefix("export "), body)
    unknown = _OTHER.search(body)
    if unknown:
        raise ValueError(f"{path}: the bundle doesn't know this form: {unknown[0]}")
    return f"const {names[path]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();\n"
