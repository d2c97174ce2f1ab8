"""Completion in the input line: commands and their arguments, and names in chat."""

from collections.abc import Callable, Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from boxroom_client.grapheme_cells import in_cells
from boxroom_client.shell import room_settings
from boxroom_client.shell.input.arguments import Context
from boxroom_client.shell.input.commands import BY_NAME, COMMANDS
from boxroom_engine.bots.levels import called
from boxroom_engine.room.room import Room

_CHAT = ("say", "spectators", "spec")
_ON_OFF = ("on", "off")


class CommandCompleter(Completer):
    """Completes commands, arguments and, in chat, names for the current context."""

    def __init__(self, context: Callable[[], Context], themes: Callable[[], Iterable[str]]) -> None:
        self._context = context
        self._themes = themes

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        text = document.text_before_cursor
        if not text.startswith("/") or text.startswith("//"):
            yield from self._names(text)
            return
        name, space, rest = text[1:].partition(" ")
        if not space:
            for command in COMMANDS:
                if command.name.startswith(name.lower()):
                    yield Completion(
                        f"/{command.name}", -len(text), f"/{command.name}", command.help
                    )
            return
        if name.lower() in _CHAT:
            yield from self._names(rest)
            return
        word = rest.rpartition(" ")[2]
        for choice in self._arguments(name.lower(), rest):
            if choice.lower().startswith(word.lower()):
                yield Completion(choice, -len(word), display=in_cells(choice))

    def _of_next_game(self, rest: str, words: int) -> Iterable[str]:
        context = self._context()
        if words % 2 == 0:
            settings = (name for name, _, _ in room_settings.rows(context.room.settings))
            return ["bot", "first", *settings]
        match rest.split()[words - 1].lower():
            case "bot":
                return context.bots
            case "first":
                return _holders(context.room)
            case _:
                return ()

    def _names(self, text: str) -> Iterator[Completion]:
        """Yield the names of others that begin with the end of `text`, from a word on."""
        context = self._context()
        for name in dict.fromkeys((*context.room.members, *_holders(context.room))):
            begun = _begun(name, text)
            if begun and name != context.me:
                yield Completion(name, -begun, display=in_cells(name))

    def _arguments(self, name: str, rest: str) -> Iterable[str]:
        """Return the possible words at the end of `rest`, the arguments of the command `name`."""
        command = BY_NAME.get(name)
        context = self._context()
        words = len(rest.split()) - (0 if rest.endswith(" ") or not rest else 1)
        match command.name if command is not None else "":
            case "bot" | "fill" if words == 0:
                return context.bots
            case "kick" | "mute" | "host" | "msg" | "ignore":
                return [member for member in context.room.members if member != context.me]
            case "review" | "judge" if words == 0:
                return ("all",)
            case "unkick":
                return sorted(context.room.barred)
            case "unmute":
                return sorted(context.room.muted)
            case "unseat" | "stand" | "resign":
                return _holders(context.room)
            case "set" if words % 2 == 0:
                return [name for name, _, _ in room_settings.rows(context.room.settings)]
            case "next":
                return self._of_next_game(rest, words)
            case "numbers" | "confirm" | "mouse" | "bell" | "joins":
                return _ON_OFF
            case "size":
                return ("S", "M", "L", "auto")
            case "theme":
                return self._themes()
            case "help":
                return [command.name for command in COMMANDS]
            case _:
                return ()


def _holders(room: Room) -> list[str]:
    """Return the names of those in seats."""
    return [called(holder.name) for holder in room.seats if holder.name is not None]


def _begun(name: str, text: str) -> int:
    """Return how many characters of `name`, in either case, end `text` as the start of a word."""
    for length in range(min(len(name), len(text)), 0, -1):
        before, end = text[: len(text) - length], text[len(text) - length :]
        starts_word = not before or not before[-1].isalnum()
        if starts_word and name[:length].casefold() == end.casefold():
            return length
    return 0
