"""A reader of geometries that knows no rules, as a page that draws any game has to."""

import json
import random
import re
from collections.abc import Collection

import msgspec

from boxroom_engine.games.geometry import Geometry
from boxroom_engine.games.protocol import Game, Seat, State


def written(game: Game, seed: int) -> str:
    """Return the geometry of `game` and a random game as JSON, which tests of the page read too.

    `legal` has the legal moves of each position, from the first one to the end of the game.
    """
    rng, state = random.Random(seed), game.initial()
    tokens: list[str] = []
    movers: list[Seat | None] = []
    taken: list[list[int]] = []
    legal = [_legal(state)]
    while not state.is_over:
        move = rng.choice(list(state.legal_moves()))
        movers.append(state.to_move)
        state = state.play(move)
        if state.taken:
            taken.append([len(tokens), *state.taken])
        tokens.append(game.format_move(move))
        legal.append(_legal(state))
    played = {"tokens": tokens, "movers": movers, "taken": taken, "legal": legal}
    geometry = msgspec.json.encode(game.geometry()).decode()
    text = f'{{"geometry": {geometry},\n"game": {json.dumps(played)}}}\n'
    return text.replace('{"kind"', '\n{"kind"').replace('"legal": [', '\n"legal": [')


def _legal(state: State) -> list[str]:
    return [state.game.format_move(move) for move in state.legal_moves()]


class Painted:
    """The position after some moves, as far as a geometry tells it."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.owners: dict[int, Seat] = {}  # by the index of the shape
        self.pieces = {
            square: (Seat(seat), False)
            for seat, men in enumerate(geometry.men)
            for square in men.start
        }  # the seat and whether it is a king, by the thing on which it stands
        self.left = len(geometry.heap.counters) if geometry.heap is not None else 0

    def play(self, move: str, seat: Seat, taken: Collection[int]) -> None:
        """Show the effect of a move, which has to be one."""
        if self.geometry.men:
            self._carry(move, taken)
            return
        assert move in self.playable()
        for index, shape in enumerate(self.geometry.shapes):
            if shape.move == move or (shape.thing is not None and shape.thing in taken):
                assert index not in self.owners
                self.owners[index] = seat
        self.left -= self._heap_moves().get(move, 0)

    def _carry(self, move: str, taken: Collection[int]) -> None:
        """Carry a piece from the first square of a move to the last."""
        squares = {shape.label: shape.thing for shape in self.geometry.shapes}
        labels = re.split("[-x]", move)
        start, end = squares[labels[0]], squares[labels[-1]]
        assert start is not None
        assert end is not None
        seat, is_king = self.pieces.pop(start)
        for square in taken:
            assert self.pieces.pop(square)[0] != seat
        assert end not in self.pieces
        self.pieces[end] = seat, is_king or end in self.geometry.men[seat].crowning

    def playable(self) -> set[str]:
        """Return the moves that can be played unless the game is over."""
        free = {
            shape.move
            for index, shape in enumerate(self.geometry.shapes)
            if shape.move is not None and index not in self.owners
        }
        return free | {move for move, takes in self._heap_moves().items() if takes <= self.left}

    def owners_of_things(self) -> dict[int, Seat]:
        """Return the seats that have taken things, by the numbers of those."""
        shapes = self.geometry.shapes
        return {
            thing: seat
            for index, seat in self.owners.items()
            if (thing := shapes[index].thing) is not None
        }

    def _heap_moves(self) -> dict[str, int]:
        heap = self.geometry.heap
        return {} if heap is None else {each.move: each.takes for each in heap.moves}
