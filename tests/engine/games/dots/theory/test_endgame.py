"""Endgames against plain search: of real positions, and of lengths in all ways."""

import random
from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.dots.boards import (
    LARGER,
    SMALL,
    drawn_but,
    endgame_position,
    every_position,
    name_of,
    position_at,
    positions,
)

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.theory.captures import completed_by, degrees
from boxroom_engine.games.dots.theory.endgame import (
    TakeOrDecline,
    best_endgame_moves,
    endgame_value,
    is_endgame,
    opening_value,
    take_or_decline,
)
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.protocol import Move, Seat

Lengths = tuple[int, ...]


Margins = dict[int, int]
"""For each set of drawn edges the margin to come for who is to move."""


def search_every_position(game: Dots) -> None:
    """Search all games from every position to the end, by nothing but the rules."""
    margins: Margins = {}
    for position in every_position(game):
        after_moves: dict[Move, int] = {}
        for move in position.legal_moves():
            taken = completed_by(game.grid, position.edges, move)
            after = margins[position.edges | 1 << move]
            after_moves[move] = taken + after if taken else -after
        margin = max(after_moves.values(), default=0)
        margins[position.edges] = margin
        if is_endgame(position):
            assert endgame_value(position) == margin
            assert take_or_decline(position) == choice_by_playing(position, margins)
            assert best_endgame_moves(position) == tuple(
                m for m in after_moves if after_moves[m] == margin
            )


def choice_by_playing(position: Position, margins: Margins) -> TakeOrDecline:
    """Play both ways to the end of the turn, with each opened string as the last one."""
    opened = parts_of(position).opened
    taking = [edge for string in opened for edge in string.edges]
    after = played(position, taking)
    take_all = gain(position, after) + margins[after.edges]
    decline = []
    for last in opened:
        others = [edge for string in opened if string != last for edge in string.edges]
        if last.double_dealing is not None:
            after = played(position, (*others, *last.double_dealing))
            decline.append(gain(position, after) - margins[after.edges])
    return TakeOrDecline(take_all, max(decline, default=None))


