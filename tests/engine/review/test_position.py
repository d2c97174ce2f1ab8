"""Judgements of single positions: the same as those of a review of the whole game."""

from msgspec.structs import replace
from tests.engine.games.dots.recorded_games import (
    JUDGED_FROM_PLY,
    LARGE,
    SMALL,
    exactly,
    positions_of,
)
from tests.engine.review.test_review import JudgeFrom

from boxroom_engine.games.dots import Position
from boxroom_engine.review.position import JudgedPosition, judged_position
from boxroom_engine.review.review import Effect, Reviewing


def judged(position: Position, move: str | None = None) -> JudgedPosition:
    named = None if move is None else position.game.parse_move(move)
    found = judged_position(position, position.ply, named, exactly(position.game))
    assert found is not None
    return found


def test_each_position_of_a_game_is_judged_as_its_review_does() -> None:
    """But nothing is said of the game's last turn, for which all other moves count."""
    positions = positions_of(LARGE, from_ply=JUDGED_FROM_PLY)
    reviewing = Reviewing(positions, exactly(positions[0].game))
    assert list(reviewing.findings())
    findings = reviewing.result().findings
    assert findings[0].effect is Effect.LOST_GAME
    for finding in findings:
        before = positions[finding.number - 1]
        answer = judged(before, finding.move)
        turns = finding.effect in {Effect.LOST_GAME, Effect.LOST_WIN}
        effect = Effect.LOST_RESULT if turns else finding.effect
        assert answer.finding == replace(finding, number=before.ply + 1, effect=effect)
        assert answer.lost == finding.lost


def test_the_best_moves_lose_nothing_and_all_others_something() -> None:
    for position in positions_of(SMALL)[:-1]:
        answer = judged(position)
        assert (answer.move, answer.lost, answer.finding) == (None, None, None)
        assert answer.line[0] == answer.best[0]
        for move in map(position.game.format_move, position.legal_moves()):
            about = judged(position, move)
            assert replace(about, move=None, lost=None, finding=None) == answer
            assert (about.lost == 0) == (move in answer.best) == (about.finding is None)


def test_nothing_is_said_of_a_position_that_is_too_hard() -> None:
    first, *_ = positions_of(SMALL)
    judge = JudgeFrom(1, exactly(first.game))
    for move in (None, first.legal_moves()[0]):
        assert judged_position(first, 0, move, judge) is None
