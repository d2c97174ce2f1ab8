"""Reviews of games: their findings from the end to the beginning, and the facts that they tell."""

from collections.abc import Iterator
from dataclasses import replace as instead

from msgspec.structs import replace
from tests.cases import each
from tests.engine.games.dots.recorded_games import (
    JUDGED_FROM_PLY,
    LARGE,
    SMALL,
    exactly,
    positions_of,
)
from tests.engine.review.judged_games import judged

from boxroom_engine.games.abilities import JsonFact, Judge, Judgement, Outlook
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import captures
from boxroom_engine.games.dots.theory.facts import Fact
from boxroom_engine.games.protocol import GameKind, Move, State
from boxroom_engine.games.registry import KINDS, make_game
from boxroom_engine.review.judging import JudgedMove
from boxroom_engine.review.review import (
    Effect,
    Finding,
    Review,
    Reviewing,
    advice,
    facts_for,
    obstacle_to_review,
)

ADA, BOB = 0, 1


def facts_of(judged: JudgedMove) -> tuple[Fact, ...]:
    """Return all facts about the move that was played."""
    return facts_for(judged).of(judged.before, judged.move)


class JudgeFrom:
    """A judge that can't tell the worth of positions before `ply`."""

    def __init__(self, ply: int, judge: Judge) -> None:
        self._ply = ply
        self._judge = judge

    def __call__(self, position: State) -> Judgement | None:
        return self._judge(position) if position.ply >= self._ply else None

    def best_moves(self, position: State) -> tuple[Move, ...]:
        return self._judge.best_moves(position)

    def outlook(self, position: State, move: Move) -> Outlook:
        return self._judge.outlook(position, move)


def moves_of(record: str, from_ply: int = 0) -> Iterator[JudgedMove]:
    positions = positions_of(record, from_ply=from_ply)
    yield from judged(positions, exactly(positions[0].game)).moves


def whole_review(record: str, from_ply: int = 0) -> tuple[list[Finding], Review]:
    positions = positions_of(record, from_ply=from_ply)
    reviewing = Reviewing(positions, exactly(positions[0].game))
    return list(reviewing.findings()), reviewing.result()


def unweighed(review: Review) -> list[Finding]:
    return [replace(each, effect=Effect.LOST_BOXES) for each in review.findings]


def number(finding: Finding) -> int:
    return finding.number


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
    assert sorted(unweighed(review), key=number, reverse=True) == found
    assert review.first_judged == 1
    for finding, move in zip(found, reversed(costly), strict=True):
        game = move.before.game
        assert finding.move == game.format_move(move.move)
        assert game.parse_move(finding.better) in move.better
        assert (finding.seat, finding.lost, finding.exact) == (move.seat, move.lost, True)


def test_the_last_change_of_the_winner_comes_first() -> None:
    """It counts moves from where its positions begin."""
    found, review = whole_review(LARGE, JUDGED_FROM_PLY)
    first = review.findings[0]
    assert (first.number, first.move, first.better) == (32 - JUDGED_FROM_PLY, "v10", "h24")
    assert (first.seat, first.lost, first.effect) == (ADA, 16, Effect.LOST_GAME)
    assert first.number == review.turning_point
    assert sorted(unweighed(review), key=number, reverse=True) == found


def test_findings_are_ordered_by_their_effect_and_then_by_what_they_cost() -> None:
    _, review = whole_review(LARGE, JUDGED_FROM_PLY)
    order = [(list(Effect).index(each.effect), -each.lost) for each in review.findings]
    assert order == sorted(order)
    assert review.of([BOB]) == tuple(each for each in review.findings if each.seat == BOB)
    assert review.of([]) == ()


def test_effects_are_those_on_the_winners_that_best_play_leads_to() -> None:
    for record, from_ply in ((SMALL, 0), (LARGE, JUDGED_FROM_PLY)):
        _, review = whole_review(record, from_ply)
        positions = positions_of(record, from_ply=from_ply)
        game = judged(positions, exactly(positions[0].game))
        for finding in review.findings:
            before, after = game.expected_winners[finding.number - 1 : finding.number + 1]
            assert before is not None
            is_kept = finding.effect in (Effect.LOST_BOXES, Effect.LOST_ANYWAY)
            assert is_kept == (before == after)
            if is_kept:
                assert (finding.effect is Effect.LOST_ANYWAY) == (finding.seat not in before)


def test_who_was_behind_from_the_start_lost_the_game_with_no_later_move() -> None:
    """On 1×1 the second player always wins; on 1×2 neither does."""
    _, lost = whole_review("dots rows=1 cols=1 border=none | Ada, Bob | h0 h1 v0 v1")
    assert (lost.behind, lost.findings) == (ADA, ())
    positions = positions_of(LARGE, from_ply=JUDGED_FROM_PLY)
    winners = judged(positions, exactly(positions[0].game)).expected_winners
    assert winners[0] == (1 - (whole_review(LARGE, JUDGED_FROM_PLY)[1].behind or 0),)


