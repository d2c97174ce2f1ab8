"""The one table of commands, and what a typed line means.

Text that looks like a move of the room's game is a move, `/name …` is a command, `//…` is
chat that begins with a slash, and everything else is chat. Every line has a meaning; if
nothing else, it is a `Mistake` that says what would be right.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from boxroom_client.shell.input import arguments
from boxroom_client.shell.input.arguments import UNSENT, Impossible, Unclear
from boxroom_client.shell.input.context import Context
from boxroom_client.shell.input.intents import (
    Ask,
    Help,
    Hint,
    Intent,
    Mistake,
    Move,
    Nothing,
    Quit,
    Show,
    Shown,
    Switch,
)
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.text import clean
from boxroom_engine.wording import closest, listed


class Who(Enum):
    """Who may give a command. The room decides; this is for the help."""

    ANYBODY = "anybody"
    PLAYER = "players"
    SPECTATOR = "spectators"
    HOST = "the host"


@dataclass(frozen=True, slots=True)
class Command:
    """An entry of the table."""

    name: str
    syntax: str
    """What follows the name; `[…]` may be left out."""
    help: str
    """One sentence."""
    example: str
    read: Callable[[str, Context], Intent]
    """What the text after the name means; raises `Unclear` and `Impossible`."""
    who: Who = Who.ANYBODY
    aliases: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """How it is typed: "/bot KIND [SEAT]"."""
        return f"/{self.name} {self.syntax}".rstrip()


def parse(line: str, context: Context) -> Intent:
    """What `line`, typed in `context`, means."""
    text = clean(line)
    if not text:
        return Nothing()
    if text.startswith("//"):
        return arguments.say(text[1:], context)
    if text.startswith("/"):
        return _parse_command(text[1:], context)
    if context.game.looks_like_move(text):
        return _parse_move(text, context)
    note = ""
    if text.lower() in BY_NAME:
        note = f'That was chat. If you meant the command, type "/{text.lower()}".'
    return Ask(cmd.Say(UNSENT, text), note)


def _parse_move(text: str, context: Context) -> Intent:
    if context.room.is_player(context.me):
        return Move(text)
    return Mistake(f'You are watching, so you can\'t play {text}. To say it, type "/say {text}".')


def _parse_command(text: str, context: Context) -> Intent:
    name, _, rest = text.partition(" ")
    command = BY_NAME.get(name.lower())
    if command is None:
        return Mistake(_unknown(name))
    try:
        return command.read(rest.strip(), context)
    except Unclear as unclear:
        return Mistake(f"{unclear} {_usage(command)}")
    except Impossible as impossible:
        return Mistake(str(impossible))


def _usage(command: Command) -> str:
    if not command.syntax:
        return f"Type just {command.usage}"
    return f"Type {command.usage}, for example {command.example}"


def _unknown(name: str) -> str:
    if not name:
        return "A command follows the slash: /help lists them all."
    guesses = [command.name for command in COMMANDS if command.name.startswith(name.lower())]
    if not guesses and (guess := closest(name, BY_NAME)) is not None:
        guesses = [guess]
    if not guesses:
        return f'There is no command /{name}: /help lists them all. To say it, type "//{name}".'
    choice = listed((f"/{guess}" for guess in guesses), "or")
    return f"There is no command /{name}: did you mean {choice}?"


def _alone(intent: Intent) -> Callable[[str, Context], Intent]:
    """Reads a command after which nothing follows."""

    def read(rest: str, _: Context) -> Intent:
        if rest:
            raise Unclear("Nothing may follow this command.")
        return intent

    return read


def _help(rest: str, _: Context) -> Intent:
    if not rest:
        return Help(None)
    name = rest.removeprefix("/").lower()
    command = BY_NAME.get(name)
    return Help(command.name) if command else Mistake(_unknown(name))


COMMANDS = (
    Command(
        "help",
        "[COMMAND]",
        "Lists the commands, or explains one of them.",
        "/help bot",
        _help,
        aliases=("h", "?", "commands"),
    ),
    Command("board", "", "Shows the board again.", "/board", _alone(Show(Shown.BOARD))),
    Command(
        "members",
        "",
        "Shows who plays, in which seat, and who watches.",
        "/members",
        _alone(Show(Shown.MEMBERS)),
        aliases=("who", "players", "seats"),
    ),
    Command(
        "settings",
        "",
        "Shows what the room plays and how.",
        "/settings",
        _alone(Show(Shown.SETTINGS)),
    ),
    Command(
        "say",
        "TEXT",
        "Says something to all, even if it looks like a move.",
        "/say h3 was mean",
        arguments.say,
    ),
    Command(
        "spectators",
        "TEXT",
        "Says something that the players see only when the game is over.",
        "/spectators h3 loses",
        arguments.say_to_spectators,
        Who.SPECTATOR,
        aliases=("spec",),
    ),
    Command(
        "hint",
        "",
        "Asks for a good move; everybody sees that you ask, and only you see the move.",
        "/hint",
        _alone(Hint()),
        Who.PLAYER,
    ),
    Command(
        "resign",
        "[SEAT or NAME]",
        "Gives the game up; you keep what you have, but can't win.",
        "/resign",
        arguments.resign,
        Who.PLAYER,
    ),
    Command(
        "rematch",
        "",
        "Asks for the same again with another to begin; it starts when all players ask.",
        "/rematch",
        _alone(Ask(cmd.Rematch(UNSENT))),
        Who.PLAYER,
    ),
    Command(
        "sit",
        "[SEAT] [NAME]",
        "Takes an empty seat, also for another person at this keyboard, by name;"
        " during a game, yours back from the bot.",
        "/sit 2",
        arguments.sit,
    ),
    Command(
        "stand",
        "[SEAT or NAME]",
        "Gives up your seat, or one of them, to watch.",
        "/stand",
        arguments.stand,
        Who.PLAYER,
    ),
    Command("start", "", "Starts the game.", "/start", _alone(Ask(cmd.Start(UNSENT))), Who.HOST),
    Command(
        "set",
        "NAME VALUE …",
        "Changes what the room plays; /settings shows the names.",
        "/set rows 3 cols 4 seats 3",
        arguments.set_settings,
        Who.HOST,
    ),
    Command(
        "bot",
        "KIND [SEAT]",
        "Seats a bot in the first empty seat, or in one of your choice.",
        "/bot greedy",
        arguments.bot,
        Who.HOST,
    ),
    Command(
        "fill", "KIND", "Seats a bot in every empty seat.", "/fill greedy", arguments.fill, Who.HOST
    ),
    Command(
        "unseat",
        "SEAT or NAME",
        "Empties a seat, whoever has it.",
        "/unseat 2",
        arguments.unseat,
        Who.HOST,
    ),
    Command(
        "kick",
        "NAME",
        "Sends somebody out of the room, for good.",
        "/kick Bob",
        arguments.kick,
        Who.HOST,
    ),
    Command("host", "NAME", "Makes somebody else the host.", "/host Ada", arguments.host, Who.HOST),
    Command(
        "rooms", "", "Lists the open rooms of the server.", "/rooms", _alone(Show(Shown.ROOMS))
    ),
    Command(
        "numbers",
        "[on or off]",
        "Shows or hides the names of the free places on the board.",
        "/numbers off",
        arguments.numbers,
    ),
    Command(
        "size",
        "S, M, L or auto",
        "Draws the board compact, normal, large, or as it fits.",
        "/size L",
        arguments.size,
    ),
    Command(
        "theme",
        "[NAME]",
        "Shows the full screen in other colours; without a name, says which there are.",
        "/theme light",
        arguments.theme,
    ),
    Command(
        "confirm",
        "[on or off]",
        "Has every move on the full screen asked for twice.",
        "/confirm on",
        arguments.turn(Switch.CONFIRM),
    ),
    Command(
        "mouse",
        "[on or off]",
        "Takes clicks on the full screen, or leaves them to the terminal.",
        "/mouse off",
        arguments.turn(Switch.MOUSE),
    ),
    Command(
        "bell",
        "[on or off]",
        "Rings on the full screen when it is your turn or your name is said.",
        "/bell on",
        arguments.turn(Switch.BELL),
    ),
    Command(
        "joins",
        "[on or off]",
        "Shows or hides on the full screen who comes and goes.",
        "/joins off",
        arguments.turn(Switch.JOINS),
    ),
    Command(
        "record",
        "",
        "Shows the game in one line, which boxroom replay reads.",
        "/record",
        _alone(Show(Shown.RECORD)),
    ),
    Command(
        "save",
        "[FILE]",
        "Writes that line to a file.",
        "/save friday.txt",
        arguments.save,
    ),
    Command(
        "quit",
        "",
        "Leaves the room.",
        "/quit",
        _alone(Quit()),
        aliases=("exit", "leave", "q"),
    ),
)
"""All commands, in the order in which the help lists them."""

BY_NAME: Mapping[str, Command] = {
    name: command for command in COMMANDS for name in (command.name, *command.aliases)
}
"""The commands by each of their names."""
