"""Effects of events: `evolve` folds a room's log into a `Room`.

Server and client share it, so that a client's mirror can't differ from the server's state. It
trusts that `decide` made the event, or that the server sent it, and checks nothing.
"""

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.record import is_withdrawal, play_token, withdrawal_token
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import (
    CHAT_TAIL,
    AbortRequest,
    ChatLine,
    ChatTo,
    Member,
    Phase,
    PrivateLine,
    Room,
    SeatHolder,
    Settings,
    StandInRequest,
    UndoRequest,
)
from boxroom_engine.standings import PlayerResult, with_game, with_series


def evolve_entry(room: Room, entry: ev.Entry) -> Room:
    """Return the room after all events of `entry`.

    Raises:
        ValueError: `entry` doesn't follow on `room.seq`.
    """
    if entry.seq != room.seq + 1:
        raise ValueError(f"entry {entry.seq} can't follow seq {room.seq}")
    for event in entry.events:
        room = evolve(room, event, entry.at_ms)
    return room


def evolve(room: Room, event: ev.Event, at_ms: int) -> Room:
    """Return the room after `event`, which has the number `room.seq + 1` and happens at `at_ms`."""
    seq = room.seq + 1
    match event:
        case ev.Played():
            assert room.state is not None
            after = room.state.play(room.state.game.parse_move(event.move))
            return with_move(room, event, after, at_ms)
        case ev.Said():
            line = _chat_line(event, seq)
            if event.to is ChatTo.SPECTATORS:
                return replace(room, seq=seq, unrevealed=(*room.unrevealed, line)[-CHAT_TAIL:])
            return replace(room, seq=seq, chat=(*room.chat, line)[-CHAT_TAIL:])
        case ev.Told():
            private = PrivateLine(
                seq, event.member, event.to, event.text, event.at_ms, event.name, event.persons
            )
            return replace(room, seq=seq, private=(*room.private, private)[-CHAT_TAIL:])
        case ev.Nudged():
            return replace(room, seq=seq, nudged_ms=at_ms)
        case ev.Unbarred():
            return replace(room, seq=seq, barred=room.barred - {event.member})
        case ev.Hidden() | ev.HintAsked() | ev.Reacted():
            return replace(room, seq=seq)
        case ev.Revealed():
            chat = sorted((*room.chat, *event.lines), key=lambda line: line.seq)
            return replace(room, seq=seq, chat=tuple(chat[-CHAT_TAIL:]), unrevealed=())
        case ev.Created():
            created = replace(room, code=event.room, log=event.log, seq=seq, host=event.member)
            return _with_settings(created, event.settings)
        case ev.Configured():
            return _with_settings(replace(room, seq=seq), event.settings)
        case ev.Joined() | ev.Returned():
            return _with_member(
                room, Member(event.member, node=event.node, person=event.person), seq
            )
        case ev.Dropped():
            member = Member(event.member, connected=False, grace_until_ms=event.until_ms)
            return replace(_with_member(room, member, seq), request=None)
        case ev.GraceOver():
            gone = _with_member(room, Member(event.member, connected=False), seq)
            return _with_clock_stopped_for(gone, event.member)
        case ev.Woken():
            return _woken(room, event, seq, at_ms)
        case ev.Left():
            if room.is_player(event.member):
                room = replace(room, request=None)
            gone = _without_member(room, event.member, seq)
            return _with_clock_stopped_for(gone, event.member)
        case ev.Kicked():
            return _kicked(room, event.member, seq)
        case ev.HostPassed():
            return replace(room, seq=seq, host=event.member)
        case ev.Sat() | ev.BotSat() | ev.Vacated() | ev.StoodIn() | ev.TookBack():
            return _with_seat(room, event, seq, at_ms)
        case ev.Reseated():
            return _reseated(room, event, seq)
        case ev.Rotated():
            return replace(room, seq=seq, seats=(*room.seats[1:], room.seats[0]))
        case ev.Started():
            return _started(room, event, seq, at_ms)
        case ev.Withdrew():
            return _withdrew(room, event, seq, at_ms)
        case ev.UndoAsked() | ev.StandInAsked() | ev.AbortAsked():
            return _asked(room, event, seq)
        case ev.UndoAgreed() | ev.Agreed():
            assert room.request is not None
            agreed = (*room.request.agreed, event.member)
            return replace(room, seq=seq, request=replace(room.request, agreed=agreed))
        case ev.UndoDeclined() | ev.Declined():
            return replace(room, seq=seq, request=None)
        case ev.Undone():
            return with_undone(room, event, position_after(room, event.keeps), at_ms)
        case ev.Aborted():
            return _without_game(replace(room, seq=seq))
        case ev.Ended():
            return _ended(room, event, seq)
        case ev.SeriesWon():
            return replace(room, seq=seq, table=with_series(room.table, event.name), series=())
        case ev.RematchWanted():
            return replace(room, seq=seq, rematch=room.rematch | {event.member})
        case ev.RematchUnwanted():
            return replace(room, seq=seq, rematch=room.rematch - {event.member})
        case _:
            assert_never(event)


