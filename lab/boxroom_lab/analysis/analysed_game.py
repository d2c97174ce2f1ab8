"""The result of an analysis, from which all output is made."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import groupby

from boxroom_client.shell.room_settings import in_words
from boxroom_engine.games.protocol import Game, State
from boxroom_engine.review.judging import JudgedGame, JudgedMove
from boxroom_engine.review.lead import Lead, lead_in
from boxroom_engine.review.review import Finding
from boxroom_engine.room.room import Settings
from boxroom_engine.wording import listed


class Unjudged(Enum):
    """The reason why the loss of a move isn't known."""

    TOO_EARLY = auto()
    """It would have taken too long."""
    INTERRUPTED = auto()
    """The user interrupted the analysis."""


@dataclass(frozen=True)
class AnalysedGame:
    """A recorded game with the judgement of its moves."""

    game: Game
    players: tuple[str, ...]
    """One name for each seat, without control characters."""
    judged: JudgedGame
    findings: Mapping[int, Finding]
    """Those about the costly moves, by their numbers."""
    limit_s: float
    """Time limit for each position."""
    is_whole: bool
    """Whether the analysis wasn't interrupted."""

    @property
    def last(self) -> State:
        """The position after all moves."""
        return self.judged.positions[-1]

    @property
    def has_margin(self) -> bool:
        """Whether moves win or lose a margin, and not only chances to win."""
        return not self.game.kind.only_the_win_counts

    @property
    def title(self) -> str:
        """The game in words, and its players."""
        settings = Settings(self.game.kind.name, dict(self.game.options), self.game.seats)
        return f"{in_words(settings)}: {listed(self.players)}"

    def name(self, move: JudgedMove) -> str:
        """Return the text that people type for `move`."""
        return self.game.format_move(move.move)

    @property
    def has_shares(self) -> bool:
        """Whether moves were judged among more players than two, or of a single one."""
        return any(each is not None and each.shares is not None for each in self.judged.judgements)

    def unjudged(self) -> Iterator[tuple[Unjudged, list[JudgedMove]]]:
        """Yield the runs of moves whose loss isn't known, with the reason."""
        for reason, run in groupby(self.judged.moves, self._unjudged_reason):
            if reason is not None:
                yield reason, list(run)

    def _unjudged_reason(self, move: JudgedMove) -> Unjudged | None:
        if move.lost is not None:
            return None
        return Unjudged.TOO_EARLY if self.is_whole else Unjudged.INTERRUPTED

    @cached_property
    def leads(self) -> tuple[Lead, ...]:
        """The lead in each position."""
        return tuple(map(lead_in, self.judged.positions, self.judged.margins()))