@each("most", [0, 1, 5])
def test_it_ends_where_the_judge_cannot_tell(most: int) -> None:
    positions = positions_of(SMALL)
    first = len(positions) - 1 - most

    reviewing = Reviewing(positions, JudgeFrom(first, exactly(positions[0].game)))
    found = list(reviewing.findings())
    assert reviewing.result().first_judged == first + 1
    assert all(finding.number > first for finding in found)


def test_an_opening_is_not_reviewed() -> None:
    positions = positions_of(SMALL)
    all_found = {each.number for each in whole_review(SMALL)[0]}
    opening = min(all_found)
    reviewing = Reviewing(positions, exactly(positions[0].game), opening)
    found = list(reviewing.findings())
    assert {each.number for each in found} == all_found - {opening}
    assert reviewing.result().first_judged == opening + 1


def test_the_first_position_of_a_running_game_may_be_too_hard() -> None:
    positions = positions_of(SMALL)[:3]
    reviewing = Reviewing(positions, JudgeFrom(99, exactly(positions[0].game)))
    assert not list(reviewing.findings())
    assert reviewing.result() == Review((), 3, margins=(None,) * 3)


def gift(move: JudgedMove) -> int:
    """Return how many boxes more the next player can take by a move that takes nothing."""
    before, after = move.before, move.after
    assert isinstance(before, Position)
    assert isinstance(after, Position)
    return 0 if after.taken else max(len(captures(after)) - len(captures(before)), 0)


def test_advice_is_a_best_move_that_gives_least_and_the_first_that_does_something_else() -> None:
    for move in moves_of(LARGE, JUDGED_FROM_PLY):
        if move.is_costly:
            better = [
                instead(move, move=each, after=move.before.play(each)) for each in move.better
            ]
            least = min(map(gift, better))
            small = [each for each in better if gift(each) == least]
            others = [each for each in small if facts_of(each) != facts_of(move)]
            assert advice(move) == (others or small)[0].move


def test_advice_is_safe_if_a_best_move_is() -> None:
    game = make_game("dots", {"rows": 3, "cols": 3}, 2)
    before = game.initial().play(game.parse_move("h0")).play(game.parse_move("v0"))
    gift, safe, played = map(game.parse_move, ("v1", "h11", "v11"))
    after = before.play(played)
    judgements = Judgement(3, True, (gift, safe)), Judgement(3, True, ())
    assert advice(JudgedMove(3, played, before, after, *judgements)) == safe


def test_a_review_has_the_margin_of_each_position_that_was_judged() -> None:
    positions = positions_of(LARGE)
    reviewing = Reviewing(positions, JudgeFrom(JUDGED_FROM_PLY, exactly(positions[0].game)))
    found = list(reviewing.findings())
    margins = reviewing.result().margins
    assert margins[:JUDGED_FROM_PLY] == (None,) * JUDGED_FROM_PLY
    for finding in found:
        before, after = margins[finding.number - 1 : finding.number + 1]
        assert before is not None
        assert after is not None
        assert before - after == (finding.lost if finding.seat == 0 else -finding.lost)
    ada, bob = positions[-1].scores
    assert (len(margins), margins[-1]) == (len(positions), ada - bob)


def own_boxes(facts: tuple[JsonFact, ...]) -> int:
    own = facts[-1]["own"]
    assert isinstance(own, int)
    return own


def test_a_finding_has_both_lines_to_the_end_and_what_each_player_gets() -> None:
    found, _ = whole_review(LARGE, JUDGED_FROM_PLY)
    assert found
    positions = positions_of(LARGE, from_ply=JUDGED_FROM_PLY)
    for finding in found:
        before = positions[finding.number - 1]
        for first, line, facts, effects in (
            (finding.move, finding.line, finding.facts, finding.line_effects),
            (finding.better, finding.better_line, finding.better_facts, finding.better_effects),
        ):
            assert line[0] == first
            last, taken = before, dict[int, tuple[int, ...]]()
            for index, move in enumerate(line):
                assert effects.movers[index] == last.to_move
                last = last.play(last.game.parse_move(move))
                taken[index] = last.taken
            assert last.is_over
            assert {at: tuple(things) for at, *things in effects.taken} == {
                at: things for at, things in taken.items() if things
            }
            own, other = (
                last.scores[seat] - before.scores[seat] for seat in (finding.seat, 1 - finding.seat)
            )
            assert facts[-1] == {"fact": "gets", "own": own, "others": other}
        assert own_boxes(finding.better_facts) - own_boxes(finding.facts) == finding.lost / 2
