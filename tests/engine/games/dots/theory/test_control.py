"""Loony moves against Nimstring itself, and the long chain rule against games."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.dots.boards import (
    LARGER,
    SMALL,
    critical_position,
    drawn_but,
    endgame_position,
    every_position,
    name_of,
    position_at,
    positions,
    still_positions,
)
from tests.engine.games.dots.drawn_runs import long_runs

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.theory.captures import captures, completed_by, takeable
from boxroom_engine.games.dots.theory.control import (
    Handout,
    control,
    control_if,
    double_dealing_moves,
    handouts,
    is_loony,
)
from boxroom_engine.games.dots.theory.endgame import is_endgame
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.protocol import Move, Seat

Wins = dict[int, list[bool]]
"""For each set of drawn edges whether who is to move wins Nimstring, beside a heap of so many."""


def nimstring(game: Dots) -> Wins:
    """Play Nimstring, beside one heap of Nim, in every position of `game`.

    Who can't move loses. Nothing that is played besides matters more than a heap does (Sprague
    and Grundy), and no heap more than one larger than any value that the position can have.
    """
    wins: Wins = {}
    for position in every_position(game):
        edges = position.edges
        moves = [
            (edges | 1 << move, completed_by(game.grid, edges, move) > 0)
            for move in position.legal_moves()
        ]
        against: list[bool] = []
        for heap in range(game.longest + 2):
            by_a_move = any(wins[after][heap] == again for after, again in moves)
            by_a_smaller_heap = not all(against)
            against.append(by_a_move or by_a_smaller_heap)
        wins[edges] = against
    return wins


def loony_moves(position: Position) -> tuple[Move, ...]:
    """The moves that take nothing and leave a loony position, ascending."""
    grid, edges = position.game.grid, position.edges
    quiet = (move for move in position.legal_moves() if not completed_by(grid, edges, move))
    return tuple(move for move in quiet if is_loony(position.play(move)))


def check_every_position(game: Dots) -> None:
    wins = nimstring(game)
    for position in every_position(game):
        grid, edges = game.grid, position.edges
        assert is_loony(position) == all(wins[edges])
        assert loony_moves(position) == tuple(
            move
            for move in position.legal_moves()
            if not completed_by(grid, edges, move) and all(wins[edges | 1 << move])
        )
        is_settled = is_endgame(position) or loony_moves(position) == position.legal_moves()
        if is_settled and (in_control := control(position)) is not None:
            assert (in_control == position.to_move) == wins[edges][0]


@pytest.mark.parametrize("game", SMALL, ids=name_of)
def test_loony_moves_and_control_are_those_of_nimstring(game: Dots) -> None:
    check_every_position(game)


@pytest.mark.long
@pytest.mark.parametrize("game", LARGER, ids=name_of)
def test_loony_moves_and_control_on_larger_boards(game: Dots) -> None:
    check_every_position(game)


@given(still_positions())
def test_loony_moves_while_nothing_is_takeable(position: Position) -> None:
    parts = parts_of(position)
    expected = {edge for loop in parts.loops for edge in loop.edges}
    for chain in parts.chains:
        if chain.is_long:
            expected |= {*chain.edges}
        elif chain.length == 2:
            expected |= {chain.edges[0], chain.edges[-1]}
    assert loony_moves(position) == tuple(sorted(expected))


@given(still_positions())
def test_a_handout_gives_its_boxes_and_leaves_a_choice_or_none(position: Position) -> None:
    expected: dict[Move, Handout] = {}
    loony = loony_moves(position)
    for move in position.legal_moves():
        match len(captures(position.play(move))):
            case 1:
                expected[move] = Handout.SINGLE
            case 2 if move in loony:
                expected[move] = Handout.HALF_HEARTED
            case 2:
                expected[move] = Handout.HARD_HEARTED
            case _:
                pass
    assert handouts(position) == expected
    assert list(handouts(position)) == sorted(expected)


@given(positions())
def test_a_double_dealing_move_takes_nothing_and_leaves_double_crosses(
    position: Position,
) -> None:
    grid = position.game.grid
    expected = []
    for move in position.legal_moves():
        after = position.play(move)
        crosses = {
            edge: boxes
            for edge in takeable(after)
            if completed_by(grid, after.edges, edge) == 2
            and (boxes := {box for box, _ in grid.boxes_beside[edge]})
        }
        beside = {box for box, _ in grid.boxes_beside[move]}
        declined = [boxes for boxes in crosses.values() if boxes & beside]
        # No side of the edge is given away but in pairs, and there is at least one.
        opened = {box for box in beside if (grid.sides[box] & ~after.edges).bit_count() == 1}
        if not after.taken and declined and opened <= set().union(*declined):
            expected.append(move)
    assert double_dealing_moves(position) == tuple(expected)


def test_the_two_ways_to_open_a_chain_of_two() -> None:
    position = drawn_but(1, 2, "v0 v1 v2")
    name = position.game.format_move
    assert {name(move): handout for move, handout in handouts(position).items()} == {
        "v0": Handout.HALF_HEARTED,
        "v1": Handout.HARD_HEARTED,
        "v2": Handout.HALF_HEARTED,
    }
    # Opened at one end, it can be declined at the other; opened in the middle, it can't.
    [v0, v1, v2] = position.legal_moves()
    assert double_dealing_moves(position.play(v0)) == (v2,)
    assert double_dealing_moves(position.play(v1)) == ()


class TestTheLongChainRule:
    @each("border", Border)
    def test_dots_and_long_chains(self, border: Border) -> None:
        for rows, cols, long_chains in product(range(2, 6), range(2, 6), range(4)):
            border_edges = {Border.NONE: 0, Border.HALF: rows + cols, Border.FULL: 0}[border]
            dots = (rows + 1) * (cols + 1)
            is_even = (dots - border_edges + long_chains) % 2 == 0
            position = Dots(rows, cols, border, 2).initial()
            assert control_if(position, long_chains) == (0 if is_even else 1)

    @given(positions(), st.randoms(use_true_random=False))
    def test_turns_are_counted_by_edges_boxes_and_double_crosses(
        self, position: Position, rng: random.Random
    ) -> None:
        """The first step of the rule's proof, in games played at random to the end."""
        grid = position.game.grid
        undrawn = grid.all_drawn & ~position.edges
        boxes = sum(1 for sides in grid.sides if sides & undrawn)
        passes = double_crosses = 0
        while position.to_move is not None:
            after = position.play(rng.choice(position.legal_moves()))
            passes += not after.taken
            double_crosses += len(after.taken) == 2
            position = after
        assert passes == undrawn.bit_count() - boxes + double_crosses

    @each("seed", range(12))
    @each("border", Border)
    def test_who_is_in_control_takes_the_last_string(self, border: Border, seed: int) -> None:
        rng = random.Random(seed)
        position = only_long(endgame_position(Dots(6, 7, border, 2), rng))
        parts = parts_of(position)
        in_control = control(position)
        if not parts.strings:
            assert in_control is None
            return
        assert in_control not in (None, position.to_move)
        while position.to_move is not None:
            assert control(position) == in_control
            assert is_loony(position) == (position.to_move == in_control)
            last_mover = position.to_move
            position = (dealt_double if last_mover == in_control else opened)(position, rng)
        assert last_mover == in_control


