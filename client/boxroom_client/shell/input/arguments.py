"""Parsers of the arguments of commands: one for each command that takes any.

People count seats from 1; the wire counts from 0. Only `_seat` converts, and what would lead to
a refusal that names a seat by its number on the wire is answered here instead.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain

from boxroom_client.shell import room_settings
from boxroom_client.shell.input.intents import (
    ChangeSettings,
    GoToRoom,
    Ignore,
    Intent,
    Judge,
    PlayAgain,
    Rename,
    RequestStandIn,
    Resize,
    ReviewGame,
    Save,
    SaveTable,
    SendCommand,
    Show,
    ShowBox,
    ShowNumbers,
    StartNextGame,
    StopIgnoring,
    Switch,
    Toggle,
    UseTheme,
    Viewable,
)
from boxroom_client.shell.next_game import NextGame, planned_game
from boxroom_client.shell.output.describe import game_of
from boxroom_client.shell.output.wording import sentence
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import LEVELS, called
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.protocol import Game, OptionValue, Seat
from boxroom_engine.phrases import phrase
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.limits import bot_kind
from boxroom_engine.room.room import ChatTo, Phase, Room, SeatHolder
from boxroom_engine.room.text import same_name

UNSENT = 0
"""The id of a command that the connection hasn't numbered yet."""


@dataclass(frozen=True, slots=True)
class Context:
    """The room in which a line is typed, and the member who types it."""

    room: Room
    me: str
    bots: tuple[str, ...] = ()
    """Bots that the server can seat in this room's game, the levels first."""

    @property
    def game(self) -> Game:
        """The game on the board, or the one that the room would start."""
        return game_of(self.room)

    @property
    def can_move(self) -> bool:
        """Whether the member plays in a running game, at its turn or later."""
        state = self.room.running
        mine = self.room.seats_of(self.me)
        return state is not None and any(seat not in state.withdrawn for seat in mine)


class BadSyntax(BoxroomError):
    """The syntax of a command is wrong; its usage is added to the message."""


class BadArgument(BoxroomError):
    """An argument names a thing that doesn't exist; the message says what does."""


def say_to_all(rest: str, _: Context) -> Intent:
    """Parse a line of chat for all."""
    if not rest:
        raise BadSyntax(say("terminal.typed.nothing_to_say"))
    return SendCommand(cmd.Say(UNSENT, rest))


def act(rest: str, _: Context) -> Intent:
    """Parse what the person does, to be shown behind the name."""
    if not rest:
        raise BadSyntax(say("terminal.typed.nothing_to_say"))
    return SendCommand(cmd.Say(UNSENT, rest, action=True))


def go_away(rest: str, _: Context) -> Intent:
    """Parse why the person is gone for a moment, or nothing."""
    return SendCommand(cmd.GoAway(UNSENT, rest))


def say_to_spectators(rest: str, _: Context) -> Intent:
    """Parse a line of chat for spectators."""
    if not rest:
        raise BadSyntax(say("terminal.typed.nothing_to_say"))
    return SendCommand(cmd.Say(UNSENT, rest, ChatTo.SPECTATORS))


def box(rest: str, context: Context) -> Intent:
    """Parse the number of a box, or its row and column; which there are the game knows."""
    if context.game.kind.abilities.box is None:
        raise BadArgument(say("terminal.typed.no_boxes", game=context.game.kind.named))
    if not rest:
        raise BadSyntax(say("terminal.typed.which_box"))
    return ShowBox(rest)


def tell(rest: str, context: Context) -> Intent:
    """Parse the name of another member, which may have spaces, and a private message."""
    others = [name for name in context.room.members if name != context.me]
    for name in sorted(others, key=len, reverse=True):
        begin, text = rest[: len(name)], rest[len(name) :]
        if same_name(begin, name) and text.startswith(" "):
            return SendCommand(cmd.Tell(UNSENT, name, text.strip()))
    name, _, text = rest.partition(" ")
    if not text:
        raise BadSyntax(say("terminal.typed.whom_and_what"))
    return SendCommand(cmd.Tell(UNSENT, _person(name, context), text))


def ignore(rest: str, context: Context) -> Intent:
    """Parse the name of another person, who may have left; without one, list those ignored."""
    if not rest:
        return Ignore(None)
    if same_name(rest, context.me):
        raise BadArgument(say("terminal.typed.ignore_yourself"))
    room = context.room
    lines = (line.member for line in room.chat), (line.member for line in room.private)
    others = [*room.members, *chain(*lines)]
    found = next((name for name in others if same_name(name, _person(rest, context))), None)
    if found is None:
        raise BadArgument(say("terminal.typed.nobody_called", name=rest))
    return Ignore(found)


