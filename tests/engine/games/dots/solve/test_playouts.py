"""Playouts of kernel and Python, and the kernel's proven results against exact play."""

import random
from collections.abc import Callable, Iterator

import pytest
from tests.cases import each
from tests.engine.games.dots.boards import drawn_but

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.play.offers import Offer, offer_in
from boxroom_engine.games.dots.solve.python_solver import PythonSolver
from boxroom_engine.games.dots.solve.result import OfferChoice, PlayoutBranch
from boxroom_engine.games.dots.solve.solver import KernelSolver, Solver, kernel, solver_for
from boxroom_engine.games.dots.theory.captures import after_taking_all, completed_by, neutral
from boxroom_engine.stopping import StopToken

TABLE = 1 << 20

FAR_POSITIONS = 16
"""As many positions as exact play tells apart in a few seconds."""

NOTHING = Offer(boxes=0, declined=None, take=Dots(1, 1, Border.NONE, 2).grid.moves[0], decline=None)

SMALL = [(2, 2), (2, 3), (3, 3), (2, 4), (3, 4), (4, 4), (2, 5), (1, 6)]

needs_kernel = pytest.mark.skipif(kernel() is None, reason="there is no kernel")
with_both = pytest.mark.parametrize(
    "make", [pytest.param(KernelSolver, marks=needs_kernel), PythonSolver]
)


def at_random(rng: random.Random, sizes: list[tuple[int, int]], seats: int, left: int) -> Position:
    """A position in which at most so many edges are undrawn, and one at least."""
    rows, cols = rng.choice(sizes)
    game = Dots(rows, cols, rng.choice(list(Border)), seats)
    position = game.initial()
    while game.longest - position.ply > left:
        position = position.play(rng.choice(position.legal_moves()))
    return position


def small_positions(count: int, left: int) -> Iterator[Position]:
    """Positions for two with 1 to `left` undrawn edges."""
    rng = random.Random(1)
    for _ in range(count):
        yield at_random(rng, SMALL, 2, rng.randint(1, left))


def solver_of(make: type[KernelSolver | PythonSolver], position: Position) -> Solver:
    """A fresh one for the board of `position`."""
    return make(position.game.rows, position.game.cols, TABLE)


def playouts_of(
    solver: Solver, position: Position, playouts: int, seed: int = 1
) -> tuple[PlayoutBranch, ...]:
    """The branches of a position of a game in which no seat has withdrawn."""
    offer = offer_in(position) or NOTHING
    return solver.run_playouts(
        position.edges,
        in_turn_order(position),
        declinable=offer.declined or 0,
        playouts=playouts,
        seed=seed,
    )


def in_turn_order(position: Position) -> tuple[int, ...]:
    seat = position.to_move
    assert seat is not None
    return position.scores[seat:] + position.scores[:seat]


class Truth:
    """Results of exact play in a position for two."""

    def __init__(self, position: Position) -> None:
        own, other = in_turn_order(position)
        self.lead = own - other
        self.position = position
        self.offer = offer_in(position) or NOTHING
        self.rest = after_taking_all(position)
        self.solver = solver_for(position.game.rows, position.game.cols, TABLE)

    def share(self) -> float:
        """The part of the win for the seat to move."""
        return won(self.lead + self.margin(self.position.edges))

    def share_by(self, branch: PlayoutBranch) -> float:
        """The same if it goes on like that."""
        rest = self.rest.edges
        match branch.move:
            case OfferChoice.TAKE_ALL:
                margin = self.margin(rest)
            case OfferChoice.DECLINE:
                margin = -2 * (self.offer.declined or 0) - self.margin(rest)
            case move:
                assert not completed_by(self.position.game.grid, rest, move)
                margin = -self.margin(rest | 1 << move)
        return won(self.lead + self.offer.boxes + margin)

    def margin(self, edges: int) -> int:
        return self.solver.solve(edges, moves=False).value


def won(margin: int) -> float:
    return 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0


@pytest.fixture
def golden_folder() -> str:
    return "playouts"


def branches_as_text(position: Position, branches: tuple[PlayoutBranch, ...]) -> Iterator[str]:
    game = position.game
    yield f"{game.rows}x{game.cols} {game.format_position(position)}"
    for branch in branches:
        numbers = (f"{number:.6f}" for number in (*branch.shares, *branch.boxes))
        yield f"  {branch.move:d} {branch.visits} {' '.join(numbers)}"


