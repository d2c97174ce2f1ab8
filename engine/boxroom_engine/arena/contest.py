"""A contest: the game, the contenders, the number of games and the time limit."""

from collections.abc import Iterator
from dataclasses import dataclass

from boxroom_engine.arena.openings import openings
from boxroom_engine.arena.running_game import RunningGame
from boxroom_engine.arena.schedule import groups, openings_for, schedule
from boxroom_engine.games.protocol import Game, Move, State


@dataclass(frozen=True, slots=True)
class Task:
    """Everything that a process needs to continue a game."""

    state: State
    bots: tuple[str, ...]
    """Names with options, by seat."""
    seed: str
    limit_s: float


@dataclass(frozen=True, slots=True)
class Contest:
    """A round robin between bots."""

    game: Game
    bots: tuple[str, ...]
    """The contenders, each with its options; the same bot may be there several times."""
    games: int
    """Least number of games of each group: see `schedule`."""
    plies: int
    """Number of moves of an opening."""
    limit_s: float
    """Time limit of a move."""
    seed: int

    @property
    def names(self) -> tuple[str, ...]:
        """The contenders' names, each unique: the second greedy is `greedy 2`."""
        occurrences = (self.bots[: index + 1].count(bot) for index, bot in enumerate(self.bots))
        return tuple(
            bot if number == 1 else f"{bot} {number}"
            for bot, number in zip(self.bots, occurrences, strict=True)
        )

    @property
    def total(self) -> int:
        """Number of games in all."""
        seats = self.game.seats
        return len(groups(len(self.bots), seats)) * openings_for(self.games, seats) * seats

    def games_to_play(self) -> Iterator[RunningGame]:
        """Yield all games in the order of the schedule, each after its opening."""
        drawn = openings(self.game, self.plies, self.seed)
        known: list[tuple[Move, ...]] = []
        start = self.game.initial()
        for match in schedule(len(self.bots), self.game.seats, self.games, self.seed):
            while len(known) <= match.opening:
                known.append(next(drawn))
            yield RunningGame.after_opening(match, start, known[match.opening], self.limit_s)

    def task(self, running_game: RunningGame) -> Task:
        """Return the rest of a game as a task for a process.

        The game's randomness depends only on the seed, its players and its opening: with more
        contenders or more games it stays the same.
        """
        names, match = self.names, running_game.match
        players = " ".join(names[each] for each in match.contenders)
        return Task(
            running_game.state,
            tuple(self.bots[each] for each in match.contenders),
            f"{self.seed} {match.opening} {players}",
            self.limit_s,
        )
