"""A recorded game as a list of positions, each with its room, its last move and the log so far."""

from collections.abc import Iterator, Sequence

from boxroom_client.screen.panes.journal import Journal
from boxroom_client.shell.output.advice import narrate_with_advice
from boxroom_client.shell.output.report import ReportLine, kind_of, mark_of_actor
from boxroom_engine.games.protocol import Move
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Room

Step = tuple[Sequence[ev.Event], Room]
"""The events of one move, and the room after them."""

NO_MEMBER = ""
"""Name of the member that replays; no player has it."""

_MOST_MOVES = 1000
"""Moves in the log; people don't scroll further back."""


class RecordedGame:
    """The positions of a game; number 0 is the start, number N the one after the Nth move."""

    def __init__(self, steps: Sequence[Step]) -> None:
        """`steps` are the start and the result of each move."""
        self._steps = steps
        # The lines of the log about each step.
        self._lines = [tuple(_lines(number, step)) for number, step in enumerate(steps)]
        self.takings = tuple(
            number for number, (events, _) in enumerate(steps) if any(map(_takes, events))
        )
        """The numbers of the positions after a move that took something, in order."""

    @property
    def last(self) -> int:
        """The number of the last position."""
        return len(self._steps) - 1

    def room(self, at: int) -> Room:
        """Return the room after `at` moves."""
        return self._steps[at][1]

    def move(self, at: int) -> Move | None:
        """Return the move before position `at`; None at the start, or if a player gave up."""
        events, room = self._steps[at]
        for event in events:
            if isinstance(event, ev.Played) and room.state is not None:
                return room.state.game.parse_move(event.move)
        return None

    def journal(self, at: int) -> Journal:
        """Return the log up to position `at`."""
        journal = Journal()
        for lines in self._lines[max(0, at - _MOST_MOVES) : at + 1]:
            for line in lines:
                journal.add_line(line)
        return journal


def _lines(number: int, step: Step) -> Iterator[ReportLine]:
    """Yield the lines about a step; the first one begins with its number."""
    events, room = step
    count = f"{number}. " if number else ""
    for event in events:
        for line in narrate_with_advice(event, room, room, NO_MEMBER):
            yield ReportLine(
                kind_of(event, NO_MEMBER), f"{count}{line}", mark_of_actor(event, room)
            )
            count = ""


def _takes(event: ev.Event) -> bool:
    return isinstance(event, ev.Played) and bool(event.taken)
