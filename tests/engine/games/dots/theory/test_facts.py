"""Facts about moves, in positions written by hand, and properties of any move."""

import msgspec
from hypothesis import given
from tests.cases import each
from tests.engine.games.dots.boards import (
    drawn_but,
    positions,
    still_positions,
)

from boxroom_engine.games.dots import Position
from boxroom_engine.games.dots.theory.captures import (
    captures,
    completed_by,
    neutral,
    sacrifices,
)
from boxroom_engine.games.dots.theory.control import Handout
from boxroom_engine.games.dots.theory.facts import (
    Declines,
    Fact,
    FirstOpened,
    Gets,
    Leaves,
    Opens,
    Shape,
    Takes,
    Waits,
    contrast,
    facts_of,
)

CHAIN, LOOP = Shape.CHAIN, Shape.LOOP

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
        (2, 3, A_PAIR_AND_A_CHAIN, "v3", [Declines(2)]),
        (2, 3, A_PAIR_AND_A_CHAIN, "v2", [Takes(1)]),
        (
            2,
            3,
            A_PAIR_AND_A_CHAIN,
            "v4",
            [Leaves(2), Opens(CHAIN, 3, 3, None, had_neutral=False)],
        ),
        (2, 2, "h3 v1 v4", "h3", [Declines(4)]),
        (1, 4, "v1 v2 v3 v4", "v2", [Leaves(4)]),
        (1, 2, "h3 v1 v2", "h3", [Leaves(1)]),
        # A chain that falls with what is on offer isn't given away by the move
        (2, 4, "h6 v7 v8 v9", "v8", [Leaves(4)]),
        # Neutral moves, and what becomes of the chains by them
        (1, 1, "h0 h1 v0 v1", "h0", [Waits()]),
        (1, 2, "h2 v0 v1 v2", "h2", [Waits()]),
        (1, 3, "h5 v0 v1 v2 v3", "h5", [Waits()]),
        (1, 4, "h6 h7 v0 v1 v2 v3 v4", "h6", [Waits()]),
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


OPENED_EARLY = Opens(CHAIN, 3, 3, None, had_neutral=True)
OPENED = Opens(CHAIN, 3, 3, None, had_neutral=False)


@each(
    "facts, better, told, told_better",
    [
        # To be safe is no fault; to open a chain early is one where the better move is safe
        ([Waits(), Gets(1, 3)], [Waits(), Gets(2, 2)], [Gets(1, 3)], [Gets(2, 2)]),
        ([OPENED_EARLY], [Waits()], [OPENED_EARLY], [Waits()]),
        # A sacrifice that is right isn't called early
        ([Waits()], [OPENED_EARLY], [], [OPENED]),
        ([OPENED_EARLY], [OPENED_EARLY, Leaves(2)], [], [Leaves(2)]),
        (
            [Takes(1), FirstOpened(by_mover=True, shape=LOOP, boxes=4)],
            [Takes(1), FirstOpened(by_mover=False, shape=LOOP, boxes=4)],
            [FirstOpened(by_mover=True, shape=LOOP, boxes=4)],
            [FirstOpened(by_mover=False, shape=LOOP, boxes=4)],
        ),
        # One line is no contrast to all lines that show the same
        (
            [FirstOpened(by_mover=True, shape=LOOP, boxes=4, always=False), Gets(1, 3)],
            [FirstOpened(by_mover=True, shape=LOOP, boxes=4), Gets(2, 2)],
            [Gets(1, 3)],
            [Gets(2, 2)],
        ),
    ],
)
def test_only_facts_that_tell_two_moves_apart_are_told(
    facts: list[Fact], better: list[Fact], told: list[Fact], told_better: list[Fact]
) -> None:
    assert contrast(facts, better) == (tuple(told), tuple(told_better))


def test_facts_are_json_with_the_name_of_each() -> None:
    position = drawn_but(1, 2, "v0 v1 v2")
    assert msgspec.json.encode(facts_of(position, position.legal_moves()[0])) == (
        b'[{"fact":"opens","shape":"chain","length":2,"gives":2,'
        b'"handout":"half-hearted","had_neutral":false}]'
    )
