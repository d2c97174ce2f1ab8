"""Losses of moves, against the plainest search, and where they aren't known."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.dots.boards import endgame_position, name_of
from tests.engine.games.dots.oracle import solved
from tests.engine.review.judged_games import judged

from boxroom_engine.games.abilities import Judgement
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.solve.judge import judge_exactly, value_of
from boxroom_engine.games.dots.solve.max_n import MaxNSolver
from boxroom_engine.games.dots.solve.solver import solver_for
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.games.record import Record
from boxroom_engine.review.judging import JudgedGame, losses
from boxroom_engine.stopping import StopToken

ADA, BOB = Seat(0), Seat(1)

BOARDS = [
    Dots(2, 2, Border.NONE, 2),
    Dots(1, 4, Border.NONE, 2),
    Dots(2, 3, Border.HALF, 2),
    Dots(2, 3, Border.FULL, 2),
]


def naive_judge(position: State) -> Judgement:
    assert isinstance(position, Position)
    grid = position.game.grid
    value, best = solved(grid, grid.all_drawn & ~position.edges)
    return Judgement(float(value), True, tuple(map(Move, best)))


def doubtful_judge(position: Position) -> Judgement:
    """Never far from the truth, never sure of it."""
    true = naive_judge(position)
    return Judgement(true.value + 0.5 * (-1) ** position.ply, False, true.best_moves)


def positions_of(record: str) -> Sequence[Position]:
    return [each for each in Record.parse(record).positions() if isinstance(each, Position)]


@st.composite
def games(draw: st.DrawFn) -> Sequence[Position]:
    """All positions of a game that was played at random to the end."""
    position = draw(st.sampled_from(BOARDS)).initial()
    order = list(position.legal_moves())
    draw(st.randoms(use_true_random=False)).shuffle(order)
    played = [position]
    for move in order:
        played.append(played[-1].play(move))
    return played


@given(games())
def test_losses_lead_from_the_value_of_the_start_to_the_margin_at_the_end(
    played: Sequence[Position],
) -> None:
    game = judged(played, naive_judge)
    start, *_, end = game.margins()
    assert start is not None
    assert end == played[-1].scores[ADA] - played[-1].scores[BOB]
    assert start - end == losses(game, ADA).lost - losses(game, BOB).lost


@given(games())
def test_nothing_is_lost_by_best_moves_and_something_by_all_others(
    played: Sequence[Position],
) -> None:
    for move in judged(played, naive_judge).moves:
        best = naive_judge(move.before).best_moves
        assert move.exact
        assert move.lost is not None
        assert (move.lost > 0) == (move.move not in best) == move.is_costly
        assert move.better == (best if move.is_costly else ())


@given(games())
def test_the_turning_point_is_the_last_move_that_changed_who_would_win(
    played: Sequence[Position],
) -> None:
    game = judged(played, naive_judge)
    margins = [margin or 0.0 for margin in game.margins()]
    winners = ["Ada" if margin > 0 else "Bob" if margin < 0 else "nobody" for margin in margins]
    changes = [n for n in range(1, len(winners)) if winners[n] != winners[n - 1]]
    assert (game.turning_point and game.turning_point.number) == (max(changes, default=None))


@each(
    "tokens, turned",
    [("h0 ~0", 1), ("h0 ~1", None), ("h0 h2 v0 h1 ~0", None), ("v1 ~1", None)],
)
def test_a_game_turned_with_a_move_if_it_was_lost_before_a_player_gave_up(
    tokens: str, turned: int | None
) -> None:
    """Ada loses the draw with `h0`, and Bob his win with `h1`."""
    game = judged(
        positions_of(f"dots rows=1 cols=2 border=none | Ada, Bob | {tokens}"), naive_judge
    )
    assert (game.turning_point and game.turning_point.number) == turned


@pytest.mark.parametrize("game", BOARDS, ids=name_of)
def test_the_exact_judge_agrees_with_the_plainest_search(game: Dots) -> None:
    rng, solver = random.Random(1), solver_for(game.rows, game.cols)
    for _ in range(5):
        position = game.initial()
        while not position.is_over:
            true = naive_judge(position)
            assert judge_exactly(position, solver) == true
            valued = value_of(position, solver)
            assert valued is not None
            assert valued.value == true.value
            assert valued.best_moves
            assert set(valued.best_moves) <= set(true.best_moves)
            position = position.play(rng.choice(position.legal_moves()))


def test_endgames_are_judged_without_search_however_large() -> None:
    position = endgame_position(Dots(9, 9, Border.NONE, 2), random.Random(3))
    judgement = judge_exactly(position, solver_for(9, 9), stop=StopToken(lambda: 0.0))
    assert judgement is not None
    assert judgement.exact


def test_a_search_that_was_stopped_judges_nothing() -> None:
    empty = Dots(5, 5, Border.NONE, 2).initial()
    assert judge_exactly(empty, solver_for(5, 5), stop=StopToken(lambda: 0.0)) is None


class TestWhatIsKnownOfAMove:
    RECORD = "dots rows=1 cols=2 border=none | Ada, Bob | h0 h2 v0 h1 v1 h3 v2"
    """Ada had better begin in the middle; with h1 Bob leaves a box, and has to take the other."""

    def game(self) -> JudgedGame:
        return judged(positions_of(self.RECORD), naive_judge)

    def test_a_mistake(self) -> None:
        move = self.game().moves[3]
        assert (move.number, move.seat, move.move) == (4, BOB, Move(1))
        assert (move.value, move.kept, move.lost) == (2.0, 0.0, 2.0)
        assert [move.before.game.format_move(each) for each in move.better] == ["v1"]

    def test_a_best_move_that_takes(self) -> None:
        move = self.game().moves[4]
        assert (move.seat, move.value, move.kept, move.lost) == (ADA, 0.0, 0.0, 0.0)
        assert not move.is_costly
        assert move.better == ()

    def test_what_a_seat_lost(self) -> None:
        bob = losses(self.game(), BOB)
        assert (bob.lost, bob.exact) == (2.0, True)
        assert (bob.judged, bob.costly) == (3, 1)
        assert bob.worst == self.game().moves[3]

    def test_the_margins_of_ada_over_bob(self) -> None:
        assert self.game().margins() == (0.0, -2.0, -2.0, -2.0, 0.0, 0.0, 0.0, 0.0)


def test_what_cant_be_judged_is_left_open() -> None:
    def late(position: Position) -> Judgement | None:
        return naive_judge(position) if position.ply > 3 else None

    game = judged(positions_of(TestWhatIsKnownOfAMove.RECORD), late)
    assert game.margins() == (None, None, None, None, 0.0, 0.0, 0.0, 0.0)
    unjudged = game.moves[3]
    assert (unjudged.value, unjudged.lost, unjudged.kept) == (None, None, 0.0)
    assert not unjudged.exact
    assert unjudged.better == ()
    assert game.moves[2].kept is None
    assert game.turning_point is None
    assert losses(game, BOB).judged == 1
    assert losses(game, BOB).worst is None


class TestEstimates:
    """A judge that isn't sure is wrong about what is lost, but never below nothing."""

    @given(games())
    def test_they_are_told_from_what_is_exact(self, played: Sequence[Position]) -> None:
        game = judged(played, doubtful_judge)
        for move in game.moves:
            assert not move.exact
            assert move.lost is not None
            assert move.lost >= 0
            assert move.move not in move.better
        assert not losses(game, ADA).exact
        assert game.turning_point is None

    def test_what_seems_to_be_lost_by_a_seemingly_best_move_is_not(self) -> None:
        def sanguine(position: Position) -> Judgement:
            return Judgement(9.0, False, position.legal_moves())

        game = judged(positions_of(TestWhatIsKnownOfAMove.RECORD), sanguine)
        assert {move.lost for move in game.moves} == {0.0}

    def test_little_is_nothing_to_speak_of(self) -> None:
        def vague(position: Position) -> Judgement:
            return Judgement(0.4, False, ())

        quiet, *_ = judged(positions_of(TestWhatIsKnownOfAMove.RECORD), vague).moves
        assert quiet.lost == pytest.approx(0.8)
        assert not quiet.is_costly


