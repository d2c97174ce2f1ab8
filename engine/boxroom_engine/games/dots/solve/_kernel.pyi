"""The kernel as engine/kernel/module.cpp exports it. Only `solver` imports it."""

from collections.abc import Callable

MOST_EDGES: int

class Solver:
    def __init__(self, rows: int, cols: int, table_bytes: int) -> None: ...
    @property
    def table_bytes(self) -> int: ...
    def table_memory(self) -> memoryview: ...
    def solve(
        self, drawn: int, moves: bool, first_goal: int | None, stop: Callable[[], bool] | None
    ) -> tuple[int, int, list[int], int, bool]: ...
    def bounded(
        self, drawn: int, goal: int, most_nodes: int, stop: Callable[[], bool] | None
    ) -> tuple[int, int, int]: ...
    def grow(
        self,
        drawn: int,
        scores: list[int],
        declinable: int,
        playouts: int,
        seed: int,
        stop: Callable[[], bool] | None,
    ) -> list[tuple[int, int, list[float], list[float]]]: ...
