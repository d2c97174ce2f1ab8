"""The `boxroom` command: it finds the module of a subcommand, imports and runs it.

It imports no other subcommand, so that each starts quickly.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from boxroom_client.cli.commands import COMMANDS
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.wording import did_you_mean

_COMPLETION = "--print-completion"
_MENU = "menu"


def main(argv: Sequence[str] | None = None) -> int:
    """Run `boxroom` with the arguments `argv` (default: `sys.argv`) and return its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    _open_missing_streams()
    _replace_unencodable_characters()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _redirect_stdout_to_null()
        return Exit.DONE  # the reader of the output closed it: it has all that it wants
    except SystemExit as leaving:  # argparse: 0 after --help, 2 after a mistake
        return leaving.code if isinstance(leaving.code, int) else Exit.USAGE
    return code


def _run(arguments: Sequence[str]) -> int:
    if not arguments and not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(_overview(), file=sys.stderr)
        return Exit.USAGE
    name, *rest = arguments or [_MENU]
    if name in ("-h", "--help", "help"):
        return _print_overview(rest)
    if name in ("-V", "--version"):
        return _print_version(rest)
    if name.partition("=")[0] == _COMPLETION:
        return _print_completion(" ".join((*name.split("=", 1)[1:], *rest)))
    if name not in COMMANDS:
        guess = did_you_mean(name, COMMANDS, prefix="boxroom ")
        return _refused(f"there is no command {name!r}{guess}")
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


def _print_version(rest: Sequence[str]) -> int:
    if rest not in ([], ["-v"], ["--verbose"]):
        return _refused(f"only --verbose may follow --version, not {' '.join(rest)}")
    print(f"boxroom {version('boxroom')}")
    if rest:
        import platform

        from boxroom_common.kernel.use import engine_in_use

        print(f"Python {platform.python_version()}, {platform.platform()}")
        print(engine_in_use())
    return Exit.DONE


def _print_overview(rest: Sequence[str]) -> int:
    if rest:
        hint = f": boxroom {rest[0]} --help explains that command" if rest[0] in COMMANDS else ""
        return _refused(f"nothing follows --help{hint}")
    print(_overview())
    return Exit.DONE


def _refused(sentence: str) -> int:
    print(f"boxroom: {sentence}", file=sys.stderr)
    return Exit.USAGE


def _overview() -> str:
    widest = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:<{widest}}  {each.help}" for name, each in COMMANDS.items())
    return (
        "usage: boxroom [COMMAND …]\n\n"
        "Dots and Boxes, and other games, in the terminal.\n\n"
        f"{commands}\n\n"
        "boxroom COMMAND --help explains a command; boxroom --version prints the version, with\n"
        "--verbose also which engine is in use;\n"
        f"boxroom {_COMPLETION} bash, zsh or fish prints a completion script for that shell."
    )


def _print_completion(shell: str) -> int:
    from boxroom_client.cli.completion import SHELLS, script

    if shell not in SHELLS:
        given = repr(shell) if shell else "nothing"
        shells = f"{', '.join(SHELLS[:-1])} or {SHELLS[-1]}"
        return _refused(f"{_COMPLETION} takes {shells}, not {given}")
    print(script(shell))
    return Exit.DONE


def _open_missing_streams() -> None:
    """Open the null device for standard streams that are closed, as some launchers leave them."""
    void = Path(os.devnull)
    if sys.stdin is None:
        sys.stdin = void.open(encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = void.open("w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = sys.stdout


def _replace_unencodable_characters() -> None:
    """Have the streams print `?` for characters that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _redirect_stdout_to_null() -> None:
    """Keep Python's last flush from failing when standard output is a pipe without a reader."""
    void = os.open(os.devnull, os.O_WRONLY)
    os.dup2(void, sys.stdout.fileno())
    os.close(void)


if __name__ == "__main__":
    sys.exit(main())