def stop_ignoring(rest: str, _: Context) -> Intent:
    """Parse the name of a person who is ignored."""
    if not rest:
        raise BadSyntax(say("terminal.typed.who"))
    return StopIgnoring(rest)


def sit(rest: str, context: Context) -> Intent:
    """Parse a seat, a name for the person in it, both, or neither."""
    first, _, name = rest.partition(" ")
    if not first.isdecimal():
        return _sit_down(context, None, rest or None)
    return _sit_down(context, _seat(first, context), name.strip() or None)


def _sit_down(context: Context, seat: Seat | None, name: str | None) -> Intent:
    """Refuse what the room would refuse with other seat numbers; else leave it to the room."""
    room = context.room
    mine = room.seats_of(context.me)
    if seat is not None and room.phase is not Phase.PLAYING and not room.seats[seat].is_empty:
        empty = ", ".join(str(other + 1) for other in room.empty_seats()) or say(
            "terminal.typed.none"
        )
        name = called(room.seats[seat].name or "")
        raise BadArgument(say("terminal.typed.seat_taken", name=name, seat=seat + 1, empty=empty))
    if mine and name is None and room.phase is not Phase.PLAYING:
        raise BadArgument(say("terminal.typed.sits_already", seat=mine[0] + 1))
    return SendCommand(cmd.Sit(UNSENT, seat, name))


def stand(rest: str, context: Context) -> Intent:
    """Parse one of our seats, or none, for all of them."""
    return SendCommand(cmd.Stand(UNSENT, _own_seat(rest, context) if rest else None))


def resign(rest: str, context: Context) -> Intent:
    """Parse one of our seats; it can be left out if only one is still in the game."""
    room, state = context.room, context.room.state
    if rest:
        return SendCommand(cmd.Resign(UNSENT, _own_seat(rest, context)))
    mine = room.seats_of(context.me)
    if not mine:
        raise BadArgument(say("terminal.typed.watching_resign"))
    playing = [seat for seat in mine if state is None or seat not in state.withdrawn] or mine
    if len(playing) > 1 and room.phase is Phase.PLAYING:
        own = (f"/resign {room.seats[seat].name}" for seat in playing)
        lines = [phrase("terminal.typed.quoted", line=line) for line in own]
        raise BadArgument(say("terminal.typed.who_resigns", lines=lines))
    return SendCommand(cmd.Resign(UNSENT, playing[0]))


def bot(rest: str, context: Context) -> Intent:
    """Parse a kind of bot, and a seat for it."""
    words = rest.split()
    if not 1 <= len(words) <= 2:
        raise BadSyntax(_bots_there_are(context))
    bot, *seat = words
    chosen = _seat(seat[0], context) if seat else None
    holder = context.room.seats[chosen] if chosen is not None else None
    if chosen is not None and holder is not None and not (holder.is_empty or holder.is_bot):
        raise BadArgument(
            say("terminal.typed.unseat_first", name=called(holder.name or ""), seat=chosen + 1)
        )
    return SendCommand(cmd.SeatBot(UNSENT, _typed_bot(bot), chosen))


def fill(rest: str, context: Context) -> Intent:
    """Parse a kind of bot."""
    if not rest or " " in rest:
        raise BadSyntax(_bots_there_are(context))
    return SendCommand(cmd.Fill(UNSENT, _typed_bot(rest)))


def _bots_there_are(context: Context) -> str:
    levels = [bot for bot in context.bots if bot in LEVELS]
    others = [bot for bot in context.bots if bot not in LEVELS]
    sentences = [say("terminal.typed.which_bot")]
    if context.bots:
        sentences.append(say("terminal.typed.bots_here", names=", ".join(levels or others)))
    if levels and others:
        sentences.append(say("terminal.typed.bots_by_algorithm", names=", ".join(others)))
    return " ".join(sentences)


def _typed_bot(text: str) -> str:
    """Return the bot that a person names; a level has a name in their language, too."""
    return next((level for level in LEVELS if same_name(called(level), text)), text.lower())


def nudge(rest: str, context: Context) -> Intent:
    """Parse the seat of the player to move."""
    if not rest:
        raise BadSyntax(say("terminal.typed.which_seat"))
    return SendCommand(cmd.Nudge(UNSENT, _seat(rest, context)))


def stand_in(rest: str, context: Context) -> Intent:
    """Parse the seat of the player to move, maybe followed by a bot."""
    if not rest:
        raise BadSyntax(say("terminal.typed.which_seat"))
    who, _, last = rest.rpartition(" ")
    bot = _typed_bot(last)
    if who and bot_kind(bot) in context.bots:
        return RequestStandIn(_seat(who.strip(), context), bot)
    return RequestStandIn(_seat(rest, context), None)


