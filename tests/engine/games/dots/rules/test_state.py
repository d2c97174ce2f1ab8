"""The rules, against a naive recount with coordinates and dictionaries."""

import pickle
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.dots import KIND, AlreadyDrawn, Border, Dots, Position
from boxroom_engine.games.errors import GameIsOver, IllegalMove, MoveOutOfRange, OptionError
from boxroom_engine.games.protocol import Move, Outcome, Seat

Line = tuple[str, int, int]
"""A line by its direction and the row and column of its upper or left end."""


@dataclass
class Naive:
    """The rules as a beginner writes them: nothing shared with what is tested."""

    rows: int
    cols: int
    border: str
    seats: int
    drawn: set[Line] = field(default_factory=set)
    owner: dict[tuple[int, int], int] = field(default_factory=dict)
    turn: int = 0
    withdrawn: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        for direction, row, col in self.lines():
            lower_left = (direction, col) == ("v", 0) or (direction, row) == ("h", self.rows)
            upper_right = (direction, col) == ("v", self.cols) or (direction, row) == ("h", 0)
            if (self.border != "none" and lower_left) or (self.border == "full" and upper_right):
                self.drawn.add((direction, row, col))

    def lines(self) -> list[Line]:
        """All lines, in the order of their numbers."""
        return [("h", r, c) for r in range(self.rows + 1) for c in range(self.cols)] + [
            ("v", r, c) for r in range(self.rows) for c in range(self.cols + 1)
        ]

    def free(self) -> list[int]:
        if self.is_over():
            return []
        return [n for n, line in enumerate(self.lines()) if line not in self.drawn]

    def is_complete(self, row: int, col: int) -> bool:
        around = {("h", row, col), ("h", row + 1, col), ("v", row, col), ("v", row, col + 1)}
        return around <= self.drawn

    def play(self, number: int) -> list[int]:
        self.drawn.add(self.lines()[number])
        won = [
            (row, col)
            for row in range(self.rows)
            for col in range(self.cols)
            if self.is_complete(row, col) and (row, col) not in self.owner
        ]
        self.owner.update((box, self.turn) for box in won)
        if not won:
            self.pass_turn()
        return [row * self.cols + col for row, col in won]

    def withdraw(self, seat: int) -> None:
        self.withdrawn.add(seat)
        if seat == self.turn and not self.is_over():
            self.pass_turn()

    def pass_turn(self) -> None:
        self.turn = (self.turn + 1) % self.seats
        while self.turn in self.withdrawn:
            self.turn = (self.turn + 1) % self.seats

    def is_over(self) -> bool:
        all_drawn = len(self.drawn) == len(self.lines())
        stayed = self.seats - len(self.withdrawn)
        return all_drawn or stayed == 0 or (stayed == 1 and self.seats > 1)

    def scores(self) -> list[int]:
        return [list(self.owner.values()).count(seat) for seat in range(self.seats)]

    def winners(self) -> list[int]:
        stayed = {s: n for s, n in enumerate(self.scores()) if s not in self.withdrawn}
        return [seat for seat, boxes in stayed.items() if boxes == max(stayed.values())]


@st.composite
def games(draw: st.DrawFn) -> Dots:
    rows, cols, border = draw(
        st.tuples(st.integers(1, 4), st.integers(1, 4), st.sampled_from(Border)).filter(
            lambda board: board != (1, 1, Border.FULL)
        )
    )
    return Dots(rows, cols, border, draw(st.integers(1, 6)))


# Numbers from which a game is made: each picks a free edge, or now and then a seat to withdraw.
scripts = st.lists(st.integers(0, 10**6), min_size=40, max_size=60)


def check_same(state: Position, naive: Naive) -> None:
    over = naive.is_over()
    assert state.to_move == (None if over else naive.turn)
    assert state.is_over == over
    assert list(state.legal_moves()) == naive.free()
    assert list(state.scores) == naive.scores()
    assert sum(state.scores) == len(naive.owner)
    assert state.withdrawn == naive.withdrawn
    expected = Outcome(tuple(naive.scores()), tuple(map(Seat, naive.winners())))
    assert state.outcome == (expected if over else None)


