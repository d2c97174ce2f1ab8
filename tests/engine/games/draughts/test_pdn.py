"""Games as PDN: what is read, what is written, and what is refused."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.draughts import Draughts
from boxroom_engine.games.draughts.fen import parse_fen
from boxroom_engine.games.draughts.pdn import PdnGame, parse_games
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.protocol import Move

ENGLISH = Draughts("english", "usual")

SHORT = """[Event "Club \\"A\\" match"]
[GameType "21"]
[Result "1-0"]

1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 4. 15-18 24-20 5. 11-15 28-24 1-0
"""

ANNOTATED = """; games of an evening
[Event "One"] [Result "*"]
1. 11-15! {the old 14th} 23-19 (23-18 8-11 (9-13) $1) 2. 8-11* ; and so on
22-17 *
[GameType "20"][Result "2-0"]
1. 32-28 19-23 2. 28:19 14x23 2-0
"""


def test_what_is_written_is_read() -> None:
    game = PdnGame.parse(SHORT)
    assert game.format() == SHORT
    assert game.tags == (("Event", 'Club "A" match'),)
    assert game.result == "1-0"
    assert len(list(game.positions())) == 1 + len(game.moves) == 11


def test_comments_variations_and_remarks_are_skipped() -> None:
    one, other = parse_games(ANNOTATED)
    assert [ENGLISH.format_move(move) for move in one.moves] == ["11-15", "23-19", "8-11", "22-17"]
    assert other.game == Draughts("international", "usual")
    assert [other.game.format_move(move) for move in other.moves][2:] == ["28x19", "14x23"]
    assert other.result == "2-0"
    assert parse_games("") == []


@given(
    st.sampled_from(["english", "international"]),
    st.sampled_from(["usual", "6", "12"]),
    st.integers(0, 10_000),
    st.text('ab "\\;{[', max_size=8),
)
def test_reading_is_the_inverse_of_writing(rules: str, size: str, seed: int, event: str) -> None:
    rng, state = random.Random(seed), Draughts(rules, size).initial()
    for _ in range(rng.randint(0, 30)):
        if not state.is_over:
            state = state.play(rng.choice(state.legal_moves()))
    start = state.game.position(state.pieces, state.turn) if seed % 2 else state.game.initial()
    state = start
    moves: list[Move] = []
    while not state.is_over and len(moves) < 60:
        moves.append(rng.choice(state.legal_moves()))
        state = state.play(moves[-1])
    game = PdnGame(start, tuple(moves), "1/2-1/2", (("Event", event), ("Round", "3")))
    assert PdnGame.parse(game.format()) == game
    assert parse_games(game.format() * 2) == [game, game]


def test_a_game_from_a_position_begins_with_the_number_of_its_colour() -> None:
    start = parse_fen("W:WK5,21:B12", ENGLISH)
    game = PdnGame(start, (start.legal_moves()[0],))
    assert '[FEN "W:WK5,21:B12"]' in game.format()
    assert "\n1... 5-1 *\n" in game.format()


def test_any_name_of_a_capture_is_read() -> None:
    text = '[FEN "B:W6,15:B1"]\n1. 1x10x19 *'
    assert ENGLISH.format_move(PdnGame.parse(text).moves[0]) == "1x19"


@each(
    "text, why",
    [
        ("1. 11-15 hello", "line 1 isn't PDN at 'hello'"),
        ('[Event "x"\n1. 11-15', "line 1 isn't PDN at '\\[Event'"),
        ("1. 11-15 22-18 2. 15-19", "move 3, 15-19: 15-19 isn't possible: you have to capture"),
        ("1. 11-44", "move 1, 11-44: there is no square 44"),
        ('[FEN "B:W6,7,14,15:B2"] 1. 2x18', "move 1, 2x18: 2x18 can be several captures"),
        ("1. 11-15 (23-19", "has no \\) at its end"),
        ("1. 11-15 )", "has no \\( before it"),
        ('[GameType "25"] *', "GameType is 20 or 21 here, not '25'"),
        ('[GameType "21,B,8,10,N1,0"] *', "a board has 6, 8, 10 or 12 rows"),
        ('[Result "0-1"] 1. 11-15 1-0', "the tag Result says '0-1', and behind the moves is 1-0"),
        ('[Result "3-0"] 1. 11-15', "a result is .*, not '3-0'"),
        ('[Round "1"][Round "2"] *', "the tag Round is there twice"),
        ('[FEN "B:W6"] *', "a FEN is such as"),
        (SHORT * 2, "there are 2 games in this PDN, not one"),
    ],
)
def test_what_is_no_game_is_refused(text: str, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        PdnGame.parse(text)


@each("tag", [("FEN", "x"), ("A b", "x"), ("Event", "a\nb")])
def test_tags_that_cannot_be_written_are_refused(tag: tuple[str, str]) -> None:
    with pytest.raises(FormatError, match="can't be written"):
        PdnGame(ENGLISH.initial(), (), tags=(tag,))


def test_moves_have_their_own_names() -> None:
    start = parse_fen("B:W6,15:B1", ENGLISH)
    with pytest.raises(FormatError, match="move 1 has a shorter name"):
        PdnGame(start, (ENGLISH.parse_move("1x10x19"),))
    with pytest.raises(FormatError, match="a tag is there twice"):
        PdnGame(start, (), tags=(("Event", "a"), ("Event", "b")))