def unseat(rest: str, context: Context) -> Intent:
    """Parse a seat that is taken."""
    if not rest:
        raise BadSyntax(say("terminal.typed.which_seat"))
    seat = _seat(rest, context)
    if context.room.seats[seat].is_empty:
        raise BadArgument(sentence(say("refusal.seat_empty", seat=seat)))
    return SendCommand(cmd.Unseat(UNSENT, seat))


def kick(rest: str, context: Context) -> Intent:
    """Parse the name of a member."""
    return SendCommand(cmd.Kick(UNSENT, _person(rest, context)))


def unkick(rest: str, context: Context) -> Intent:
    """Parse the name of a person who was sent out."""
    if not rest:
        out = ", ".join(sorted(context.room.barred)) or say("terminal.typed.nobody")
        raise BadSyntax(say("terminal.typed.who_was_sent_out", names=out))
    return SendCommand(cmd.Unbar(UNSENT, rest))


def mute(rest: str, context: Context) -> Intent:
    """Parse the name of a member."""
    return SendCommand(cmd.Mute(UNSENT, _person(rest, context)))


def unmute(rest: str, context: Context) -> Intent:
    """Parse the name of a person who is muted."""
    if not rest:
        muted = ", ".join(sorted(context.room.muted)) or say("terminal.typed.nobody")
        raise BadSyntax(say("terminal.typed.who_is_muted", names=muted))
    return SendCommand(cmd.Unmute(UNSENT, rest))


def host(rest: str, context: Context) -> Intent:
    """Parse the name of a member; without one, show what the host can do."""
    if not rest:
        return Show(Viewable.POWERS)
    return SendCommand(cmd.HandOver(UNSENT, _person(rest, context)))


def _person(rest: str, context: Context) -> str:
    if not rest:
        raise BadSyntax(say("terminal.typed.who"))
    for holder in context.room.seats:
        if holder.member is None and _is_called(holder, rest):
            raise BadArgument(say("terminal.typed.is_bot", name=called(holder.name or "")))
    return rest


def set_settings(rest: str, context: Context) -> Intent:
    """Parse names and values of settings; without any, show the settings."""
    words = rest.replace("=", " ").split()
    if not words:
        return Show(Viewable.SETTINGS)
    if len(words) % 2:
        raise BadSyntax(say("terminal.typed.value_follows"))
    changes = {name.lower(): value.lower() for name, value in zip(*[iter(words)] * 2, strict=True)}
    return _change_settings(changes, context)


def _change_settings(changes: Mapping[str, OptionValue], context: Context) -> Intent:
    room_settings.changed(context.room.settings, changes)  # raises an error for what can't be
    return ChangeSettings(changes)


def best(rest: str, context: Context) -> Intent:
    """Parse the number of games of a series, or off."""
    if not rest:
        raise BadSyntax(say("terminal.typed.how_many_games"))
    return _change_settings({room_settings.BEST.name: rest}, context)


def set_players(rest: str, context: Context) -> Intent:
    """Parse a number of seats, or two; without any, show who plays."""
    if not rest.strip():
        return Show(Viewable.MEMBERS)
    return set_settings(f"{room_settings.SEATS.name} {''.join(rest.split())}", context)


def next_game(rest: str, context: Context) -> Intent:
    """Parse names and values: settings of the room, `bot` and `first`."""
    words = rest.replace("=", " ").split()
    if len(words) % 2:
        raise BadSyntax(say("terminal.typed.value_follows"))
    changes = {name.lower(): value for name, value in zip(*[iter(words)] * 2, strict=True)}
    planned, bot, first = (
        planned_game(context.room),
        changes.pop("bot", None),
        changes.pop("first", None),
    )
    if bot is not None and not planned.bots:
        raise BadArgument(say("terminal.typed.no_bot_seated", bot=bot))
    lowered = {name: value.lower() for name, value in changes.items()}
    wanted = NextGame(
        room_settings.changed(context.room.settings, lowered),
        {seat: held if bot is None else _typed_bot(bot) for seat, held in planned.bots.items()},
        _seat(first, context) if first is not None else planned.first,
    )
    return StartNextGame(planned, wanted)


def again(rest: str, _: Context) -> Intent:
    """Parse the number of the first move that is to be played again, or nothing."""
    if rest and not _is_number_of_move(rest):
        raise BadSyntax(say("terminal.typed.again_which"))
    return PlayAgain(int(rest) if rest else None)


