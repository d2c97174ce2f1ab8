"""Records: formatting and parsing are inverse, and errors explain the mistake."""

from contextlib import suppress
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    IllegalMove,
    MalformedMove,
    MoveOutOfRange,
)
from boxroom_engine.games.protocol import Game, Seat
from boxroom_engine.games.record import MOST_CHARS, Record, play_token, withdrawal_token
from boxroom_engine.games.registry import KINDS

EXAMPLE = "dots rows=3 cols=4 border=none | Ada, Bob, greedy (bot) | h0 v3 h12 ~1 v2"

names = st.text(min_size=1, max_size=12) | st.text("a %,|~\t\n\u00a0\u202e😀é", min_size=1)


@st.composite
def games(draw: st.DrawFn) -> Game:
    kind = draw(st.sampled_from(list(KINDS.values())))
    most = {"dots": 6, "noughts": 3}.get(kind.name, kind.most_seats)
    seats = draw(st.integers(kind.fewest_seats, most))
    if kind.name != "dots":
        return kind.make({}, seats)
    border = draw(st.sampled_from(["none", "half", "full"]))
    return kind.make(
        {"rows": draw(st.integers(1, 4)), "cols": draw(st.integers(2, 4)), "border": border}, seats
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw the record of a random game, sometimes with withdrawals."""
    game = draw(games())
    players = draw(st.lists(names, min_size=game.seats, max_size=game.seats))
    state, tokens = game.initial(), list[str]()
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, game.longest))):
        if state.is_over:
            break
        if rng.random() < 0.05:
            stayed = [Seat(s) for s in range(game.seats) if s not in state.withdrawn]
            tokens.append(withdrawal_token(rng.choice(stayed)))
        else:
            tokens.append(game.format_move(rng.choice(state.legal_moves())))
        state = play_token(state, tokens[-1])
    first_withdrawal = next((n for n, token in enumerate(tokens) if token[0] == "~"), len(tokens))
    opening = draw(st.integers(0, first_withdrawal))
    return Record(game, tuple(players), tuple(tokens), opening)


class TestPair:
    @given(records())
    def test_what_is_written_is_read_again(self, record: Record) -> None:
        text = record.format()
        assert Record.parse(text) == record
        assert Record.parse(text).format() == text == str(record)

    @given(records())
    def test_it_is_one_line_of_visible_characters(self, record: Record) -> None:
        assert record.format().isprintable()
        assert record.format().count("|") == 2

    @given(records(), st.sampled_from(["  ", "\t", "\r\n", "\u3000"]))
    def test_white_space_and_case_do_not_matter(self, record: Record, space: str) -> None:
        text = record.format()
        game, players, moves = text.split("|")
        players = players.replace(",", f"{space},{space}")
        untidy = f" {game}|{players.replace(' ', space)}|{moves.upper().replace(' ', space)}"
        assert Record.parse(untidy) == record

    @given(records())
    def test_it_replays_to_its_end(self, record: Record) -> None:
        positions = list(record.positions())
        assert positions[0] == record.game.initial()
        assert [state.ply for state in positions] == list(range(len(record.tokens) + 1))
        assert record.final() == positions[-1]


def test_the_example() -> None:
    record = Record.parse(EXAMPLE)
    assert record.game == Dots(3, 4, Border.NONE, 3)
    assert record.players == ("Ada", "Bob", "greedy (bot)")
    assert record.tokens == ("h0", "v3", "h12", "~1", "v2")
    assert str(record) == EXAMPLE
    assert record.final().withdrawn == {1}
    assert record.final().to_move == 2


def test_a_game_in_which_nothing_happened() -> None:
    record = Record.parse("noughts|A,B|")
    assert record.tokens == ()
    assert record.format() == "noughts dims=3,3 line=3 | A, B |"
    assert record.final() == record.game.initial()


def test_options_left_out_have_their_defaults() -> None:
    record = Record.parse("dots cols=02 | A, B | H001")
    assert record.format() == "dots rows=5 cols=2 border=none | A, B | h1"


@each(
    "name, written",
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("50%, | more", "50%25%2C %7C more"),
        (" x  y ", "%20x %20y%20"),
        ("tab\there", "tab%09here"),
        ("café 😀", "café 😀"),
        ("a\u202eb\u00a0c", "a%E2%80%AEb%C2%A0c"),
        ("~1", "~1"),
    ],
)
def test_names(name: str, written: str) -> None:
    record = Record(Dots(1, 1, Border.NONE, 2), (name, "B"), ())
    assert record.format() == f"dots rows=1 cols=1 border=none | {written}, B |"
    assert Record.parse(record.format()).players == (name, "B")


@each(
    "text, sentence",
    [
        ("", "three parts with a | between them, game | players | moves, not 1"),
        ("dots | A, B | h0 | h1", "game | players | moves, not 4"),
        (" | A, B | h0", "a record begins with the name of a game"),
        (f"{'x' * 900} | A, B | e4", "there is no game 'xxx"),
        ("chess | A, B | e4", "there is no game 'chess'; there are dots, noughts"),
        ("dots rows | A, B |", "an option is a name, = and a value, such as rows=3, not 'rows'"),
        ("dots rows=3 rows=3 | A, B |", "the option 'rows' is there twice"),
        ("dots depth=3 | A, B |", "no option 'depth'; it has rows, cols and border"),
        ("dots rows=0 | A, B |", "rows must be 1 to 1000, not 0"),
        ("dots rows= | A, B |", "rows is a whole number of at least 1"),
        ("dots rows=1 cols=1 border=full | A, B |", "a 1×1 board has no free line"),
        (f"dots rows={'9' * 2000} | A, B |", "the game and its options take at most 1000"),
        ("noughts | Ada | 4", "Noughts and Crosses needs at least 2 seats, not 1"),
        ("noughts | A, B, C, D |", "Noughts and Crosses has at most 3 seats, not 4"),
        ("dots | | h0", "there are no players between the bars"),
        ("dots | A,, B | h0", "player 2 has no name"),
        ("dots | A, \udc80 | h0", "the name '\\udc80' isn't escaped UTF-8"),
        ("dots | A, 5% | h0", "in the name '5%' a % needs two hexadecimal digits after it"),
        ("dots | A, %FF | h0", "the name '%FF' isn't escaped UTF-8"),
        ("dots | A, %ED%B2%80 | h0", "the name '%ED%B2%80' isn't escaped UTF-8"),
        ("dots | A, B | h0 x3", "token 2, x3: 'x3' is no move: type h or v and a number"),
        ("dots | A, B | h0 h99", "token 2, h99: h99 is not on a 5×5 board: h0 to h29"),
        ("dots | A, B | ~", "token 1, ~: a withdrawal is ~ and the number of a seat"),
        (f"dots | A, B | ~{'9' * 9000}", "…: a withdrawal is ~ and the number of a seat"),
        ("dots | A, B | ~\u0661", "a withdrawal is ~ and the number of a seat"),
        ("x" * (MOST_CHARS + 1), "at most 200,000 characters, this one has 200,001"),
    ],
)
def test_what_cannot_be_read(text: str, sentence: str) -> None:
    with pytest.raises(FormatError) as caught:
        Record.parse(text)
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 1500
    assert caught.value.code == "bad_format"


@each(
    "tokens, sentence",
    [
        ("h3 h3", "token 2, h3: h3 is already drawn; h2 is still free"),
        ("h0 ~2", "token 2, ~2: there is no seat 2: seats are 0 to 1"),
        ("~1 h0", "token 2, h0: the game is over: no more moves can be played"),
    ],
)
def test_what_cannot_be_played(tokens: str, sentence: str) -> None:
    record = Record.parse(f"dots rows=2 cols=2 | A, B | {tokens}")
    positions = record.positions()
    assert [next(positions).ply, next(positions).ply] == [0, 1]
    with pytest.raises(FormatError) as caught:
        next(positions)
    assert str(caught.value) == sentence
    with pytest.raises(FormatError):
        record.final()


@given(st.text(st.characters()))
@example("dots | A, B | h")
def test_no_text_crashes_the_parser(text: str) -> None:
    read(text)


# Texts that get past the first checks more often than arbitrary ones.
fragments = st.sampled_from(
    ["dots", "noughts", " ", ",", "|", " | ", "rows=", "border=", "1", "none", "%", "%4", "~", "h"]
)


@given(st.lists(fragments | st.text(st.characters(), max_size=3)))
def test_no_text_that_looks_like_a_record_crashes_the_parser(parts: list[str]) -> None:
    read("dots rows=2 cols=2 | A, B | h0" + "".join(parts))
    read("".join(parts) + "dots rows=2 cols=2 | A, B | h0")
    read(f"dots rows=2 | {''.join(parts)} | h0")
    read(f"dots rows=2 {''.join(parts)} | A, B | h0")


def read(text: str) -> None:
    """Parse and replay `text`; the only allowed error is FormatError."""
    with suppress(FormatError):
        record = Record.parse(text)
        assert Record.parse(record.format()) == record
        record.final()


class TestMadeByHand:
    """A record that couldn't be parsed again can't be made."""

    game = Dots(1, 2, Border.NONE, 2)

    @each(
        "players, tokens, sentence",
        [
            (("A",), (), "2 seats need as many names, not 1"),
            (("A", ""), (), "player 2 has no name"),
            (("A", "\ud800"), (), "the name of player 2 isn't valid Unicode"),
            (("A", "B"), ("h0", "H1"), "in a record 'H1' is written h1"),
            (("A", "B"), ("~01",), "in a record '~01' is written ~1"),
            (("A", "B"), ("h0 h1",), "token 1, h0 h1: 'h0 h1' is no move"),
        ],
    )
    def test_refused(
        self, players: tuple[str, ...], tokens: tuple[str, ...], sentence: str
    ) -> None:
        with pytest.raises(FormatError) as caught:
            Record(self.game, players, tokens)
        assert str(caught.value).startswith(sentence)


class TestTokens:
    start = Dots(1, 2, Border.NONE, 3).initial()

    def test_a_move_and_a_withdrawal(self) -> None:
        assert play_token(self.start, "V1") == self.start.play(self.start.game.parse_move("v1"))
        assert play_token(self.start, withdrawal_token(Seat(2))) == self.start.withdraw(Seat(2))

    @each(
        "token, error",
        [
            ("", MalformedMove),
            ("~-1", MalformedMove),
            ("h9", MoveOutOfRange),
            ("~3", IllegalMove),
        ],
    )
    def test_each_mistake_is_an_error_of_its_own(self, token: str, error: type[Exception]) -> None:
        with pytest.raises(error):
            play_token(self.start, token)

    def test_nothing_follows_the_end(self) -> None:
        over = play_token(play_token(self.start, "~0"), "~2")
        for token in "h0", "~1":
            with pytest.raises(GameIsOver):
                play_token(over, token)


def test_the_largest_board_fits() -> None:
    game = Dots(100, 100, Border.NONE, 8)
    tokens = tuple(map(game.format_move, game.initial().legal_moves()))
    record = Record(game, tuple(f"player {seat}" for seat in range(8)), tokens)
    assert len(record.format()) < MOST_CHARS
    assert Record.parse(record.format()) == record


# In notebooks


@given(records())
def test_notebooks_show_the_last_position(record: Record) -> None:
    picture = record._repr_svg_()
    assert picture is not None
    ElementTree.fromstring(picture)


def test_the_picture_of_a_record_has_the_players_names() -> None:
    picture = Record.parse("dots rows=1 cols=1 border=none | Ada, Bob | h0 h1 v0 v1")._repr_svg_()
    assert picture is not None
    assert "Ada 0" in picture
    assert "Bob 1" in picture


def test_a_record_that_cant_be_played_has_no_picture() -> None:
    record = Record.parse("dots rows=1 cols=1 border=none | Ada, Bob | h0 h0")
    assert record._repr_svg_() is None
