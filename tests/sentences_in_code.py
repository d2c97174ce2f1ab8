"""Texts in code that read like sentences: a test says which of them no player reads."""

import ast
import re
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

_WORD = re.compile(r"(?<![\w./:={-])[a-z]{2,}(?![\w./:=}])")
_COMMAND_LINE = re.compile(r"\s*(/|boxroom |--)")


def check_sentences(
    root: Path,
    places: Iterable[str],
    *,
    excused_calls: Set[str],
    excused_modules: Set[str],
    excused_texts: Iterable[Set[str]],
) -> None:
    """Check that modules, and folders of modules, below `root` have no other sentences.

    Each excuse is for a sentence that there is.
    """
    paths = [path for place in places for path in _modules(root / place)]
    assert len(paths) > 100
    found = {
        path.relative_to(root).as_posix(): set(
            sentences(ast.parse(path.read_text(encoding="utf-8")), excused_calls)
        )
        for path in paths
    }
    assert {module for module, texts in found.items() if texts} >= excused_modules
    others = [texts for module, texts in found.items() if module not in excused_modules]
    assert set().union(*others) == set().union(*excused_texts)


def _modules(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def sentences(node: ast.AST, excused_calls: Set[str]) -> Iterator[str]:
    """Yield the texts in a part of the code that have a space and a word, as sentences do.

    Those in calls of the functions and errors `excused_calls` are left out. 0 stands for values.
    """
    match node:
        case ast.Expr(ast.Constant()) | ast.Assert() | ast.keyword("name"):
            return
        case ast.Call(func) if _name_of(func) in excused_calls:
            return
        case ast.JoinedStr(parts):
            text = "".join(map(_text_of, parts))
            yield from [text] if _is_sentence(text) else []
        case ast.Constant(str(text)) if _is_sentence(text):
            yield text
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from sentences(child, excused_calls)


def _text_of(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "0"


def _name_of(func: ast.expr) -> str:
    return getattr(func, "id", getattr(func, "attr", ""))


def _is_sentence(text: str) -> bool:
    return " " in text.strip() and not _COMMAND_LINE.match(text) and bool(_WORD.search(text))
