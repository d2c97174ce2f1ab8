r"""Games in Portable Draughts Notation (PDN), the format of other programs and of archives.

::

    [Event "Club match"]
    [GameType "21"]
    [Result "1-0"]

    1. 11-15 23-19 2. 8-11 22-17 1-0

Reading skips comments (`{…}`, and `;` to the end of the line), lines that begin with `%`,
variations in parentheses, and remarks on moves (`!`, `?`, `$3`, and a `*` right behind one).
English draughts is the game type 21, international draughts 20; without the tag a game is one of
21. Sizes other than the usual ones stand behind the type, as in `20,W,8,8,N2,0`. In a result the
number of White comes first; a win counts 1 or, mostly in international draughts, 2.

Source: the PDN 3.0 standard (https://pdn.fmjd.org).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from textwrap import fill

from boxroom_engine.games.draughts.fen import format_fen, parse_fen
from boxroom_engine.games.draughts.pdn_text import RESULTS, GameText, games_in
from boxroom_engine.games.draughts.state import Draughts, Position
from boxroom_engine.games.errors import FormatError, MoveError
from boxroom_engine.games.notation import shorten
from boxroom_engine.games.protocol import Move

UNKNOWN = "*"
"""The result of a game that isn't over, or whose result isn't known."""

_TYPES = {"21": "english", "20": "international"}
_TYPE_OF = {rules: number for number, rules in _TYPES.items()}
_NUMBERING = {"english": "B,{size},{size},N1,0", "international": "W,{size},{size},N2,0"}
_OWN_TAGS = ("GameType", "SetUp", "FEN", "Result")
"""Tags that follow from the game itself."""

_TAG_NAME = re.compile("[A-Za-z0-9_]+")
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
        if self.result not in RESULTS:
            raise FormatError(f"a result is {', '.join(RESULTS)}, not {shorten(self.result)!r}")
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
    return [game_of(each) for each in games_in(text)]


def game_of(text: GameText) -> PdnGame:
    """Return the game in `text`.

    Raises:
        FormatError: it isn't PDN, its tags contradict each other, or a move is illegal.
    """
    if text.problem is not None:
        raise FormatError(text.problem)
    tagged = _tags(text)
    game = _rules_of(tagged.get("GameType", "21"))
    fen = tagged.get("FEN")
    start = game.initial() if fen is None else parse_fen(fen, game)
    result = tagged.get("Result", text.end or UNKNOWN)
    if text.end not in (None, result, UNKNOWN):
        raise FormatError(f"the tag Result says {result!r}, and behind the moves is {text.end}")
    tags = tuple((name, value) for name, value in tagged.items() if name not in _OWN_TAGS)
    return PdnGame(start, tuple(own_names(start, text.moves)), result, tags)


def _tags(text: GameText) -> dict[str, str]:
    """Return the tags, with spaces for white space and invisible characters of other kinds."""
    tags: dict[str, str] = {}
    for name, value in text.tags:
        if name in tags:
            raise FormatError(f"the tag {shorten(name)} is there twice")
        tags[name] = "".join(char if char.isprintable() else " " for char in value)
    return tags


def _rules_of(game_type: str) -> Draughts:
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
