"""The events of a room as sentences for people.

Pure functions of an event, the room before and after it, and the member who reads. Nothing here
knows one particular game. The connection has cleaned all texts of other members.
"""

from collections.abc import Sequence
from typing import assert_never

from boxroom_client.shell import room_settings
from boxroom_client.shell.output.describe import can_review, cautions
from boxroom_client.shell.output.wording import bot_options
from boxroom_engine.games.protocol import GameKind
from boxroom_engine.games.registry import kind_of
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import ChatTo, OnDrop, Phase, Room
from boxroom_engine.wording import listed

NO_PLAYER = "nobody"
"""Name of an empty seat."""


def narrate(event: ev.Event, before: Room, after: Room, me: str) -> tuple[str, ...]:
    """Return the lines about `event` for member `me`; none if it isn't worth a line."""
    lines = _narrate(event, before, after, me)
    is_off = before.undo is not None and after.undo is None
    if before.undo is None or not is_off or isinstance(event, ev.UndoDeclined | ev.Undone):
        return lines
    return (*lines, f"So the takeback that {before.undo.member} asked for is off.")


def _narrate(event: ev.Event, before: Room, after: Room, me: str) -> tuple[str, ...]:
    match event:
        case ev.Unbarred():
            return (f"The host lets {event.member} come in again.",)
        case ev.Created() | ev.Rotated() | ev.Hidden():
            return ()
        case ev.Joined():
            return (f"{event.member} comes in.",)
        case ev.Left():
            return (f"{event.member} leaves.",)
        case ev.Kicked():
            undo = f" /unkick {event.member} undoes it." if after.host == me else ""
            return (f"The host sends {event.member} out.{undo}",)
        case ev.Dropped():
            return (_dropped(event.member, after),)
        case ev.Returned():
            return (f"{event.member} is back.",)
        case ev.GraceOver():
            return (f"{event.member} hasn't come back in time.",)
        case ev.Woken():
            return ("The server was away, and is back: everybody has their seats.",)
        case ev.HostPassed():
            return (_host_passed(event.member, me),)
        case ev.Configured():
            return (_configured(before, after),)
        case ev.Sat():
            return (_sat(event), *_ready(after, me))
        case ev.BotSat():
            options = bot_options(event.bot)
            bot = f"a bot ({options})" if options else "a bot"
            sentence = f"{event.name}, {bot}, sits down in seat {event.seat + 1}."
            return (sentence, *_ready(after, me))
        case ev.Vacated():
            return (f"{seat_name(before, event.seat)} leaves seat {event.seat + 1}.",)
        case ev.StoodIn():
            return (_stood_in(event, after, me),)
        case ev.TookBack():
            if before.seats[event.seat].bot is None:
                return ()  # only the clock starts again
            return (f"{seat_name(after, event.seat)} plays again.",)
        case ev.Started():
            return (_started(event), *cautions(after))
        case ev.Played():
            return (_played(event, before),)
        case ev.HintAsked():
            return (f"{after.players[event.seat]} asks for a hint.",)
        case ev.UndoAsked():
            return (undo_request(after, me),)
        case ev.UndoAgreed():
            return (f"{event.member} agrees to the takeback.",)
        case ev.UndoDeclined():
            is_own = before.undo is not None and before.undo.member == event.member
            what = "doesn't ask for the takeback any more" if is_own else "declines the takeback"
            return (f"{event.member} {what}.",)
        case ev.Undone():
            name = after.players[event.to_move]
            return (f"{name} takes back {_moves_after(before, event.keeps)}, and is to move.",)
        case ev.Withdrew():
            return (_withdrew(event, after),)
        case ev.Ended():
            return (*_ended(event, after), *_what_next(after, me))
        case ev.RematchWanted():
            return (_rematch_wanted(event.member, after, me),)
        case ev.Said():
            return (said(event.speaker, event.text, event.to),)
        case ev.Revealed():
            lines = (said(line.speaker, line.text, line.to) for line in event.lines)
            return ("During the game the spectators said:", *(f"  {line}" for line in lines))
        case _:
            assert_never(event)


def seat_name(room: Room, seat: int) -> str:
    """Return the name of the player in `seat`; `NO_PLAYER` if it is empty."""
    return room.seats[seat].name or NO_PLAYER


def said(member: str, text: str, to: ChatTo) -> str:
    """Return a line of chat with the name of its author."""
    aside = " (to spectators)" if to is ChatTo.SPECTATORS else ""
    return f"{member}{aside}: {text}"


def counted(number: int, kind: GameKind) -> str:
    """Return a score in the game's words: "1 box", "14 boxes", or else "3 points"."""
    one, many = kind.prize or ("point", "points")
    return f"{number} {one if number == 1 else many}"


def _dropped(member: str, room: Room) -> str:
    name = member
    if room.phase is not Phase.PLAYING:
        return f"The connection of {name} is lost; the seat is kept for a while."
    match room.settings.on_drop:
        case OnDrop.BOT:
            what = "If it doesn't come back soon, a bot plays on."
        case OnDrop.WAIT:
            what = "The game waits."
        case OnDrop.FORFEIT:
            what = "If it doesn't come back soon, the game is forfeited."
    return f"The connection of {name} is lost. {what}"


def _host_passed(member: str | None, me: str) -> str:
    if member is None:
        return "The room has no host now."
    if member == me:
        return f"{member}, you are the host now: /help shows what you can do."
    return f"{member} is the host now."


def _configured(before: Room, after: Room) -> str:
    old = {name: value for name, value, _ in room_settings.rows(before.settings)}
    new = [
        f"{name} {value}"
        for name, value, _ in room_settings.rows(after.settings)
        if old.get(name) != value
    ]
    return f"The host changes the settings: {', '.join(new) or 'nothing that shows'}."