def with_move(room: Room, event: ev.Played, after: State, at_ms: int) -> Room:
    """Return the room after a move that is known to lead to `after`; else use `evolve`."""
    seats = room.seats
    missed = seats[event.seat].missed
    now_missed = missed + 1 if event.by is ev.CLOCK else 0
    if missed != now_missed:
        holder = replace(seats[event.seat], missed=now_missed)
        seats = (*seats[: event.seat], holder, *seats[event.seat + 1 :])
    return replace(
        room,
        seq=room.seq + 1,
        seats=seats,
        state=after,
        history=f"{room.history} {event.move}",
        history_movers=room.history_movers + chr(event.seat),
        history_taken=room.history_taken + _taken_text(len(room.history_movers), event.taken),
        deadline_ms=event.deadline_ms,
        turn_since_ms=at_ms,
        # A bot doesn't decide on a request, so that its move doesn't either.
        request=None if event.by is ev.PLAYER else room.request,
    )


def _taken_text(index: int, taken: Sequence[int]) -> str:
    """Return the part of `Room.history_taken` of the token with that index; "" without `taken`."""
    if not taken:
        return ""
    numbers = taken[0] if len(taken) == 1 else ",".join(map(str, taken))
    return f",[{index},{numbers}]"


def _asked(room: Room, event: ev.UndoAsked | ev.StandInAsked | ev.AbortAsked, seq: int) -> Room:
    match event:
        case ev.UndoAsked():
            undo = UndoRequest(event.member, room.ply, event.keeps)
            return replace(room, seq=seq, request=undo, undos=room.undos + 1)
        case ev.StandInAsked():
            stand_in = StandInRequest(event.member, seq, event.seat, event.bot)
            return replace(room, seq=seq, request=stand_in)
        case ev.AbortAsked():
            return replace(room, seq=seq, request=AbortRequest(event.member, seq))
        case _:
            assert_never(event)


def with_undone(room: Room, event: ev.Undone, after: State, at_ms: int) -> Room:
    """Return the room after a takeback that is known to lead to `after`; else use `evolve`."""
    keeps = event.keeps
    kept_taken = (each for each in room.taken if each[0] < keeps)
    return replace(
        room,
        seq=room.seq + 1,
        state=after,
        history="".join(f" {token}" for token in room.tokens[:keeps]),
        history_movers=room.history_movers[:keeps],
        history_taken="".join(_taken_text(index, taken) for index, *taken in kept_taken),
        ply_offset=event.ply - keeps,
        turn_since_ms=at_ms,
        request=None,
        undos=room.undos + (room.undo is None),
    )


