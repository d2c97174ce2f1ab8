"""The table of commands, the parser of typed lines, and the help about commands.

`/name …` is a command, `//…` is chat that begins with a slash, one move of the room's game is a
move, and everything else is chat. For members who play in a running game, what looks like a move
and isn't one is refused, as it may be a slip; `boxroom_engine.games.notation` has the rule. A line
in other characters that looks like a command, or like a move that wouldn't be said, isn't said
either (`look_alikes`). Every line has an intent; that of an invalid one is a `Mistake`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from boxroom_client.shell.input import arguments
from boxroom_client.shell.input.arguments import UNSENT, BadArgument, BadSyntax, Context
from boxroom_client.shell.input.intents import (
    AnswerUndoRequest,
    Explain,
    Help,
    Intent,
    Mistake,
    Nothing,
    PlayMove,
    Quit,
    RequestHint,
    RequestUndo,
    ReviewGame,
    SendCommand,
    Show,
    Switch,
    Viewable,
)
from boxroom_client.shell.input.look_alikes import plain_forms
from boxroom_client.shell.output.wording import sentence
from boxroom_engine.games.errors import MalformedMove, MoveOutOfRange, OptionError
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.text import clean
from boxroom_engine.wording import closest, listed

_BEGINS_COMMAND = re.compile(r"/[\w?]")


class Role(Enum):
    """The members that may use a command, for the help. The room itself decides."""

    ANYBODY = "anybody"
    PLAYER = "players"
    SPECTATOR = "spectators"
    HOST = "the host"


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command of the table."""

    name: str
    syntax: str
    """The arguments; those in `[…]` may be left out."""
    help: str
    """One sentence."""
    example: str
    parse: Callable[[str, Context], Intent]
    """Parses the arguments; raises `BadSyntax`, `BadArgument` and `OptionError`."""
    role: Role = Role.ANYBODY
    aliases: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """Name and arguments: "/bot KIND [SEAT]"."""
        return f"/{self.name} {self.syntax}".rstrip()


def parse(line: str, context: Context) -> Intent:
    """Return the intent of `line`, typed in `context`."""
    text = clean(line)
    if not text:
        return Nothing()
    if text.startswith("//"):
        return arguments.say(text[1:], context)
    if text.startswith("/"):
        return _parse_command(text[1:], context)
    if context.game.looks_like_move(text):
        return _parse_move(text, context)
    return _mistake_in_look_alike(text, context) or _chat(text)


def _mistake_in_look_alike(text: str, context: Context) -> Mistake | None:
    """Return why `text` isn't said, if it looks like a command or like what isn't said either."""
    for plain in plain_forms(text):
        if _BEGINS_COMMAND.match(plain) and not text[0].isalpha():
            return Mistake(_looks_like_command(plain[1:]))
        if context.game.looks_like_move(plain):
            match _parse_move(plain, context):
                case PlayMove(text=move):
                    return Mistake(
                        f"That looks like {move}, but in other characters: type {move} to play it."
                        ' To say it, type "/say" before it.'
                    )
                case Mistake() as mistake:
                    return mistake
                case _:
                    pass
    return None


def _looks_like_command(plain: str) -> str:
    name = plain.split(maxsplit=1)[0].lower()
    command = f"the command /{name}" if name in BY_NAME else "a command"
    return f'That looks like {command}, but its slash isn\'t "/". To say it, type "/say" before it.'


def _chat(text: str) -> Intent:
    note = ""
    if text.lower() in BY_NAME:
        note = f'That was chat. If you meant the command, type "/{text.lower()}".'
    return SendCommand(cmd.Say(UNSENT, text), note)


def _parse_move(text: str, context: Context) -> Intent:
    """Return the intent of a line that looks like a move."""
    game, is_player = context.game, context.room.is_player(context.me)
    try:
        move = game.format_move(game.parse_move(text))
    except MalformedMove as error:
        if not context.can_move:
            return _chat(text)
        return Mistake(f'{sentence(str(error))} To say it, type "/say" before it.')
    except MoveOutOfRange as error:
        if is_player:
            return Mistake(sentence(str(error)))
        move = text
    if is_player:
        return PlayMove(move)
    return Mistake(f'You are watching, so you can\'t play {move}. To say it, type "/say {move}".')


def _parse_command(text: str, context: Context) -> Intent:
    name, _, rest = text.partition(" ")
    command = BY_NAME.get(name.lower())
    if command is None:
        return Mistake(_unknown(name))
    try:
        return command.parse(rest.strip(), context)
    except BadSyntax as unclear:
        return Mistake(f"{unclear} {_usage(command)}")
    except BadArgument as impossible:
        return Mistake(str(impossible))
    except OptionError as error:
        return Mistake(sentence(str(error)))


def _usage(command: SlashCommand) -> str:
    if not command.syntax:
        return f"Type just {command.usage}"
    return f"Type {command.usage}, for example {command.example}"


