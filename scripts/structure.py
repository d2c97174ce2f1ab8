"""Counts and rules of the source tree: packages, imports, names, docstrings.

`python scripts/structure.py` prints the counts; `python scripts/structure.py PATH…` prints every
docstring under PATH that breaks a rule. `tests/project/test_structure.py` holds the rules.
"""

import ast
import functools
import itertools
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

PACKAGES = {
    name: ROOT / folder / name
    for folder, name in (
        ("engine", "boxroom_engine"),
        ("common", "boxroom_common"),
        ("server", "boxroom_server"),
        ("client", "boxroom_client"),
        ("lab", "boxroom_lab"),
        ("public", "boxroom"),
    )
}
"""Folder of each import package."""

SMALL_LINES = 40
"""A module with fewer lines is probably no concept of its own."""

RIDDLE = re.compile(
    r"(What|Who|Whom|Whose|Whatever|Whoever|Where|Wherever|Which|Whichever|How|Whether)\b"
    r"|(By|In|Under|To|With|For|From|On|Of|At|After|Until) (which|what|whom|whose|how)\b"
    r"|(Says|Tells) (what|who|which|how|whether)\b"
    r"|(That which|The one who|The ones who|Those who)\b"
)
"""Openings that make a reader guess the subject."""

NO_CONTENT = re.compile(r"See `|Do nothing\b|(Return )?(none|None|True|False)\.")
"""Openings that leave the reader where the name and the base class have led already."""

