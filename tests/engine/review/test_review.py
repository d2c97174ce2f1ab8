"""Reviews of games: their findings from the end to the beginning, and the facts that they tell."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tests.cases import each
from tests.engine.games.dots.recorded_games import (
    JUDGED_FROM_PLY,
    LARGE,
    OF_THREE,
    SMALL,
    exactly,
    positions_of,
)

from boxroom_engine.games.dots.theory.facts import (
    Change,
    ChangesControl,
    Fact,
    Waits,
)
from boxroom_engine.games.protocol import GameKind
from boxroom_engine.games.registry import KINDS
from boxroom_engine.review.judging import JudgedMove, judged
from boxroom_engine.review.review import (
    Finding,
    Review,
    Reviewing,
    advice,
    facts_for,
    facts_to_tell,
    obstacle_to_review,
)

ADA, BOB = 0, 1


def facts_of(judged: JudgedMove) -> tuple[Fact, ...]:
    """Return all facts about the move that was played."""
    return facts_for(judged).of(judged.before, judged.move)


def moves_of(record: str, from_ply: int = 0) -> Iterator[JudgedMove]:
    positions = positions_of(record, from_ply=from_ply)
    yield from judged(positions, exactly(positions[0].game)).moves


def whole_review(record: str, from_ply: int = 0) -> tuple[list[Finding], Review]:
    positions = positions_of(record, from_ply=from_ply)
    reviewing = Reviewing(positions, exactly(positions[0].game))
    return list(reviewing.findings()), reviewing.result()


@each("kind", KINDS.values())
def test_a_game_is_reviewed_with_the_seats_that_its_kind_names(kind: GameKind) -> None:
    for seats in range(kind.fewest_seats, min(kind.most_seats or 3, 3) + 1):
        is_reviewed = obstacle_to_review(kind.make({}, seats)) is None
        assert is_reviewed == (seats in kind.reviewed_seats)
    assert not kind.reviewed_seats or kind.abilities.judge is not None


def test_costly_moves_are_found_from_the_end() -> None:
    found, review = whole_review(SMALL)
    costly = [move for move in moves_of(SMALL) if move.is_costly]
    assert costly
    assert [finding.number for finding in found] == [move.number for move in reversed(costly)]
    assert review == Review(tuple(found), 1, review.turning_point)
    for finding, move in zip(found, reversed(costly), strict=True):
        game = move.before.game
        assert finding.move == game.format_move(move.move)
        assert game.parse_move(finding.better) in move.better
        assert (finding.seat, finding.lost, finding.exact) == (move.seat, move.lost, True)


def test_the_turning_point_is_decisive_for_its_player() -> None:
    """It counts moves from where its positions begin."""
    found, review = whole_review(LARGE, JUDGED_FROM_PLY)
    decisive = review.decisive([ADA])
    assert decisive in found
    assert decisive is not None
    assert (decisive.number, decisive.move, decisive.better) == (32 - JUDGED_FROM_PLY, "v10", "h24")
    assert decisive.number == review.turning_point
    assert decisive.lost == 16


def test_without_the_turning_point_the_dearest_move_is_decisive() -> None:
    found, review = whole_review(LARGE, JUDGED_FROM_PLY)
    dearest = max((each for each in found if each.seat == BOB), key=lambda each: each.lost)
    assert review.decisive([BOB]) == dearest
    assert review.decisive([]) is None


@each("most", [0, 1, 5])
def test_it_ends_where_the_judge_cannot_tell(most: int) -> None:
    positions = positions_of(SMALL)
    first = len(positions) - 1 - most

    judge = exactly(positions[0].game)
    reviewing = Reviewing(
        positions, lambda position: judge(position) if position.ply >= first else None
    )
    found = list(reviewing.findings())
    assert reviewing.result().first_judged == first + 1
    assert all(finding.number > first for finding in found)


def test_the_first_position_of_a_running_game_may_be_too_hard() -> None:
    reviewing = Reviewing(positions_of(SMALL)[:3], lambda position: None)
    assert not list(reviewing.findings())
    assert reviewing.result() == Review((), 3)


def test_advice_is_the_first_best_move_that_does_something_else() -> None:
    for move in moves_of(LARGE, JUDGED_FROM_PLY):
        if move.is_costly:
            chosen = advice(move)
            assert chosen in move.better
            done = facts_of(move)
            others = [each for each in move.better if facts_of(replace(move, move=each)) != done]
            assert chosen == (others or move.better)[0]


def test_a_parity_that_contradicts_the_value_is_not_told() -> None:
    """A neutral move can be the better one although its player opens the first chain."""
    seen = set()
    for move in moves_of(LARGE, JUDGED_FROM_PLY):
        fact, told = facts_of(move)[0], facts_to_tell(move, move.move)[0]
        if isinstance(fact, Waits) and move.lost is not None:
            assert fact.room is not None
            opens_first = fact.room % 2 == 1  # the player of the move does
            contradicts = opens_first != move.is_costly
            assert told == (Waits(None) if contradicts else fact)
            seen.add(contradicts)
    assert seen


def test_parity_is_told_between_two_only() -> None:
    rooms = [
        fact.room
        for move in moves_of(OF_THREE)
        if not move.before.withdrawn
        for fact in facts_to_tell(move, move.move)
        if isinstance(fact, Waits)
    ]
    assert rooms
    assert set(rooms) == {None}


def forecasts(facts: Iterable[object]) -> list[Change]:
    return [fact.change for fact in facts if isinstance(fact, ChangesControl) and fact.is_forecast]


def test_a_forecast_of_control_that_contradicts_the_value_is_not_told() -> None:
    contradicted = 0
    for move in moves_of(LARGE, JUDGED_FROM_PLY):
        if move.is_costly:
            contradicted += Change.GAINS in forecasts(facts_of(move))
            assert Change.GAINS not in forecasts(facts_to_tell(move, move.move))
    assert contradicted
