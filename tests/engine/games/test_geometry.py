"""The geometry of every game agrees with its rules, though its reader doesn't know them."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from statistics import mean
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bytecodes import counting
from tests.cases import each
from tests.engine.games.geometries import Painted, written

from boxroom_engine.games.draughts import Position
from boxroom_engine.games.geometry import UNIT, BoardShape, Geometry, Heap, HeapMove, ShapeKind
from boxroom_engine.games.protocol import Game, OptionValue, Seat, State
from boxroom_engine.games.registry import KINDS, make_game

BOARDS: list[tuple[str, dict[str, OptionValue]]] = [
    ("dots", {"rows": 2, "cols": 3, "border": "half"}),
    ("noughts", {"dims": "2,3,3", "line": 3}),
    ("stonehenge", {"size": 2}),
    ("subtract-square", {"start": 11}),
    ("draughts", {"size": "6"}),
]

LARGEST: list[tuple[str, dict[str, OptionValue]]] = [
    ("dots", {"rows": 49, "cols": 50}),
    ("noughts", {"dims": "3,3,3,3,3", "line": 2}),
    ("noughts", {"dims": "500", "line": 2}),
    ("stonehenge", {"size": 5}),
    ("subtract-square", {"start": 1_000}),
    ("draughts", {"size": "12"}),
]

BYTES_PER_SHAPE = 130
BYTECODES_PER_SHAPE = 400

sizes = st.integers(1, 6)
dims = st.lists(st.integers(2, 4), min_size=1, max_size=4).map(
    lambda dims: ",".join(map(str, dims))
)

games = st.one_of(
    st.builds(
        lambda rows, cols, border, seats: make_game(
            "dots", {"rows": rows, "cols": cols + 1, "border": border}, seats
        ),
        sizes,
        sizes,
        st.sampled_from(("none", "half", "full")),
        st.integers(2, 4),
    ),
    st.builds(lambda dims: make_game("noughts", {"dims": dims, "line": 2}, 2), dims),
    st.builds(lambda size: make_game("stonehenge", {"size": size}, 2), st.integers(1, 5)),
    st.builds(lambda start: make_game("subtract-square", {"start": start}, 2), st.integers(1, 150)),
)


def every_shape(geometry: Geometry) -> tuple[BoardShape, ...]:
    heap = geometry.heap
    return geometry.shapes if heap is None else (*geometry.shapes, *heap.counters)


def legal(state: State) -> set[str]:
    return set(map(state.game.format_move, state.legal_moves()))


def test_every_game_is_drawn_here() -> None:
    assert {game for game, _ in BOARDS} == {game for game, _ in LARGEST} == set(KINDS)


@pytest.mark.parametrize(("name", "options"), BOARDS)
def test_geometries(
    name: str, options: dict[str, OptionValue], golden: Callable[[str, str], None]
) -> None:
    golden(f"geometry-{name}", written(make_game(name, options, 2), seed=1))


@given(games)
def test_shapes_are_of_their_kind_and_on_the_board(game: Game) -> None:
    geometry = game.geometry()
    for shape in every_shape(geometry):
        xs, ys = shape.points[::2], shape.points[1::2]
        assert len(xs) == len(ys)
        assert 0 <= min(xs) - shape.radius <= max(xs) + shape.radius <= geometry.width
        assert 0 <= min(ys) - shape.radius <= max(ys) + shape.radius <= geometry.height
        match shape.kind:
            case ShapeKind.CIRCLE:
                assert (len(xs), shape.radius > 0) == (1, True)
            case ShapeKind.LINE:
                assert len(xs) >= 2
            case ShapeKind.POLYGON:
                assert len(xs) >= 3
            case ShapeKind.TEXT:
                assert (len(xs), shape.label != "") == (1, True)


@given(games)
def test_moves_have_their_canonical_text_and_no_two_shapes(game: Game) -> None:
    geometry = game.geometry()
    heap = geometry.heap.moves if geometry.heap is not None else ()
    moves = [shape.move for shape in geometry.shapes if shape.move is not None]
    moves += [each.move for each in heap]
    assert [game.format_move(game.parse_move(move)) for move in moves] == moves
    assert set(Counter(moves).values()) == {1}


@given(games, st.integers(0, 1_000))
def test_positions_drawn_from_it_agree_with_the_rules(game: Game, seed: int) -> None:
    rng, state, painted = random.Random(seed), game.initial(), Painted(game.geometry())
    things: dict[int, Seat] = {}
    while not state.is_over:
        assert painted.playable() == legal(state)
        move = rng.choice(list(state.legal_moves()))
        seat = state.to_move
        assert seat is not None
        state = state.play(move)
        painted.play(game.format_move(move), seat, state.taken)
        things |= dict.fromkeys(state.taken, seat)
        assert painted.owners_of_things() == things
    assert legal(state) == set()


@settings(max_examples=settings().max_examples // 2)
@given(
    st.sampled_from(["english", "international"]), st.sampled_from([6, 8, 10, 12]), st.integers()
)
def test_men_drawn_from_it_stand_where_the_rules_say(rules: str, size: int, seed: int) -> None:
    game = make_game("draughts", {"rules": rules, "size": str(size)}, 2)
    rng, state, painted = random.Random(seed), game.initial(), Painted(game.geometry())
    while True:
        assert isinstance(state, Position)
        board, pieces = state.game.board, state.pieces
        assert painted.pieces == {
            number - 1: (seat, is_king)
            for is_king, sets in ((False, pieces.men), (True, pieces.kings))
            for seat, own in enumerate(sets)
            for number in board.numbers(own)
        }
        if state.is_over:
            return
        move, seat = rng.choice(state.legal_moves()), state.turn
        state = state.play(move)
        painted.play(game.format_move(move), seat, state.taken)


@given(games)
def test_moves_are_far_enough_from_each_other_to_be_hit(game: Game) -> None:
    middles = [
        complex(mean(shape.points[::2]), mean(shape.points[1::2]))
        for shape in game.geometry().shapes
        if shape.move is not None
    ]
    assert all(abs(one - other) > UNIT / 2 for one, other in combinations(middles, 2))


@given(dims, st.integers(0, 1_000))
def test_the_row_that_wins_is_a_row_of_places(dims: str, seed: int) -> None:
    game = make_game("noughts", {"dims": dims, "line": 2}, 2)
    geometry, rng = game.geometry(), random.Random(seed)
    assert geometry.row == 2
    state, last = game.initial(), ""
    owners: dict[tuple[int, ...], Seat | None] = {}
    places = {shape.move: shape.place for shape in geometry.shapes}
    while not state.is_over:
        move = rng.choice(list(state.legal_moves()))
        last = game.format_move(move)
        owners[places[last]] = state.to_move
        state = state.play(move)
    neighbours = [
        place
        for place in owners
        if max(abs(x - y) for x, y in zip(place, places[last], strict=True)) == 1
    ]
    has_row = any(owners[place] == owners[places[last]] for place in neighbours)
    assert has_row == any(state.scores)


@each("name, options", LARGEST)
def test_it_grows_with_the_board_alone(name: str, options: dict[str, Any]) -> None:
    game = make_game(name, options, 2)
    game.initial()  # makes the tables
    with counting() as counter:
        geometry = game.geometry()
    number = len(every_shape(geometry))
    assert number <= 2 * game.work + 100
    assert len(msgspec.json.encode(geometry)) < BYTES_PER_SHAPE * number
    assert counter.bytecodes < BYTECODES_PER_SHAPE * number


def test_a_heap_adds_to_the_size() -> None:
    counter = BoardShape(ShapeKind.CIRCLE, (UNIT, 2 * UNIT), 40)
    heap = Heap((counter,), (HeapMove("1", 1),))
    assert Geometry.around((), margin=50, heap=heap) == Geometry(150, 250, (), heap)
