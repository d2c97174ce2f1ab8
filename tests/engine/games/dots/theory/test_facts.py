"""Facts about moves, in positions written by hand, and properties of any move."""

import random

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.dots.boards import (
    drawn_but,
    endgame_position,
    positions,
    still_positions,
)

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.theory.captures import (
    captures,
    completed_by,
    neutral,
    sacrifices,
    takeable,
)
from boxroom_engine.games.dots.theory.control import Handout
from boxroom_engine.games.dots.theory.facts import (
    Change,
    ChangesControl,
    ChangesLongChains,
    Declines,
    Fact,
    Leaves,
    Opens,
    Shape,
    Takes,
    Waits,
    facts_of,
)
from boxroom_engine.games.dots.theory.neutral import longest_neutral_run
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.protocol import Seat

CHAIN, LOOP = Shape.CHAIN, Shape.LOOP
KEEPS_CONTROL = ChangesControl(Change.KEEPS, is_forecast=False)
GIVES_UP_CONTROL = ChangesControl(Change.GIVES_UP, is_forecast=False)

A_PAIR_AND_A_CHAIN = "v2 v3 v4 v5 v6 v7"
"""On 2×3: above an opened string of two, below a long chain of three."""

FOUR_IN_A_RING = "h2 h3 v1 v4"


@each(
    "rows, cols, undrawn, move, facts",
    [
        # What is taken
        (1, 1, "v1", "v1", [Takes(1)]),
        (1, 2, "v1", "v1", [Takes(2)]),
        # What is opened, when there is nothing else to play
        (1, 1, "v0 v1", "v0", [Opens(CHAIN, 1, 1, Handout.SINGLE, had_neutral=False)]),
        (1, 2, "v0 v1 v2", "v0", [Opens(CHAIN, 2, 2, Handout.HALF_HEARTED, had_neutral=False)]),
        (1, 2, "v0 v1 v2", "v1", [Opens(CHAIN, 2, 2, Handout.HARD_HEARTED, had_neutral=False)]),
        (1, 3, "v0 v1 v2 v3", "v2", [Opens(CHAIN, 3, 3, None, had_neutral=False)]),
        (2, 2, FOUR_IN_A_RING, "h2", [Opens(LOOP, 4, 4, None, had_neutral=False)]),
        (1, 3, "h1 v0 v1 v2 v3", "v0", [Opens(CHAIN, 1, 1, Handout.SINGLE, had_neutral=True)]),
        # A chain from a joint to itself falls with the joint, and the chain that leads there too
        (2, 3, "h3 h4 v1 v2 v3 v5", "v1", [Opens(CHAIN, 3, 5, None, had_neutral=False)]),
        # What is declined, and what is left
        (2, 3, A_PAIR_AND_A_CHAIN, "v3", [Declines(2), KEEPS_CONTROL]),
        (2, 3, A_PAIR_AND_A_CHAIN, "v2", [Takes(1), GIVES_UP_CONTROL]),
        (
            2,
            3,
            A_PAIR_AND_A_CHAIN,
            "v4",
            [Leaves(2), Opens(CHAIN, 3, 3, None, had_neutral=False), GIVES_UP_CONTROL],
        ),
        (2, 2, "h3 v1 v4", "h3", [Declines(4)]),
        (1, 4, "v1 v2 v3 v4", "v2", [Leaves(4), GIVES_UP_CONTROL]),
        (1, 2, "h3 v1 v2", "h3", [Leaves(1)]),
        # A chain that falls with what is on offer isn't given away by the move
        (2, 4, "h6 v7 v8 v9", "v8", [Leaves(4)]),
        # Neutral moves, and what becomes of the chains by them
        (1, 1, "h0 h1 v0 v1", "h0", [Waits(1)]),
        (1, 2, "h2 v0 v1 v2", "h2", [Waits(0)]),
        (
            1,
            3,
            "h5 v0 v1 v2 v3",
            "h5",
            [Waits(0), ChangesLongChains(1), ChangesControl(Change.GAINS, is_forecast=False)],
        ),
        (
            1,
            4,
            "h6 h7 v0 v1 v2 v3 v4",
            "h6",
            [Waits(1), ChangesLongChains(1), ChangesControl(Change.GIVES, is_forecast=True)],
        ),
        (
            1,
            7,
            "h10 v0 v1 v2 v3 v4 v5 v6 v7",
            "h10",
            [Waits(0), ChangesLongChains(-1), ChangesControl(Change.GAINS, is_forecast=False)],
        ),
    ],
)
def test_what_a_move_does(rows: int, cols: int, undrawn: str, move: str, facts: list[Fact]) -> None:
    position = drawn_but(rows, cols, undrawn)
    assert list(facts_of(position, position.game.parse_move(move))) == facts


