"""The assignment's classes and strategies, tested in its words.

The reader of boards goes by the assignment's rules for the places of markers, and by nothing else.
"""

import doctest
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.stonehenge.pictures import PICTURES
from tests.lab.lessons.assignments_games import PileGame, TieGame

from boxroom_engine.games.errors import (
    GameIsOver,
    IllegalMove,
    MalformedMove,
    MoveError,
    MoveOutOfRange,
    OptionError,
)
from boxroom_lab.lessons import stonehenge
from boxroom_lab.lessons.stonehenge import (
    GameInterface,
    StonehengeGame,
    StonehengeState,
    SubtractSquareGame,
    SubtractSquareState,
    game_interface,
    interactive_strategy,
    iterative_minimax_strategy,
    playable_games,
    recursive_minimax_strategy,
    rough_outcome_strategy,
    usable_strategies,
)


def played(game: StonehengeGame, letters: str) -> StonehengeState:
    for letter in letters:
        game.current_state = game.current_state.make_move(game.str_to_move(letter))
    return game.current_state


def tokens(state: StonehengeState) -> tuple[str, str]:
    """Return the ley-line markers and the cells, in reading order, by the places they must have."""
    rows = [
        [token for token in line.split() if token.isalnum() or token == "@"]
        for line in str(state).splitlines()
    ]
    first, *cell_rows, last = [row for row in rows if row]
    size = len(cell_rows) - 1
    lines, cells = [*first], []
    for number, (marker, *row) in enumerate(cell_rows):
        lines.append(marker)
        if number != size - 1:  # every row but the longest ends with a marker
            lines.append(row.pop())
        cells += row
    return "".join([*lines, *last]), "".join(cells)


def test_the_examples_in_the_module_are_right() -> None:
    assert doctest.testmod(stonehenge).failed == 0
    assert doctest.testmod(stonehenge).attempted == 4


def test_a_star_brings_the_assignments_names_and_no_others() -> None:
    names: dict[str, object] = {}
    exec("from boxroom_lab.lessons.stonehenge import *", names)
    strategies = {f"{kind}_strategy" for kind in ("interactive", "rough_outcome")}
    strategies |= {f"{kind}_minimax_strategy" for kind in ("iterative", "recursive")}
    games = {"Game", "GameState", "StonehengeGame", "StonehengeState"}
    games |= {"SubtractSquareGame", "SubtractSquareState"}
    interface = {"GameInterface", "playable_games", "usable_strategies"}
    assert names.keys() - {"__builtins__"} == games | interface | strategies


class TestBoard:
    @each("size", PICTURES)
    def test_it_is_drawn_to_the_space(self, size: int) -> None:
        assert str(StonehengeGame(True, size).current_state) == PICTURES[size]

    def test_claims_and_ley_lines_show_the_number_of_the_player(self) -> None:
        assert str(played(StonehengeGame(True, 1), "A")) == (
            "      1   @\n     /   /\n1 - 1 - B\n     \\ / \\\n  @ - C   @\n       \\\n        1"
        )

    @each(
        "moves, lines, cells",
        [
            ("", "@@@@@@@@@", "ABCDEFG"),
            ("A", "1@1@@@@@@", "1BCDEFG"),
            ("AG", "1@12@2@@@", "1BCDEF2"),
            ("AGD", "1@12@2@@1", "1BC1EF2"),
            ("AGDE", "1@12@22@1", "1BC12F2"),
            ("AGDEF", "1112@2211", "1BC1212"),
        ],
    )
    def test_a_game_on_side_length_two(self, moves: str, lines: str, cells: str) -> None:
        """A player takes a ley-line with half of its cells, and keeps it."""
        game = StonehengeGame(True, 2)
        state = played(game, moves)
        assert tokens(state) == (lines, cells)
        assert game.is_over(state) == (moves == "AGDEF")
        assert game.is_winner("p1") == (moves == "AGDEF")
        assert not game.is_winner("p2")


