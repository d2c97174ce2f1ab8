"""Mistakes over many games: those that count, and how often each theme was missed."""

from tests.cases import each
from tests.engine.games.dots.recorded_games import JUDGED_FROM_PLY, LARGE, exactly, positions_of

from boxroom_engine.games.dots.theory.theme import theme_of
from boxroom_engine.games.protocol import Seat
from boxroom_engine.review.mistakes import MissedTheme, Mistake, Trend, missed_themes, mistakes_of
from boxroom_engine.review.review import Effect, Reviewing


def mistake(theme: str | None, boxes: float = 1.0) -> Mistake:
    return Mistake(1, "h0", ("h1",), boxes, theme)


def test_costly_moves_count_but_not_those_in_a_lost_position() -> None:
    positions = positions_of(LARGE, from_ply=JUDGED_FROM_PLY)
    reviewing = Reviewing(positions, exactly(positions[0].game))
    list(reviewing.findings())
    findings = reviewing.result().findings
    assert {finding.effect for finding in findings} > {Effect.LOST_ANYWAY}
    for seat in (Seat(0), Seat(1)):
        mistakes = mistakes_of(reviewing, seat)
        told = {each.number: each for each in findings if each.seat == seat}
        told = {n: each for n, each in told.items() if each.effect is not Effect.LOST_ANYWAY}
        assert [each.number for each in mistakes] == sorted(told)
        for mistake in mistakes:
            finding = told[mistake.number]
            assert mistake.lost_boxes == finding.lost / 2
            assert (mistake.move, mistake.theme) == (finding.move, finding.theme)
            assert finding.better in mistake.best
            position = positions[mistake.number - 1]
            moves = tuple(map(position.game.parse_move, mistake.best))
            assert mistake.theme == theme_of(position, moves)


def test_the_dearest_theme_comes_first() -> None:
    games = [[mistake("give"), mistake("count", 3.0)], [mistake("give"), mistake(None, 9.0)]]
    assert missed_themes(games) == [
        MissedTheme("count", 1, 3.0, None),
        MissedTheme("give", 2, 2.0, None),
    ]


@each(
    "newest_first, trend",
    [
        ("....gg", Trend.LESS),
        ("gg....", Trend.MORE),
        ("g....g", Trend.SAME),
        ("..ggg..", Trend.SAME),
        ("...gg", None),
    ],
)
def test_a_trend_compares_the_newer_half_with_the_older_one(
    newest_first: str, trend: Trend | None
) -> None:
    games = [[mistake("give")] if char == "g" else [] for char in newest_first]
    assert [each.trend for each in missed_themes(games)] == [trend]