def only_long(position: Position) -> Position:
    """Open the short chains hard-heartedly, and take them, until there are none."""
    while short := [chain for chain in parts_of(position).chains if not chain.is_long]:
        position = all_taken(position.play(short[0].edges[-2]))
    return position


def all_taken(position: Position) -> Position:
    while edges := takeable(position):
        position = position.play(edges[0])
    return position


def opened(position: Position, rng: random.Random) -> Position:
    """Take what was declined, and open anything."""
    position = all_taken(position)
    return position.play(rng.choice(position.legal_moves()))


def dealt_double(position: Position, rng: random.Random) -> Position:
    """Take all but what one double-dealing move declines; all that there is, if it is the last."""
    parts = parts_of(position)
    if not parts.chains and not parts.loops:
        return all_taken(position)
    turns = {string: string.double_dealing for string in parts.opened}
    declining = rng.choice([string for string, turn in turns.items() if turn])
    others = [edge for string in parts.opened if string != declining for edge in string.edges]
    for edge in (*others, *(turns[declining] or ())):
        position = position.play(edge)
    return position


def test_control_of_a_loony_position_is_with_the_seat_to_move() -> None:
    position = drawn_but(1, 4, "v1 v2 v3 v4")
    assert is_loony(position)
    assert control(position) == position.to_move
    assert {control_if(position, count) for count in range(4)} == {position.to_move}