@given(games(), scripts, st.booleans())
def test_whole_games_against_the_naive_rules(game: Dots, script: list[int], give_up: bool) -> None:
    state = game.initial()
    naive = Naive(game.rows, game.cols, game.border, game.seats)
    check_same(state, naive)
    for ply, number in enumerate(script):
        assert state.ply == ply
        if state.is_over:
            break
        if give_up and number % 11 == 0:
            stayed = [Seat(s) for s in range(game.seats) if s not in state.withdrawn]
            seat = stayed[number % len(stayed)]
            state = state.withdraw(seat)
            naive.withdraw(seat)
        else:
            move = state.legal_moves()[number % len(state.legal_moves())]
            mover = state.to_move
            state = state.play(move)
            assert list(state.taken) == naive.play(move)
            assert state.last == move
            moves_again = len(state.taken) > 0 or game.seats == 1
            assert (state.to_move == mover) == moves_again or state.is_over
        check_same(state, naive)
    assert state.is_over


@given(games(), scripts)
def test_a_game_that_nobody_gives_up_draws_every_edge(game: Dots, script: list[int]) -> None:
    state = game.initial()
    drawers: dict[Move, Seat] = {}
    while not state.is_over:
        move = state.legal_moves()[script[state.ply % len(script)] % len(state.legal_moves())]
        assert state.to_move is not None
        drawers[move] = state.to_move
        state = state.play(move)
    assert state.ply == game.longest == len(drawers)
    assert sum(state.scores) == game.rows * game.cols
    for seat, drawn in enumerate(state.drawn_by):
        assert drawn == sum(1 << move for move, drawer in drawers.items() if drawer == seat)


def played(game: Dots, *names: str) -> Position:
    state = game.initial()
    for name in names:
        state = state.play(game.parse_move(name))
    return state


TWO_BOXES = Dots(1, 2, Border.NONE, 3)


def test_one_edge_can_complete_two_boxes() -> None:
    state = played(TWO_BOXES, "h0", "h1", "h2", "h3", "v0", "v2", "v1")
    assert state.taken == (0, 1)
    assert state.outcome == Outcome((2, 0, 0), (Seat(0),))


def test_equal_tops_are_joint_winners() -> None:
    state = played(TWO_BOXES, "h0", "h2", "v0", "v1", "h1", "h3", "v2")
    assert state.outcome == Outcome((1, 0, 1), (Seat(0), Seat(2)))


class TestErrors:
    game = Dots(4, 5, Border.NONE, 2)

    def test_already_drawn(self) -> None:
        state = played(self.game, "h3")
        with pytest.raises(
            AlreadyDrawn, match=r"^h3 is already drawn; h2 is still free$"
        ) as caught:
            state.play(Move(3))
        assert caught.value.code == "already_drawn"
        assert isinstance(caught.value, IllegalMove)

    def test_already_drawn_by_the_border(self) -> None:
        state = Dots(2, 2, Border.FULL, 2).initial()
        with pytest.raises(AlreadyDrawn, match=r"^v0 is already drawn; v1 is still free$"):
            state.play(Move(6))

    def test_already_drawn_offers_the_other_direction_at_last(self) -> None:
        state = played(Dots(1, 2, Border.NONE, 2), "h0", "h1", "h2", "h3")
        with pytest.raises(AlreadyDrawn, match=r"^h2 is already drawn; v0 is still free$"):
            state.play(Move(2))

    @each("move", [-1, 49, 10**30])
    def test_out_of_range(self, move: int) -> None:
        sentence = f"^line {move} is not on a 4×5 board: 0 to 48$"
        with pytest.raises(MoveOutOfRange, match=sentence) as caught:
            self.game.initial().play(Move(move))
        assert caught.value.code == "out_of_range"

    @each("move", [0, 99])
    def test_game_is_over(self, move: int) -> None:
        state = self.game.initial().withdraw(Seat(1))
        with pytest.raises(GameIsOver, match="the game is over") as caught:
            state.play(Move(move))
        assert caught.value.code == "game_over"
        with pytest.raises(GameIsOver, match="nothing left to give up"):
            state.withdraw(Seat(0))

    def test_withdrawing_twice_or_from_no_seat(self) -> None:
        state = Dots(2, 2, Border.NONE, 3).initial().withdraw(Seat(1))
        with pytest.raises(IllegalMove, match=r"^seat 1 has withdrawn already$"):
            state.withdraw(Seat(1))
        for seat in -1, 3:
            with pytest.raises(IllegalMove, match=rf"^there is no seat {seat}: seats are 0 to 2$"):
                state.withdraw(Seat(seat))