@needs_kernel
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_tree_of_the_kernel(golden: Callable[[str, str], None], seats: int) -> None:
    """A second implementation in Python once grew the same trees, for three and more."""
    rng, lines = random.Random(seats), list[str]()
    for seed in range(6):
        position = at_random(rng, [*SMALL, (5, 5), (1, 4), (9, 2)], seats, rng.randint(1, 60))
        branches = playouts_of(solver_of(KernelSolver, position), position, 60, seed)
        lines += branches_as_text(position, branches)
    golden(f"kernel-{seats}", "\n".join(lines) + "\n")


@needs_kernel
class TestTwo:
    def test_what_is_certain_is_what_exact_play_says(self) -> None:
        certain = set()
        for position in small_positions(150, left=20):
            truth = Truth(position)
            for branch in playouts_of(solver_of(KernelSolver, position), position, 200):
                share = branch.shares[0]
                if share in (0.0, 1.0):
                    assert share == truth.share_by(branch), (position, branch)
                    certain.add(share)
        assert certain == {0.0, 1.0}

    def test_near_the_end_it_finds_what_wins_or_else_draws(self) -> None:
        best_ways = set()
        for position in small_positions(200, left=14):
            branches = playouts_of(solver_of(KernelSolver, position), position, 500)
            if branches:
                truth = Truth(position)
                best = max(branches, key=lambda branch: branch.shares[0])
                assert best.shares[0] == truth.share() == truth.share_by(best), position
                best_ways.add(best.move)
        assert best_ways > set(OfferChoice)

    @each(
        "scores, decline, take",
        [((3, 0), 1.0, 0.5), ((1, 2), 1.0, 0.0), ((0, 3), 0.5, 0.0)],
    )
    def test_two_boxes_are_declined_to_get_a_chain_of_five(
        self, scores: tuple[int, int], decline: float, take: float
    ) -> None:
        """To decline is worth 5 − 2, to take them is worth 2 − 5."""
        position = drawn_but(2, 5, "v4 v5 v6 v7 v8 v9 v10 v11")
        branches = KernelSolver(2, 5, TABLE).run_playouts(
            position.edges, scores, declinable=2, playouts=100, seed=1
        )
        shares = {branch.move: branch.shares for branch in branches}
        assert shares[OfferChoice.DECLINE] == (decline, 1 - decline)
        if OfferChoice.TAKE_ALL in shares:  # nothing beats a certain win
            assert shares[OfferChoice.TAKE_ALL] == (take, 1 - take)


class TestMore:
    def test_what_is_declined_goes_to_the_next_player(self) -> None:
        """Of three the next one opens the chain of five for the last, whatever the first does."""
        position = drawn_but(2, 5, "v4 v5 v6 v7 v8 v9 v10 v11")
        branches = PythonSolver(2, 5, TABLE).run_playouts(
            position.edges, (0, 0, 3), declinable=2, playouts=100, seed=1
        )
        boxes = {branch.move: branch.boxes for branch in branches}
        assert boxes == {OfferChoice.TAKE_ALL: (2, 5, 0), OfferChoice.DECLINE: (0, 2, 5)}

    @with_both
    def test_every_box_goes_to_somebody(self, make: type[KernelSolver | PythonSolver]) -> None:
        rng = random.Random(3)
        for seats in (2, 3, 4, 5):
            position = at_random(rng, SMALL, seats, left=12)
            for branch in playouts_of(solver_of(make, position), position, 50):
                left = position.game.grid.boxes - sum(position.scores)
                assert sum(branch.boxes) == pytest.approx(left)
                assert all(0 <= share <= 1 for share in branch.shares)
                assert len(branch.shares) == len(branch.boxes) == seats

    @with_both
    def test_the_first_of_three_gives_a_chain_to_whom_it_does_less_harm(
        self, make: type[KernelSolver | PythonSolver]
    ) -> None:
        """To open the chain of one leaves the next player to open that of five for the third."""
        position = drawn_but(2, 6, "h0 v0 v7 v8 v9 v10 v11 h16")
        branches = make(2, 6, TABLE).run_playouts(
            position.edges, (5, 1, 0), declinable=0, playouts=200, seed=1
        )
        best = max(branches, key=lambda branch: branch.visits)
        assert best.move in (position.game.parse_move("h0"), position.game.parse_move("v0"))
        assert best.boxes[0] == 0
        assert best.boxes[2] > 4


