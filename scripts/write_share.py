"""Writes what shells and `man` look for in `share`: manual pages, and completion for three shells.

    python -m scripts.write_share FOLDER

Both are made of the parsers of the command lines. `hatch_share.py` runs this when a source
distribution is built.
"""

import sys
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

from argparse_manpage.manpage import Manpage

from boxroom_client.cli.commands import COMMANDS
from boxroom_client.cli.completion import script
from boxroom_common.version import VERSION

COMPLETIONS = {
    "bash": "bash-completion/completions/boxroom",
    "zsh": "zsh/site-functions/_boxroom",
    "fish": "fish/vendor_completions.d/boxroom.fish",
}
"""The file of each shell that `boxroom_client.cli.completion.SHELLS` lists."""

SUMMARY = "Dots and Boxes, and other games, in the terminal"


def files() -> dict[str, str]:
    """Return the text of each file by its path below `share`."""
    pages = {"boxroom": _page(_overview(), SUMMARY)}
    for name, command in COMMANDS.items():
        pages[f"boxroom-{name}"] = _page(import_module(command.module).parser(), command.help)
    return {
        **{f"man/man1/{name}.1": page for name, page in pages.items()},
        **{path: script(shell) for shell, path in COMPLETIONS.items()},
    }


def _page(parser: ArgumentParser, summary: str) -> str:
    """Return the manual page of a command."""
    page = Manpage(parser)
    page.prog = parser.prog.replace(" ", "-")
    page.description = summary
    page.source = f"boxroom {VERSION}"
    page.manual = "User Commands"
    page.date = ""  # the same source gives the same page on any day
    return str(page)


def _overview() -> ArgumentParser:
    """Return a parser of `boxroom` that names the commands, which have pages of their own."""
    parser = ArgumentParser(
        "boxroom",
        usage="boxroom [COMMAND …]",
        description="Without a command, a menu asks what to do.",
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = parser.add_argument_group("commands")
    for name, command in COMMANDS.items():
        commands.add_argument(f"boxroom-{name}(1)", help=command.help)
    return parser


def main(folder: Path) -> None:
    """Write the files into `folder`."""
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
