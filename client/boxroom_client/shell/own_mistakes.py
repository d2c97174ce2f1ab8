"""The mistakes of the user in the games of the history, each of which is reviewed once."""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from boxroom_client.profile.history import GameHistory, PlayedGame
from boxroom_client.signals import StopSignals, watched
from boxroom_client.status_line import StatusLine
from boxroom_common.kernel.use import use_when_built
from boxroom_common.phrases import say
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.record import Record
from boxroom_engine.review.mistakes import Mistake, mistakes_of
from boxroom_engine.review.puzzle import GRADES, Puzzle
from boxroom_engine.review.review import Reviewing
from boxroom_engine.stopping import StopToken

_LIMIT_S = 2.5
"""Time for a position, as in other reviews."""


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A game of the user against one other player, and the mistakes of the user in it."""

    id: int
    """Its number in the history."""
    record: Record
    mistakes: tuple[Mistake, ...]

    def puzzles(self) -> Iterator[Puzzle]:
        """Yield the positions of the mistakes that have a theme."""
        positions = list(self.record.positions())
        for mistake in self.mistakes:
            if mistake.theme is not None:
                position = positions[mistake.number - 1]
                assert isinstance(position, Position)
                best = tuple(map(position.game.parse_move, mistake.best))
                yield Puzzle(position, best, Theme(mistake.theme), GRADES[1])


def reviewed_games(history: GameHistory, last: int) -> tuple[list[ReviewedGame], StopSignals]:
    """Return the `last` games that count, and the signals that came meanwhile.

    Games that weren't reviewed yet are, the newest first, until a signal comes.

    Raises:
        HistoryError: the history can't be used.
    """
    kept, line = history.mistakes(), StatusLine(sys.stderr)
    games = [(game, record) for game in history.newest() if (record := _record(game))][:last]
    found = []
    with StopSignals() as signals:
        for number, (game, record) in enumerate(games, 1):
            if game.id not in kept:
                line.show(say("mistakes.reviewing", number=number, last=len(games)))
                mistakes = _reviewed(record, game.seat, signals)
                if mistakes is None:
                    break
                history.keep_mistakes(game.id, mistakes)
                kept[game.id] = mistakes
            found.append(ReviewedGame(game.id, record, kept[game.id]))
    line.clear()
    return found, signals


def _record(game: PlayedGame) -> Record | None:
    """Return the record of a game of Dots and Boxes for two, in one seat of which the user sat."""
    if game.seat is None:
        return None
    try:
        record = Record.parse(game.record)
        record.final()
    except FormatError:  # of a game that this version doesn't know
        return None
    return record if record.game.kind.name == "dots" and record.game.seats == 2 else None


def _reviewed(record: Record, seat: int | None, signals: StopSignals) -> tuple[Mistake, ...] | None:
    """Return the mistakes in a game; None if a signal came."""
    assert seat is not None
    use_when_built()
    make_judge, stop = record.game.kind.abilities.judge, StopToken()
    assert make_judge is not None
    judge = make_judge(record.game, _LIMIT_S, stop, time.monotonic)
    reviewing = Reviewing(list(record.positions()), judge)
    watched(lambda: list(reviewing.findings()), stop, signals.received)
    return None if signals.received() else mistakes_of(reviewing, Seat(seat))
