"""The compiled kernel, loaded by ctypes.

The library itself says which functions it has: its text is the argument of INTERFACE in kernel.cpp,
the one place with their signatures. No function calls back, and all of them run without the
interpreter's lock.
"""

import ctypes
import re
from typing import Any

from boxroom_engine.errors import BoxroomError

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


class KernelError(BoxroomError):
    """A file isn't a kernel that can be used, or the kernel failed; the message says why."""


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
