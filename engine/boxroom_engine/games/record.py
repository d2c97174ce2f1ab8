"""Records: whole games as one line of text, to save, replay and share.

::

    dots rows=3 cols=4 border=none | Ada, Bob, greedy (bot) | h0 v3 h12 ~1 v2
    the game and its options       | players, by seat       | tokens

A token is a move as the game writes it, or `~1` when seat 1 (from 0) withdrew. If the game began
with moves that were played before, its *opening*, a `/` stands behind these. In names `%`,
`,`, `|`, invisible characters and spaces that could get lost are escaped: `%` and two hexadecimal
digits for each byte of their UTF-8, as in RFC 3986, section 2.1. Any white space may stand for a
space, also line breaks, so that a mail program may wrap a record.

Parsing a record checks that every token is a move of its game; only replaying it checks that
the moves are legal one after another.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boxroom_engine.games.errors import FormatError, MalformedMove, MoveError, OptionError
from boxroom_engine.games.picture import picture_of_state
from boxroom_engine.games.protocol import Game, OptionValue, Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.phrases import phrase

MOST_CHARS = 200_000
"""Length limit of records; a full game on the largest board takes 140,000 characters."""

_MOST_GAME_CHARS = 1000
_MOST_CHARS_SHOWN = 24
_END_OF_OPENING = "/"
_WITHDRAWAL = re.compile(r"~0*([0-9]{1,9})")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPED_BYTE = re.compile(rb"%([0-9A-Fa-f]{2})")
_LOST_SPACE = re.compile(r"^ | $|(?<= ) ")


@dataclass(frozen=True, slots=True)
class Record:
    """A game with its players and its moves.

    Raises:
        FormatError: there isn't one name for each seat, or a name or a token is invalid.
    """

    game: Game
    players: tuple[str, ...]
    """Names, one for each seat."""
    tokens: tuple[str, ...]
    """Moves and withdrawals from the first on, as `format_move` and `withdrawal_token` write
    them."""
    opening: int = 0
    """Number of moves that were played before the game began."""

    def __post_init__(self) -> None:
        if len(self.players) != self.game.seats:
            raise FormatError(
                f"{self.game.seats} seats need as many names, not {len(self.players)}"
            )
        for number, name in enumerate(self.players, 1):
            if not name:
                raise FormatError(f"player {number} has no name")
            if not _is_unicode(name):
                raise FormatError(f"the name of player {number} isn't valid Unicode")
        for token, plain in zip(self.tokens, _plain_tokens(self.game, self.tokens), strict=True):
            if token != plain:
                raise FormatError(f"in a record {_shorten(token)!r} is written {plain}")
        if not 0 <= self.opening <= len(self.tokens):
            raise FormatError(f"the opening has {self.opening} of {len(self.tokens)} moves")
        if any(map(is_withdrawal, self.tokens[: self.opening])):
            raise FormatError("nobody withdraws in the opening")

    @classmethod
    def parse(cls, text: str) -> "Record":
        """Return the record that `text` holds; the inverse of `format`.

        White space and the case of moves don't matter.

        Raises:
            FormatError: `text` doesn't follow the module's format, or there is no such game.
        """
        if len(text) > MOST_CHARS:
            raise FormatError(
                f"a record has at most {MOST_CHARS:,} characters, this one has {len(text):,}"
            )
        parts = text.split("|")
        if len(parts) != 3:
            raise FormatError(
                "a record has three parts with a | between them, game | players | moves,"
                f" not {len(parts)}"
            )
        players = _parse_players(parts[1])
        game = _parse_game(parts[0], len(players))
        opening, tokens = _parse_opening(parts[2].split())
        return cls(game, players, tuple(_plain_tokens(game, tokens)), opening)

    @classmethod
    def parse_heading(cls, text: str) -> "Record":
        """Return the record that `text` holds, without its moves, which take longest to parse.

        Raises:
            FormatError: see `parse`.
        """
        return cls.parse(f"{text.rpartition('|')[0]}|")

    def format(self) -> str:
        """Return the record as one line of text, the same for equal records."""
        options = (f"{name}={value}" for name, value in self.game.options.items())
        game = " ".join((self.game.kind.name, *options))
        players = ", ".join(map(_escape, self.players))
        opening, played = self.tokens[: self.opening], self.tokens[self.opening :]
        tokens = (*opening, _END_OF_OPENING, *played) if opening else played
        return f"{game} | {players} | {' '.join(tokens)}".rstrip()

    def __str__(self) -> str:
        return self.format()

    def _repr_svg_(self) -> str | None:
        """Return the last position as SVG, for notebooks; None if a move is illegal.

        Notebooks then show the text.
        """
        try:
            return picture_of_state(self.final(), self.players)
        except FormatError:
            return None

    def positions(self) -> Iterator[State]:
        """Yield every position of the game: the first one, and the one after each token.

        Raises:
            FormatError: a token is illegal in its position; the positions before it come first.
        """
        state = self.game.initial()
        yield state
        for number, token in enumerate(self.tokens, 1):
            try:
                state = play_token(state, token)
            except MoveError as error:
                raise _bad_token(number, token, error) from error
            yield state

    def final(self) -> State:
        """Return the position after all tokens.

        Raises:
            FormatError: a token is illegal in its position.
        """
        *_, last = self.positions()
        return last


def withdrawal_token(seat: Seat) -> str:
    """Return the token for the withdrawal of `seat`."""
    return f"~{seat}"


def is_withdrawal(token: str) -> bool:
    """Whether a token is a withdrawal; the others are moves."""
    return token.startswith("~")


def play_token(state: State, token: str) -> State:
    """Return the position after a token: a move by the seat to move, or a withdrawal.

    Raises:
        MoveError: `token` is neither, or is illegal in this position.
    """
    if is_withdrawal(token):
        return state.withdraw(_parse_withdrawal(token))
    return state.play(state.game.parse_move(token))


def _parse_withdrawal(token: str) -> Seat:
    match = _WITHDRAWAL.fullmatch(token)
    if match is None:
        raise MalformedMove(phrase("move.withdrawal"))
    return Seat(int(match[1]))


def _parse_opening(words: list[str]) -> tuple[int, list[str]]:
    """Return the number of tokens of the opening, and all tokens.

    Raises:
        FormatError: more than one place is marked as the end of the opening.
    """
    if _END_OF_OPENING not in words:
        return 0, words
    opening = words.index(_END_OF_OPENING)
    tokens = words[:opening] + words[opening + 1 :]
    if _END_OF_OPENING in tokens:
        raise FormatError(f"a record has one {_END_OF_OPENING}, behind its opening")
    return opening, tokens


def _plain_tokens(game: Game, tokens: Sequence[str]) -> Iterator[str]:
    """Yield each token in its normal form.

    Raises:
        FormatError: a token is neither a move of `game` nor a withdrawal.
    """
    for number, token in enumerate(tokens, 1):
        try:
            if token.startswith("~"):
                yield withdrawal_token(_parse_withdrawal(token))
            else:
                yield game.format_move(game.parse_move(token))
        except MoveError as error:
            raise _bad_token(number, token, error) from error


def _bad_token(number: int, token: str, error: MoveError) -> FormatError:
    return FormatError(f"token {number}, {_shorten(token)}: {error}")


def _parse_game(text: str, seats: int) -> Game:
    """Return the game that the first part of a record names.

    Raises:
        FormatError: there is no such game, or not with these options or this many seats.
    """
    if len(text) > _MOST_GAME_CHARS:  # the sentences below quote it
        raise FormatError(f"the game and its options take at most {_MOST_GAME_CHARS} characters")
    name, *words = text.split() or [""]
    if not name:
        raise FormatError("a record begins with the name of a game, such as dots")
    options: dict[str, OptionValue] = {}
    for word in words:
        option, equals, value = word.partition("=")
        if not equals:
            raise FormatError(
                f"an option is a name, = and a value, such as rows=3, not {_shorten(word)!r}"
            )
        if option in options:
            raise FormatError(f"the option {_shorten(option)!r} is there twice")
        options[option] = value
    try:
        return make_game(name, options, seats)
    except OptionError as error:
        raise FormatError(str(error)) from error


def _parse_players(text: str) -> tuple[str, ...]:
    """Return the names that the second part of a record lists.

    Raises:
        FormatError: there are none, or one isn't escaped correctly.
    """
    if not text.strip():
        raise FormatError("there are no players between the bars")
    return tuple(_unescape(" ".join(name.split())) for name in text.split(","))


def _escape(name: str) -> str:
    """Return `name` with all characters escaped that would be ambiguous, invisible or lost."""
    escaped = "".join(
        _escape_character(char) if char in "%,|" or not char.isprintable() else char
        for char in name
    )
    return _LOST_SPACE.sub(_escape_character(" "), escaped)


def _escape_character(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode())


def _unescape(escaped: str) -> str:
    """Return the name without escapes; the inverse of `_escape`.

    Raises:
        FormatError: a `%` without two hexadecimal digits, or bytes that aren't UTF-8.
    """
    if _STRAY_PERCENT.search(escaped):
        raise FormatError(
            f"in the name {_shorten(escaped)!r} a % needs two hexadecimal digits after it;"
            " %25 is the sign itself"
        )
    try:
        utf8 = _ESCAPED_BYTE.sub(lambda match: bytes.fromhex(match[1].decode()), escaped.encode())
        return utf8.decode()
    except UnicodeError:
        raise FormatError(f"the name {_shorten(escaped)!r} isn't escaped UTF-8") from None


def _is_unicode(name: str) -> bool:
    """Whether `name` can be encoded: a lone surrogate can't."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shorten(text: str) -> str:
    return text if len(text) <= _MOST_CHARS_SHOWN else text[: _MOST_CHARS_SHOWN - 1] + "…"
