"""The help behind F1 and the site's page of keys, made from the tables of keys and commands."""

from collections.abc import Iterable, Iterator

from boxroom_client.screen.keys.replay_table import REPLAY_KEYS
from boxroom_client.screen.keys.table import KEYS, When
from boxroom_client.screen.text.rows import Row
from boxroom_client.screen.text.tables import wrapped_table_line
from boxroom_client.screen.themes.symbols import UNICODE, Symbols
from boxroom_client.shell.input.commands import COMMANDS, Role, help_for_all
from boxroom_client.text_width import text_width
from boxroom_common.phrases import say

_SIGNALS = (
    "`kill -TSTP` does the same. After every signal that a program can notice, the shell has its"
    " terminal as it was. After `kill -STOP` and `kill -KILL`, `reset` helps."
)


def help_lines() -> Iterator[str]:
    """Yield how to move, all keys and all commands."""
    yield say("terminal.help_page.move")
    yield ""
    yield from _all_keys()
    yield say("terminal.help_page.suspend")
    yield ""
    yield from help_for_all()


def replay_help_lines() -> Iterator[str]:
    """Yield all keys of the replay."""
    names = [", ".join(key.shown) for key in REPLAY_KEYS]
    widest = max(map(len, names))
    yield say("terminal.help_page.replay_mouse")
    yield ""
    for name, key in zip(names, REPLAY_KEYS, strict=True):
        yield f"  {name:<{widest}}  {key.help}"
    yield ""
    yield say("terminal.help_page.suspend")


def help_rows(
    texts: Iterable[str], first: int, columns: int, lines: int, *, symbols: Symbols = UNICODE
) -> tuple[list[Row], int]:
    """Return a screen of help with `texts` from line `first` on, and the real first line.

    That is another line where `first` is before the beginning, or where the end would leave a
    gap.
    """
    wrapped = [line for text in texts for line in wrapped_table_line(symbols.text(text), columns)]
    shown = lines - 2
    first = max(0, min(first, len(wrapped) - shown))
    rows = [
        symbols.fitted([("class:log.answer", text)], columns)
        for text in wrapped[first : first + shown]
    ]
    rows += [symbols.fitted([], columns)] * (shown - len(rows))
    more = len(wrapped) - first - shown
    close = say("terminal.help_page.close", key="F1")
    counts = (
        (say("terminal.help_page.more", n=more), say("terminal.more_lines", n=more))
        if more > 0
        else ()
    )
    texts = [*(f"{symbols.below} {count} {symbols.dot} {close}" for count in counts), close]
    text = next((text for text in texts if text_width(text) <= columns), close)
    last = symbols.fitted([("class:footer", text)], columns)
    return [
        symbols.fitted([("class:title", say("terminal.help_page.title"))], columns),
        *rows,
        last,
    ], first


def _all_keys() -> Iterator[str]:
    widest = max(len(key.shown) for key in KEYS)
    for when in When:
        yield when.title
        for key in KEYS:
            if key.when is when:
                yield f"  {key.shown:<{widest}}  {key.help}"


def keys_page() -> str:
    """Return the page of keys and commands on the site, in Markdown."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# Keys and commands"
    yield ""
    yield "This page is made from the program's own tables; F1 shows the same in the game."
    yield ""
    yield say("terminal.help_page.move")
    yield ""
    yield "## Keys"
    for when in When:
        yield ""
        yield when.title
        yield ""
        for key in KEYS:
            if key.when is when:
                yield f"- **{key.shown}** {key.help}"
    yield ""
    yield say("terminal.help_page.suspend")
    yield _SIGNALS
    yield ""
    yield "## Keys while replaying"
    yield ""
    yield "`boxroom replay` shows a recorded game; F1 lists these keys there."
    yield ""
    for replay_key in REPLAY_KEYS:
        yield f"- **{', '.join(replay_key.shown)}** {replay_key.help}"
    yield ""
    yield "## Commands"
    yield ""
    yield (
        "You type them into the line; `/help bot` explains one, with an example. Everything that"
        " isn't a command or a move is chat. While you play, a line that only looks like a move is"
        " neither played nor said; `/say` says it. If you are alone in the room, `help`, `hint`"
        " and `quit` need no slash."
    )
    yield ""
    for role in Role:
        if role is not Role.ANYBODY:
            yield ""
            yield f"{say(f'terminal.help_page.for_{role.value}')}:"
            yield ""
        for command in COMMANDS:
            if command.role is role:
                yield f"- `{command.usage}`: {command.help}"
