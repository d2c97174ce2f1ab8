"""The events of a room as sentences for people, the same ones as on the page (`narrate.js`).

Pure functions of an event, the room before and after it, and the member who reads. Nothing here
knows one particular game, nor how commands are typed (`advice`). The connection has cleaned all
texts of other members. docs/sentence-vectors.json holds both sides together.
"""

from typing import assert_never

from boxroom_client.shell.output.standings import standings_in_short
from boxroom_client.shell.output.wording import bot_options
from boxroom_client.shell.room_settings import in_short
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.protocol import GameKind
from boxroom_engine.games.registry import kind_of
from boxroom_engine.phrases import Phrase, Value, phrase
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import (
    MOST_TAKEBACKS,
    ChatLine,
    ChatTo,
    OnDrop,
    Phase,
    PrivateLine,
    Room,
    Settings,
)

_ENDS_A_REQUEST = (ev.UndoDeclined, ev.Undone, ev.Declined, ev.StoodIn, ev.Aborted, ev.Paused)
"""Events whose own sentence says enough about the request that they end."""


def narrate(event: ev.Event, before: Room, after: Room, me: str) -> tuple[str, ...]:
    """Return the lines about `event` for member `me`; none if it isn't worth a line."""
    lines = _narrate(event, before, after, me)
    asked = before.request
    if asked is None or after.request is not None or isinstance(event, _ENDS_A_REQUEST):
        return lines
    key = "event.undo_off" if before.undo is not None else "event.request_off"
    return (*lines, say(key, name=asked.member))


def _narrate(event: ev.Event, before: Room, after: Room, me: str) -> tuple[str, ...]:
    match event:
        case ev.Created() | ev.Rotated() | ev.Reseated() | ev.Hidden():
            return ()
        case ev.Joined():
            return (say("event.joined", name=event.member),)
        case ev.Left():
            return (say("event.left", name=event.member),)
        case ev.Kicked():
            return (say("event.kicked", name=event.member),)
        case ev.Unbarred():
            return (say("event.unbarred", name=event.member),)
        case ev.Muted() | ev.Unmuted() | ev.Renamed() | ev.WentAway() | ev.CameBack():
            return (_changed_member(event, me),)
        case ev.Dropped():
            return (say(_dropped(event.member, after), name=event.member),)
        case ev.Returned() if before.is_connected(event.member):
            return ()  # only to another server of a cluster
        case ev.Returned():
            return (say("event.returned", name=event.member),)
        case ev.GraceOver():
            return (say("event.grace_over", name=event.member),)
        case ev.Woken():
            return (say("event.woken"),)
        case ev.HostPassed():
            return (_host_passed(event.member, me),)
        case ev.Configured():
            return (say("event.configured", what=", ".join(settings_in_words(after.settings))),)
        case ev.Sat():
            return (_sat(event),)
        case ev.BotSat():
            return (_bot_sat(event),)
        case ev.Vacated():
            return (_vacated(event.seat, before),)
        case ev.StoodIn():
            return (say("event.stood_in", bot=called(event.bot), name=after.players[event.seat]),)
        case ev.TookBack():
            if before.seats[event.seat].bot is None:
                return ()  # only the clock starts again
            return (say("event.took_back", name=after.players[event.seat]),)
        case ev.Started():
            return _started(event, len(after.settings.opening))
        case ev.Played(by=ev.OPENING):
            return ()
        case ev.Played():
            return (_played(event, before),)
        case ev.HintAsked():
            return (say("event.hint_asked", name=after.players[event.seat]),)
        case ev.Coached():
            key = "event.coached" if event.on else "event.not_coached"
            return (say(key, name=before.seats[event.seat].name or "?"),)
        case ev.UndoAsked():
            return (
                say("event.undo_asked", name=event.member, moves=moves_after(before, event.keeps)),
            )
        case ev.UndoAgreed():
            return (say("event.undo_agreed", name=event.member),)
        case ev.UndoDeclined():
            is_own = before.undo is not None and before.undo.member == event.member
            key = "event.undo_withdrawn" if is_own else "event.undo_declined"
            return (say(key, name=event.member),)
        case ev.Undone():
            name, moves = called(after.players[event.to_move]), moves_after(before, event.keeps)
            return (say("event.undone", name=name, moves=moves),)
        case ev.Paused():
            return (say("event.paused", name=event.member),)
        case ev.Unpaused():
            return () if event.member is None else (say("event.unpaused", name=event.member),)
        case ev.PauseAsked():
            return (say("event.pause_asked", name=event.member),)
        case ev.Nudged() | ev.StandInAsked() | ev.AbortAsked() | ev.Agreed() | ev.Declined():
            return (_request(event, before, me),)
        case ev.Aborted():
            return (say("event.aborted"),)
        case ev.Withdrew():
            return (_withdrew(event, after),)
        case ev.Ended():
            return (result(event, after, me), *standings_in_short(after))
        case ev.SeriesWon():
            return (say("event.series_won", name=called(event.name), n=after.settings.best_of),)
        case ev.RematchWanted():
            return (_voted(event.member, after, me),)
        case ev.RematchUnwanted():
            return (say("event.leaves_next", name=event.member),)
        case ev.Said():
            return (said(event),)
        case ev.Reacted():
            return (reacted(event),)
        case ev.Told():
            return (told(event, me),)
        case ev.Revealed():
            lines = (said(line) for line in event.lines)
            return (say("event.revealed"), *(f"  {line}" for line in lines))
        case _:
            assert_never(event)


