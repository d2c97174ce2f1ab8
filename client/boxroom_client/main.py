"""The `boxroom` command: it finds the module of a subcommand, imports and runs it.

It imports no other subcommand, so that each starts quickly.
"""

import sys
from collections.abc import Sequence
from importlib import import_module

from boxroom_client.cli.commands import COMMANDS
from boxroom_client.standard_streams import checked_streams, exit_code_after_output
from boxroom_common.exits import Exit, UsageError, reported
from boxroom_common.version import VERSION
from boxroom_engine.errors import BoxroomError
from boxroom_engine.wording import did_you_mean

_COMPLETION = "--print-completion"
_MENU = "menu"


def main(argv: Sequence[str] | None = None) -> int:
    """Run `boxroom` with the arguments `argv` (default: `sys.argv`) and return its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    with checked_streams():
        try:
            code = _run(arguments)
        except KeyboardInterrupt:
            code = Exit.INTERRUPTED
        except SystemExit as leaving:  # argparse: 0 after --help, 2 after a mistake
            code = leaving.code if isinstance(leaving.code, int) else Exit.USAGE
        return exit_code_after_output(code)


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
    except BoxroomError as error:
        return reported(error, lambda text: print(f"boxroom: {text}", file=sys.stderr))
    return code


def _print_version(rest: Sequence[str]) -> int:
    if not rest:
        print(f"boxroom {VERSION}")
        return Exit.DONE
    from boxroom_client.installation import as_json, as_text

    shown = {"-v": as_text, "--verbose": as_text, "--json": as_json}.get(rest[0])
    if not shown or len(rest) > 1:
        return _refused(f"only --verbose or --json may follow --version, not {' '.join(rest)}")
    print(shown())
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
        "--verbose or --json also which engine is in use, and the folders;\n"
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


if __name__ == "__main__":
    sys.exit(main())
