"""The games in a text in PDN as they are written there: tags and moves, not yet checked.

A game that can't be read doesn't hide the others: reading goes on behind the word in question. What
is opened and never closed, such as a comment, ends at the latest before the tags of the next game.
"""

import re
from collections.abc import Iterator

from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.notation import check_characters, shorten

RESULTS = ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*")

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ )
    | (?P<escape> ^%[^\n]* )
    | (?P<comment> \{[^}]*\} | ;[^\n]* )
    | (?P<tag> \[ \s* (?P<name>[A-Za-z0-9_]+) \s+ "(?P<value>(?:[^"\\\n]|\\.)*)" \s* \] )
    | (?P<remark> \$[0-9]+ | [!?]+ | (?<=[0-9])\* )
    | (?P<result> (?:1/2-1/2 | 1-0 | 0-1 | 2-0 | 0-2 | 1-1 | 0-0 | \*) (?![0-9x:-]) )
    | (?P<number> [0-9]+ \.+ )
    | (?P<move> [0-9]+ (?:[-x:][0-9]+)+ )
    | (?P<open> \( ) | (?P<close> \) )
    | (?P<unknown> \S+ )
    """,
    re.VERBOSE | re.MULTILINE,
)
_SKIPPED = frozenset({"escape", "comment"})
"""Kinds of tokens that stand between games as well."""
_TAG_LINE = re.compile(r'\s*\[\s*[A-Za-z0-9_]+\s+"')
_BEGINNING = re.compile(r"\s*(?:%[^\n]*\n\s*)*(?:[\[{;]|[0-9]+\.)")
"""The beginning of a tag, a comment or a numbered move, behind lines that begin with `%`."""


class GameText:
    """A game as it is written.

    Args:
        line: the number of its first line in the text.
    """

    def __init__(self, line: int) -> None:
        self.line = line
        self.tags: list[tuple[str, str]] = []
        """Names and values in order."""
        self.moves: list[str] = []
        """Moves as they are written, in order."""
        self.end: str | None = None
        """The result behind the moves; None if there is none."""
        self.problem: str | None = None
        """The first error in its text; None if it can be read."""

    def note(self, problem: str) -> None:
        """Note an error in the text of the game."""
        self.problem = self.problem or problem


def looks_like_pdn(text: str) -> bool:
    """Whether `text` is PDN, also damaged, and no record: that has bars in its first line."""
    if _BEGINNING.match(text) is not None:
        return True
    first, *_ = text.strip().split("\n", 1)
    return "|" not in first and any(map(_TAG_LINE.match, text.split("\n")))


def games_in(text: str) -> Iterator[GameText]:
    """Yield all games in `text`, in order."""
    line = 1
    for block in _blocks(text):
        yield from _games_in(block, line)
        line += block.count("\n")


def _blocks(text: str) -> Iterator[str]:
    """Yield the parts of `text`: each begins with lines of tags, but for the first."""
    block: list[str] = []
    is_after_tags = False
    for line in text.splitlines(keepends=True):
        if block and not is_after_tags and _TAG_LINE.match(line):
            yield "".join(block)
            block = []
        block.append(line)
        if line.strip():
            is_after_tags = line.lstrip().startswith("[")
    yield "".join(block)


def _games_in(block: str, line: int) -> Iterator[GameText]:
    game: GameText | None = None
    depth = 0  # of variations in parentheses
    for token in _TOKEN.finditer(block):
        kind = token.lastgroup or ""
        if kind == "space":
            line += token[0].count("\n")
            continue
        begins = kind == "tag" or (kind == "unknown" and token[0].startswith("["))
        if game is not None and game.moves and begins and not depth:
            yield game
            game = None
        if game is None and kind not in _SKIPPED:
            game = GameText(line)
        if game is not None:
            depth = _read(game, kind, token, line, depth)
            if game.end is not None:
                yield game
                game = None
        line += token[0].count("\n")
    if game is not None:
        if depth:
            game.note("a variation in the PDN has no ) at its end")
        yield game


def _read(game: GameText, kind: str, token: re.Match[str], line: int, depth: int) -> int:
    """Add a token to `game`; return the depth of variations behind it."""
    try:
        check_characters(token[0], line)
    except FormatError as error:
        game.note(str(error))
        return depth
    match kind:
        case "open":
            return depth + 1
        case "close" if depth == 0:
            game.note("a ) in the PDN has no ( before it")
        case "close":
            return depth - 1
        case "unknown":
            game.note(f"line {line} isn't PDN at {shorten(token[0])!r}")
        case "tag" if not depth:
            game.tags.append((token["name"], _unescape(token["value"])))
        case "move" if not depth:
            game.moves.append(token[0])
        case "result" if not depth:
            game.end = token[0]
    return depth


def _unescape(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)
