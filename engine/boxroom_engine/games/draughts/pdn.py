r"""Games in Portable Draughts Notation (PDN), the format of other programs and of archives.

::

    [Event "Club match"]
    [GameType "21"]
    [Result "1-0"]

    1. 11-15 23-19 2. 8-11 22-17 1-0

Reading skips comments (`{…}`, and `;` to the end of the line), variations in parentheses, and
remarks on moves (`!`, `?`, `$3`, and a `*` right behind one). English draughts is the game type 21,
international draughts 20; without the tag a game is one of 21. Sizes other than the usual ones
stand behind the type, as in `20,W,8,8,N2,0`. In a result the number of White comes first; a win
counts 1 or, mostly in international draughts, 2.

Source: the PDN 3.0 standard (https://pdn.fmjd.org).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from textwrap import fill

from boxroom_engine.games.draughts.fen import format_fen, parse_fen
from boxroom_engine.games.draughts.state import Draughts, Position
from boxroom_engine.games.errors import FormatError, MoveError
from boxroom_engine.games.notation import shorten
from boxroom_engine.games.protocol import Move

UNKNOWN = "*"
"""The result of a game that isn't over, or whose result isn't known."""

_RESULTS = ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", UNKNOWN)
_TYPES = {"21": "english", "20": "international"}
_TYPE_OF = {rules: number for number, rules in _TYPES.items()}
_NUMBERING = {"english": "B,{size},{size},N1,0", "international": "W,{size},{size},N2,0"}
_OWN_TAGS = ("GameType", "SetUp", "FEN", "Result")
"""Tags that follow from the game itself."""

_TAG_NAME = re.compile("[A-Za-z0-9_]+")
_TOKEN = re.compile(
    r"""
    (?P<space> \s+ )
    | (?P<comment> \{[^}]*\} | ;[^\n]* )
    | (?P<tag> \[ \s* (?P<name>[A-Za-z0-9_]+) \s+ "(?P<value>(?:[^"\\\n]|\\.)*)" \s* \] )
    | (?P<remark> \$[0-9]+ | [!?]+ | (?<=[0-9])\* )
    | (?P<result> (?:1/2-1/2 | 1-0 | 0-1 | 2-0 | 0-2 | 1-1 | 0-0 | \*) (?![0-9x:-]) )
    | (?P<number> [0-9]+ \.+ )
    | (?P<move> [0-9]+ (?:[-x:][0-9]+)+ )
    | (?P<open> \( ) | (?P<close> \) )
    """,
    re.VERBOSE,
)
_COLUMNS = 79


@dataclass(frozen=True, slots=True)
class PdnGame:
    """One game with its tags.

    Raises:
        FormatError: a tag can't be written, a move is illegal or not written by its own name, or
            there is no such result.
    """

    start: Position
    moves: tuple[Move, ...]
    result: str = UNKNOWN
    tags: tuple[tuple[str, str], ...] = ()
    """Names and values in order, without those that follow from the other attributes."""

    def __post_init__(self) -> None:
        names = [name for name, _ in self.tags]
        for name, value in self.tags:
            if _TAG_NAME.fullmatch(name) is None or name in _OWN_TAGS or not value.isprintable():
                raise FormatError(f"the tag {shorten(name)!r} can't be written with this value")
        if len(set(names)) < len(names):
            raise FormatError("a tag is there twice")
        if self.result not in _RESULTS:
            raise FormatError(f"a result is {', '.join(_RESULTS)}, not {shorten(self.result)!r}")
        for _ in self.positions():
            pass

    @property
    def game(self) -> Draughts:
        """The rules and the board."""
        return self.start.game

    def positions(self) -> Iterator[Position]:
        """Yield every position, from the first on.

        Raises:
            FormatError: a move is illegal in its position.
        """
        state = self.start
        yield state
        for number, move in enumerate(self.moves, 1):
            try:
                if move not in state.legal_moves():
                    state = state.play(move)  # says why not
                    raise FormatError(f"move {number} has a shorter name")
                state = state.play(move)
            except MoveError as error:
                raise FormatError(f"move {number}: {error}") from error
            yield state

    @classmethod
    def parse(cls, text: str) -> "PdnGame":
        """Return the one game in `text`; the inverse of `format`.

        Raises:
            FormatError: there isn't one game, or it isn't PDN.
        """
        games = parse_games(text)
        if len(games) != 1:
            raise FormatError(f"there are {len(games)} games in this PDN, not one")
        return games[0]

    def format(self) -> str:
        """Return the game as PDN, with a newline at its end."""
        tags = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in self._all_tags())
        moves = " ".join((*self._numbered_moves(), self.result))
        return f"{tags}\n{fill(moves, _COLUMNS, break_on_hyphens=False)}\n"

    def _all_tags(self) -> Iterator[tuple[str, str]]:
        yield from self.tags
        rules = self.game.rule_set
        usual = Draughts(rules, "usual")
        size = self.game.board.size
        board = "" if size == usual.board.size else f",{_NUMBERING[rules].format(size=size)}"
        yield "GameType", _TYPE_OF[rules] + board
        if self.start.pieces != self.game.initial().pieces or self.start.turn:
            yield "SetUp", "1"
            yield "FEN", format_fen(self.start)
        yield "Result", self.result

    def _numbered_moves(self) -> Iterator[str]:
        names = map(self.game.format_move, self.moves)
        for at, name in zip(count(self.start.turn), names):
            if at % 2 == 0:
                yield f"{at // 2 + 1}."
            elif at == self.start.turn:
                yield "1..."
            yield name


def parse_games(text: str) -> list[PdnGame]:
    """Return all games in `text`, in order.

    Raises:
        FormatError: `text` isn't PDN, or a move is illegal.
    """
    games: list[PdnGame] = []
    reading = _Reading()
    for kind, token, tag in _tokens(text):
        if kind == "tag" and reading.has_moves:
            games.append(reading.game())
            reading = _Reading()
        if kind == "tag":
            reading.add_tag(*tag)
        elif kind == "move":
            reading.moves.append(token)
        elif kind == "result":
            reading.end = token
            games.append(reading.game())
            reading = _Reading()
    if reading.tags or reading.has_moves:
        games.append(reading.game())
    return games


def _tokens(text: str) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yield kind, text, and name and value of each tag, move and result outside variations."""
    at = depth = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            line, (word, *_) = text.count("\n", 0, at) + 1, text[at:].split(maxsplit=1)
            raise FormatError(f"line {line} isn't PDN at {shorten(word)!r}")
        kind = next(each for each in _KINDS if match[each] is not None)
        depth += {"open": 1, "close": -1}.get(kind, 0)
        if depth < 0:
            raise FormatError("a ) in the PDN has no ( before it")
        if depth == 0 and kind in ("tag", "move", "result"):
            yield kind, match[0], (match["name"] or "", _unescape(match["value"] or ""))
        at = match.end()
    if depth:
        raise FormatError("a variation in the PDN has no ) at its end")