def _changed_member(
    event: ev.Muted | ev.Unmuted | ev.Renamed | ev.WentAway | ev.CameBack, me: str
) -> str:
    name = event.member
    match event:
        case ev.Muted():
            return say("event.muted_you" if name == me else "event.muted", name=name)
        case ev.Unmuted():
            return say("event.unmuted_you" if name == me else "event.unmuted", name=name)
        case ev.Renamed():
            return say("event.renamed", former=name, name=event.name)
        case ev.WentAway(text=text):
            return say("event.went_away_why" if text else "event.went_away", name=name, text=text)
        case ev.CameBack():
            return say("event.came_back", name=name)
        case _:
            assert_never(event)


def _started(event: ev.Started, opening: int) -> tuple[str, ...]:
    key = "event.started" if event.number == 1 else "event.started_n"
    started = say(key, n=event.number, names=[*map(called, event.players)])
    opens = (say("event.opening", n=opening),) if opening else ()
    return (started, *opens, *((say("event.started_linked"),) if event.link else ()))


def _nudged(name: str, member: str | None, other: str, room: Room, me: str) -> str:
    if member == me:
        return say("event.nudged_you", name=name)
    nudged = room.members.get(member or "")
    if nudged is None or nudged.away is None:
        return say("event.nudged", name=name, other=other)
    key = "event.nudged_away_why" if nudged.away else "event.nudged_away"
    return say(key, name=name, other=other, text=nudged.away)


def _request(
    event: ev.Nudged | ev.StandInAsked | ev.AbortAsked | ev.Agreed | ev.Declined,
    before: Room,
    me: str,
) -> str:
    name = event.member
    match event:
        case ev.Nudged(seat=seat):
            return _nudged(name, before.seats[seat].member, before.players[seat], before, me)
        case ev.StandInAsked(seat=seat, bot=bot):
            return say(
                "event.stand_in_asked", name=name, other=before.players[seat], bot=called(bot)
            )
        case ev.AbortAsked():
            return say("event.abort_asked", name=name)
        case ev.Agreed():
            return say("event.agreed", name=name)
        case ev.Declined():
            is_own = before.request is not None and before.request.member == name
            return say("event.request_withdrawn" if is_own else "event.declined", name=name)
        case _:
            assert_never(event)


def said(line: ev.Said | ChatLine) -> str:
    """Return a line of chat with the name of its author."""
    aside = f" ({say('to_spectators')})" if line.to is ChatTo.SPECTATORS else ""
    if line.action:
        return f"* {line.speaker}{aside} {line.text}"
    return f"{line.speaker}{aside}: {line.text}"


def reacted(event: ev.Reacted) -> str:
    """Return a reaction with the name of its author."""
    return f"{event.speaker}: {say(f'reaction.{event.reaction}')}"


def told(line: ev.Told | PrivateLine, me: str) -> str:
    """Return a private message with the names of its author and its reader, as `me` reads it."""
    to = say("to_you" if line.to == me else "to_member", name=line.to)
    return f"{line.speaker} ({to}): {line.text}"


def counted(number: int, kind: GameKind) -> Phrase:
    """Return a score in the game's words: "1 box", "14 boxes", or else "3 points"."""
    return phrase(f"prize_{kind.prize[0]}" if kind.prize else "points", n=number)


def settings_in_words(settings: Settings) -> list[str]:
    """Return the game of a room, and those of its other settings that aren't as usual."""
    usual, on_drop, takebacks = Settings(), settings.on_drop, settings.takebacks
    return [
        in_short(settings.make_game()),
        *([say("seconds_left", n=settings.clock_s)] if settings.clock_s else []),
        *_seats_in_words(settings),
        *([say("settings.hints")] if settings.hints else []),
        *([say("settings.best_of", n=settings.best_of)] if settings.best_of else []),
        *([say("settings.opening", n=len(settings.opening))] if settings.opening else []),
        *([_takebacks_in_words(takebacks)] if takebacks != usual.takebacks else []),
        *([say(f"settings.on_drop_{on_drop}")] if on_drop is not usual.on_drop else []),
        *(
            [say("settings.stand_in", n=settings.stand_in_s)]
            if settings.stand_in_s != usual.stand_in_s
            else []
        ),
    ]


def _takebacks_in_words(takebacks: int) -> str:
    is_any = takebacks == MOST_TAKEBACKS
    return say("settings.takebacks_any") if is_any else say("settings.takebacks", n=takebacks)


