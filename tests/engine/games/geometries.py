"""A reader of geometries that knows no rules, as a page that draws any game has to."""

from collections.abc import Collection

from boxroom_engine.games.geometry import BoardShape, Geometry
from boxroom_engine.games.protocol import Seat


def described(geometry: Geometry) -> str:
    """Return the geometry as text, a line for each shape."""
    lines = [f"{geometry.width}×{geometry.height}"]
    lines += [f"{geometry.row} in a row"] if geometry.row else []
    lines += map(_shape, geometry.shapes)
    if geometry.heap is not None:
        lines += [f"counter: {_shape(counter)}" for counter in geometry.heap.counters]
        lines += [f"{move.move} takes {move.takes}" for move in geometry.heap.moves]
    return "\n".join(lines) + "\n"


def _shape(shape: BoardShape) -> str:
    points = zip(shape.points[::2], shape.points[1::2], strict=True)
    words = [shape.kind.value, *(f"{x},{y}" for x, y in points)]
    words += [f"radius {shape.radius}"] if shape.radius else []
    words += [f"label {shape.label}"] if shape.label else []
    words += [f"move {shape.move}"] if shape.move is not None else []
    words += [f"thing {shape.thing}"] if shape.thing is not None else []
    words += [f"place {','.join(map(str, shape.place))}"] if shape.place else []
    return " ".join(words)


class Painted:
    """The position after some moves, as far as a geometry tells it."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.owners: dict[int, Seat] = {}  # by the index of the shape
        self.left = len(geometry.heap.counters) if geometry.heap is not None else 0

    def play(self, move: str, seat: Seat, taken: Collection[int]) -> None:
        """Show the effect of a move, which has to be one."""
        assert move in self.playable()
        for index, shape in enumerate(self.geometry.shapes):
            if shape.move == move or (shape.thing is not None and shape.thing in taken):
                assert index not in self.owners
                self.owners[index] = seat
        self.left -= self._heap_moves().get(move, 0)

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
