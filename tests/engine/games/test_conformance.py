"""Conformance of every game in the registry to the game protocol.

Rooms, bots, records and clients rely on it. The tests find a new game through the registry; the
tests of a game's own rules stand with the game.
"""

import pickle
import random
from collections.abc import Iterator, Sequence
from itertools import product
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import each

from boxroom_common.phrases import is_known
from boxroom_engine.games.drawing import Look, Size
from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    IllegalMove,
    MalformedMove,
    MoveError,
    MoveOutOfRange,
    OptionError,
)
from boxroom_engine.games.protocol import Game, GameKind, Move, OptionValue, Seat, State
from boxroom_engine.games.registry import KINDS

SVG_TITLE = "{http://www.w3.org/2000/svg}title"

PLAYOUTS = 4
"""Random games for each variant: enough for wins, draws, extra turns and withdrawals."""

twice_as_many = settings(max_examples=2 * settings().max_examples)
"""Number of texts for all games together."""

EXAMPLES: dict[str, list[dict[str, OptionValue]]] = {
    "draughts": [
        {"rules": "international", "size": "6"},
        {"rules": "international", "size": "8"},
        {"rules": "international", "size": "12"},
    ],
    "noughts": [
        {"dims": "3,3,3"},
        {"dims": "4,4,4", "line": 4},
        {"dims": "2,3,2,2", "line": 2},
        {"dims": "7,5", "line": 4},
        {"dims": "7"},
    ],
    "stonehenge": [{"size": 5}],
    "subtract-square": [{"start": 100}],
}
"""More games to test, for options with effects that small games don't show."""


def option_sets(kind: GameKind) -> Iterator[dict[str, OptionValue]]:
    """Yield options to test: the defaults, each word of each option, and the smallest numbers."""
    yield {}
    for option in kind.options:
        for choice in option.choices:
            yield {option.name: choice}
    numbers = [option for option in kind.options if isinstance(option.default, int)]
    for extra in range(2 if numbers else 0):
        yield {option.name: option.least + extra for option in numbers}


def variants() -> Iterator[Game]:
    for kind in KINDS.values():
        most = min(kind.most_seats or 100, kind.fewest_seats + 4)
        for options, seats in product(option_sets(kind), range(kind.fewest_seats, most + 1)):
            try:
                yield kind.make(options, seats)
            except OptionError:
                continue  # a game may refuse a combination of options
        for options in EXAMPLES.get(kind.name, ()):
            yield kind.make(options, kind.fewest_seats)


GAMES = list(dict.fromkeys(variants()))

every_game = each("game", GAMES)

every_playout = each("game, seed", product(GAMES, range(PLAYOUTS)))

any_game = st.sampled_from([*KINDS]).flatmap(
    lambda kind: st.sampled_from([game for game in GAMES if game.kind.name == kind])
)


def stayed(state: State) -> list[Seat]:
    return [Seat(seat) for seat in range(state.game.seats) if seat not in state.withdrawn]


def play_randomly(game: Game, seed: int) -> Iterator[State]:
    """Yield the positions of a random game; with an odd seed seats sometimes withdraw."""
    rng = random.Random(seed)
    state = game.initial()
    yield state
    while not state.is_over:
        if seed % 2 and rng.random() < 0.1:
            state = state.withdraw(rng.choice(stayed(state)))
        else:
            state = state.play(rng.choice(list(state.legal_moves())))
        yield state


_positions: dict[tuple[Game, int], list[State]] = {}


def positions(game: Game, seed: int) -> Sequence[State]:
    """Return the positions of a random game, which is played once for all tests."""
    if (game, seed) not in _positions:
        _positions[game, seed] = list(play_randomly(game, seed))
    return _positions[game, seed]


