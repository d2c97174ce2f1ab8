"""Graphs of positions, against naive programs, the counts of `search.levels`, and trees."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from tests.cases import each
from tests.lab.gametree.trees import tree

from boxroom_engine.games.dots import Position
from boxroom_engine.games.protocol import OptionValue, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.levels import levels
from boxroom_engine.search.max_n import MaxNSearch, Scores
from boxroom_lab.gametree.graph import Graph, GraphTooLarge, apart, build_graph

Options = dict[str, OptionValue]


def graph_of(state: State, depth: int | None = None, most: int = 10_000) -> Graph:
    return build_graph(
        state, depth, MaxNSearch().scores, lambda each: each.key, most_positions=most
    )


def start(game: str, options: Options, seats: int = 2) -> State:
    return make_game(game, options, seats).initial()


TWO_BY_TWO = start("dots", {"rows": 2, "cols": 2})


# A naive program for 2×2: lines are pairs of dots, and a position is a set of them.

Dot = tuple[int, int]
Line = frozenset[Dot]
Naive = tuple[frozenset[Line], tuple[int, int], int]
"""The drawn lines, both scores, and the player to move; -1 at the end."""

LINES = [
    *(frozenset({(row, col), (row, col + 1)}) for row in range(3) for col in range(2)),
    *(frozenset({(row, col), (row + 1, col)}) for row in range(2) for col in range(3)),
]
"""In the order of their names: h0 to h5, then v0 to v5."""

ALL_LINES = frozenset(LINES)
BOXES = [
    [line for line in LINES if all(row <= r <= row + 1 and col <= c <= col + 1 for r, c in line)]
    for row, col in product(range(2), repeat=2)
]
OUTER_LINES = [[line for line in box if sum(line in each for each in BOXES) == 1] for box in BOXES]
"""The two lines of each box that no other box has."""


def naive_play(position: Naive, line: Line) -> Naive:
    drawn, scores, player = position
    after = drawn | {line}
    won = sum(after.issuperset(box) - drawn.issuperset(box) for box in BOXES)
    new = (scores[0] + won, scores[1]) if player == 0 else (scores[0], scores[1] + won)
    return after, new, -1 if after == ALL_LINES else player if won else 1 - player


def symmetries() -> Iterator[dict[Line, int]]:
    """Yield every way in which lines are the same: by their numbers after it.

    The board is turned or mirrored, and the outer lines of a box are exchanged.
    """
    for down, right, across in product((False, True), repeat=3):

        def moved(dot: Dot, down: bool = down, right: bool = right, across: bool = across) -> Dot:
            row, col = 2 - dot[0] if down else dot[0], 2 - dot[1] if right else dot[1]
            return (col, row) if across else (row, col)

        for exchanged in product((False, True), repeat=4):
            swap = dict[Line, Line]()
            for (one, other), exchange in zip(OUTER_LINES, exchanged, strict=True):
                if exchange:
                    swap |= {one: other, other: one}
            turned = {line: frozenset(map(moved, line)) for line in LINES}
            yield {line: LINES.index(swap.get(turned[line], turned[line])) for line in LINES}


SYMMETRIES = list(symmetries())


@cache
def naive_edges(drawn: frozenset[Line]) -> int:
    """Return the same number for all sets of lines that are the same."""
    return min(sum(1 << numbers[line] for line in drawn) for numbers in SYMMETRIES)


def naive_key(position: Naive) -> tuple[int, tuple[int, int], int]:
    drawn, scores, player = position
    return naive_edges(drawn), scores, player


@cache
def naive_value(position: Naive) -> int:
    """Return by how much the first player is ahead at the end."""
    drawn, scores, player = position
    if player == -1:
        return scores[0] - scores[1]
    best = max if player == 0 else min
    return best(naive_value(naive_play(position, line)) for line in ALL_LINES - drawn)


def naive(state: State) -> Naive:
    assert isinstance(state, Position)
    drawn = frozenset(line for number, line in enumerate(LINES) if state.edges >> number & 1)
    first, second = state.scores
    return drawn, (first, second), -1 if state.to_move is None else state.to_move


def test_the_whole_graph_of_two_by_two_is_that_of_a_naive_program() -> None:
    graph = graph_of(TWO_BY_TWO)
    assert len(graph.nodes) == 309
    level = {(0, (0, 0), 0): naive(TWO_BY_TWO)}
    for row in graph.levels:
        assert sorted(naive_key(naive(node.state)) for node in row) == sorted(level)
        following = [
            naive_play(each, line) for each in level.values() for line in ALL_LINES - each[0]
        ]
        level = {naive_key(each): each for each in following}
    assert not level


def test_its_values_and_moves_are_those_of_a_naive_program() -> None:
    graph = graph_of(TWO_BY_TWO)
    for node in graph.nodes:
        position = naive(node.state)
        assert node.scores == (naive_value(position), -naive_value(position))
        reached = Counter(naive_key(naive_play(position, line)) for line in ALL_LINES - position[0])
        assert reached == {
            naive_key(naive(graph.nodes[edge.below - 1].state)): len(edge.moves)
            for edge in node.edges
        }


# Any game


@each(
    "game, options, seats",
    [
        ("dots", {"rows": 2, "cols": 2}, 2),
        ("dots", {"rows": 1, "cols": 3}, 3),
        ("noughts", {}, 2),
        ("stonehenge", {"size": 1}, 2),
        ("stonehenge", {"size": 2}, 2),
    ],
)
def test_there_are_as_many_positions_and_orders_as_levels_counts(
    game: str, options: Options, seats: int
) -> None:
    state = start(game, options, seats)
    found = [(sum(node.orders for node in level), len(level)) for level in graph_of(state).levels]
    assert found == [tuple(level) for level in levels([state], lambda each: each.key)]


@each(
    "game, options, seats",
    [
        ("dots", {"rows": 1, "cols": 2}, 3),
        ("noughts", {}, 2),
        ("subtract-square", {"start": 30}, 2),
        ("stonehenge", {"size": 2}, 2),
    ],
)
def test_values_are_those_of_search_and_edges_lead_down(
    game: str, options: Options, seats: int
) -> None:
    graph, search = graph_of(start(game, options, seats)), MaxNSearch()
    for number, node in enumerate(graph.nodes, 1):
        assert node.number == number
        assert node.scores == search.scores(node.state)
        best = set()
        for edge in node.edges:
            below = graph.nodes[edge.below - 1]
            assert edge.above == number
            assert number in below.parents
            assert below.depth > node.depth
            for text in edge.moves:
                assert node.state.play(node.state.game.parse_move(text)).key == below.state.key
            assert edge.is_best or below.scores != node.scores
            best |= {edge.is_best}
        assert sum(len(edge.moves) for edge in node.edges) == len(node.state.legal_moves())
        assert True in best or node.state.is_over
        assert node.parents == tuple(
            above.number for above in graph.nodes for edge in above.edges if edge.below == number
        )


def test_a_position_that_short_and_long_games_lead_to_is_there_once() -> None:
    graph = graph_of(start("subtract-square", {"start": 9}))
    keys = [node.state.key for node in graph.nodes]
    assert len(set(keys)) == len(keys)
    (one,) = (
        node
        for node in graph.nodes
        if node.state.game.format_position(node.state).startswith("1/") and node.state.to_move == 0
    )
    assert one.depth == 8, "nine less eight times one; less twice four is shorter"
    assert one.orders == 2


def test_a_limited_graph_ends_with_values_from_search() -> None:
    whole, limited = graph_of(TWO_BY_TWO), graph_of(TWO_BY_TWO, depth=3)
    assert [len(level) for level in limited.levels] == [1, 2, 7, 14]
    assert limited.root.scores == whole.root.scores == (2, -2)
    assert all(not node.edges for node in limited.levels[-1])
    assert [node.scores for node in limited.nodes] == [node.scores for node in whole.nodes[:24]]


def test_unknown_values_stay_unknown_above_and_nothing_is_best() -> None:
    state = start("dots", {"rows": 5, "cols": 5})
    graph = build_graph(state, 1, lambda _: None, lambda each: each.key, most_positions=100)
    assert {node.scores for node in graph.nodes} == {None}
    assert not any(edge.is_best for edge in graph.root.edges)


def test_nothing_is_best_while_one_value_is_unknown() -> None:
    state = start("noughts", {})

    def scores_of(after: State) -> Scores | None:
        return (0, 0) if after.game.format_position(after)[0] == "0" else None

    root = build_graph(state, 1, scores_of, apart, most_positions=10).root
    assert root.scores is None
    assert not any(edge.is_best for edge in root.edges)


@each("depth, positions", [(1, 4), (2, 10), (3, 16), (9, 16)])
def test_without_merging_it_is_the_tree(depth: int, positions: int) -> None:
    made = tree(depth)
    assert len(made.nodes) == positions
    assert {len(node.parents) for node in made.nodes[1:]} == {1}


def test_the_limit_is_kept() -> None:
    assert len(graph_of(TWO_BY_TWO, most=309).nodes) == 309
    with pytest.raises(GraphTooLarge):
        graph_of(TWO_BY_TWO, most=308)
