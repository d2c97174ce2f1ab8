"""Judgements of single positions: the same as those of a review of the whole game."""

from dataclasses import replace as replace_fields

from msgspec.structs import replace
from tests.engine.games.dots.recorded_games import (
    JUDGED_FROM_PLY,
    LARGE,
    SMALL,
    exactly,
    positions_of,
)
from tests.engine.review.test_review import JudgeFrom

from boxroom_engine.games.abilities import Judgement
from boxroom_engine.games.dots import Position
from boxroom_engine.games.dots.solve.judge import TimedJudge
from boxroom_engine.review.position import JudgedPosition, judged_position
from boxroom_engine.review.review import Effect, Reviewing


class JudgeOnly:
    """A judge that has time for one position only."""

    def __init__(self, position: Position, judgement: Judgement, judge: TimedJudge) -> None:
        self._known = position, judgement
        self.best_moves, self.outlook = judge.best_moves, judge.outlook

    def __call__(self, position: Position) -> Judgement | None:
        known, judgement = self._known
        return judgement if position == known else None


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


def test_of_all_moves_the_same_is_told_as_of_each() -> None:
    for position in positions_of(SMALL)[:-1]:
        found = judged_position(
            position, position.ply, None, exactly(position.game), all_moves=True
        )
        assert found is not None
        assert replace(found, losses={}) == judged(position)
        names = map(position.game.format_move, position.legal_moves())
        assert found.losses == {name: judged(position, name).lost for name in names}


def test_moves_that_arent_judged_in_time_are_left_out() -> None:
    first, *_ = positions_of(SMALL)
    judge = exactly(first.game)
    judgement = judge(first)
    assert judgement is not None
    for known in (replace_fields(judgement, exact=False), judgement):
        late = JudgeOnly(first, known, judge)
        found = judged_position(first, 0, None, late, all_moves=True)
        assert found is not None
        assert (found.exact, found.losses) == (known.exact, {})


def test_nothing_is_said_of_a_position_that_is_too_hard() -> None:
    first, *_ = positions_of(SMALL)
    judge = JudgeFrom(1, exactly(first.game))
    for move in (None, first.legal_moves()[0]):
        assert judged_position(first, 0, move, judge) is None