def some_positions(game: Game, seed: int) -> list[State]:
    """Return some 50 positions of a random game, as draughts can last for hundreds of moves."""
    *before, last = positions(game, seed)
    return [*before[:: 1 + len(before) // 50], last]


def assert_it_is_the_same_as_text(state: State) -> None:
    text = state.game.format_position(state)
    assert text.isprintable()
    assert " " not in text
    again = state.game.parse_position(text)
    assert again == state
    assert hash(again) == hash(state)
    assert again.ply == state.ply
    assert again.scores == state.scores
    assert again.legal_moves() == state.legal_moves()
    assert again.outcome == state.outcome


def are_names(game: Game) -> bool:
    """Return whether moves are names, several of which can mean the same legal move."""
    return game.kind.name == "draughts"


def each_moves_pieces(game: Game) -> bool:
    """Return whether each seat has moves of its own, and may have none."""
    return game.kind.name == "draughts"


def refusal(state: State, move: Move) -> MoveError | None:
    try:
        state.play(move)
    except MoveError as error:
        return error
    return None


def refusals(game: Game) -> tuple[type[MoveError], ...]:
    return (IllegalMove, MoveOutOfRange) if are_names(game) else (IllegalMove,)


@every_game
class TestGame:
    def test_its_kind_and_options_make_it_again(self, game: Game) -> None:
        again = game.kind.make(game.options, game.seats)
        assert again == game
        assert hash(again) == hash(game)
        assert {option.name for option in game.kind.options} == set(game.options)
        as_text = {name: str(value) for name, value in game.options.items()}
        assert game.kind.make(as_text, game.seats) == game

    def test_it_pickles(self, game: Game) -> None:
        assert pickle.loads(pickle.dumps(game)) == game

    def test_it_begins(self, game: Game) -> None:
        state = game.initial()
        assert state.game == game
        assert state.ply == 0
        assert state.to_move == 0
        assert not state.is_over
        assert state.withdrawn == frozenset()
        assert state.taken == ()
        assert state == game.initial()

    def test_its_seats_have_marks_that_differ(self, game: Game) -> None:
        seats = [Seat(seat) for seat in range(game.seats)]
        for ascii_only in False, True:
            marks = {game.kind.mark(seat, seat).text(ascii_only=ascii_only) for seat in seats}
            assert len(marks) == game.seats
            assert all(mark.isprintable() and len(mark) == 1 for mark in marks)
            assert not ascii_only or "".join(marks).isascii()

    def test_it_explains_itself(self, game: Game) -> None:
        for said in game.rules, game.how_to_move, game.kind.rules:
            assert is_known(said)
            assert str(said).endswith(".")

    def test_its_moves_have_names(self, game: Game) -> None:
        for move in game.initial().legal_moves():
            text = game.format_move(move)
            assert text.isascii()
            assert " " not in text
            assert game.looks_like_move(text)
            for typed in text, text.upper(), f" {text} ":
                assert game.parse_move(typed) == move


@each("game, text", product(GAMES, ["", " ", "?", "hello there", "good game!", "no", "/quit"]))
def test_chat_is_no_move(game: Game, text: str) -> None:
    assert not game.looks_like_move(text)
    with pytest.raises(MalformedMove):
        game.parse_move(text)


@twice_as_many
@given(
    game=any_game,
    text=st.text(max_size=12) | st.from_regex(r"\A\s*[a-zA-Z]?[+-]?[0-9, ]{1,30}\s*\Z"),
)
def test_any_text_is_a_move_or_refused(game: Game, text: str) -> None:
    try:
        move = game.parse_move(text)
    except (MalformedMove, MoveOutOfRange):
        return
    assert game.looks_like_move(text)
    assert game.parse_move(game.format_move(move)) == move


@twice_as_many
@given(
    game=any_game,
    data=st.data(),
    before=st.sampled_from(["", " ", "  "]),
    after=st.text(" .;", max_size=3),
)
def test_one_move_is_read_whatever_its_case_and_the_space_around(
    game: Game, data: st.DataObject, before: str, after: str
) -> None:
    move = data.draw(st.sampled_from(game.initial().legal_moves()))
    name = data.draw(st.sampled_from([str.lower, str.upper]))(game.format_move(move))
    stop = "" if name.isdigit() and "," in str(game.how_to_move) else after
    assert game.looks_like_move(before + name + stop)
    assert game.parse_move(before + name + stop.rstrip() + before) == move


@twice_as_many
@given(game=any_game, data=st.data(), between=st.sampled_from([" ", ", ", "; ", " , ", ". "]))
def test_several_moves_are_neither_a_move_nor_chat(
    game: Game, data: st.DataObject, between: str
) -> None:
    moves = st.sampled_from(game.initial().legal_moves()).map(game.format_move)
    text = between.join(data.draw(st.lists(moves, min_size=2, max_size=20)))
    assert game.looks_like_move(text)
    if game.kind.name != "noughts":  # where numbers with commas are a place
        with pytest.raises(MalformedMove):
            game.parse_move(text)


@twice_as_many
@given(
    game=any_game,
    words=st.lists(st.from_regex(r"\A[a-z]{2,9}[?!,.]?\Z"), min_size=1, max_size=6),
    number=st.integers(0, 99),
)
def test_words_and_a_number_are_chat(game: Game, words: list[str], number: int) -> None:
    for text in " ".join(words), f"{number} {words[0]}", " ".join([*words, str(number)]):
        assert not game.looks_like_move(text)


@twice_as_many
@given(game=any_game, text=st.text(max_size=30) | st.from_regex(r"\A[0-9a-f.,/-]{0,40}\Z"))
def test_any_text_is_a_position_or_refused(game: Game, text: str) -> None:
    try:
        state = game.parse_position(text)
    except FormatError:
        return
    assert game.format_position(state) == text


@every_playout
class TestPlay:
    def test_whose_turn_and_what_they_can_do(self, game: Game, seed: int) -> None:
        for state in positions(game, seed):
            moves = list(state.legal_moves())
            assert moves == sorted(set(moves))
            assert bool(moves) == (not state.is_over) == (state.to_move is not None)
            assert (state.outcome is not None) == state.is_over
            assert state.to_move is None or state.to_move in stayed(state)
            assert len(state.scores) == game.seats

    def test_a_move_makes_another_position(self, game: Game, seed: int) -> None:
        rng = random.Random(seed)
        state = game.initial()
        while not state.is_over:
            before = game.format_position(state)
            after = state.play(rng.choice(list(state.legal_moves())))
            assert game.format_position(state) == before
            assert after != state
            assert after.ply == state.ply + 1
            assert after.game == game
            assert after.withdrawn == state.withdrawn
            state = after
        assert state.ply <= game.longest

    def test_the_same_moves_lead_to_equal_positions(self, game: Game, seed: int) -> None:
        for one, other in zip(positions(game, seed), play_randomly(game, seed), strict=True):
            assert one == other
            assert not one != other  # noqa: SIM202  (written apart in some classes)
            assert hash(one) == hash(other)
            assert one.key == other.key
            assert hash(one.key) == hash(other.key)
            assert one.taken == other.taken

    def test_moves_of_no_board_are_out_of_range(self, game: Game, seed: int) -> None:
        for state in positions(game, seed):
            for move in Move(-1), Move(10**9), Move(10**30):
                with pytest.raises(GameIsOver if state.is_over else MoveOutOfRange):
                    state.play(move)

    def test_what_is_not_legal_is_refused(self, game: Game, seed: int) -> None:
        rng = random.Random(seed)
        for state in some_positions(game, seed):
            legal = set(state.legal_moves())
            numbers = list(range(max(legal, default=0) + 1))
            if are_names(game):  # most numbers name no move, and there are many
                numbers = rng.sample(numbers, min(20, len(numbers)))
            for move in set(map(Move, numbers)) - legal:
                error = refusal(state, move)
                if error is None:  # `move` is another name of a legal one
                    assert are_names(game)
                    assert state.play(move) in map(state.play, legal)
                else:
                    assert isinstance(error, GameIsOver if state.is_over else refusals(game))
                    assert str(error)

    def test_withdrawing(self, game: Game, seed: int) -> None:
        for state in positions(game, seed):
            if state.is_over:
                with pytest.raises(GameIsOver):
                    state.withdraw(Seat(0))
                continue
            for seat in range(game.seats):
                if seat in state.withdrawn:
                    with pytest.raises(IllegalMove):
                        state.withdraw(Seat(seat))
                    continue
                after = state.withdraw(Seat(seat))
                assert after.withdrawn == state.withdrawn | {seat}
                assert after.scores == state.scores
                assert after.ply == state.ply + 1
                if len(stayed(after)) == 1:
                    assert after.outcome is not None
                    assert after.outcome.winners == tuple(stayed(after))
                elif seat != state.to_move:
                    assert after.to_move == state.to_move
            for no_seat in -1, game.seats:
                with pytest.raises(IllegalMove):
                    state.withdraw(Seat(no_seat))

    def test_another_seat_can_be_to_move(self, game: Game, seed: int) -> None:
        for state in some_positions(game, seed):
            for seat in map(Seat, range(-1, game.seats + 1)):
                if state.is_over or seat not in stayed(state):
                    with pytest.raises(GameIsOver if state.is_over else IllegalMove):
                        state.with_to_move(seat)
                    continue
                before = game.format_position(state)
                try:
                    after = state.with_to_move(seat)
                except IllegalMove:
                    assert each_moves_pieces(game)  # and here this seat can't
                    assert seat != state.to_move
                    continue
                assert game.format_position(state) == before
                assert after.to_move == seat
                assert (after == state) == (seat == state.to_move)
                if not each_moves_pieces(game):
                    assert after.legal_moves() == state.legal_moves()
                assert after.scores == state.scores
                assert after.withdrawn == state.withdrawn
                assert not after.is_over
                assert after.with_to_move(Seat(state.to_move or 0)) == state
                assert_it_is_the_same_as_text(after)

    def test_the_end(self, game: Game, seed: int) -> None:
        *_, state = positions(game, seed)
        outcome = state.outcome
        assert outcome is not None
        assert outcome.scores == state.scores
        assert list(outcome.winners) == sorted(set(outcome.winners) & set(stayed(state)))
        losers = set(stayed(state)) - set(outcome.winners)
        for winner, loser in product(outcome.winners, losers):
            assert state.evaluate(winner) > state.evaluate(loser)
            if len(stayed(state)) == 2:
                assert state.evaluate(winner) >= 0 > state.evaluate(loser)
        if game.kind.only_the_win_counts:
            assert {state.evaluate(Seat(seat)) for seat in range(game.seats)} <= {1, 0, -1}

    def test_the_moves_to_search_are_legal_ones(self, game: Game, seed: int) -> None:
        search = game.kind.moves_to_search
        for state in positions(game, seed):
            if search is not None and not state.is_over:
                moves = list(search(state))
                assert moves
                assert len(set(moves)) == len(moves)
                assert set(moves) <= set(state.legal_moves())

    def test_what_is_good_for_one_of_two_is_as_bad_for_the_other(
        self, game: Game, seed: int
    ) -> None:
        if game.seats == 2:
            for state in positions(game, seed):
                assert state.evaluate(Seat(0)) == -state.evaluate(Seat(1))
                if game.kind.only_the_win_counts and not state.is_over:
                    assert abs(state.evaluate(Seat(0))) < 1, "only the end is certain"

    def test_it_pickles(self, game: Game, seed: int) -> None:
        for state in positions(game, seed):
            again = pickle.loads(pickle.dumps(state))
            assert again == state
            assert hash(again) == hash(state)

    def test_it_is_the_same_as_text(self, game: Game, seed: int) -> None:
        for state in positions(game, seed):
            assert_it_is_the_same_as_text(state)


def test_a_game_with_marks_of_its_own_has_one_for_every_seat() -> None:
    for kind in KINDS.values():
        assert len(kind.marks) in {0, kind.most_seats}
        assert len(set(kind.marks)) == len(kind.marks)


LOOKS = [
    Look(tuple("ABCDEFG"), size, ascii_only, numbers)
    for size, ascii_only, numbers in product(Size, (False, True), (False, True))
]


@every_game
def test_notebooks_show_a_picture(game: Game) -> None:
    first, *_, last = positions(game, seed=0)
    assert game._repr_svg_() == first._repr_svg_()
    assert ElementTree.fromstring(last._repr_svg_()).findtext(SVG_TITLE)


@every_playout
def test_what_is_drawn_can_be_hit(game: Game, seed: int) -> None:
    for state in some_positions(game, seed)[::7]:
        for look in LOOKS[seed::PLAYOUTS]:
            drawing = state.draw(look)
            moves = {span.move for row in drawing.rows for span in row} - {None}
            assert moves == set(state.legal_moves())
            for move in state.legal_moves():
                place = drawing.place_of(move)
                assert place is not None
                assert drawing.move_at(*place) == move
            if look.ascii_only:
                assert drawing.plain().isascii()
