"""The parser of command lines, which answers a mistake in two lines.

argparse prints the whole usage at a mistake, and refuses the value behind a misspelt option instead
of the option.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from boxroom_common.exits import Exit

_MOST_CHARS = 100
"""Characters of an option that are compared with those that exist."""


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