def _sat(event: ev.Sat) -> str:
    whose = "" if event.name == event.member else f", at the keyboard of {event.member}"
    return f"{event.name} sits down in seat {event.seat + 1}{whose}."


def _ready(room: Room, me: str) -> tuple[str, ...]:
    if room.phase is Phase.PLAYING or room.empty_seats() or room.host != me:
        return ()
    return ("All seats are taken: /start starts the game.",)


def _stood_in(event: ev.StoodIn, room: Room, me: str) -> str:
    name = seat_name(room, event.seat)
    back = " Type /sit to play again yourself." if room.seats[event.seat].member == me else ""
    return f"A bot ({event.bot}) plays on for {name}.{back}"


def _started(event: ev.Started) -> str:
    which = "The game" if event.number == 1 else f"Game {event.number}"
    return f"{which} begins. In order of play: {listed(event.players)}."


def _played(event: ev.Played, before: Room) -> str:
    name, move = before.players[event.seat], event.move
    match event.by:
        case ev.MoveSource.CLOCK:
            name = f"Time is up for {name}: a bot"
        case ev.MoveSource.BOT:
            name = _bot_at(before, event.seat)
        case ev.MoveSource.PLAYER:
            pass
    if not event.taken:
        return f"{name} plays {move}."
    again = " and goes again" if event.to_move == event.seat else ""
    kind = kind_of(before.settings.game)
    return f"{name} takes {counted(len(event.taken), kind)}{again} ({move})."


def _bot_at(room: Room, seat: int) -> str:
    """Return the name of the bot that plays for `seat`, with the absent person's name if any."""
    holder, name = room.seats[seat], room.players[seat]
    if holder.member is not None:
        return f"The bot of {name}"
    return name if holder.name == name else f"{holder.name}, for {name},"


def undo_request(room: Room, me: str) -> str:
    """Return the request for a takeback in `room`, and what `me` can do about it; "" for none."""
    asked = room.undo
    if asked is None:
        return ""
    deciding = [name for name in room.deciding_on_undo(asked.member) if name not in asked.agreed]
    moves = _moves_after(room, asked.keeps)
    decide = f"{listed(deciding)} {'decides' if len(deciding) == 1 else 'decide'}"
    if asked.member == me:
        return f"You ask to take back {moves}: {decide}."
    asks = f"{asked.member} asks to take back {moves}:"
    return f"{asks} /undo agrees, /decline declines." if me in deciding else f"{asks} {decide}."


def _moves_after(room: Room, number: int) -> str:
    """Return the moves after the first `number`, in few words: "h3", or "h3 and 2 more"."""
    move, *later = room.tokens[number:]
    return f"{move} and {len(later)} more" if later else move


def _withdrew(event: ev.Withdrew, room: Room) -> str:
    name = room.players[event.seat]
    kind = kind_of(room.settings.game)
    kept = f", and keeps {counted(event.scores[event.seat], kind)}" if kind.prize else ""
    match event.why:
        case ev.WithdrawalReason.RESIGNED:
            return f"{name} gives up{kept}."
        case ev.WithdrawalReason.FORFEITED:
            return f"{name} forfeits the game{kept}."
        case ev.WithdrawalReason.KICKED:
            return f"{name} is out of the game{kept}."
        case _:
            assert_never(event.why)


def _ended(event: ev.Ended, room: Room) -> Sequence[str]:
    """Return the result, and all scores, the highest first."""
    names = room.players
    out = room.state.withdrawn if room.state is not None else frozenset()
    order = sorted(range(len(names)), key=lambda seat: -event.scores[seat])
    widest = max(len(str(score)) for score in event.scores)
    scores = (
        f"  {event.scores[seat]:>{widest}}  {names[seat]}{' (gave up)' if seat in out else ''}"
        for seat in order
    )
    return (f"The game is over: {_result(event, room, names)}", *scores)


def _result(event: ev.Ended, room: Room, names: Sequence[str]) -> str:
    if not event.winners:
        return "nobody wins." if len(names) == 1 else "nobody wins, it is a draw."
    kind = kind_of(room.settings.game)
    score = event.scores[event.winners[0]]
    winners = [names[seat] for seat in event.winners]
    if len(winners) > 1:
        each = f" with {counted(score, kind)} each" if kind.prize else ""
        return f"{listed(winners)} win together{each}."
    out = room.state.withdrawn if room.state is not None else frozenset()
    if out and len(out) == len(names) - 1:
        return f"{winners[0]} wins, the only one who didn't give up."
    return f"{winners[0]} wins{f' with {counted(score, kind)}' if kind.prize else ''}."


def _what_next(room: Room, me: str) -> tuple[str, ...]:
    if not room.is_player(me):
        return ()
    review = " /review shows where it was lost." if can_review(room) else ""
    again = f"Type /rematch to play again.{review}"
    if room.host != me:
        return (again,)
    bot = "bot KIND " if any(holder.is_bot for holder in room.seats) else ""
    option = kind_of(room.settings.game).options[0].name
    what = "another opponent, board or first player" if bot else "another board or first player"
    return (again, f"A game with {what}: /next {bot}{option} VALUE first NAME.")


def _rematch_wanted(member: str, room: Room, me: str) -> str:
    waiting_for = [name for name in room.connected_players() if name not in room.rematch]
    asked = f"{member} wants a rematch."
    if me in waiting_for:
        return f"{asked} Type /rematch to agree."
    if waiting_for:
        agree = "agrees" if len(waiting_for) == 1 else "agree"
        return f"{asked} It starts when {listed(waiting_for)} {agree} too."
    return asked