def judge_for_each(position: Position) -> Judgement:
    """Judge a position of three by the boxes of each seat, if all play for their own."""
    game = position.game
    solved = MaxNSolver(game.rows, game.cols, game.seats).solve(position)
    assert position.to_move is not None
    value = float(solved.value[position.to_move])
    return Judgement(value, True, solved.best_moves, shares=solved.value)


class TestSeats:
    RECORD = "dots rows=1 cols=2 border=none | Ada, Bob, Cem | v2 h3 v0 h0 h2 v1 h1"

    def test_with_three_in_play_a_move_is_worth_the_boxes_of_its_player(self) -> None:
        """By max^n: Ada could have had a box, and so could Bob."""
        played = positions_of(self.RECORD)
        game = judged(played, judge_for_each)
        assert [move.seat for move in game.moves] == [0, 1, 2, 0, 1, 2, 2]
        assert [move.kept for move in game.moves] == [0, 0, 1, 0, 0, 2, 1]
        assert [move.lost for move in game.moves] == [1, 1, 0, 0, 0, 0, 0]
        assert [move.is_costly for move in game.moves] == [True, True] + [False] * 5

    def test_with_three_in_play_there_is_no_margin_and_no_turning_point(self) -> None:
        game = judged(positions_of(self.RECORD), judge_for_each)
        assert game.margins() == (None,) * 8
        assert game.turning_point is None

    def test_once_one_of_three_has_withdrawn_the_others_are_judged(self) -> None:
        played = positions_of("dots rows=1 cols=2 border=none | Ada, Bob, Cem | h0 h2 ~1 v0 h1 v1")
        game = judged(played, lambda each: naive_judge(each) if each.withdrawn else None)
        assert [move.number for move in game.moves] == [1, 2, 4, 5, 6]
        assert [move.lost for move in game.moves] == [None, None, 0.0, 2.0, 0.0]
        # Ada's boxes less Cem's
        assert game.margins() == (None, None, None, 2.0, 2.0, 0.0, 0.0)

    def test_when_the_last_rival_gave_up_nothing_more_is_judged(self) -> None:
        game = judged(
            positions_of("dots rows=1 cols=2 border=none | Ada, Bob | h0 h2 ~1"), naive_judge
        )
        assert game.margins() == (0.0, -2.0, -2.0, None)
        assert [move.lost for move in game.moves] == [2.0, 0.0]
