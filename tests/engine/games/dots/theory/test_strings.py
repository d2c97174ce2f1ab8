"""The parts of a position, against what the module says of each kind."""

import random
from itertools import chain as in_turn
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.dots.boards import (
    SMALL,
    critical_position,
    drawn_but,
    every_position,
    name_of,
    positions,
)

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.theory.captures import (
    after_taking_all,
    completed_by,
    degrees,
    neutral,
    on_offer,
    takeable,
)
from boxroom_engine.games.dots.theory.strings import (
    Chain,
    End,
    Loop,
    Opened,
    Parts,
    StringGraph,
    parts_of,
)
from boxroom_engine.games.protocol import Move


def beyond(position: Position, box: int, edge: Move) -> End:
    """The box on the other side of one of the sides of `box`."""
    assert edge in position.game.grid.edges_of[box]
    others = [other for other, _ in position.game.grid.boxes_beside[edge] if other != box]
    return others[0] if others else None


def check_chain(position: Position, chain: Chain) -> None:
    degree = degrees(position)
    assert chain.length == len(chain.edges) - 1 >= 1
    assert chain.is_long == (chain.length in range(3, 1_000))
    assert chain.edges[0] < chain.edges[-1]
    for box, (before, after) in zip(chain.boxes, pairwise(chain.edges), strict=True):
        assert degree[box] == 2
        assert {before, after} <= {*position.game.grid.edges_of[box]}
    assert beyond(position, chain.boxes[0], chain.edges[0]) == chain.ends[0]
    assert beyond(position, chain.boxes[-1], chain.edges[-1]) == chain.ends[1]
    assert all(end is None or degree[end] > 2 for end in chain.ends)


def check_loop(position: Position, loop: Loop) -> None:
    degree = degrees(position)
    assert loop.length == len(loop.edges) >= 4
    assert loop.length % 2 == 0
    assert loop.boxes[0] == min(loop.boxes)
    around = pairwise((*loop.boxes, loop.boxes[0]))
    for (box, following), edge in zip(around, loop.edges, strict=True):
        assert degree[box] == 2
        assert beyond(position, box, edge) == following


def check_opened(position: Position, opened: Opened) -> None:
    """Take the boxes in their order; the last edge takes two exactly when it is closed."""
    degree = degrees(position)
    assert opened.length == len(opened.boxes)
    assert opened.is_closed == (opened.length > 1 and degree[opened.boxes[-1]] == 1)
    taken: list[int] = []
    for edge in opened.edges:
        position = position.play(edge)
        taken += [box for box in opened.boxes if box in position.taken and box not in taken]
    assert tuple(taken) == opened.boxes
    assert len(opened.edges) == opened.length - opened.is_closed
    if opened.is_closed:
        assert opened.end is None
    else:
        assert beyond(position, opened.boxes[-1], opened.edges[-1]) == opened.end
        assert opened.end is None or degree[opened.end] > 2


def check_double_dealing(position: Position, opened: Opened) -> None:
    """Play the turn; then the next player takes what was declined with double-crosses only."""
    declined = 4 if opened.is_closed else 2
    turn = opened.double_dealing
    if turn is None:
        assert opened.length < declined
        return
    for move in turn[:-1]:
        position = position.play(move)
        assert position.taken
    after = position.play(turn[-1])
    assert not after.taken
    left = opened.boxes[len(turn) - 1 :]
    assert len(left) == declined
    crosses = [
        move
        for move in takeable(after)
        if {box for box, _ in after.game.grid.boxes_beside[move]} <= {*left}
    ]
    assert len(crosses) * 2 == declined
    assert all(completed_by(after.game.grid, after.edges, move) == 2 for move in crosses)


def check(position: Position) -> None:
    parts, degree = parts_of(position), degrees(position)
    boxes = [*in_turn.from_iterable(string.boxes for string in parts.strings), *parts.joints]
    edges = [*in_turn.from_iterable(string.edges for string in parts.strings), *parts.neutral]
    assert sorted(boxes) == [box for box in range(len(degree)) if degree[box]]
    assert sorted(edges) == list(position.legal_moves())
    assert parts.joints == tuple(box for box in range(len(degree)) if degree[box] > 2)
    assert parts.neutral == neutral(position)
    assert {*on_offer(position)} <= {*in_turn.from_iterable(o.boxes for o in parts.opened)}
    assert parts.long_chains == tuple(c for c in parts.chains if len(c.boxes) >= 3)
    for chain in parts.chains:
        check_chain(position, chain)
    for loop in parts.loops:
        check_loop(position, loop)
    for opened in parts.opened:
        check_opened(position, opened)
        check_double_dealing(position, opened)


@given(positions(7))
def test_everything_undrawn_belongs_to_one_part(position: Position) -> None:
    check(position)


@pytest.mark.parametrize("game", SMALL, ids=name_of)
def test_everything_undrawn_belongs_to_one_part_on_every_small_board(game: Dots) -> None:
    for position in every_position(game):
        check(position)


def names(position: Position, edges: tuple[Move, ...]) -> str:
    return " ".join(map(position.game.format_move, edges))


def test_a_chain_between_the_grounds() -> None:
    position = drawn_but(1, 3, "v0 v1 v2 v3")
    [chain] = parts_of(position).chains
    assert (chain.boxes, names(position, chain.edges)) == ((0, 1, 2), "v0 v1 v2 v3")
    assert chain.ends == (None, None)
    assert parts_of(position).long_chains == (chain,)


