"""Both lines of a costly move as boards."""

from tests.engine.games.dots.recorded_games import SMALL
from tests.lab.analysis.games import analysed

from boxroom_client.shell.output.painting import Canvas
from boxroom_lab.analysis.lines import lines_from


def test_the_position_and_where_both_lines_lead_are_shown() -> None:
    game = analysed(SMALL)
    text = "\n".join(lines_from(game, game.findings[4], Canvas(ascii_only=True), 80))
    before, played, better = text.split("Best play after ")
    assert before.startswith("Before move 4, h1 by Bob; v1 was better:\n\n +-----+  h1 +")
    assert played.startswith("h1: h1 v1 h3 v2. Ada 1, Bob 1:\n")
    assert better.startswith("v1: v1 h1 h3 v2. Ada 0, Bob 2:\n")
    assert played.count("+-----+-----+") == better.count("+-----+-----+") == 2