class TestEvaluation:
    def test_of_three_it_is_each_ones_own_boxes_and_a_third_of_those_to_come(self) -> None:
        state = played(TWO_BOXES, "h0", "h2", "v0", "v1")
        assert [state.evaluate(Seat(seat)) for seat in range(3)] == [4 / 3, 1 / 3, 1 / 3]
        state = played(TWO_BOXES, "h0", "h2", "v0", "v1", "h1", "h3", "v2")
        assert [state.evaluate(Seat(seat)) for seat in range(3)] == list(state.scores)

    def test_of_two_in_play_it_is_the_lead_and_who_withdrew_is_no_rival(self) -> None:
        state = played(TWO_BOXES, "h0", "h2", "v0", "v1")
        for leaver, values in (0, [1, 0, 0]), (1, [1, -1, -1]):
            after = state.withdraw(Seat(leaver))
            assert [after.evaluate(Seat(seat)) for seat in range(3)] == values
        assert state.withdraw(Seat(0)).withdraw(Seat(1)).evaluate(Seat(2)) == 0


class TestValue:
    """A position is a value: what led to it doesn't matter, and it travels small."""

    def test_the_order_of_moves_does_not_matter(self) -> None:
        one, other = played(TWO_BOXES, "h0", "v2"), played(TWO_BOXES, "v2", "h0")
        assert one == other
        assert hash(one) == hash(other)
        assert one.drawn_by != other.drawn_by

    def test_what_matters(self) -> None:
        state = played(TWO_BOXES, "h0")
        assert state != played(TWO_BOXES, "h1")
        assert state != state.withdraw(Seat(0))
        assert state != played(Dots(1, 2, Border.NONE, 2), "h0")
        assert played(Dots(1, 2, Border.NONE, 2)) != played(Dots(2, 1, Border.NONE, 2))
        assert state != "h0"
        assert not state == "h0"  # noqa: SIM201

    def test_it_pickles_small(self) -> None:
        game = Dots(30, 30, Border.HALF, 2)
        state = game.initial().play(Move(0))
        assert game.grid is state.game.grid
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        assert again.last == 0
        assert len(pickle.dumps(state)) < 1500


class TestOptions:
    def test_defaults(self) -> None:
        game = KIND.make({}, 2)
        assert game == Dots(5, 5, Border.NONE, 2)
        assert game.options == {"rows": 5, "cols": 5, "border": "none"}
        assert game.kind is KIND

    def test_numbers_as_text(self) -> None:
        game = KIND.make({"rows": "2", "cols": "3", "border": "full"}, 7)
        assert game == Dots(2, 3, Border.FULL, 7)
        assert isinstance(game, Dots)
        assert game.border is Border.FULL

    @each(
        "options, seats, sentence",
        [
            ({"rows": 0}, 2, "rows must be 1 to 1000, not 0"),
            ({"cols": 1001}, 2, "cols must be 1 to 1000, not 1001"),
            ({"border": "thick"}, 2, "border is one of none, half, full, not 'thick'"),
            ({"rows": 1, "cols": 1, "border": "full"}, 2, "a 1×1 board has no free line"),
            ({"rows": 101, "cols": 100}, 2, "at most 10000 boxes, 101×100 are 10100"),
            ({"depth": 3}, 2, "no option 'depth'; it has rows, cols and border"),
            ({}, 0, "needs at least 1 seat, not 0"),
        ],
    )
    def test_refused(self, options: dict[str, int | str], seats: int, sentence: str) -> None:
        with pytest.raises(OptionError, match=sentence):
            KIND.make(options, seats)

    @each("rows, cols, seats", [(0, 1, 2), (1, -1, 2), (1, 1, 0)])
    def test_refused_without_the_registry_too(self, rows: int, cols: int, seats: int) -> None:
        with pytest.raises(OptionError):
            Dots(rows, cols, Border.NONE, seats)

    def test_the_rules_promise_a_single_player_all_boxes(self) -> None:
        assert str(Dots(2, 2, Border.NONE, 1).rules).endswith("all boxes are yours.")
        for seats in (2, 3):
            assert str(Dots(2, 2, Border.NONE, seats).rules).endswith("most boxes win.")
        assert str(KIND.rules).endswith("most boxes win; a single player gets all of them.")

    def test_a_single_player_gets_every_box_or_gives_up(self) -> None:
        state = Dots(2, 2, Border.HALF, 1).initial()
        assert state.withdraw(Seat(0)).outcome == Outcome((0,), ())
        while not state.is_over:
            assert state.to_move == 0
            state = state.play(state.legal_moves()[-1])
        assert state.outcome == Outcome((4,), (Seat(0),))

    def test_the_registry_sets_no_bound_on_seats(self) -> None:
        game = KIND.make({"rows": 1, "cols": 1}, 1000)
        assert len(game.initial().scores) == 1000
