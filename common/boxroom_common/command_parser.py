"""The parser of command lines, which answers a mistake in two lines.

argparse prints the whole usage at a mistake, refuses the value behind a misspelt option instead of
the option, and names the Python function that couldn't parse a value.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from boxroom_common.exits import Exit

_MOST_CHARS = 100
"""Characters of an option that are compared with those that exist."""

_MOST_CHARS_SHOWN = 40
"""Characters of a wrong value that a message repeats."""

_EXPECTED: Mapping[Any, str] = {int: "a whole number", float: "a number"}
"""Descriptions of values by the `type` of their argument, for people who don't know Python."""

_MOST_NUMBERED = 2**63 - 1
"""The largest number that SQLite takes."""


def counting_number(text: str) -> int:
    """Parse a number from 1 to the largest that SQLite takes: the `type` of an argument.

    Raises:
        argparse.ArgumentTypeError: `text` is no such number.
    """
    number = int(text) if text.isdecimal() and len(text) <= len(str(_MOST_NUMBERED)) else 0
    if not 1 <= number <= _MOST_NUMBERED:
        raise expected("a whole number from 1", text)
    return number


def expected(what: str, text: str) -> argparse.ArgumentTypeError:
    """Return the error of an argument that has to be `what`, and is `text`."""
    shown = text if len(text) <= _MOST_CHARS_SHOWN else f"{text[: _MOST_CHARS_SHOWN - 1]}…"
    return argparse.ArgumentTypeError(f"it is {what}, not {shown!r}")


class CommandParser(argparse.ArgumentParser):
    """An `ArgumentParser` with short messages; the parsers of its subcommands are of this class."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse `args`, or refuse an option that doesn't exist before anything else."""
        given = sys.argv[1:] if args is None else list(args)
        for name in self._options_in(given):
            self._check_option(name)
        return super().parse_known_args(given, namespace)

    def error(self, message: str) -> NoReturn:
        """Print `message` and exit with the code for wrong usage."""
        self.exit(Exit.USAGE, f"{self.prog}: {message}\nSee {self.prog} --help.\n")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Convert a value; argparse's message would have the name of the function that fails."""
        convert = action.type
        if not callable(convert) or convert not in _EXPECTED:
            return super()._get_value(action, arg_string)
        try:
            return convert(arg_string)
        except ValueError:
            error = expected(_EXPECTED[convert], arg_string)
            raise argparse.ArgumentError(action, str(error)) from None

    def _options_in(self, given: Sequence[str]) -> Iterable[str]:
        """Yield the names of long options in `given`; text with a space is a value to argparse."""
        passes_on = any(
            action.nargs in (argparse.PARSER, argparse.REMAINDER) for action in self._actions
        )
        for argument in given:
            if argument == "--" or (passes_on and not argument.startswith("-")):
                return  # what follows is values, or options of another command
            if argument.startswith("--") and " " not in argument:
                yield argument.partition("=")[0]

    def _check_option(self, name: str) -> None:
        from difflib import get_close_matches  # here, because it is needed after mistakes only

        known = [each for each in self._option_string_actions if each.startswith("--")]
        if any(each.startswith(name) for each in known):  # argparse accepts abbreviations
            return
        like = get_close_matches(name[:_MOST_CHARS], known, n=1)
        self.error(f"there is no option {name}" + (f": did you mean {like[0]}?" if like else ""))