def test_a_corner_is_a_chain_of_one() -> None:
    [chain] = parts_of(drawn_but(2, 2, "h0 v0")).chains
    assert (chain.boxes, chain.ends) == ((0,), (None, None))


def test_a_joint_with_three_chains() -> None:
    # 0 1 2   A chain of one on either side of box 1, and one below it.
    #   4
    position = drawn_but(2, 3, "v0 v1 v2 v3 h4 h7")
    parts = parts_of(position)
    assert parts.joints == (1,)
    assert {chain.boxes: chain.ends for chain in parts.chains} == {
        (0,): (None, 1),
        (2,): (1, None),
        (4,): (1, None),
    }
    assert parts.neutral == ()


def test_a_dipper_is_a_chain_from_a_joint_back_to_it() -> None:
    # 0 1 2   From box 1 a chain of three by 0, 3 and 4 back to it, and a chain of one, 2.
    # 3 4
    parts = parts_of(drawn_but(2, 3, "v1 h3 v5 h4 v2 v3"))
    assert parts.joints == (1,)
    assert parts.loops == ()
    assert {chain.boxes: chain.ends for chain in parts.chains} == {
        (4, 3, 0): (1, 1),
        (2,): (1, None),
    }


def test_the_loop_inside_two_by_two() -> None:
    position = Dots(2, 2, Border.FULL, 2).initial()
    [loop] = parts_of(position).loops
    assert (loop.boxes, names(position, loop.edges)) == ((0, 1, 3, 2), "v1 h3 v4 h2")


def test_two_joints_with_a_neutral_edge_between_them() -> None:
    position = drawn_but(1, 2, "h0 h1 h2 h3 v1")
    parts = parts_of(position)
    assert parts.joints == (0, 1)
    assert names(position, parts.neutral) == "h0 h1 h2 h3 v1"


def test_an_opened_chain_is_taken_from_its_open_end() -> None:
    position = drawn_but(1, 4, "v1 v2 v3 v4")
    [opened] = parts_of(position).opened
    assert (opened.boxes, names(position, opened.edges)) == ((0, 1, 2, 3), "v1 v2 v3 v4")
    assert not opened.is_closed
    assert opened.double_dealing is not None
    assert names(position, opened.double_dealing) == "v1 v2 v4"


def test_an_opened_loop_is_taken_from_both_ends() -> None:
    position = drawn_but(2, 3, "v1 v2 v6 v5 h3")  # all around but h5, by which it was opened
    [opened] = parts_of(position).opened
    assert (opened.boxes, opened.is_closed, opened.end) == ((2, 1, 0, 3, 4, 5), True, None)
    assert opened.double_dealing is not None
    assert names(position, opened.double_dealing) == "v2 v1 v5"


@each("undrawn", ["v1", "v1 v2"])
def test_two_or_three_boxes_closed_at_both_ends_leave_no_choice(undrawn: str) -> None:
    [opened] = parts_of(drawn_but(1, 3, undrawn)).opened
    assert opened.is_closed
    assert opened.double_dealing is None


def test_a_full_board_has_no_parts() -> None:
    assert parts_of(drawn_but(2, 2, "")) == Parts((), (), (), (), ())


def same_by_ends(graph: StringGraph) -> list[tuple[int, bool, list[int]]]:
    """All strings by length, kind and joints, in any order."""
    return sorted(
        (string.length, string.is_loop, sorted(-1 if end is None else end for end in string.ends))
        for string in graph.strings
    )


@st.composite
def critical_positions(draw: st.DrawFn) -> Position:
    size = st.integers(2, 6)
    game = Dots(draw(size), draw(size), draw(st.sampled_from(Border)), 2)
    return critical_position(game, random.Random(draw(st.integers(0, 2**32))))


def unopened(position: Position) -> list[Chain | Loop]:
    return [*parts_of(position).chains, *parts_of(position).loops]


class TestGraph:
    @given(critical_positions())
    def test_opening_on_the_board_leaves_the_same_strings(self, position: Position) -> None:
        """Open all strings in order, each on the board and in the graph."""
        graph = StringGraph.of(parts_of(position))
        while graph.strings:
            string = graph.strings[0]
            edges = next(each.edges for each in unopened(position) if string.box in each.boxes)
            after = after_taking_all(position.play(edges[0]))
            assert graph.open(string) == sum(after.scores) - sum(position.scores)
            assert same_by_ends(graph) == same_by_ends(StringGraph.of(parts_of(after)))
            assert dict(graph.joints) == {
                box: degrees(after)[box] for box in parts_of(after).joints
            }
            position = after

    def test_a_dipper_goes_with_its_joint_and_the_third_chain(self) -> None:
        graph = StringGraph.of(parts_of(drawn_but(2, 3, "v1 h3 v5 h4 v2 v3")))
        dipper, chain = sorted(graph.strings, key=lambda string: -string.length)
        assert graph.is_dipper(dipper)
        assert not graph.is_dipper(chain)
        assert graph.open(dipper) == 5
        assert graph.strings == []

    def test_without_the_third_chain_a_dipper_is_a_loop(self) -> None:
        graph = StringGraph.of(parts_of(drawn_but(2, 3, "v1 h3 v5 h4 v2 v3")))
        chain = min(graph.strings, key=lambda string: string.length)
        assert graph.open(chain) == 1
        assert graph.lengths(is_loop=True) == [4]
