"""Strength of the levels, and of learners against them: all games, played bit by bit, and tables.

Each level meets the one below it, and each learner the lower levels, on 3×3, 5×5 and 8×8. Seconds
are those of the processor, as in `ladder.py`, so the machine may be busy meanwhile.

    python benchmarks/levels.py FOLDER --play    # plays the games that FOLDER lacks
    python benchmarks/levels.py FOLDER           # prints the tables of those that it has

A run can be stopped at any time and goes on with the next game. A game counts only for the levels
as they were when it was played: after their errors have changed on a board, its games are missing.
"""

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from pathlib import Path

import msgspec
from ladder import line, played

from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.openings import usual_plies
from boxroom_engine.arena.rating import Comparison, Rating, ratings
from boxroom_engine.arena.running_game import Result
from boxroom_engine.bots.levels import LEVELS, LevelBot
from boxroom_engine.games.protocol import Game
from boxroom_engine.games.registry import make_game
from boxroom_lab.learners.named import LEARNERS, contender

BOARDS = (3, 5, 8)
GAMES, GAMES_OF_LEARNERS = 200, 100
GAMES_OF_EXPERT_ON_8X8 = 60
LIMIT_S = 0.5
SEED = 1


class PlayedGame(msgspec.Struct, frozen=True):
    """A finished game, as a line of a file."""

    opening: int
    points: float
    """1, 1/2 or 0, of the first one of the pair."""
    margin: int
    """Boxes that the first one is ahead."""


@dataclass(frozen=True)
class Pairing:
    """Two players on a square board with `side` boxes on each side."""

    side: int
    one: str
    other: str

    @property
    def wanted(self) -> int:
        """Number of games."""
        if "expert" in (self.one, self.other) and self.side == 8:
            return GAMES_OF_EXPERT_ON_8X8
        return GAMES_OF_LEARNERS if self.one in LEARNERS else GAMES

    @cached_property
    def game(self) -> Game:
        """The game on an empty board."""
        return make_game("dots", {"rows": self.side, "cols": self.side}, 2)

    def path(self, folder: Path) -> Path:
        """Return the file of the games; it depends on the errors of both."""
        errors = hashlib.sha256(repr((self._errors(self.one), self._errors(self.other))).encode())
        name = f"{self.one} {self.other} {errors.hexdigest()[:8]}.jsonl"
        return folder / f"{self.side}x{self.side}" / name

    def _errors(self, name: str) -> object:
        bot = contender(name)
        return bot.person_on(self.game) if isinstance(bot, LevelBot) else bot

    def games(self, folder: Path) -> list[PlayedGame]:
        """Return the games that are there, without one that was cut off."""
        path = self.path(folder)
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        whole = (each for each in lines if each.endswith(b"\n"))
        return [msgspec.json.decode(each, type=PlayedGame) for each in whole]

    def play_missing(self, folder: Path) -> Iterator[PlayedGame]:
        """Play the games that are missing, and yield each when it is saved."""
        contest = Contest(
            self.game, (self.one, self.other), self.wanted, usual_plies(self.game), LIMIT_S, SEED
        )
        there = len(self.games(folder))
        path = self.path(folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            for number, running_game in enumerate(contest.games_to_play()):
                if number >= there:
                    game = _as_saved(played(contest, running_game))
                    file.write(msgspec.json.encode(game) + b"\n")
                    file.flush()
                    yield game


def _as_saved(result: Result) -> PlayedGame:
    scores, seat = result.final.scores, result.match.contenders.index(0)
    margin = scores[seat] - scores[1 - seat]
    points = 0.5 if margin == 0 else float(margin > 0)
    return PlayedGame(result.match.opening, points, margin)


def rating_of(games: Iterable[PlayedGame]) -> Rating:
    """Return the lead of the first one in Elo."""
    rated = ratings(2, [Comparison(0, 1, each.points, each.opening) for each in games], anchor=1)[0]
    assert rated is not None, "there is a game"
    return rated


def steps() -> list[tuple[str, str]]:
    """Return each level with the one below it, the lowest first."""
    return [(above, below) for below, above in pairwise(LEVELS)]


def meetings_of_learners() -> list[tuple[str, str]]:
    """Return each learner with each of the lower levels."""
    return list(product(LEARNERS, LEVELS[:4]))


def table(pairs: Sequence[tuple[str, str]], folder: Path) -> Iterator[str]:
    """Yield the lines of a table in Markdown, with a column for each board."""
    yield line(["", *(f"{side}×{side}" for side in BOARDS)])
    yield line(["---"] * (1 + len(BOARDS)))
    for one, other in pairs:
        cells = (_cell(Pairing(side, one, other), folder) for side in BOARDS)
        yield line([f"`{one}` against `{other}`", *cells])


def _cell(pairing: Pairing, folder: Path) -> str:
    games = pairing.games(folder)
    if not games:
        return "–"
    share = sum(each.points for each in games) / len(games)
    rated = rating_of(games)
    lead, low, high = map(_signed, (rated.elo, rated.low, rated.high))
    missing = "" if len(games) == pairing.wanted else f", {len(games)} games"
    return f"{100 * share:.0f} % ({lead}, {low} to {high}{missing})"


def _signed(elo: float | None) -> str:
    return "…" if elo is None else f"{elo:+.0f}".replace("-", "−")


def main() -> None:
    """Play what is missing, or print."""
    parser = argparse.ArgumentParser(description="How strong the levels are.")
    parser.add_argument("folder", type=Path, help="where the games are saved")
    parser.add_argument("--play", action="store_true", help="play the games that are missing")
    parser.add_argument(
        "--only", nargs="+", metavar="BOT", default=[], help="pairs with one of these alone"
    )
    parser.add_argument(
        "--sides", nargs="+", type=int, metavar="N", default=BOARDS, help="sizes of boards"
    )
    args = parser.parse_args()
    if not args.play:
        for pairs in (steps(), meetings_of_learners()):
            print(*table(pairs, args.folder), "", sep="\n")
        return
    for side, pair in product(args.sides, [*steps(), *meetings_of_learners()]):
        if not args.only or {*pair} & {*args.only}:
            pairing = Pairing(side, *pair)
            for _ in pairing.play_missing(args.folder):
                pass
            print(side, *pair, _cell(pairing, args.folder), flush=True)


if __name__ == "__main__":
    main()
