"""Both lines of a costly move as boards: best play after it, and after the better one."""

from collections.abc import Iterator

from boxroom_client.shell.output.painting import Canvas
from boxroom_client.text_width import wrap
from boxroom_engine.games.protocol import State
from boxroom_engine.review.review import Finding, Review
from boxroom_engine.review.reviewed_game import ReviewedGame
from boxroom_lab.analysis.analysed_game import AnalysedGame


def lines_from(
    analysed: AnalysedGame, finding: Finding, canvas: Canvas, columns: int
) -> Iterator[str]:
    """Yield the position before the move, and for each line its moves and the position after."""
    review = Review(tuple(analysed.findings.values()), 1)
    before = ReviewedGame(analysed.judged.positions, review, finding.number - 1)
    who = analysed.players[finding.seat]
    better = f"{finding.better} was better"
    before_it = f"Before move {finding.number}, {finding.move} by {who}; {better}:"
    yield from wrap(canvas.text(before_it), columns)
    yield from _board(before.position, canvas, columns)
    for is_better, moves in ((False, finding.line), (True, finding.better_line)):
        line = before.following(is_better=is_better)
        end = line.moved(len(line.shown)).position
        scores = ", ".join(
            f"{name} {score}" for name, score in zip(analysed.players, end.scores, strict=True)
        )
        played = f"Best play after {moves[0]}: {' '.join(moves)}. {scores}:"
        yield from wrap(canvas.text(played), columns)
        yield from _board(end, canvas, columns)


def _board(position: State, canvas: Canvas, columns: int) -> Iterator[str]:
    glyphs = range(position.game.seats)
    drawing = canvas.board(position, glyphs, columns, None)
    yield ""
    yield canvas.paint(drawing.rows, glyphs)
    yield ""
