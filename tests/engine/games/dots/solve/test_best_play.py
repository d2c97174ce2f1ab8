"""Best play after a move: its line, its boxes, and the opening that all best lines show."""

import random
from collections.abc import Iterator, Sequence

from tests.cases import each
from tests.engine.games.dots.boards import drawn_but
from tests.engine.games.dots.oracle import solved

from boxroom_engine.games.abilities import Outlook
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.solve.best_play import (
    LongOpening,
    best_play,
    first_openings,
)
from boxroom_engine.games.dots.theory.facts import FirstOpened, Gets, Shape
from boxroom_engine.games.dots.theory.strings import Chain, Loop, parts_of
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import SearchStopped


def plainest(position: Position) -> tuple[Move, ...]:
    grid = position.game.grid
    return tuple(map(Move, solved(grid, grid.all_drawn & ~position.edges)[1]))


def played_out(position: Position, move: Move) -> Outlook:
    after = position.play(move)
    grid = position.game.grid
    value, _ = solved(grid, grid.all_drawn & ~after.edges)
    return best_play(position, move, float(value), plainest)


def every_line(position: Position, move: Move) -> Iterator[tuple[Move, ...]]:
    """Yield all ways to the end of the game in which no move after `move` costs anything."""
    after = position.play(move)
    if after.is_over:
        yield (move,)
        return
    for each_move in plainest(after):
        yield from ((move, *line) for line in every_line(after, each_move))


def opening_in(position: Position, line: tuple[Move, ...]) -> LongOpening | None:
    for move in line:
        parts = parts_of(position)
        strings: list[tuple[Chain | Loop, Shape]] = [
            *((chain, Shape.CHAIN) for chain in parts.chains if chain.length >= 3),
            *((loop, Shape.LOOP) for loop in parts.loops),
        ]
        for string, shape in strings:
            if move in string.edges:
                assert position.to_move is not None
                return LongOpening(position.to_move, shape, string.length)
        position = position.play(move)
    return None


def after_random_moves(game: Dots, undrawn: int, rng: random.Random) -> Position:
    position = game.initial()
    while game.longest - position.edges.bit_count() + game.grid.start.bit_count() > undrawn:
        position = position.play(rng.choice(position.legal_moves()))
    return position


@each("seed", range(40))
def test_it_is_what_all_best_lines_show(seed: int) -> None:
    rng = random.Random(seed)
    game = Dots(*rng.choice([(2, 2), (1, 5), (2, 3), (3, 3)]), rng.choice(list(Border)), 2)
    position = after_random_moves(game, 8, rng)
    move = rng.choice(position.legal_moves())
    lines = list(every_line(position, move))
    openings = {opening_in(position, line) for line in lines}
    found = first_openings(position, move, plainest)
    assert found is not None
    assert found <= openings
    openers = {each and each.by for each in openings}
    assert found == openings or len({each and each.by for each in found}) > 1
    outlook = played_out(position, move)
    assert outlook.line in lines
    opened = [fact for fact in outlook.facts if isinstance(fact, FirstOpened)]
    is_one_itself = opening_in(position, (move,)) is not None
    is_shown_by_all = len(openers) == 1 and None not in openings and not is_one_itself
    assert any(fact.always for fact in opened) == is_shown_by_all
    for fact in opened:
        if not fact.always:
            shown = opening_in(position, outlook.line)
            assert shown is not None
            assert (fact.by_mover, fact.shape, fact.boxes) == (
                shown.by == position.to_move,
                shown.shape,
                shown.boxes,
            )
            continue
        assert openers == {position.to_move if fact.by_mover else 1 - (position.to_move or 0)}
        assert ({each.boxes for each in openings if each} == {fact.boxes}) == (
            fact.boxes is not None
        )
        assert ({each.shape for each in openings if each} == {fact.shape}) == (
            fact.shape is not None
        )
    last = position
    for played in outlook.line:
        last = last.play(played)
    own, other = (now - then for now, then in zip(last.scores, position.scores, strict=True))
    assert outlook.facts[-1] == (Gets(own, other) if position.to_move == 0 else Gets(other, own))


def test_who_takes_the_last_two_of_a_chain_must_open_the_next() -> None:
    position = drawn_but(2, 3, "v2 v3 v4 v5 v6 v7")
    parse = position.game.parse_move
    took = played_out(position, parse("v2"))
    left = played_out(position, parse("v3"))
    assert took.facts == (FirstOpened(by_mover=True, shape=Shape.CHAIN, boxes=3), Gets(2, 3))
    assert left.facts == (FirstOpened(by_mover=False, shape=Shape.CHAIN, boxes=3), Gets(3, 2))


def test_too_many_lines_show_nothing() -> None:
    """All orders of the horizontal lines lead to the same chains, opened by the same player."""
    start = Dots(5, 5, Border.NONE, 2).initial()
    horizontal = {move for move, name in enumerate(start.game.grid.names) if name[0] == "h"}

    def best_moves(position: Position) -> Sequence[Move]:
        moves = position.legal_moves()
        return [move for move in moves if move in horizontal] or moves

    assert first_openings(start, Move(0), best_moves) is None
    late = start
    while horizontal & set(late.legal_moves()):
        late = late.play(best_moves(late)[0])
    assert late.to_move is not None
    opening = LongOpening(late.to_move, Shape.CHAIN, 5)
    assert first_openings(late, late.legal_moves()[0], best_moves) == frozenset({opening})


def test_without_time_only_what_the_value_says_is_known() -> None:
    def stopped(position: Position) -> Sequence[Move]:
        raise SearchStopped

    position = drawn_but(2, 3, "v2 v3 v4 v5 v6 v7")
    move = position.game.parse_move("v2")
    assert best_play(position, move, -2.0, stopped) == Outlook((move,), (Gets(2, 3),))
