"""The table of commands, the parser of typed lines, and the help about commands.

`/name …` is a command, `//…` is chat that begins with a slash, one move of the room's game is a
move, and everything else is chat; but a person alone in the room needs no slash for help, a hint
and the way out. For members who play in a running game, what looks like a move
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
    AnswerRequest,
    Clear,
    Explain,
    Help,
    Intent,
    Mistake,
    Nothing,
    PlayMove,
    Quit,
    RequestAbort,
    RequestHint,
    RequestPause,
    RequestUndo,
    SendCommand,
    Show,
    Switch,
    Viewable,
)
from boxroom_client.shell.input.look_alikes import plain_forms
from boxroom_client.shell.output.wording import sentence
from boxroom_common.phrases import say
from boxroom_engine.games.errors import MalformedMove, MoveOutOfRange, OptionError
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Reaction
from boxroom_engine.room.text import clean
from boxroom_engine.wording import closest

_WORDS = frozenset({"help", "hint", "quit"})
"""Commands that need no slash from a person alone in the room."""

_BEGINS_COMMAND = re.compile(r"/[\w?]")


class Role(Enum):
    """The members that may use a command, for the help. The room itself decides."""

    ANYBODY = "anybody"
    PLAYER = "players"
    SPECTATOR = "spectators"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command of the table."""

    name: str
    syntax: str
    """The arguments, as the end of the key of their names; empty: there are none."""
    example: str
    parse: Callable[[str, Context], Intent]
    """Parses the arguments; raises `BadSyntax`, `BadArgument` and `OptionError`."""
    role: Role = Role.ANYBODY
    aliases: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """Name and arguments, those in `[…]` to be left out or not: "/bot KIND [SEAT]"."""
        return (
            f"/{self.name} {say(f'terminal.syntax.{self.syntax}')}"
            if self.syntax
            else f"/{self.name}"
        )

    @property
    def help(self) -> str:
        """One sentence."""
        return say(f"terminal.command.{self.name}")


def parse(line: str, context: Context) -> Intent:
    """Return the intent of `line`, typed in `context`."""
    text = clean(line)
    if not text:
        return Nothing()
    if text.startswith("//"):
        return arguments.say_to_all(text[1:], context)
    if text.startswith("/"):
        return _parse_command(text[1:], context)
    if context.game.looks_like_move(text):
        return _parse_move(text, context)
    return _mistake_in_look_alike(text, context) or _word(text, context)


def _mistake_in_look_alike(text: str, context: Context) -> Mistake | None:
    """Return why `text` isn't said, if it looks like a command or like what isn't said either."""
    for plain in plain_forms(text):
        if _BEGINS_COMMAND.match(plain) and not text[0].isalpha():
            return Mistake(_looks_like_command(plain[1:]))
        if context.game.looks_like_move(plain):
            match _parse_move(plain, context):
                case PlayMove(text=move):
                    return Mistake(_or_said(say("terminal.typed.looks_like_move", move=move)))
                case Mistake() as mistake:
                    return mistake
                case _:
                    pass
    return None


def _looks_like_command(plain: str) -> str:
    name = plain.split(maxsplit=1)[0].lower()
    if name in BY_NAME:
        return _or_said(say("terminal.typed.looks_like_this_command", name=name))
    return _or_said(say("terminal.typed.looks_like_command"))


def _or_said(mistake: str) -> str:
    """Return `mistake`, and how to say the line all the same."""
    return f"{mistake} {say('terminal.typed.say_it')}"


def _word(text: str, context: Context) -> Intent:
    """Return the intent of a line that is chat, or alone in a room a command without its slash."""
    command = BY_NAME.get(text.lower())
    members = context.room.members.values()
    is_alone = not any(member.connected and member.name != context.me for member in members)
    if command is not None and command.name in _WORDS and is_alone:
        return command.parse("", context)
    return _chat(text)


def _chat(text: str) -> Intent:
    note = ""
    if text.lower() in BY_NAME:
        note = say("terminal.typed.was_chat", name=text.lower())
    return SendCommand(cmd.Say(UNSENT, text), note)


def _parse_move(text: str, context: Context) -> Intent:
    """Return the intent of a line that looks like a move."""
    game, is_player = context.game, context.room.is_player(context.me)
    try:
        move = game.format_move(game.parse_move(text))
    except MalformedMove as error:
        if not context.can_move:
            return _chat(text)
        return Mistake(_or_said(sentence(str(error))))
    except MoveOutOfRange as error:
        if is_player:
            return Mistake(sentence(str(error)))
        move = text
    if is_player:
        return PlayMove(move)
    return Mistake(say("terminal.typed.watching_move", move=move))


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
        return say("terminal.typed.usage_alone", usage=command.usage)
    return say("terminal.typed.usage", usage=command.usage, example=command.example)