def with_tokens(room: Room, tokens: Sequence[str]) -> Room:
    """Return `room`, in which a game has begun, after these moves and withdrawals.

    Raises:
        GameError: there is no such game, or the tokens aren't legal one after another.
    """
    state = room.settings.make_game().initial()
    movers, taken = "", ""
    for index, token in enumerate(tokens):
        mover, state = state.to_move, play_token(state, token)
        if is_withdrawal(token):
            movers += chr(int(token[1:]))
        else:
            assert mover is not None  # else the game was over, and no move was legal
            movers += chr(mover)
            taken += _taken_text(index, state.taken)
    history = "".join(f" {token}" for token in tokens)
    return replace(room, state=state, history=history, history_movers=movers, history_taken=taken)


def position_after(room: Room, number: int) -> State:
    """Return the position after the first `number` moves and withdrawals of the game."""
    assert room.state is not None
    state = room.state.game.initial()
    for token in room.tokens[:number]:
        state = play_token(state, token)
    return state


def _withdrew(room: Room, event: ev.Withdrew, seq: int, at_ms: int) -> Room:
    assert room.state is not None
    is_same_turn = event.to_move == room.state.to_move
    seat = Seat(event.seat)
    return replace(
        room,
        seq=seq,
        state=room.state.withdraw(seat),
        history=f"{room.history} {withdrawal_token(seat)}",
        history_movers=room.history_movers + chr(seat),
        deadline_ms=event.deadline_ms,
        turn_since_ms=room.turn_since_ms if is_same_turn else at_ms,
        request=None,
    )


def _started(room: Room, event: ev.Started, seq: int, at_ms: int) -> Room:
    is_same = {row.name for row in room.series} == {*event.players}
    return replace(
        room,
        seq=seq,
        phase=Phase.PLAYING,
        game_number=event.number,
        players=event.players,
        state=room.settings.make_game().initial(),
        history="",
        history_movers="",
        history_taken="",
        deadline_ms=event.deadline_ms,
        turn_since_ms=at_ms,
        unrated=any(holder.member and holder.bot for holder in room.seats),
        seats=tuple(replace(holder, missed=0) for holder in room.seats),
        rematch=frozenset(),
        request=None,
        undos=0,
        ply_offset=0,
        series=room.series if is_same else (),
    )


def _ended(room: Room, event: ev.Ended, seq: int) -> Room:
    seats = zip(room.players, event.scores, event.points, strict=False)  # old logs have no points
    results = [
        PlayerResult(name, score, points, event.winners == (seat,))
        for seat, (name, score, points) in enumerate(seats)
    ]
    table = with_game(room.table, room.settings.game, results)
    series = with_game(room.series, room.settings.game, results) if room.settings.best_of else ()
    over = replace(room, seq=seq, phase=Phase.OVER, request=None, table=table, series=series)
    return replace(over, deadline_ms=None, turn_since_ms=None)


def _with_settings(room: Room, settings: Settings) -> Room:
    """Return the room with `settings`: with its number of seats, and without a finished game."""
    kept = tuple(
        SeatHolder(holder.glyph) if holder.is_empty else holder
        for holder in room.seats[: settings.seats]
    )
    seats = _with_new_seats(kept, settings.seats)
    series = room.series if settings.best_of == room.settings.best_of else ()
    return _without_game(replace(room, settings=settings, seats=seats, series=series))


def _without_game(room: Room) -> Room:
    """Return the room before its next game."""
    return replace(
        room,
        phase=Phase.WAITING,
        players=(),
        state=None,
        history="",
        history_movers="",
        history_taken="",
        deadline_ms=None,
        turn_since_ms=None,
        unrated=False,
        rematch=frozenset(),
        request=None,
        undos=0,
        ply_offset=0,
    )


def _reseated(room: Room, event: ev.Reseated, seq: int) -> Room:
    kept = tuple(room.seats[seat] for seat in event.kept)
    return replace(
        room,
        seq=seq,
        settings=replace(room.settings, seats=event.seats),
        seats=_with_new_seats(kept, event.seats),
        request=None,
    )