def played(position: Position, moves: Iterable[Move]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def gain(before: Position, after: Position) -> int:
    return sum(after.scores) - sum(before.scores)


@pytest.mark.parametrize("game", SMALL, ids=name_of)
def test_every_endgame_of_a_small_board(game: Dots) -> None:
    search_every_position(game)


@pytest.mark.long
@pytest.mark.parametrize("game", LARGER, ids=name_of)
def test_every_endgame_of_a_larger_board(game: Dots) -> None:
    search_every_position(game)


@cache
def by_search(chains: Lengths, loops: Lengths) -> int:
    """Open every one of them, in both ways, and let the other choose."""
    values = []
    for index, n in enumerate(chains):
        rest = by_search(chains[:index] + chains[index + 1 :], loops)
        take_all, decline_two = n + rest, n - 4 - rest
        values.append(-max(take_all, decline_two) if n > 1 else -take_all)
        if n == 2:
            values.append(-take_all)  # opened in the middle
    for index, n in enumerate(loops):
        rest = by_search(chains, loops[:index] + loops[index + 1 :])
        take_all, decline_four = n + rest, n - 8 - rest
        values.append(-max(take_all, decline_four))
    return max(values, default=0)


def sums(total: int, least: int, step: int) -> Iterator[Lengths]:
    """All ways to write `total` as a sum of `least`, `least + step` …, in ascending order."""
    if total == 0:
        yield ()
    for first in range(least, total + 1, step):
        for rest in sums(total - first, first, step):
            yield (first, *rest)


def all_lengths(boxes: int) -> Iterator[tuple[Lengths, Lengths]]:
    """All chains and loops with that many boxes together."""
    for in_loops in range(0, boxes + 1, 2):
        for loops in sums(in_loops, 4, 2):
            for chains in sums(boxes - in_loops, 1, 1):
                yield chains, loops


def check_all_lengths(most_boxes: int) -> int:
    count = 0
    for boxes in range(most_boxes + 1):
        for chains, loops in all_lengths(boxes):
            count += 1
            worth = opening_value(chains, loops)
            assert worth == by_search(chains, loops)
    return count


def test_all_chains_and_loops_of_few_boxes() -> None:
    assert check_all_lengths(18) == 2_993


@pytest.mark.long
def test_all_chains_and_loops_of_many_boxes() -> None:
    assert check_all_lengths(32) == 133_381
    by_search.cache_clear()


@given(
    st.lists(st.integers(1, 20), max_size=6),
    st.lists(st.sampled_from(range(4, 20, 2)), max_size=3),
)
def test_chains_and_loops_of_any_length(chains: list[int], loops: list[int]) -> None:
    assert opening_value(chains, loops) == by_search(tuple(sorted(chains)), tuple(sorted(loops)))


@each(
    "chains, loops, worth",
    [
        ((), (), 0),
        ((1,), (), -1),
        ((2,), (), -2),
        ((3, 3), (), -2),
        ((3, 3, 3), (), -1),
        ((), (4,), -4),
        ((), (4, 4), 0),
        ((3,), (4,), -1),
        ((5, 5, 5), (), -7),
        ((1, 10), (), 9),
        ((1, 1, 2, 2, 5), (), -5),
    ],
)
def test_values(chains: Lengths, loops: Lengths, worth: int) -> None:
    assert opening_value(chains, loops) == worth


@each("border", Border)
@each("seed", range(8))
def test_best_moves_lead_to_the_value_on_a_large_board(border: Border, seed: int) -> None:
    rng = random.Random(seed)
    position = endgame_position(Dots(9, 8, border, 2), rng)
    seat = position.to_move
    assert seat is not None, "this seed leaves nothing to play"
    scores_before, margin = position.scores, endgame_value(position)
    while position.to_move is not None:
        to_come = endgame_value(position)
        after = position.play(rng.choice(best_endgame_moves(position)))
        took = len(after.taken)
        assert to_come == took + endgame_value(after) * (1 if took else -1)
        position = after
    gained = [now - before for now, before in zip(position.scores, scores_before, strict=True)]
    assert gained[seat] - gained[1 - seat] == margin


@given(positions())
def test_an_endgame_has_chains_and_loops_only(position: Position) -> None:
    parts = parts_of(position)
    assert is_endgame(position) == (not parts.joints)
    assert is_endgame(position) == all(degree <= 2 for degree in degrees(position))


def named_best(position: Position) -> str:
    return " ".join(map(position.game.format_move, best_endgame_moves(position)))


def test_take_all_or_deal_double() -> None:
    # Three boxes are on offer, beside a chain of four that nobody wants to open.
    position = drawn_but(2, 4, "v2 v3 v4 v5 v6 v7 v8 v9")
    assert (endgame_value(position), named_best(position)) == (1 - 2 + 4, "v2")
    position = position.play(position.game.parse_move("v2"))
    assert (endgame_value(position), named_best(position)) == (-2 + 4, "v4")
    # When nothing else is left, all are taken.
    position = drawn_but(1, 4, "v2 v3 v4")
    assert (endgame_value(position), named_best(position)) == (3, "v2")
    position = position.play(position.game.parse_move("v2"))
    assert (endgame_value(position), named_best(position)) == (2, "v3")


def test_a_chain_of_two_is_opened_in_the_middle() -> None:
    # At an end, by h0 or h6, the next player could decline it and have the chain of four opened.
    position = drawn_but(2, 3, "h0 h3 h6 h1 v2 h5 v6 h7")
    assert (endgame_value(position), named_best(position)) == (4 - 2, "h3")


def test_only_endgames_of_two_have_a_value() -> None:
    with pytest.raises(ValueError, match="three or four undrawn sides"):
        endgame_value(Dots(1, 1, Border.NONE, 2).initial())
    three = Dots(2, 2, Border.FULL, 3).initial()
    with pytest.raises(ValueError, match="two seats"):
        best_endgame_moves(three)
    assert endgame_value(three.withdraw(Seat(1))) == -4


def test_a_full_board_is_worth_nothing() -> None:
    game = Dots(2, 1, Border.NONE, 2)
    full = position_at(game, game.grid.all_drawn)
    assert (is_endgame(full), endgame_value(full), best_endgame_moves(full)) == (True, 0, ())