NO_ACTOR = re.compile(r"\b(somebody|nobody|whoever)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Docstring:
    """A docstring, or the string below an attribute that explains it."""

    path: Path
    line: int
    subject: str
    """Dotted name of what it describes; "" for a module."""
    text: str
    annotation: str
    """Type of the attribute or of what the function returns; "" if there is none."""

    @property
    def mistakes(self) -> list[str]:
        """Rules of the English that it breaks."""
        found = []
        opening = self.text.lstrip()
        if RIDDLE.match(opening) and not self._may_open_so(opening):
            found.append(f"opens with {' '.join(opening.split()[:2])!r}")
        if NO_CONTENT.match(opening):
            found.append(f"says only {opening.splitlines()[0]!r}")
        found += [f"says {word.group()!r}" for word in NO_ACTOR.finditer(self.text)]
        return found

    def _may_open_so(self, opening: str) -> bool:
        if opening.startswith("Whether "):
            return "bool" in self.annotation or "TypeGuard" in self.annotation
        if re.match("How (many|much|long) ", opening):
            return bool(re.search(r"\b(int|float)\b", self.annotation))
        return False


def python_files(folder: Path) -> list[Path]:
    """Python files under `folder`, or `folder` itself, in order."""
    return [folder] if folder.is_file() else sorted(folder.rglob("*.py"))


def parsed(path: Path) -> ast.Module:
    """Syntax tree of a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"))


parsed_once = functools.cache(parsed)
"""`parsed`, for files that several counts read; so many trees slow the garbage collector down."""


def docstrings(path: Path) -> Iterator[Docstring]:
    """Every docstring of a Python file."""
    return docstrings_in(path, parsed(path))


def docstrings_in(path: Path, node: ast.AST, name: str = "") -> Iterator[Docstring]:
    """Every docstring of `node`, a part of that file; `name` is dotted, "" for the module."""
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        text = ast.get_docstring(node)
        if text:
            returns = getattr(node, "returns", None)
            annotation = ast.unparse(returns) if returns is not None else ""
            yield Docstring(path, body[0].lineno, name, text, annotation)
    for before, after in itertools.pairwise(body):
        if isinstance(before, ast.Assign | ast.AnnAssign) and _is_string(after):
            text = after.value.value
            yield Docstring(path, after.lineno, _joined(name, _target(before)), text, _type(before))
    for child in body:
        yield from docstrings_in(path, child, _joined(name, getattr(child, "name", "")))


def _is_string(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    return ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])


def _type(node: ast.Assign | ast.AnnAssign) -> str:
    """Type of what is assigned, as far as the text shows it."""
    if isinstance(node, ast.AnnAssign):
        return ast.unparse(node.annotation)
    value = node.value
    if isinstance(value, ast.Compare):
        return "bool"
    if isinstance(value, ast.Constant):
        return type(value.value).__name__
    return "int" if isinstance(value, ast.BinOp) else ""


def _joined(name: str, more: str) -> str:
    return f"{name}.{more}" if name and more else name or more


@functools.cache
def imports(package: str) -> dict[str, set[str]]:
    """Modules of `package`, each with the modules of it that it imports anywhere in its text."""
    modules = {_module(path): path for path in python_files(PACKAGES[package])}
    return {name: _imported(path, name, modules) - {name} for name, path in modules.items()}


def _module(path: Path) -> str:
    folder = next(folder for folder in PACKAGES.values() if path.is_relative_to(folder))
    parts = path.relative_to(folder.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, name: str, modules: dict[str, Path]) -> set[str]:
    found = set()
    for node in ast.walk(parsed_once(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules else node.module)
    return found & set(modules)


def rooms_and_arrows(package: str) -> tuple[int, int]:
    """How many modules and packages stand at the top of `package`, and arrows between them."""
    edges = set()
    rooms = {path.stem if path.is_file() else path.name for path in _top_of(package)}
    for name, others in imports(package).items():
        edges |= {(_top(name), _top(other)) for other in others}
    return len(rooms), len({(one, two) for one, two in edges if one != two and one and two})


def _top_of(package: str) -> list[Path]:
    folder = PACKAGES[package]
    return [
        path
        for path in folder.iterdir()
        if path.suffix == ".py" or (path.is_dir() and any(path.rglob("*.py")))
    ]


def _top(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def cycles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Groups of two and more that reach one another, by Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def package_cycles(package: str) -> dict[str, list[list[str]]]:
    """Cycles among what each package in `package` directly holds, modules and packages alike."""
    found = {}
    modules = imports(package)
    for parent in {name.rpartition(".")[0] for name in modules} - {""}:
        edges: dict[str, set[str]] = defaultdict(set)
        for name, others in modules.items():
            child = _child_of(parent, name)
            if child:
                edges[child] |= {_child_of(parent, other) for other in others} - {"", child}
        if groups := cycles(edges):
            found[parent] = groups
    return found


def _child_of(parent: str, module: str) -> str:
    """The part of `module` directly below `parent`, or "" if it isn't within it."""
    return (
        module.removeprefix(f"{parent}.").split(".")[0] if module.startswith(f"{parent}.") else ""
    )


def repeated_classes(package: str) -> dict[str, list[str]]:
    """Public class names that stand in several modules of `package`, with those modules."""
    where = defaultdict(list)
    for path in python_files(PACKAGES[package]):
        for node in parsed_once(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].append(_module(path))
    return {name: modules for name, modules in where.items() if len(modules) > 1}


def small_modules(package: str) -> list[Path]:
    """Modules of fewer than `SMALL_LINES` lines, but for `__init__` and `__main__`."""
    return [
        path
        for path in python_files(PACKAGES[package])
        if not path.stem.startswith("__") and _lines(path) < SMALL_LINES
    ]


def package_sizes(package: str) -> dict[str, int]:
    """How many modules, without `__init__`, each package holds directly."""
    sizes = Counter[str]()
    for path in python_files(PACKAGES[package]):
        folder = _module(path.parent / "__init__.py")
        sizes[folder] += path.stem != "__init__"
    return dict(sizes)


def explained_attributes(package: str) -> tuple[int, int]:
    """How many attributes set in `__init__` that are no parameters are explained, and of how many.

    One is explained by a comment above it or beside it, or by a string below it.
    """
    explained = total = 0
    for path in python_files(PACKAGES[package]):
        lines = path.read_text(encoding="utf-8").splitlines()
        for node in ast.walk(parsed_once(path)):
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                for one in _own_attributes(node, lines):
                    total += 1
                    explained += one
    return explained, total


def _own_attributes(init: ast.FunctionDef, lines: list[str]) -> Iterator[bool]:
    """Of each attribute that isn't just a parameter, whether it is explained."""
    parameters = {arg.arg for arg in [*init.args.args, *init.args.kwonlyargs]}
    for position, node in enumerate(init.body):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        if not _target(node).startswith("self."):
            continue
        if isinstance(node.value, ast.Name) and node.value.id in parameters:
            continue
        following = init.body[position + 1] if position + 1 < len(init.body) else None
        above = lines[node.lineno - 2].strip().startswith("#")
        beside = "#" in lines[(node.end_lineno or node.lineno) - 1]
        yield above or beside or (following is not None and _is_string(following))


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _words_of_docs() -> int:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sum(len(page.read_text(encoding="utf-8").split()) for page in pages)


def print_counts(packages: Iterable[str]) -> None:
    """Print the counts of `packages`, and the number of words on all pages."""
    for package in packages:
        rooms, arrows = rooms_and_arrows(package)
        modules = imports(package)
        files = python_files(PACKAGES[package])
        found = [each for path in files for each in docstrings(path)]
        explained, total = explained_attributes(package)
        print(package)
        print(f"  modules and packages at the top   {rooms}, with {arrows} import arrows")
        print(f"  modules                           {len(files)}")
        print(f"  modules under {SMALL_LINES} lines            {len(small_modules(package))}")
        print(f"  modules in the largest package    {max(package_sizes(package).values())}")
        print(f"  cycles of modules                 {len(cycles(modules))}")
        print(
            f"  cycles of packages                {sum(map(len, package_cycles(package).values()))}"
        )
        print(f"  repeated class names              {len(repeated_classes(package))}")
        wrong = sum(bool(each.mistakes) for each in found)
        print(f"  docstrings that break a rule      {wrong} of {len(found)}")
        print(f"  explained attributes              {explained} of {total}")
        print(f"  lines                             {sum(map(_lines, files))}")
    print(f"words in *.md                       {_words_of_docs()}")


def _print_mistakes(paths: list[Path]) -> int:
    wrong = 0
    for path in paths:
        for file in python_files(path):
            for each in docstrings(file):
                for mistake in each.mistakes:
                    wrong += 1
                    print(f"{file}:{each.line}: {each.subject or 'module'}: {mistake}")
    return int(wrong > 0)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(_print_mistakes([Path(argument) for argument in sys.argv[1:]]))
    print_counts(PACKAGES)
