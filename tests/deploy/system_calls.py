"""Filters of system calls, which libseccomp puts into force for a process and its children."""

import ctypes
import errno
import os

import pytest

LIBRARY = "libseccomp.so.2"

# The numbers are those of seccomp.h.
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000
_MASKED_EQUAL = 7


class _Argument(ctypes.Structure):
    """`struct scmp_arg_cmp`: an argument of a system call, and the values that a rule is for."""

    _fields_ = (
        ("number", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("mask", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
    )


class Filter:
    """Rules about single system calls; what no rule is about is allowed.

    With `refuse_others`, an errno, it is the other way round: rules allow, and all others are
    refused with that.
    """

    def __init__(self, refuse_others: int | None = None) -> None:
        self._library = ctypes.CDLL(LIBRARY)
        self._library.seccomp_init.restype = ctypes.c_void_p
        self._rules_allow = refuse_others is not None
        default = _ALLOW if refuse_others is None else _REFUSE | refuse_others
        self._filter = ctypes.c_void_p(self._library.seccomp_init(default))

    def add(self, name: str, *argument: int, refusal: int = errno.EPERM) -> None:
        """Add a rule for the system call `name`, if this kind of machine has it.

        With `argument`, the number of an argument, a mask and a value, it is for calls in which
        that argument has that value in the bits of the mask.
        """
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return
        action = _ALLOW if self._rules_allow else _REFUSE | refusal
        compared = [_Argument(argument[0], _MASKED_EQUAL, *argument[1:])] if argument else []
        array = (_Argument * len(compared))(*compared)
        _check(
            self._library.seccomp_rule_add_array(self._filter, action, number, len(array), array)
        )

    def install(self) -> None:
        """Put the rules into force, for good."""
        _check(self._library.seccomp_load(self._filter))


def skip_without_library() -> None:
    """Skip the test where the library isn't installed."""
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        pytest.skip(f"needs {LIBRARY}: apt install libseccomp2")


def _check(result: int) -> None:
    if result < 0:
        raise OSError(-result, os.strerror(-result))