class TestAsking:
    """Of a board for three, in which nothing can be certain."""

    EMPTY = Dots(3, 3, Border.NONE, 3).initial()

    @with_both
    @pytest.mark.parametrize("playouts", [0, 1, 2, 50])
    def test_no_more_playouts_than_asked_for(
        self, make: type[KernelSolver | PythonSolver], playouts: int
    ) -> None:
        branches = playouts_of(make(3, 3, TABLE), self.EMPTY, playouts)
        assert sum(branch.visits for branch in branches) == playouts

    @pytest.mark.parametrize(
        ("make", "playouts"),
        [pytest.param(KernelSolver, 3, marks=needs_kernel), (PythonSolver, 1)],
    )
    def test_it_ends_when_told_to_stop(
        self, make: type[KernelSolver | PythonSolver], playouts: int
    ) -> None:
        branches = make(3, 3, TABLE).run_playouts(
            0, (0, 0, 0), declinable=0, playouts=10**9, seed=1, stop=StopToken(lambda: 0.0)
        )
        assert sum(branch.visits for branch in branches) == playouts

    @needs_kernel
    def test_it_ends_when_all_is_decided(self) -> None:
        branches = KernelSolver(2, 2, TABLE).run_playouts(
            0, (0, 0), declinable=0, playouts=10**9, seed=1
        )
        assert max(branch.shares[0] for branch in branches) == 1.0

    @with_both
    def test_the_same_seed_gives_the_same(self, make: type[KernelSolver | PythonSolver]) -> None:
        for position in (Dots(2, 3, Border.NONE, 2).initial(), self.EMPTY):
            first, again, other = (
                playouts_of(solver_of(make, position), position, 20, seed) for seed in (1, 1, 2)
            )
            assert first == again != other

    @with_both
    def test_without_anything_to_do_there_are_no_ways(
        self, make: type[KernelSolver | PythonSolver]
    ) -> None:
        """Either all is drawn, or to take what is on offer draws it."""
        for undrawn in ("", "v2", "v1 v2"):
            drawn = drawn_but(1, 2, undrawn).edges
            assert (
                make(1, 2, TABLE).run_playouts(drawn, (0, 1), declinable=0, playouts=10**9, seed=1)
                == ()
            )

    @needs_kernel
    def test_a_game_for_one_is_refused(self) -> None:
        with pytest.raises(ValueError, match="two players or more"):
            KernelSolver(2, 2, TABLE).run_playouts(0, (0,), declinable=0, playouts=1, seed=1)

    @with_both
    @pytest.mark.parametrize("border", Border)
    @pytest.mark.parametrize(("rows", "cols"), [(1, 3), (1, 9), (9, 1), (20, 20)])
    def test_any_board(
        self, make: type[KernelSolver | PythonSolver], rows: int, cols: int, border: Border
    ) -> None:
        for seats in (2, 4):
            position = Dots(rows, cols, border, seats).initial()
            branches = playouts_of(make(rows, cols, TABLE), position, 10)
            assert branches or after_taking_all(position).is_over
            assert {branch.move for branch in branches} <= {*position.legal_moves(), *OfferChoice}


@needs_kernel
def test_playouts_that_draw_an_edge_later_count_for_it() -> None:
    """Else so few playouts find a best move in a fourth or third of such positions."""
    rng, found = random.Random(1), 0
    for _ in range(FAR_POSITIONS):
        position = Dots(5, 5, Border.NONE, 2).initial()
        while position.ply < 22:
            position = position.play(rng.choice(neutral(position)))
        branches = playouts_of(KernelSolver(5, 5, TABLE), position, 400)
        chosen = max(branches, key=lambda branch: branch.visits)
        truth = Truth(position)
        found += truth.margin(position.edges) == -truth.margin(position.edges | 1 << chosen.move)
    assert found >= FAR_POSITIONS // 2
