"""A whole contest: what is played, by whom, how often and under which terms."""

from collections.abc import Iterator
from dataclasses import dataclass

from boxroom_engine.arena.course import Course
from boxroom_engine.arena.openings import openings
from boxroom_engine.arena.schedule import groups, openings_for, schedule
from boxroom_engine.games.protocol import Game, Move, State


@dataclass(frozen=True, slots=True)
class Task:
    """All that it takes to play on with a game, wherever that is done."""

    state: State
    bots: tuple[str, ...]
    """With their options, by seat."""
    seed: str
    limit_s: float


@dataclass(frozen=True, slots=True)
class Contest:
    """Bots that all meet each other."""

    game: Game
    bots: tuple[str, ...]
    """The contenders, each with its options; one may be there several times."""
    games: int
    """At least so many for each group: see `schedule`."""
    plies: int
    """Moves of an opening."""
    limit_s: float
    """The time for a move."""
    seed: int

    @property
    def names(self) -> tuple[str, ...]:
        """What the contenders are called: the second greedy is `greedy 2`."""
        sofar = (self.bots[: index + 1].count(bot) for index, bot in enumerate(self.bots))
        return tuple(
            bot if times == 1 else f"{bot} {times}"
            for bot, times in zip(self.bots, sofar, strict=True)
        )

    @property
    def total(self) -> int:
        """How many games it takes."""
        seats = self.game.seats
        return len(groups(len(self.bots), seats)) * openings_for(self.games, seats) * seats

    def courses(self) -> Iterator[Course]:
        """All games, in order, each after its opening."""
        drawn = openings(self.game, self.plies, self.seed)
        known: list[tuple[Move, ...]] = []
        start = self.game.initial()
        for match in schedule(len(self.bots), self.game.seats, self.games, self.seed):
            while len(known) <= match.opening:
                known.append(next(drawn))
            yield Course.begun(match, start, known[match.opening], self.limit_s)

    def task(self, course: Course) -> Task:
        """What there is left to play of a game.

        What is random in it depends on who plays from which opening, and on nothing else: more
        contenders or more games leave it as it was.
        """
        names, match = self.names, course.match
        players = " ".join(names[each] for each in match.contenders)
        return Task(
            course.state,
            tuple(self.bots[each] for each in match.contenders),
            f"{self.seed} {match.opening} {players}",
            self.limit_s,
        )