def _is_number_of_move(text: str) -> bool:
    return text.isdecimal() and len(text) <= 8 and int(text) > 0


def judge(rest: str, _: Context) -> Intent:
    """Parse the number of a move, and another move instead of it or `all`; each may be missing."""
    words = rest.split()
    number = int(words.pop(0)) if words and _is_number_of_move(words[0]) else None
    every = [word.lower() for word in words] == ["all"]
    if len(words) > 1:
        raise BadSyntax(say("terminal.typed.judge_what"))
    return Judge(number, words[0] if words and not every else None, every)


def _own_seat(text: str, context: Context) -> Seat:
    """Parse one of our own seats."""
    seat, mine = _seat(text, context), context.room.seats_of(context.me)
    if seat in mine:
        return seat
    if not mine:
        raise BadArgument(say("terminal.typed.watching_no_seat"))
    seats = [str(own + 1) for own in mine]
    raise BadArgument(say("terminal.typed.not_your_seat", seat=seat + 1, seats=seats))


def numbers(rest: str, _: Context) -> Intent:
    """Parse on, off, or nothing, which toggles."""
    return ShowNumbers(_on_or_off(rest))


def turn(switch: Switch) -> Callable[[str, Context], Intent]:
    """Return the parser of on, off, or nothing, which toggles `switch`."""
    return lambda rest, _: Toggle(switch, _on_or_off(rest))


def _on_or_off(rest: str) -> bool | None:
    words: Mapping[str, bool | None] = {"": None, "on": True, "off": False}
    if rest.lower() not in words:
        raise BadSyntax(say("terminal.typed.on_or_off"))
    return words[rest.lower()]


def coach(rest: str, context: Context) -> Intent:
    """Parse on, off, or nothing, for the coach: it begins to help, or stops."""
    mine = context.room.seats_of(context.me)
    if not mine:
        raise BadArgument(say("terminal.typed.watching_coach"))
    wanted = _on_or_off(rest)
    is_on = context.room.seats[mine[0]].coached
    return SendCommand(cmd.Coach(UNSENT, mine[0], not is_on if wanted is None else wanted))


def theme(rest: str, _: Context) -> Intent:
    """Parse the name of a theme, or of its file."""
    return UseTheme(rest or None)


_SIZES: Mapping[str, Size | None] = {
    "s": Size.COMPACT,
    "m": Size.NORMAL,
    "l": Size.LARGE,
    **{size.value: size for size in Size},
    "auto": None,
}


def size(rest: str, _: Context) -> Intent:
    """Parse a size by its letter or its name."""
    if rest.lower() not in _SIZES:
        raise BadSyntax(say("terminal.typed.which_size"))
    return Resize(_SIZES[rest.lower()])


def nick(rest: str, _: Context) -> Intent:
    """Parse another name for the person."""
    if not rest:
        raise BadSyntax(say("terminal.typed.which_name"))
    return Rename(rest)


def join(rest: str, _: Context) -> Intent:
    """Parse the code of a room, which may have spaces."""
    if not rest:
        raise BadSyntax(say("terminal.typed.which_room"))
    return GoToRoom(rest)


def save(rest: str, _: Context) -> Intent:
    """Parse the name of a file, or none."""
    return Save(rest or None)


def review(rest: str, _: Context) -> Intent:
    """Parse `all`, or nothing."""
    if rest.lower() not in ("", "all"):
        raise BadSyntax(say("terminal.typed.all_or_nothing"))
    return ReviewGame(every=bool(rest))


def table(rest: str, _: Context) -> Intent:
    """Parse the name of a file; without one, show the table."""
    return SaveTable(rest) if rest else Show(Viewable.TABLE)


def _is_called(holder: SeatHolder, text: str) -> bool:
    """Return whether a person means the holder of a seat by `text`."""
    name = holder.name
    return name is not None and (same_name(name, text) or same_name(called(name), text))


def _seat(text: str, context: Context) -> Seat:
    """Parse a seat: by its number, from 1, or by the name of its player."""
    seats = context.room.seats
    if text.isdecimal():
        number = int(text) if len(text) < 9 else 0
        if not 1 <= number <= len(seats):
            raise BadArgument(say("terminal.typed.no_seat", seat=text[:9], last=len(seats)))
        return Seat(number - 1)
    for index, holder in enumerate(seats):
        if _is_called(holder, text):
            return Seat(index)
    names = ", ".join(called(holder.name) for holder in seats if holder.name is not None)
    raise BadArgument(
        say("terminal.typed.no_holder", name=text, names=names or say("terminal.typed.nobody"))
    )