class TestGame:
    @each("p1_starts, first, mark", [(True, "p1", "1"), (False, "p2", "2")])
    def test_either_player_starts(self, p1_starts: bool, first: str, mark: str) -> None:
        game = StonehengeGame(p1_starts, 1)
        assert game.current_state.get_current_player_name() == first
        assert game.current_state.p1_turn == p1_starts
        state = played(game, "A")
        assert tokens(state)[1] == f"{mark}BC"
        assert game.is_over(state)
        assert game.is_winner(first)
        assert not game.is_winner("p2" if first == "p1" else "p1")

    def test_players_take_turns(self) -> None:
        game = StonehengeGame(True, 3)
        names = [played(game, letter).get_current_player_name() for letter in "AGD"]
        assert names == ["p2", "p1", "p2"]

    def test_the_side_length_is_asked_for_until_it_is_one(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        answers = iter(["six", "6", " 2 ", "END"])
        monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
        game = StonehengeGame(True)
        assert str(game.current_state) == PICTURES[2]
        assert next(answers) == "END"
        assert capsys.readouterr().out == (
            "size is a whole number of at least 1.\nsize must be 1 to 5, not 6.\n"
        )

    @each("size", [0, 6, -1])
    def test_another_side_length_is_refused(self, size: int) -> None:
        with pytest.raises(OptionError, match="size"):
            StonehengeGame(True, size)

    def test_moves_are_letters(self) -> None:
        game = StonehengeGame(True, 1)
        assert game.str_to_move("A") == game.str_to_move(" a") == "A"
        for text in ("D", "4", "AB", ""):
            assert game.str_to_move(text) == text
            assert not game.current_state.is_valid_move(game.str_to_move(text))

    def test_the_instructions_tell_the_rules_and_the_moves(self) -> None:
        instructions = StonehengeGame(True, 2).get_instructions()
        assert "at least half of all ley-lines wins" in instructions
        assert "A to G" in instructions

    def test_there_are_two_players(self) -> None:
        with pytest.raises(ValueError, match="p1 and p2, not 'p3'"):
            StonehengeGame(True, 1).is_winner("p3")


class TestState:
    def test_the_possible_moves_are_the_free_cells(self) -> None:
        game = StonehengeGame(True, 2)
        assert game.current_state.get_possible_moves() == list("ABCDEFG")
        assert played(game, "AG").get_possible_moves() == list("BCDEF")
        assert played(StonehengeGame(True, 1), "B").get_possible_moves() == []

    def test_each_first_move_of_the_smallest_board(self) -> None:
        state = StonehengeGame(True, 1).current_state
        after = {move: tokens(state.make_move(move)) for move in state.get_possible_moves()}
        assert {move: sorted(lines) for move, (lines, _) in after.items()} == dict.fromkeys(
            "ABC", sorted("111@@@")
        )
        assert [cells for _, cells in after.values()] == ["1BC", "A1C", "AB1"]

    def test_a_move_makes_another_state(self) -> None:
        state = StonehengeGame(True, 2).current_state
        before = str(state)
        assert state.make_move("A") != state
        assert state.make_move("A") == state.make_move("A")
        assert hash(state.make_move("A")) == hash(state.make_move("A"))
        assert str(state) == before

    def test_what_cannot_be_claimed(self) -> None:
        game = StonehengeGame(True, 2)
        state = played(game, "A")
        assert state.is_valid_move("B")
        assert not state.is_valid_move("A")
        for move, error in ("A", IllegalMove), ("H", MoveOutOfRange), ("1", MalformedMove):
            with pytest.raises(error):
                state.make_move(move)
        over = played(StonehengeGame(True, 1), "A")
        assert not over.is_valid_move("B")
        with pytest.raises(GameIsOver):
            over.make_move("B")

    def test_its_representation_names_the_player(self) -> None:
        state = StonehengeGame(False, 1).current_state
        assert repr(state) == f"{state}\nIt is the turn of p2."


class TestRoughOutcome:
    @given(st.integers(1, 3), st.integers(0, 2**32), st.booleans())
    def test_it_is_won_if_a_move_wins_and_lost_if_each_lets_the_other_win(
        self, size: int, seed: int, p1_starts: bool
    ) -> None:
        rng, game = random.Random(seed), StonehengeGame(p1_starts, size)

        def can_win(state: StonehengeState) -> bool:
            after = map(state.make_move, state.get_possible_moves())
            return any(map(game.is_over, after))

        while not game.is_over(game.current_state):
            state = game.current_state
            after = [state.make_move(move) for move in state.get_possible_moves()]
            guess = state.rough_outcome()
            assert (guess == StonehengeState.WIN) == can_win(state)
            assert (guess == StonehengeState.LOSE) == (
                not can_win(state) and all(map(can_win, after))
            )
            assert StonehengeState.LOSE <= guess <= StonehengeState.WIN
            played(game, rng.choice(state.get_possible_moves()))
        assert game.current_state.rough_outcome() == StonehengeState.LOSE


@cache
def highest_score(game: StonehengeGame, state: StonehengeState) -> int:
    """Return the highest guaranteed score of the current player, by the assignment's words."""
    if game.is_over(state):
        return StonehengeState.LOSE
    after = map(state.make_move, state.get_possible_moves())
    return max(-highest_score(game, each) for each in after)


Strategy = Callable[[StonehengeGame], str]


class TestStrategies:
    @pytest.mark.parametrize("strategy", [recursive_minimax_strategy, iterative_minimax_strategy])
    @settings(max_examples=settings().max_examples // 2)
    @given(seed=st.integers(0, 2**32), plies=st.integers(1, 4))
    def test_minimax_makes_a_move_with_the_highest_score(
        self, strategy: Strategy, seed: int, plies: int
    ) -> None:
        rng, game = random.Random(seed), StonehengeGame(bool(seed % 2), 2)
        for _ in range(plies):
            if not game.is_over(game.current_state):
                played(game, rng.choice(game.current_state.get_possible_moves()))
        state = game.current_state
        if game.is_over(state):
            return
        after = state.make_move(strategy(game))
        assert -highest_score(game, after) == highest_score(game, state)
        assert game.current_state == state

    @each(
        "strategy",
        [recursive_minimax_strategy, iterative_minimax_strategy, rough_outcome_strategy],
    )
    def test_a_move_that_wins_is_seen(self, strategy: Strategy) -> None:
        game = StonehengeGame(True, 2)
        played(game, "AGDE")
        played(game, strategy(game))
        assert game.is_winner("p1")
        with pytest.raises(ValueError, match="the game is over"):
            strategy(game)

    def test_the_rough_one_leaves_the_lowest_outcome(self) -> None:
        game = StonehengeGame(True, 3)
        played(game, "AG")
        outcomes = {
            move: game.current_state.make_move(move).rough_outcome()
            for move in game.current_state.get_possible_moves()
        }
        assert outcomes[rough_outcome_strategy(game)] == min(outcomes.values())

    def test_a_person_types_a_move(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("builtins.input", lambda prompt: "b")
        assert interactive_strategy(StonehengeGame(True, 1)) == "B"


MINIMAX = (recursive_minimax_strategy, iterative_minimax_strategy)


@each("strategy", MINIMAX)
@each("left, best", [(1, {1}), (2, {2}), (3, {3}), (6, {2}), (25, {1})])
def test_minimax_plays_a_game_of_another_class(
    strategy: Callable[[Any], Any], left: int, best: set[int]
) -> None:
    game = PileGame(left, "p2")
    before = game.current_state
    assert strategy(game) in {f"take {number}" for number in best}
    assert game.current_state is before


@each("strategy", MINIMAX)
def test_minimax_prefers_a_tie_to_a_loss(strategy: Callable[[Any], Any]) -> None:
    game = TieGame()
    for _ in range(3):
        move = strategy(game)
        assert move == {"add": 2}
        game.current_state = game.current_state.make_move(move)


@each("strategy", MINIMAX)
@each("total, best", [(4, {4}), (18, {1, 16}), (20, {1, 4, 9, 16})])
def test_minimax_plays_subtract_square(
    strategy: Callable[[Any], Any], total: int, best: set[int]
) -> None:
    assert strategy(SubtractSquareGame(True, total)) in best


@each("strategy", MINIMAX)
@each(
    "side_length, p1_starts, moves, best",
    [(3, False, "KACBFEGDI", "H"), (2, True, "AFD", "E"), (2, True, "CBDF", "E")],
)
def test_minimax_finds_the_only_winning_cell(
    strategy: Callable[[Any], Any], side_length: int, p1_starts: bool, moves: str, best: str
) -> None:
    game = StonehengeGame(p1_starts, side_length)
    played(game, moves)
    assert strategy(game) == best


def test_subtract_square_asks_for_its_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["many", "-3", "20", "END"])
    monkeypatch.setattr("builtins.input", lambda _="": next(answers))
    game = playable_games["s"](True)
    assert isinstance(game, SubtractSquareGame)
    assert next(answers) == "END"
    assert capsys.readouterr().out.count("a number has 1 to 9 digits.") == 2
    assert game.current_state == SubtractSquareState(True, 20)


def test_subtract_square_has_the_formats_and_moves_of_the_assignment() -> None:
    game = SubtractSquareGame(True, 20)
    state = game.current_state
    assert str(state) == "Current total: 20"
    assert repr(state) == "P1's Turn: True - Total: 20"
    assert state.get_possible_moves() == [1, 4, 9, 16]
    assert [state.make_move(move).current_total for move in (1, 4, 9, 16)] == [19, 16, 11, 4]
    assert state.make_move(16).get_current_player_name() == "p2"
    assert [game.str_to_move(text) for text in ("16", " 5 ", "25", "x")] == [16, 5, 25, -1]
    assert not state.is_valid_move(8)
    with pytest.raises(MoveError):
        state.make_move(8)


def test_subtract_square_is_won_by_the_player_who_leaves_nothing() -> None:
    game = SubtractSquareGame(True, 1)
    assert game.is_winner("p1") is False
    game.current_state = game.current_state.make_move(game.str_to_move("1"))
    assert game.is_over(game.current_state)
    assert (game.is_winner("p1"), game.is_winner("p2")) == (True, False)
    assert SubtractSquareGame(True, 0).is_winner("p2") is True
    assert SubtractSquareState(True, 0).get_possible_moves() == []


@each("total, outcome", [(0, -1), (9, 1), (2, -1), (5, -1), (3, 0), (20, 0)])
def test_the_rough_outcome_of_subtract_square(total: int, outcome: int) -> None:
    assert SubtractSquareState(False, total).rough_outcome() == outcome


def test_the_interface_plays_a_game_and_asks_again_after_a_wrong_move(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["x", "s", "i", "mi", "y", "6", "5", "4", "1"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    game_interface.main()
    shown = capsys.readouterr().out
    assert "p1 made the move 4. This is the state now:\nCurrent total: 2" in shown
    assert "p2 made the move 1. This is the state now:\nCurrent total: 1" in shown
    assert shown.endswith("Current total: 0\nPlayer 1 is the winner!\n")


def test_the_interface_names_a_tie(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "n")
    monkeypatch.setattr(TieGame, "get_instructions", lambda _: "High or low.")
    minimax = usable_strategies["mr"]
    GameInterface(lambda p1_starts: TieGame(), minimax, minimax).play()
    assert capsys.readouterr().out.endswith("It's a tie!\n")
