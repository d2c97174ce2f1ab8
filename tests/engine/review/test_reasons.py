"""Every statement of a review, checked by searches that didn't make it.

Games of weak bots are reviewed, and what each finding says is compared with the solver in Python
and with a walk through all best lines.
"""

import random
import time
from collections.abc import Iterator
from functools import cache

import pytest
from tests.cases import each
from tests.engine.games.dots.oracle import margin

from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.abilities import JsonFact
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.solve.judge import TimedJudge
from boxroom_engine.games.dots.solve.python_solver import PythonSolver
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.review.review import Effect, Finding, Reviewing
from boxroom_engine.stopping import Limit, StopToken

MOST_UNDRAWN = 18
"""Moves are reviewed from where so many edges are undrawn: before, all best lines are too many."""

BOTS = ("child", "beginner", "easy", "greedy", "random")

SEEN = 0.85
"""Part of the findings that name a difference one can see on the board, besides the boxes at the
end: what was taken, left or given away, or who opens the next long chain or loop, or which."""


def played(game: Dots, rng: random.Random) -> list[Position]:
    bots = [bot_of(rng.choice(BOTS)) for _ in range(2)]
    positions = [game.initial()]
    while not (last := positions[-1]).is_over:
        assert last.to_move is not None
        limit = Limit(60.0, time.monotonic)
        positions.append(last.play(bots[last.to_move].choose(last, limit, rng)))
    return positions


@cache
def solver_for(rows: int, cols: int) -> PythonSolver:
    return PythonSolver(rows, cols, 1 << 24)


def value(position: Position) -> int:
    """Return the margin to come for the seat to move, by a search that made no statement."""
    if position.is_over:
        return 0
    grid = position.game.grid
    undrawn = grid.all_drawn & ~position.edges
    if undrawn.bit_count() <= 9:
        return margin(grid, undrawn)
    return solver_for(grid.rows, grid.cols).solve(position.edges, moves=False).value


def value_of_move(position: Position, move: Move) -> int:
    after = position.play(move)
    to_come = value(after)
    return len(after.taken) + (to_come if after.to_move in (position.to_move, None) else -to_come)


def best_moves(position: Position) -> list[Move]:
    most = value(position)
    return [move for move in position.legal_moves() if value_of_move(position, move) == most]


def opened_by(position: Position, move: Move) -> tuple[Seat | None, str, int] | None:
    """Return the seat that opens a long chain or a loop by `move`, and which; None if none is."""
    parts = parts_of(position)
    for chain in parts.chains:
        if chain.length >= 3 and move in chain.edges:
            return position.to_move, "chain", chain.length
    for loop in parts.loops:
        if move in loop.edges:
            return position.to_move, "loop", loop.length
    return None


Openings = frozenset[tuple[Seat | None, str, int] | None]


def openings_after(position: Position, move: Move, known: dict[object, Openings]) -> Openings:
    """Return the first openings of all best lines from `move` on."""
    if (opened := opened_by(position, move)) is not None:
        return frozenset({opened})
    after = position.play(move)
    if after.is_over:
        return frozenset({None})
    key = after.edges, after.to_move
    if key not in known:
        lines = (openings_after(after, each_move, known) for each_move in best_moves(after))
        known[key] = frozenset().union(*lines)
    return known[key]


def check(position: Position, line: tuple[str, ...], facts: tuple[JsonFact, ...]) -> None:
    """Check what is said about the first move of `line` in `position`."""
    game, mover = position.game, position.to_move
    moves = [game.parse_move(text) for text in line]
    left = sum(1 for sides in game.grid.sides if sides & ~position.edges)
    worth = value_of_move(position, moves[0])
    before = position
    for number, move in enumerate(moves):
        assert number == 0 or value_of_move(before, move) == value(before)
        before = before.play(move)
    for fact in facts:
        match fact["fact"]:
            case "gets":
                assert (fact["own"], fact["others"]) == ((left + worth) // 2, (left - worth) // 2)
            case "first_opened":
                own = mover if fact["by_mover"] else 1 - (mover or 0)
                if fact["always"]:
                    openings = openings_after(position, moves[0], {})
                    assert {opened and opened[0] for opened in openings} == {own}
                else:
                    openings = frozenset({shown_by(position, moves)})
                known = [opened for opened in openings if opened is not None]
                if fact["boxes"] is not None:
                    assert {opened[2] for opened in known} == {fact["boxes"]}
                if fact["shape"] is not None:
                    assert {opened[1] for opened in known} == {fact["shape"]}
            case "takes":
                assert fact["boxes"] == len(position.play(moves[0]).taken)
            case "opens":
                given = taken_in_a_row(position.play(moves[0])) - taken_in_a_row(position)
                assert fact["gives"] == given
            case "waits":
                assert taken_in_a_row(position.play(moves[0])) == 0
            case _:
                assert fact["fact"] in ("declines", "leaves")
                assert taken_in_a_row(position) >= int(str(fact["boxes"]))


def shown_by(position: Position, moves: list[Move]) -> tuple[Seat | None, str, int] | None:
    for move in moves:
        if (opened := opened_by(position, move)) is not None:
            return opened
        position = position.play(move)
    return None


def taken_in_a_row(position: Position) -> int:
    """Return the number of boxes that the seat to move can take before it has to end its turn."""
    for move in position.legal_moves():
        after = position.play(move)
        if after.taken:
            return len(after.taken) + (0 if after.is_over else taken_in_a_row(after))
    return 0


def names_a_difference(finding: Finding) -> bool:
    return any(fact["fact"] != "gets" for fact in (*finding.facts, *finding.better_facts))


def reviewed(game: Dots, seed: int) -> Iterator[tuple[Position, Finding]]:
    positions = [
        position
        for position in played(game, random.Random(seed))
        if (game.grid.all_drawn & ~position.edges).bit_count() <= MOST_UNDRAWN
    ]
    reviewing = Reviewing(positions, TimedJudge(game, 60.0, StopToken(), lambda: 0.0))
    list(reviewing.findings())
    for finding in reviewing.result().findings:
        yield positions[finding.number - 1], finding


def check_all(game: Dots, seeds: range) -> None:
    findings = [found for seed in seeds for found in reviewed(game, seed)]
    assert findings
    for position, finding in findings:
        check(position, finding.line, finding.facts)
        check(position, finding.better_line, finding.better_facts)
        assert finding.facts[-1]["fact"] == finding.better_facts[-1]["fact"] == "gets"
    told = [found for _, found in findings if found.effect is not Effect.LOST_ANYWAY]
    assert sum(map(names_a_difference, told)) >= SEEN * len(told)


def test_every_statement_holds_on_a_small_board() -> None:
    check_all(Dots(3, 3, Border.HALF, 2), range(3))


@pytest.mark.long
@each(
    "rows, cols, border, games",
    [
        (3, 3, Border.NONE, 14),
        (3, 4, Border.NONE, 10),
        (4, 4, Border.HALF, 12),
        (5, 5, Border.FULL, 4),
    ],
)
def test_every_statement_holds(rows: int, cols: int, border: Border, games: int) -> None:
    check_all(Dots(rows, cols, border, 2), range(games))