def _unknown(name: str) -> str:
    if not name:
        return "A command follows the slash: /help lists them all."
    guesses = [command.name for command in COMMANDS if command.name.startswith(name.lower())]
    if not guesses and (guess := closest(next(iter(plain_forms(name)), name), BY_NAME)) is not None:
        guesses = [guess]
    if not guesses:
        return f'There is no command /{name}: /help lists them all. To say it, type "//{name}".'
    choice = listed((f"/{guess}" for guess in guesses), "or")
    return f"There is no command /{name}: did you mean {choice}?"


def _alone(intent: Intent) -> Callable[[str, Context], Intent]:
    """Return the parser of a command without arguments."""

    def parse_arguments(rest: str, _: Context) -> Intent:
        if rest:
            raise BadSyntax("Nothing may follow this command.")
        return intent

    return parse_arguments


def _help(rest: str, _: Context) -> Intent:
    if not rest:
        return Help(None)
    name = rest.removeprefix("/").lower()
    command = BY_NAME.get(name)
    if command is None:
        raise BadArgument(_unknown(name))
    return Help(command.name)


COMMANDS = (
    SlashCommand(
        "help",
        "[COMMAND]",
        "Lists the commands, or explains one of them.",
        "/help bot",
        _help,
        aliases=("h", "?", "commands"),
    ),
    SlashCommand("board", "", "Shows the board again.", "/board", _alone(Show(Viewable.BOARD))),
    SlashCommand(
        "members",
        "",
        "Shows who plays, in which seat, and who watches.",
        "/members",
        _alone(Show(Viewable.MEMBERS)),
        aliases=("who", "players", "seats"),
    ),
    SlashCommand(
        "settings",
        "",
        "Shows what the room plays and how.",
        "/settings",
        _alone(Show(Viewable.SETTINGS)),
    ),
    SlashCommand(
        "say",
        "TEXT",
        "Says something to all, even if it looks like a move.",
        "/say h3 was mean",
        arguments.say,
    ),
    SlashCommand(
        "spectators",
        "TEXT",
        "Says something that the players see only when the game is over.",
        "/spectators h3 loses",
        arguments.say_to_spectators,
        Role.SPECTATOR,
        aliases=("spec",),
    ),
    SlashCommand(
        "hint",
        "",
        "Asks for a good move; everybody sees that you ask, and only you see the move.",
        "/hint",
        _alone(RequestHint()),
        Role.PLAYER,
    ),
    SlashCommand(
        "review",
        "",
        "Shows where a game that is over was lost, and the better move.",
        "/review",
        _alone(ReviewGame()),
    ),
    SlashCommand(
        "explain",
        "[WORD]",
        "Explains a word of Dots and Boxes, or lists the words.",
        "/explain control",
        lambda rest, _: Explain(rest or None),
    ),
    SlashCommand(
        "undo",
        "",
        "Takes your last move back; other people have to agree, for which they type the same.",
        "/undo",
        _alone(RequestUndo()),
        Role.PLAYER,
        aliases=("takeback",),
    ),
    SlashCommand(
        "accept",
        "",
        "Agrees that another player takes a move back.",
        "/accept",
        _alone(AnswerUndoRequest(agree=True)),
        Role.PLAYER,
    ),
    SlashCommand(
        "decline",
        "",
        "Declines that, or ends your own request.",
        "/decline",
        _alone(AnswerUndoRequest(agree=False)),
        Role.PLAYER,
    ),
    SlashCommand(
        "resign",
        "[SEAT or NAME]",
        "Gives the game up; you keep what you have, but can't win.",
        "/resign",
        arguments.resign,
        Role.PLAYER,
    ),
    SlashCommand(
        "rematch",
        "",
        "Asks for the same again with another to begin; it starts when all players ask.",
        "/rematch",
        _alone(SendCommand(cmd.Rematch(UNSENT))),
        Role.PLAYER,
    ),
    SlashCommand(
        "sit",
        "[SEAT] [NAME]",
        "Takes an empty seat, also for another person at this keyboard, by name;"
        " during a game, yours back from the bot.",
        "/sit 2",
        arguments.sit,
    ),
    SlashCommand(
        "stand",
        "[SEAT or NAME]",
        "Gives up your seat, or one of them, to watch.",
        "/stand",
        arguments.stand,
        Role.PLAYER,
    ),
    SlashCommand(
        "start", "", "Starts the game.", "/start", _alone(SendCommand(cmd.Start(UNSENT))), Role.HOST
    ),
    SlashCommand(
        "next",
        "[NAME VALUE …]",
        "Starts another game: with a setting changed, another bot, or another to begin (first).",
        "/next bot expert rows 7 first Ada",
        arguments.next_game,
        Role.HOST,
    ),
    SlashCommand(
        "set",
        "NAME VALUE …",
        "Changes what the room plays; /settings shows the names.",
        "/set rows 3 cols 4 seats 3",
        arguments.set_settings,
        Role.HOST,
    ),
    SlashCommand(
        "bot",
        "KIND [SEAT]",
        "Seats a bot in the first empty seat or one of your choice, also instead of another bot.",
        "/bot easy",
        arguments.bot,
        Role.HOST,
    ),
    SlashCommand(
        "fill",
        "KIND",
        "Seats a bot in every empty seat.",
        "/fill easy",
        arguments.fill,
        Role.HOST,
    ),
    SlashCommand(
        "unseat",
        "SEAT or NAME",
        "Empties a taken seat.",
        "/unseat 2",
        arguments.unseat,
        Role.HOST,
    ),
    SlashCommand(
        "kick",
        "NAME",
        "Sends a member out, after a question; /unkick undoes it.",
        "/kick Bob",
        arguments.kick,
        Role.HOST,
    ),
    SlashCommand(
        "unkick",
        "NAME",
        "Lets a person in again who was sent out.",
        "/unkick Bob",
        arguments.unkick,
        Role.HOST,
    ),
    SlashCommand(
        "host", "NAME", "Makes another member the host.", "/host Ada", arguments.host, Role.HOST
    ),
    SlashCommand(
        "invite",
        "",
        "Shows the line by which friends join this room.",
        "/invite",
        _alone(Show(Viewable.INVITATION)),
    ),
    SlashCommand(
        "qr",
        "",
        "Shows the link to this room for browsers, and its QR code for phones.",
        "/qr",
        _alone(Show(Viewable.QR_CODE)),
    ),
    SlashCommand(
        "phone",
        "",
        "Shows a link by which you go on in a browser, with your name and seat. It works once, for"
        " five minutes; whoever opens it plays as you.",
        "/phone",
        _alone(Show(Viewable.OTHER_DEVICE)),
    ),
    SlashCommand(
        "rooms", "", "Lists the open rooms of the server.", "/rooms", _alone(Show(Viewable.ROOMS))
    ),
    SlashCommand(
        "numbers",
        "[on or off]",
        "Shows or hides the names of the moves on the board.",
        "/numbers off",
        arguments.numbers,
    ),
    SlashCommand(
        "size",
        "S, M, L or auto",
        "Draws the board compact, normal, large, or as it fits.",
        "/size L",
        arguments.size,
    ),
    SlashCommand(
        "theme",
        "[NAME]",
        "Shows the full screen in other colours; without a name, says which there are.",
        "/theme light",
        arguments.theme,
    ),
    SlashCommand(
        "confirm",
        "[on or off]",
        "Asks before each move on the full screen.",
        "/confirm on",
        arguments.turn(Switch.CONFIRM),
    ),
    SlashCommand(
        "mouse",
        "[on or off]",
        "Takes clicks on the full screen, or leaves them to the terminal.",
        "/mouse off",
        arguments.turn(Switch.MOUSE),
    ),
    SlashCommand(
        "bell",
        "[on or off]",
        "Rings on the full screen when it is your turn or your name is said.",
        "/bell off",
        arguments.turn(Switch.BELL),
    ),
    SlashCommand(
        "joins",
        "[on or off]",
        "Shows or hides on the full screen who comes and goes.",
        "/joins off",
        arguments.turn(Switch.JOINS),
    ),
    SlashCommand(
        "record",
        "",
        "Shows the game in one line, which boxroom replay reads.",
        "/record",
        _alone(Show(Viewable.RECORD)),
    ),
    SlashCommand(
        "save",
        "[FILE]",
        "Writes that line to a file.",
        "/save friday.txt",
        arguments.save,
    ),
    SlashCommand(
        "quit",
        "",
        "Leaves the room.",
        "/quit",
        _alone(Quit()),
        aliases=("exit", "leave", "q"),
    ),
)
"""All commands, in the order in which the help lists them."""

BY_NAME: Mapping[str, SlashCommand] = {
    name: command for command in COMMANDS for name in (command.name, *command.aliases)
}
"""The commands by each of their names."""


def help_for_all() -> Iterator[str]:
    """Yield the help for all commands."""
    yield "Type a move to play it. Everything else that you type is chat, but for these:"
    widest = max(len(command.usage) for command in COMMANDS)
    for command in COMMANDS:
        yield f"  {command.usage:<{widest}}  {command.help}{_role_note(command)}"
    yield "Seats are counted from 1. A line of chat that begins with a slash: //like this."


def help_for(name: str) -> Iterator[str]:
    """Yield the help for the command called `name`, one of `BY_NAME`."""
    command = BY_NAME[name]
    yield f"{command.usage}: {command.help}{_role_note(command)}"
    yield f"For example: {command.example}"
    if command.aliases:
        yield f"The same: {listed((f'/{alias}' for alias in command.aliases), 'or')}"


def _role_note(command: SlashCommand) -> str:
    match command.role:
        case Role.ANYBODY:
            return ""
        case Role.PLAYER | Role.SPECTATOR | Role.HOST:
            return f" (For {command.role.value}.)"
