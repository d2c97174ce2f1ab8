"""A recorded game, position by position: the room there, and what is told of the way to it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boxroom_client.screen.panes.journal import Journal, Kind, kind_of, who_did
from boxroom_client.shell.output.narrate import narrate
from boxroom_engine.games.marks import Mark
from boxroom_engine.games.protocol import Move
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Room

Step = tuple[Sequence[ev.Event], Room]
"""What happened, and what came of it."""

NOBODY = ""
"""As whom one looks at it: nobody who plays is called so."""

_TOLD = 1000
"""Moves of which the log tells; the ones before are further back than anybody scrolls."""


class _Line(NamedTuple):
    kind: Kind
    text: str
    who: Mark | None


class Recorded:
    """The positions of a game, from its start on."""

    def __init__(self, steps: Sequence[Step]) -> None:
        """`steps` are the start, and what came of each move."""
        self._steps = steps
        self._told = [tuple(_lines(number, step)) for number, step in enumerate(steps)]
        self.takings = tuple(
            number for number, (events, _) in enumerate(steps) if any(map(_takes, events))
        )
        """The positions in which something has just been taken, in order."""

    @property
    def last(self) -> int:
        """The number of the last position."""
        return len(self._steps) - 1

    def room(self, at: int) -> Room:
        """The room after `at` moves."""
        return self._steps[at][1]

    def move(self, at: int) -> Move | None:
        """The move that led there; None at the start, or if somebody gave up."""
        events, room = self._steps[at]
        for event in events:
            if isinstance(event, ev.Played) and room.state is not None:
                return room.state.game.parse_move(event.move)
        return None

    def journal(self, at: int) -> Journal:
        """What is told up to there."""
        journal = Journal()
        for lines in self._told[max(0, at - _TOLD) : at + 1]:
            for kind, text, who in lines:
                journal.add(kind, text, who, verbatim=text.startswith(" "))
        return journal


def _lines(number: int, step: Step) -> Iterator[_Line]:
    """What is told of a step; its first line begins with its number."""
    events, room = step
    count = f"{number}. " if number else ""
    for event in events:
        for line in narrate(event, room, room, NOBODY):
            yield _Line(kind_of(event, NOBODY), f"{count}{line}", who_did(event, room))
            count = ""


def _takes(event: ev.Event) -> bool:
    return isinstance(event, ev.Played) and bool(event.taken)
