"""The `boxroom` command: looks a command's name up and lets its module do the rest.

Each module named in `COMMANDS` has `parser()`, its command line, and `run(args)`, which gives
the exit code. Only the module that is needed is imported, so every command starts quickly.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from boxroom_client.exits import Exit, Failure, UsageError


class Command(NamedTuple):
    """Where a command is, and what it does in one line."""

    module: str
    help: str


COMMANDS: Mapping[str, Command] = {
    "play": Command("boxroom_client.cli.play", "play here: against bots, or several at a keyboard"),
    "join": Command("boxroom_client.cli.join", "join people on a server"),
    "serve": Command("boxroom_server.cli.serve", "host rooms that others join"),
    "admin": Command("boxroom_server.cli.admin", "see and steer a server that runs"),
    "games": Command("boxroom_server.cli.games", "the finished games of a server"),
    "backup": Command("boxroom_server.cli.backup", "copy all that a server keeps into a file"),
    "replay": Command("boxroom_client.cli.replay", "look at a recorded game"),
    "analyse": Command("boxroom_client.cli.analyse", "what was lost in a recorded game, and why"),
    "solve": Command("boxroom_client.cli.solve", "what a position is worth, and the best moves"),
    "perfect": Command("boxroom_client.cli.perfect", "a game in which everybody plays perfectly"),
    "tree": Command("boxroom_client.cli.tree", "the tree of a game, with what moves are worth"),
    "draw": Command("boxroom_client.cli.draw", "draw a recorded game, or a position of it"),
    "arena": Command("boxroom_client.cli.arena", "let bots play each other, and rate them"),
    "robot": Command("boxroom_client.cli.robot", "seat a robot of yours in a room"),
    "config": Command("boxroom_client.cli.config", "show your settings and where they come from"),
}

_COMPLETION = "--print-completion"


def main(argv: Sequence[str] | None = None) -> int:
    """Run `boxroom` with `argv` (the program's own arguments) and give its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    _open_what_is_closed()
    _let_any_text_be_printed()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _print_into_the_void()
        return Exit.DONE  # whoever read the output has had enough of it
    except SystemExit as leaving:  # argparse: 0 after --help, 2 after a mistake
        return leaving.code if isinstance(leaving.code, int) else Exit.USAGE
    return code


def _run(arguments: Sequence[str]) -> int:
    if not arguments:
        print(_overview(), file=sys.stderr)
        return Exit.USAGE
    name, *rest = arguments
    if name in ("-h", "--help", "help"):
        print(_overview())
        return Exit.DONE
    if name in ("-V", "--version"):
        return _print_version()
    if name.partition("=")[0] == _COMPLETION:
        return _print_completion(name.partition("=")[2] or " ".join(rest))
    if name not in COMMANDS:
        print(_unknown(name), file=sys.stderr)
        return Exit.USAGE
    module = import_module(COMMANDS[name].module)
    parser = module.parser()
    try:
        code: int = module.run(parser.parse_args(rest))
    except UsageError as error:
        print(f"{parser.prog}: {error}\nSee {parser.prog} --help.", file=sys.stderr)
        return Exit.USAGE
    except Failure as failure:
        print(f"boxroom: {failure}", file=sys.stderr)
        return failure.code
    return code


def _print_version() -> int:
    from boxroom_engine.games.dots.solve.solver import SLOW_ENGINE

    print(f"boxroom {version('boxroom')}")
    if SLOW_ENGINE:
        print(f"boxroom: {SLOW_ENGINE}", file=sys.stderr)
    return Exit.DONE


def _overview() -> str:
    widest = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:<{widest}}  {each.help}" for name, each in COMMANDS.items())
    return (
        "usage: boxroom COMMAND …\n\n"
        "Dots and Boxes, and other games, in the terminal.\n\n"
        f"{commands}\n\n"
        "boxroom COMMAND --help tells more; boxroom --version tells the version;\n"
        f"boxroom {_COMPLETION} bash, zsh or fish lets that shell complete all of this."
    )


def _print_completion(shell: str) -> int:
    from boxroom_client.cli.completion import SHELLS, script

    if shell not in SHELLS:
        given = repr(shell) if shell else "nothing"
        shells = f"{', '.join(SHELLS[:-1])} or {SHELLS[-1]}"
        print(f"boxroom: {_COMPLETION} takes {shells}, not {given}", file=sys.stderr)
        return Exit.USAGE
    print(script(shell, COMMANDS))
    return Exit.DONE


def _unknown(name: str) -> str:
    close = get_close_matches(name, COMMANDS, n=1)
    guess = f"did you mean boxroom {close[0]}?" if close else f"there are {', '.join(COMMANDS)}."
    return f"boxroom: there is no command {name!r}: {guess}"


def _open_what_is_closed() -> None:
    """Without standard streams, as some launchers start programs, there is nobody to talk to."""
    void = Path(os.devnull)
    if sys.stdin is None:
        sys.stdin = void.open(encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = void.open("w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = sys.stdout


def _let_any_text_be_printed() -> None:
    """A terminal that can't show a character gets a `?`, and nobody a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _print_into_the_void() -> None:
    """Standard output is a pipe that nobody reads: Python's last flush must not fail on it."""
    void = os.open(os.devnull, os.O_WRONLY)
    os.dup2(void, sys.stdout.fileno())
    os.close(void)


if __name__ == "__main__":
    sys.exit(main())