_KINDS = ("space", "comment", "tag", "result", "number", "move", "remark", "open", "close")


class _Reading:
    """The game that is being read."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.moves: list[str] = []
        self.end: str | None = None
        """The result behind the moves; None before it was read."""

    @property
    def has_moves(self) -> bool:
        """Whether the moves have begun."""
        return bool(self.moves)

    def add_tag(self, name: str, value: str) -> None:
        """Add a tag.

        Raises:
            FormatError: it is there already.
        """
        if name in self.tags:
            raise FormatError(f"the tag {shorten(name)} is there twice")
        self.tags[name] = value

    def game(self) -> PdnGame:
        """Return the game.

        Raises:
            FormatError: its tags contradict each other, or a move is illegal.
        """
        game = _game_of(self.tags.get("GameType", "21"))
        fen = self.tags.get("FEN")
        start = game.initial() if fen is None else parse_fen(fen, game)
        tagged = self.tags.get("Result", self.end or UNKNOWN)
        if self.end not in (None, tagged, UNKNOWN):
            raise FormatError(f"the tag Result says {tagged!r}, and behind the moves is {self.end}")
        tags = tuple((name, value) for name, value in self.tags.items() if name not in _OWN_TAGS)
        return PdnGame(start, tuple(own_names(start, self.moves)), tagged, tags)


def _game_of(game_type: str) -> Draughts:
    parts = game_type.split(",")
    rules = _TYPES.get(parts[0].strip())
    if rules is None:
        raise FormatError(f"GameType is 20 or 21 here, not {shorten(game_type)!r}")
    usual = Draughts(rules, "usual")
    if len(parts) < 4 or parts[2:4] == [str(usual.board.size)] * 2:
        return usual
    if parts[2] != parts[3] or parts[2] not in ("6", "8", "10", "12"):
        raise FormatError(f"a board has 6, 8, 10 or 12 rows, not {shorten(game_type)!r}")
    return Draughts(rules, parts[2])


def own_names(start: Position, texts: Sequence[str]) -> Iterator[Move]:
    """Yield each move of `texts`, by its own name, the shortest that is clear.

    Raises:
        FormatError: one is illegal, or ambiguous.
    """
    state = start
    for number, text in enumerate(texts, 1):
        try:
            after = state.play(state.game.parse_move(text.replace(":", "x")))
        except MoveError as error:
            raise FormatError(f"move {number}, {shorten(text)}: {error}") from error
        assert after.last is not None
        yield next(
            move
            for move, step in state.steps.items()
            if (step.path[0], step.path[-1], step.captured)
            == (after.last.path[0], after.last.path[-1], after.last.captured)
        )
        state = after


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _unescape(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)