def _with_new_seats(kept: tuple[SeatHolder, ...], number: int) -> tuple[SeatHolder, ...]:
    """Return `kept` and behind them empty seats, `number` in all, each with a glyph of its own."""
    used = {holder.glyph for holder in kept}
    free = (glyph for glyph in range(number) if glyph not in used)
    return kept + tuple(SeatHolder(next(free)) for _ in range(number - len(kept)))


def _with_seat(
    room: Room,
    event: ev.Sat | ev.BotSat | ev.Vacated | ev.StoodIn | ev.TookBack,
    seq: int,
    at_ms: int,
) -> Room:
    seat, before = event.seat, room.seats[event.seat]
    match event:
        case ev.Sat():
            holder = SeatHolder(before.glyph, event.name, member=event.member, since=seq)
            return _with_holder(room, seat, holder, seq)
        case ev.BotSat():
            holder = SeatHolder(before.glyph, event.name, bot=event.bot, since=seq)
            return _with_holder(room, seat, holder, seq, deadline_ms=None)
        case ev.Vacated():
            return _with_holder(room, seat, SeatHolder(before.glyph), seq)
        case ev.StoodIn():
            holder = replace(before, bot=event.bot)
            return _with_holder(replace(room, unrated=True), seat, holder, seq, deadline_ms=None)
        case ev.TookBack():
            holder = replace(before, bot=None, missed=0)
            back = _with_holder(room, seat, holder, seq, deadline_ms=event.deadline_ms)
            is_to_move = room.running is not None and room.running.to_move == seat
            return replace(back, turn_since_ms=at_ms) if is_to_move else back
        case _:
            assert_never(event)


def _with_holder(
    room: Room, seat: int, holder: SeatHolder, seq: int, **deadline: int | None
) -> Room:
    """Return the room with another holder in `seat`, and maybe another clock for the seat.

    Other people decide on a request then, so it ends.
    """
    seats = (*room.seats[:seat], holder, *room.seats[seat + 1 :])
    if deadline and room.state is not None and room.state.to_move == seat:
        return replace(room, seq=seq, seats=seats, request=None, **deadline)
    return replace(room, seq=seq, seats=seats, request=None)


def _chat_line(said: ev.Said, seq: int) -> ChatLine:
    member, text, at_ms = said.member, said.text, said.at_ms
    return ChatLine(seq, member, text, at_ms, said.to, said.name, said.action)


def _with_member(room: Room, member: Member, seq: int) -> Room:
    return replace(room, seq=seq, members={**room.members, member.name: member})


def _woken(room: Room, event: ev.Woken, seq: int, at_ms: int) -> Room:
    absent = {
        name: Member(name, connected=False, grace_until_ms=event.until_ms)
        for name in room.members
        if not room.is_gone(name)
    }
    members = {**room.members, **absent}
    return replace(
        room,
        seq=seq,
        members=members,
        deadline_ms=event.deadline_ms,
        turn_since_ms=None if room.running is None else at_ms,  # nobody could move meanwhile
        request=None,
    )


def _with_clock_stopped_for(room: Room, member: str) -> Room:
    """Stop a clock that runs for `member`, who is gone; `TookBack` starts it again."""
    seat = room.state.to_move if room.state is not None else None
    if room.deadline_ms is None or seat is None or room.seats[seat].member != member:
        return room
    return replace(room, deadline_ms=None)


def _without_member(room: Room, name: str, seq: int) -> Room:
    members = {other: member for other, member in room.members.items() if other != name}
    return replace(room, seq=seq, members=members, rematch=room.rematch - {name})


def _kicked(room: Room, name: str, seq: int) -> Room:
    """Remove and bar a member; a seat that withdrew keeps its name on the board."""
    seats = tuple(
        replace(holder, member=None, bot=None) if holder.member == name else holder
        for holder in room.seats
    )
    without = _without_member(room, name, seq)
    request = None if room.is_player(name) else room.request
    return replace(without, seats=seats, barred=room.barred | {name}, request=request)