def _unknown(name: str) -> str:
    if not name:
        return say("terminal.typed.no_command")
    guesses = [command.name for command in COMMANDS if command.name.startswith(name.lower())]
    if not guesses:
        plain = next(iter(plain_forms(name)), name).lower()
        # Few misspell the first letter, but some swap it with the next one.
        alike = (known for known in BY_NAME if known.startswith(tuple(plain[:2])))
        guesses = [guess] if (guess := closest(plain, alike)) is not None else []
    if not guesses:
        return say("terminal.typed.unknown", name=name)
    return say("terminal.typed.unknown_guess", name=name, names=[f"/{guess}" for guess in guesses])


def _alone(intent: Intent) -> Callable[[str, Context], Intent]:
    """Return the parser of a command without arguments."""

    def parse_arguments(rest: str, _: Context) -> Intent:
        if rest:
            raise BadSyntax(say("terminal.typed.nothing_follows"))
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
        "command",
        "/help bot",
        _help,
        aliases=("h", "?", "commands"),
    ),
    SlashCommand("board", "", "/board", _alone(Show(Viewable.BOARD))),
    SlashCommand("free", "", "/free", _alone(Show(Viewable.FREE_MOVES)), aliases=("moves",)),
    SlashCommand("box", "box", "/box 7", arguments.box),
    SlashCommand(
        "members",
        "",
        "/members",
        _alone(Show(Viewable.MEMBERS)),
        aliases=("who", "names", "seats"),
    ),
    SlashCommand(
        "settings",
        "",
        "/settings",
        _alone(Show(Viewable.SETTINGS)),
    ),
    SlashCommand(
        "say",
        "text",
        "/say h3!",
        arguments.say_to_all,
    ),
    SlashCommand(
        "me",
        "text",
        "/me waves",
        arguments.act,
    ),
    SlashCommand(
        "spectators",
        "text",
        "/spectators h3?!",
        arguments.say_to_spectators,
        Role.SPECTATOR,
        aliases=("spec",),
    ),
    SlashCommand(
        "msg",
        "message",
        "/msg Bob good luck",
        arguments.tell,
        aliases=("tell", "whisper", "w"),
    ),
    SlashCommand("ignore", "ignored", "/ignore Bob", arguments.ignore),
    SlashCommand("unignore", "name", "/unignore Bob", arguments.stop_ignoring),
    SlashCommand("clear", "", "/clear", _alone(Clear()), aliases=("cls",)),
    SlashCommand("away", "away", "/away lunch", arguments.go_away, aliases=("afk", "brb")),
    SlashCommand("back", "", "/back", _alone(SendCommand(cmd.GoAway(UNSENT, None)))),
    *(
        SlashCommand(reaction, "", f"/{reaction}", _alone(SendCommand(cmd.React(UNSENT, reaction))))
        for reaction in Reaction
    ),
    SlashCommand(
        "hint",
        "",
        "/hint",
        _alone(RequestHint()),
        Role.PLAYER,
    ),
    SlashCommand("coach", "on_off", "/coach on", arguments.coach, Role.PLAYER),
    SlashCommand(
        "review",
        "all",
        "/review",
        arguments.review,
    ),
    SlashCommand("judge", "judged", "/judge 12", arguments.judge),
    SlashCommand(
        "explain",
        "word",
        "/explain control",
        lambda rest, _: Explain(rest or None),
    ),
    SlashCommand(
        "undo",
        "",
        "/undo",
        _alone(RequestUndo()),
        Role.PLAYER,
        aliases=("takeback",),
    ),
    SlashCommand("nudge", "taken_seat", "/nudge Ada", arguments.nudge, Role.PLAYER),
    SlashCommand("standin", "taken_seat_bot", "/standin Ada", arguments.stand_in, Role.PLAYER),
    SlashCommand("pause", "", "/pause", _alone(RequestPause()), Role.PLAYER),
    SlashCommand("unpause", "", "/unpause", _alone(SendCommand(cmd.Unpause(UNSENT))), Role.PLAYER),
    SlashCommand("abort", "", "/abort", _alone(RequestAbort()), Role.PLAYER),
    SlashCommand(
        "accept",
        "",
        "/accept",
        _alone(AnswerRequest(agree=True)),
        Role.PLAYER,
    ),
    SlashCommand(
        "decline",
        "",
        "/decline",
        _alone(AnswerRequest(agree=False)),
        Role.PLAYER,
    ),
    SlashCommand(
        "resign",
        "seat",
        "/resign",
        arguments.resign,
        Role.PLAYER,
    ),
    SlashCommand(
        "ready",
        "",
        "/ready",
        _alone(SendCommand(cmd.Rematch(UNSENT))),
        aliases=("rematch",),
    ),
    SlashCommand(
        "sit",
        "sit",
        "/sit 2",
        arguments.sit,
    ),
    SlashCommand(
        "stand",
        "seat",
        "/stand",
        arguments.stand,
        Role.PLAYER,
    ),
    SlashCommand("start", "", "/start", _alone(SendCommand(cmd.Start(UNSENT))), Role.HOST),
    SlashCommand(
        "next",
        "next",
        "/next bot expert rows 7 first Ada",
        arguments.next_game,
        Role.HOST,
    ),
    SlashCommand("again", "move_number", "/again 23", arguments.again, Role.HOST),
    SlashCommand(
        "set",
        "settings",
        "/set rows 3 cols 4 seats 3",
        arguments.set_settings,
        Role.HOST,
    ),
    SlashCommand(
        "best",
        "games_off",
        "/best 5",
        arguments.best,
        Role.HOST,
    ),
    SlashCommand(
        "players",
        "players",
        "/players 2-6",
        arguments.set_players,
        Role.HOST,
    ),
    SlashCommand(
        "bot",
        "bot_seat",
        "/bot easy",
        arguments.bot,
        Role.HOST,
    ),
    SlashCommand(
        "fill",
        "bot",
        "/fill easy",
        arguments.fill,
        Role.HOST,
    ),
    SlashCommand(
        "unseat",
        "taken_seat",
        "/unseat 2",
        arguments.unseat,
        Role.HOST,
    ),
    SlashCommand(
        "kick",
        "name",
        "/kick Bob",
        arguments.kick,
        Role.HOST,
    ),
    SlashCommand(
        "unkick",
        "name",
        "/unkick Bob",
        arguments.unkick,
        Role.HOST,
    ),
    SlashCommand("mute", "name", "/mute Bob", arguments.mute, Role.HOST),
    SlashCommand("unmute", "name", "/unmute Bob", arguments.unmute, Role.HOST),
    SlashCommand("host", "maybe_name", "/host Ada", arguments.host, Role.HOST),
    SlashCommand(
        "invite",
        "",
        "/invite",
        _alone(Show(Viewable.INVITATION)),
    ),
    SlashCommand(
        "qr",
        "",
        "/qr",
        _alone(Show(Viewable.QR_CODE)),
    ),
    SlashCommand(
        "phone",
        "",
        "/phone",
        _alone(Show(Viewable.OTHER_DEVICE)),
    ),
    SlashCommand("rooms", "", "/rooms", _alone(Show(Viewable.ROOMS)), aliases=("list",)),
    SlashCommand("nick", "name", "/nick Anna", arguments.nick, aliases=("name", "rename")),
    SlashCommand("join", "room", "/join kiwa-tobe", arguments.join),
    SlashCommand(
        "numbers",
        "on_off",
        "/numbers off",
        arguments.numbers,
    ),
    SlashCommand(
        "size",
        "size",
        "/size L",
        arguments.size,
    ),
    SlashCommand(
        "theme",
        "theme",
        "/theme light",
        arguments.theme,
    ),
    SlashCommand(
        "confirm",
        "on_off",
        "/confirm on",
        arguments.turn(Switch.CONFIRM),
    ),
    SlashCommand(
        "mouse",
        "on_off",
        "/mouse off",
        arguments.turn(Switch.MOUSE),
    ),
    SlashCommand(
        "bell",
        "on_off",
        "/bell off",
        arguments.turn(Switch.BELL),
    ),
    SlashCommand(
        "joins",
        "on_off",
        "/joins off",
        arguments.turn(Switch.JOINS),
    ),
    SlashCommand(
        "table",
        "file",
        "/table evening.json",
        arguments.table,
        aliases=("standings",),
    ),
    SlashCommand(
        "record",
        "",
        "/record",
        _alone(Show(Viewable.RECORD)),
    ),
    SlashCommand(
        "save",
        "file",
        "/save boxroom.txt",
        arguments.save,
    ),
    SlashCommand(
        "quit",
        "",
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
    yield say("terminal.help_page.commands")
    widest = max(len(command.usage) for command in COMMANDS)
    for command in COMMANDS:
        yield f"  {command.usage:<{widest}}  {command.help}{_role_note(command)}"
    yield say("terminal.help_page.seats")


def help_for(name: str) -> Iterator[str]:
    """Yield the help for the command called `name`, one of `BY_NAME`."""
    command = BY_NAME[name]
    yield f"{command.usage}: {command.help}{_role_note(command)}"
    yield say("terminal.help_page.example", example=command.example)
    if command.aliases:
        yield say("terminal.help_page.same", names=[f"/{alias}" for alias in command.aliases])


def _role_note(command: SlashCommand) -> str:
    match command.role:
        case Role.ANYBODY:
            return ""
        case Role.PLAYER | Role.SPECTATOR | Role.HOST:
            return f" ({say(f'terminal.help_page.for_{command.role.value}')}.)"