def _seats_in_words(settings: Settings) -> list[str]:
    if settings.seat_range is not None:
        least, most = settings.seat_range
        return [say("settings.seat_range", least=least, most=most)]
    usual = settings.seats == Settings().seats
    return [] if usual else [say("settings.seats", n=settings.seats)]


def _dropped(member: str, room: Room) -> str:
    plays = any(room.seats[seat].bot is None for seat in room.seats_of(member))
    if room.phase is not Phase.PLAYING or not plays:
        return "event.dropped"
    match room.settings.on_drop:
        case OnDrop.BOT:
            return "event.dropped_bot"
        case OnDrop.WAIT:
            return "event.dropped_wait"
        case OnDrop.FORFEIT:
            return "event.dropped_forfeit"


def _host_passed(member: str | None, me: str) -> str:
    if member is None:
        return say("event.no_host")
    return say("event.host_you" if member == me else "event.host", name=member)


def _sat(event: ev.Sat) -> str:
    key = "event.sat" if event.name == event.member else "event.sat_at"
    return say(key, name=event.name, seat=event.seat + 1, member=event.member)


def _bot_sat(event: ev.BotSat) -> str:
    options = bot_options(event.bot)
    key = "event.bot_sat_with" if options else "event.bot_sat"
    return say(key, name=called(event.name), seat=event.seat + 1, options=options)


def _vacated(seat: int, before: Room) -> str:
    name = before.seats[seat].name
    if name is None:
        return say("event.vacated_empty", seat=seat + 1)
    return say("event.vacated", name=called(name), seat=seat + 1)


def _played(event: ev.Played, before: Room) -> str:
    name = _mover(event, before)
    if not event.taken:
        return say("event.played", name=name, move=event.move)
    key = "event.took_again" if event.to_move == event.seat else "event.took"
    what = counted(len(event.taken), kind_of(before.settings.game))
    return say(key, name=name, what=what, move=event.move)


def _mover(event: ev.Played, before: Room) -> Value:
    holder, name = before.seats[event.seat], called(before.players[event.seat])
    match event.by:
        case ev.MoveSource.CLOCK:
            return phrase("event.clock", name=name)
        case ev.MoveSource.PLAYER | ev.MoveSource.OPENING:
            return name
        case ev.MoveSource.BOT:
            if holder.member is not None:
                return phrase("event.bot_of", name=name)
            bot = called(holder.name or "")
            return phrase("event.bot_for", bot=bot, name=name) if bot not in ("", name) else name


def moves_after(room: Room, number: int) -> Value:
    """Return the moves after the first `number`, in few words: "h3", or "h3 and 2 more"."""
    move, *later = room.tokens[number:]
    return phrase("moves_and_more", move=move, n=len(later)) if later else move


def _voted(member: str, room: Room, me: str) -> str:
    if member in room.joining_next():
        return say("event.joins_next_you" if member == me else "event.joins_next", name=member)
    return say("event.ready" if room.phase is Phase.WAITING else "event.rematch", name=member)


def _withdrew(event: ev.Withdrew, room: Room) -> str:
    kind = kind_of(room.settings.game)
    key = f"event.kept_{event.why}" if kind.prize else f"event.withdrew_{event.why}"
    what = counted(event.scores[event.seat], kind)
    return say(key, name=called(room.players[event.seat]), what=what)


def result(event: ev.Ended, room: Room, me: str) -> str:
    """Return the result of a game for member `me`, by name if it has several seats or none."""
    names = tuple(map(called, room.players))
    winners, kind = event.winners, kind_of(room.settings.game)
    withdrawn = room.state.withdrawn if room.state is not None else frozenset()
    mine = room.seats_of(me)
    seat = mine[0] if len(mine) == 1 < len(names) else None
    if not winners:
        return say("result.nobody" if len(names) == 1 else "result.draw")
    others = [names[each] for each in winners if each != seat]
    if withdrawn and len(names) - len(withdrawn) == 1:
        gone = [names[each] for each in sorted(withdrawn)]
        key = "result.only" if others else "result.you_only"
        return say(key, n=len(gone), names=gone, name=names[winners[0]])
    counts = kind.prize is not None and not kind.only_the_win_counts
    with_prizes = "_with" if counts else ""
    what = counted(event.scores[winners[0]], kind)
    if len(winners) > 1:
        key = "result.you_share" if seat in winners else "result.share"
        return say(key + with_prizes, names=others, what=what)
    if not others:
        rest = set(range(len(names))) - withdrawn - {winners[0]}
        lead = event.scores[winners[0]] - max(event.scores[each] for each in rest)
        return say("result.you_won_by" if counts else "result.you_won", what=counted(lead, kind))
    if seat is not None and counts:
        n, of = event.scores[seat], sum(event.scores)
        return say("result.you_lost", name=others[0], n=n, of=of)
    return say("result.won" + with_prizes, name=others[0], what=what)