def test_what_can_be_taken_without_a_choice_is_taken_first() -> None:
    # Box 0 can be taken, and a chain of three is left below, which has to be opened after.
    position = drawn_but(2, 3, "h0 v4 v5 v6 v7")
    assert not is_loony(position)
    assert control(position) != position.to_move


def test_nobody_is_in_control_of_short_chains() -> None:
    position = drawn_but(2, 3, "h0 v4 v5 v6")
    assert control(all_taken(position)) is None
    assert control(drawn_but(2, 2, "")) is None


@given(positions())
def test_control_is_what_the_rule_says_of_the_long_chains_of_now(position: Position) -> None:
    after = position if is_loony(position) else all_taken(position)
    parts = parts_of(after)
    if after.to_move is None:
        assert control(position) is None
    elif is_loony(after):
        assert control(position) == after.to_move
    elif loony_moves(after) == after.legal_moves():
        assert control(position) != after.to_move
    elif parts.long_chains or parts.loops:
        assert control(position) == control_if(after, len(parts.long_chains))
    else:
        assert control(position) is None


def test_where_every_move_is_loony_the_other_is_in_control_whatever_meets_in_joints() -> None:
    """Two long chains meet in a joint: opened, they are one. The rule would count both."""
    position = Dots(4, 2, Border.NONE, 2).parse_position("0db793/00,00/0/-")
    parts = parts_of(position)
    assert (len(parts.long_chains), len(parts.joints)) == (2, 1)
    assert control_if(position, 2) == 0
    assert control(position) == 1


@given(st.integers(2, 6), st.integers(2, 6), st.randoms(use_true_random=False))
def test_parity_by_drawing_all_lines_counts_loops_too(
    rows: int, cols: int, rng: random.Random
) -> None:
    """The student's program counts so. Only without loops and joints it must be the same."""
    position = critical_position(Dots(rows, cols, Border.NONE, 2), rng)
    parts = parts_of(position)
    if not parts.joints:
        assert long_runs(position) == len(parts.long_chains) + len(parts.loops)
        differs = (long_runs(position) - len(parts.long_chains)) % 2 == 1
        assert differs == (len(parts.loops) % 2 == 1)


def test_the_two_seats_that_are_left_of_three() -> None:
    game = Dots(3, 3, Border.NONE, 3)
    with pytest.raises(ValueError, match="two seats"):
        control_if(game.initial(), 1)
    with pytest.raises(ValueError, match="two seats"):
        control(game.initial())
    two = game.initial().withdraw(Seat(0))
    assert {control_if(two, 0), control_if(two, 1)} == {1, 2}
    assert two.to_move == 1


def test_when_the_game_is_over_control_has_no_meaning() -> None:
    full = position_at(Dots(1, 2, Border.NONE, 2), Dots(1, 2, Border.NONE, 2).grid.all_drawn)
    assert (control(full), loony_moves(full), handouts(full)) == (None, (), {})
    with pytest.raises(ValueError, match="one of them to move"):
        control_if(full, 0)