def boxes_in(facts: tuple[Fact, ...], kind: type[Takes | Declines | Leaves]) -> int:
    return sum(fact.boxes for fact in facts if isinstance(fact, kind))


@given(positions())
def test_every_box_on_offer_is_taken_declined_or_left(position: Position) -> None:
    for move in position.legal_moves():
        facts = facts_of(position, move)
        taken = completed_by(position.game.grid, position.edges, move)
        assert boxes_in(facts, Takes) == taken
        if not taken:
            passed_on = boxes_in(facts, Declines) + boxes_in(facts, Leaves)
            assert passed_on == len(captures(position))


@given(still_positions())
def test_where_nothing_is_on_offer_a_move_waits_or_opens_something(position: Position) -> None:
    costs = sacrifices(position)
    for move in position.legal_moves():
        first, *_ = facts_of(position, move)
        if costs[move] == 0:
            assert isinstance(first, Waits)
        else:
            assert isinstance(first, Opens)
            assert first.gives == costs[move] >= first.length
            assert first.had_neutral == bool(neutral(position))


@given(still_positions())
def test_the_best_way_to_wait_leaves_room_for_all_but_one_of_the_longest_run(
    position: Position,
) -> None:
    facts = [fact for move in position.legal_moves() for fact in facts_of(position, move)]
    rooms = [fact.room for fact in facts if isinstance(fact, Waits) and fact.room is not None]
    assert max(rooms, default=-1) == len(longest_neutral_run(position)) - 1


@each("seed", range(8))
def test_who_has_to_open_a_long_string_had_no_control_to_give_up(seed: int) -> None:
    position = endgame_position(Dots(4, 5, Border.NONE, 2), random.Random(seed))
    while short := [each for each in parts_of(position).chains if not each.is_long]:
        position = all_taken(position.play(short[0].edges[-2]))
    for move in position.legal_moves():
        [fact] = facts_of(position, move)
        assert isinstance(fact, Opens)
        assert not fact.had_neutral


def all_taken(position: Position) -> Position:
    while edges := takeable(position):
        position = position.play(edges[0])
    return position


@given(st.randoms(use_true_random=False))
def test_among_three_seats_nobody_is_in_control(rng: random.Random) -> None:
    position = Dots(3, 3, Border.NONE, 3).initial()
    while not position.is_over:
        move = rng.choice(position.legal_moves())
        facts = facts_of(position, move)
        assert facts
        assert not [each for each in facts if isinstance(each, ChangesControl)]
        position = position.play(move)


def test_when_one_of_three_has_withdrawn_control_is_between_the_others() -> None:
    position = drawn_but(2, 3, A_PAIR_AND_A_CHAIN)
    game = Dots(2, 3, Border.NONE, 3)
    among_three = Position.of(game, position.edges, (0, 0, 0), (0, 0, 0), Seat(2))
    move = game.parse_move("v3")
    assert facts_of(among_three, move) == (Declines(2),)
    assert facts_of(among_three.withdraw(Seat(0)), move) == (Declines(2), KEEPS_CONTROL)


def test_facts_are_json_with_the_name_of_each() -> None:
    position = drawn_but(1, 2, "v0 v1 v2")
    assert msgspec.json.encode(facts_of(position, position.legal_moves()[0])) == (
        b'[{"fact":"opens","shape":"chain","length":2,"gives":2,'
        b'"handout":"half-hearted","had_neutral":false}]'
    )
