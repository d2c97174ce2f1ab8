"""The compiled kernel, loaded by ctypes: its functions, and a solver for boards of one size.

The library itself says which functions it has: its text is the argument of INTERFACE in kernel.cpp,
the one place with their signatures. No function calls back, and all of them run without the
interpreter's lock.
"""

import ctypes
import re
import weakref
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

ABI = 1
"""Number of the interface that this module knows; kernel.cpp has the same."""

_DECLARATION = re.compile(r"([\w ]+\*?) (\w+)\(([^)]*)\);")
"""A declared function: the type of its result, its name, its parameters."""

_TYPES = {
    "int": ctypes.c_int,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "double": ctypes.c_double,
}

_ERRORS: dict[int, type[Exception]] = {1: ValueError, 2: MemoryError}
"""Exceptions by the result of a function; any other than these and 0 is the kernel's own fault."""


class KernelError(Exception):
    """A file isn't a kernel that can be used, or the kernel failed; the message says why."""


class KernelOutcome(NamedTuple):
    """Bounds of a value, best moves, the positions searched, and whether that is all."""

    least: int
    most: int
    best_moves: tuple[int, ...]
    nodes: int
    exact: bool


class KernelBranch(NamedTuple):
    """A way to go on, with the statistics of its playouts; negative edges are an `OfferChoice`."""

    edge: int
    visits: int
    shares: tuple[float, ...]
    boxes: tuple[float, ...]


class SearchEnd(NamedTuple):
    """The end of a search, beside its own."""

    seconds: float
    """Time until then; infinity for none."""
    signals: int | None
    """Address of two numbers of 64 bits: the first ends the search once it isn't 0, the second is
    set by the search to the positions so far."""


class Library:
    """The functions of a compiled kernel.

    Raises:
        KernelError: the file can't be loaded, or has another interface.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._functions = ctypes.CDLL(path)
            abi = self._functions.kernel_abi()
            self._functions.kernel_interface.restype = ctypes.c_char_p
            interface = self._functions.kernel_interface().decode()
        except (OSError, AttributeError) as error:
            raise KernelError(f"{path} can't be loaded: {error}") from None
        if abi != ABI:
            raise KernelError(f"{path} has the interface {abi} instead of {ABI}")
        for result, name, parameters in _DECLARATION.findall(interface):
            function = getattr(self._functions, name)
            function.restype = _type_of(result)
            function.argtypes = [_type_of(each) for each in parameters.split(",") if each != "void"]

    @property
    def compiler(self) -> str:
        """Name and version of the compiler that built it."""
        name: bytes = self._functions.kernel_compiler()
        return name.decode(errors="replace")

    @property
    def most_edges(self) -> int:
        """Number of edges of the largest boards."""
        edges: int = self._functions.kernel_most_edges()
        return edges

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of which the result is the kind of an error.

        Raises:
            ValueError, MemoryError: an argument is wrong, or there isn't enough memory.
            KernelError: the kernel failed.
        """
        function = getattr(self._functions, name)
        for argument, kind in zip(arguments, function.argtypes, strict=True):
            if isinstance(argument, int) and kind(argument).value not in (argument, None):
                raise ValueError(f"{argument} is no {kind.__name__}")  # ctypes would cut it off
        if error := function(*arguments):
            raise _ERRORS.get(error, KernelError)(self._functions.kernel_error().decode())


def _type_of(declaration: str) -> Any:
    """Return the type of a parameter or result; memory is an address, so any buffer will do."""
    if "*" in declaration:
        return ctypes.c_char_p if "char" in declaration else ctypes.c_void_p
    return _TYPES[declaration.split(maxsplit=1)[0]]


class RawSolver:
    """A solver of the library for boards of `rows × cols` boxes, in numbers.

    `drawn` is a set of edges.

    Raises:
        ValueError: a board that is too large or too small, or a wrong argument of a method.
        MemoryError: there isn't enough memory for the table.
    """

    def __init__(self, library: Library, rows: int, cols: int, table_bytes: int) -> None:
        number = ctypes.c_int64()
        library.call("kernel_open", rows, cols, table_bytes, ctypes.byref(number))
        self._library = library
        self._number = number.value
        self._edges = 2 * rows * cols + rows + cols
        self.close = weakref.finalize(self, library.call, "kernel_close", self._number)
        """Frees the memory; happens by itself with the last reference, unless the process ends."""
        self.close.atexit = False

    @property
    def table_bytes(self) -> int:
        """The most memory that the table takes."""
        size = ctypes.c_uint64()
        self._library.call("kernel_table", self._number, None, ctypes.byref(size))
        return size.value

    def table_memory(self) -> memoryview:
        """Return the memory of the table, which is there for as long as the view is."""
        address, size = ctypes.c_void_p(), ctypes.c_uint64()
        self._library.call("kernel_table", self._number, ctypes.byref(address), ctypes.byref(size))
        memory = (ctypes.c_ubyte * size.value).from_address(address.value or 0)
        memory.solver = self  # type: ignore[attr-defined]  # kept with it
        return memoryview(memory).cast("B")

    def solve(
        self,
        drawn: int,
        *,
        all_moves: bool,
        first_goal: int | None,
        most_nodes: int,
        end: SearchEnd,
    ) -> KernelOutcome:
        """Return what kernel.cpp says of `kernel_solve`."""
        outcome, best = (ctypes.c_int64 * 5)(), (ctypes.c_int * self._edges)()
        self._library.call(
            "kernel_solve",
            *(self._number, self._words(drawn), all_moves, first_goal is not None, first_goal or 0),
            *(most_nodes, *end, outcome, best),
        )
        least, most, nodes, exact, count = outcome
        return KernelOutcome(least, most, tuple(best[:count]), nodes, bool(exact))

    def bounded(
        self, drawn: int, goal: int, most_nodes: int, end: SearchEnd
    ) -> tuple[int, int, int]:
        """Return the least and the most that the value may be, and the positions searched."""
        outcome = (ctypes.c_int64 * 3)()
        words = self._words(drawn)
        self._library.call("kernel_bounded", self._number, words, goal, most_nodes, *end, outcome)
        least, most, nodes = outcome
        return least, most, nodes

    def grow(
        self,
        drawn: int,
        scores: Sequence[int],
        *,
        declinable: int,
        playouts: int,
        seed: int,
        end: SearchEnd,
    ) -> list[KernelBranch]:
        """Return the branches of a tree of playouts, see kernel.cpp."""
        players, width = len(scores), 2 + 2 * len(scores)
        in_memory = array("i", scores)
        branches, found = (ctypes.c_double * (width * (self._edges + 2)))(), ctypes.c_int()
        self._library.call(
            "kernel_grow",
            *(self._number, self._words(drawn), players, in_memory.buffer_info()[0]),
            *(declinable, playouts, seed, *end, branches, ctypes.byref(found)),
        )
        rows = (branches[at : at + width] for at in range(0, width * found.value, width))
        return [
            KernelBranch(int(edge), int(visits), tuple(rest[:players]), tuple(rest[players:]))
            for edge, visits, *rest in rows
        ]

    def _words(self, drawn: int) -> bytes:
        """Return a set of edges as words of 64 bits, the lowest first."""
        try:
            words = drawn.to_bytes((self._edges + 63) // 64 * 8, "little")
        except OverflowError:
            raise ValueError("the set has edges that the board hasn't") from None
        return words
