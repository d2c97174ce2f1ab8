"""Golden files of whole games, which show any change of a game's behaviour as a difference.

They follow OpenSpiel's playthroughs (open_spiel/integration_tests/playthroughs). To update them:
BOXROOM_UPDATE_GOLDEN=1 pytest tests/engine/games
"""

from collections.abc import Callable, Iterator, Mapping

import pytest

from boxroom_engine.games.drawing import Look
from boxroom_engine.games.protocol import OptionValue, Seat, State
from boxroom_engine.games.registry import make_game

GAMES: list[tuple[str, dict[str, OptionValue], int, dict[int, int]]] = [
    ("dots", {"rows": 2, "cols": 3}, 2, {}),
    ("dots", {"rows": 3, "cols": 2, "border": "half"}, 4, {3: 3, 8: 0}),
    ("dots", {"rows": 2, "cols": 2, "border": "full"}, 3, {}),
    ("noughts", {}, 2, {}),
    ("noughts", {}, 3, {2: 1}),
    ("noughts", {"dims": "3,3,3"}, 2, {}),
    ("noughts", {"dims": "4,7", "line": 4}, 4, {9: 2}),
    ("stonehenge", {}, 2, {}),
    ("stonehenge", {"size": 5}, 2, {5: 0}),
    ("subtract-square", {"start": 23}, 2, {}),
    ("draughts", {}, 2, {}),
    ("draughts", {"rules": "international", "size": "8"}, 2, {60: 1}),
]
"""Name, options, number of seats, and the seats that withdraw by ply."""


def playthrough(state: State, withdrawals: Mapping[int, int]) -> Iterator[str]:
    """Return the game step by step; the moves don't depend on `random`, which may change."""
    game = state.game
    marks = (game.kind.mark(Seat(seat), number=seat) for seat in range(game.seats))
    look = Look(tuple(mark.text(ascii_only=True) for mark in marks))
    yield f"game {game.kind.name}, options {dict(game.options)}, {game.seats} seats"
    yield f"longest {game.longest}; {game.how_to_move}"
    while True:
        moves = state.legal_moves()
        yield ""
        yield f"ply {state.ply}, to move {state.to_move}, scores {state.scores}"
        yield f"{len(moves)} legal: {' '.join(map(game.format_move, moves))}"
        yield f"position {game.format_position(state)}"
        yield f"evaluation {[state.evaluate(Seat(seat)) for seat in range(game.seats)]}"
        yield state.draw(look).plain()
        if state.is_over:
            yield f"{state.outcome}"
            return
        if state.ply in withdrawals:
            seat = Seat(withdrawals[state.ply])
            yield f"seat {seat} withdraws"
            state = state.withdraw(seat)
        else:
            move = moves[state.ply * 7919 % len(moves)]
            yield f"seat {state.to_move} plays {game.format_move(move)}"
            state = state.play(move)
            if state.taken:
                yield f"and takes {state.taken}"


@pytest.mark.parametrize(("name", "options", "seats", "withdrawals"), GAMES)
def test_playthrough(
    golden: Callable[[str, str], None],
    name: str,
    options: dict[str, OptionValue],
    seats: int,
    withdrawals: dict[int, int],
) -> None:
    state = make_game(name, options, seats).initial()
    title = "-".join(["playthrough", name, *map(str, options.values()), str(seats)])
    golden(title, "\n".join(playthrough(state, withdrawals)) + "\n")
