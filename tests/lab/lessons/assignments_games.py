"""Games that others may have written for the assignment: classes of their own, with its methods."""

from dataclasses import dataclass, replace
from typing import Any

from boxroom_lab.lessons.stonehenge import Game, GameState


@dataclass
class PileState:
    """Counters to take, 1 to 3 at once; it has no hash and no base class."""

    left: int
    player: str

    def get_possible_moves(self) -> list[str]:
        return [f"take {number}" for number in (1, 2, 3) if number <= self.left]

    def make_move(self, move: str) -> "PileState":
        other = "p2" if self.player == "p1" else "p1"
        return replace(self, left=self.left - int(move.split()[1]), player=other)

    def get_current_player_name(self) -> str:
        return self.player


class PileGame:
    """The player who takes the last counter wins."""

    def __init__(self, left: int, player: str = "p1") -> None:
        self.current_state = PileState(left, player)

    def is_over(self, state: PileState) -> bool:
        return state.left == 0

    def is_winner(self, player: str) -> bool:
        state = self.current_state
        return self.is_over(state) and state.player != player


class TieState(GameState):
    """Two moves of each player: high or low. Equal sums are a tie, else the higher one wins."""

    def __init__(self, is_p1_turn: bool, sums: tuple[int, int] = (0, 0), made: int = 0) -> None:
        super().__init__(is_p1_turn)
        self.sums, self.made = sums, made

    def get_possible_moves(self) -> list[Any]:
        return [{"add": 1}, {"add": 2}] if self.made < 4 else []

    def make_move(self, move: Any) -> "TieState":
        sums = list(self.sums)
        sums[0 if self.p1_turn else 1] += move["add"]
        return TieState(not self.p1_turn, (sums[0], sums[1]), self.made + 1)


class TieGame(Game):
    def __init__(self) -> None:
        self.current_state = TieState(True)

    def is_over(self, state: TieState) -> bool:
        return state.made == 4

    def is_winner(self, player: str) -> bool:
        own, other = self.current_state.sums if player == "p1" else self.current_state.sums[::-1]
        return self.is_over(self.current_state) and own > other
