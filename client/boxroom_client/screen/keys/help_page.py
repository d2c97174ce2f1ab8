"""The help behind F1 and docs/keys.md, both made from the tables of keys and of commands."""

from collections.abc import Iterator

from boxroom_client.screen.keys.table import KEYS, Where
from boxroom_client.screen.replay.keys import REPLAY_KEYS
from boxroom_client.shell.input.commands import COMMANDS, Who
from boxroom_client.shell.output import describe

HOW_TO_MOVE = (
    "To move, type its name and Enter, or walk there with the arrow keys and Enter, or click."
)


def help_lines() -> Iterator[str]:
    """How to move, all keys, all commands."""
    yield HOW_TO_MOVE
    yield ""
    yield from _all_keys()
    yield ""
    yield from describe.all_commands()


def replay_help_lines() -> Iterator[str]:
    """All keys while a recorded game is shown."""
    names = [", ".join(key.shown) for key in REPLAY_KEYS]
    widest = max(map(len, names))
    yield "The mouse wheel scrolls; a click on the line with the number of the move goes there."
    yield ""
    for name, key in zip(names, REPLAY_KEYS, strict=True):
        yield f"  {name:<{widest}}  {key.help}"


def _all_keys() -> Iterator[str]:
    widest = max(len(key.shown) for key in KEYS)
    for where in Where:
        yield f"{where.value[0].upper()}{where.value[1:]}:"
        for key in KEYS:
            if key.where is where:
                yield f"  {key.shown:<{widest}}  {key.help}"


def keys_page() -> str:
    """docs/keys.md."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# Keys and commands"
    yield ""
    yield "This page is made from the program's own tables; F1 shows the same in the game."
    yield ""
    yield HOW_TO_MOVE
    yield ""
    yield "## Keys"
    for where in Where:
        yield ""
        yield f"{where.value[0].upper()}{where.value[1:]}:"
        yield ""
        yield "| key | what it does |"
        yield "|---|---|"
        for key in KEYS:
            if key.where is where:
                yield f"| {key.shown} | {key.help} |"
    yield ""
    yield "## Keys while replaying"
    yield ""
    yield "`boxroom replay` shows a recorded game; F1 lists these keys there."
    yield ""
    yield "| key | what it does |"
    yield "|---|---|"
    for replay_key in REPLAY_KEYS:
        yield f"| {', '.join(replay_key.shown)} | {replay_key.help} |"
    yield ""
    yield "## Commands"
    yield ""
    yield "They are typed into the line. Everything that is no command and no move is chat."
    yield ""
    yield "| command | what it does | for | example |"
    yield "|---|---|---|---|"
    for command in COMMANDS:
        who = "" if command.who is Who.ANYBODY else command.who.value
        usage, example = f"`{command.usage}`", f"`{command.example}`"
        yield f"| {usage} | {command.help} | {who} | {example} |"
