"""Effects on the game: its start, moves, takebacks, withdrawals, pauses and its end."""

from collections.abc import Sequence

from msgspec.structs import replace

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.record import is_withdrawal, play_token, withdrawal_token
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.standings import PlayerResult, with_game


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


def withdrew(room: Room, event: ev.Withdrew, seq: int, at_ms: int) -> Room:
    """Return the room after a seat withdrew from the game."""
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
        turn_since_ms=room.turn_since_ms if is_same_turn else room.time_ms(at_ms),
        request=None,
    )


def started(room: Room, event: ev.Started, seq: int, at_ms: int) -> Room:
    """Return the room at the start of a game."""
    is_same = {row.name for row in room.series} == {*event.players}
    return replace(
        room,
        seq=seq,
        phase=Phase.PLAYING,
        game_number=event.number,
        game_link=event.link,
        players=event.players,
        state=room.settings.make_game().initial(),
        history="",
        history_movers="",
        history_taken="",
        deadline_ms=event.deadline_ms,
        turn_since_ms=at_ms,
        unrated=any((holder.member and holder.bot) or holder.coached for holder in room.seats),
        seats=tuple(replace(holder, missed=0) for holder in room.seats),
        rematch=frozenset(),
        request=None,
        undos=0,
        ply_offset=0,
        series=room.series if is_same else (),
    )


def ended(room: Room, event: ev.Ended, seq: int) -> Room:
    """Return the room after the end of a game, which is added to the table."""
    seats = zip(room.players, event.scores, event.points, strict=False)  # old logs have no points
    results = [
        PlayerResult(name, score, points, event.winners == (seat,))
        for seat, (name, score, points) in enumerate(seats)
    ]
    table = with_game(room.table, room.settings.game, results)
    series = with_game(room.series, room.settings.game, results) if room.settings.best_of else ()
    over = replace(room, seq=seq, phase=Phase.OVER, request=None, table=table, series=series)
    return replace(over, deadline_ms=None, turn_since_ms=None)


def without_game(room: Room) -> Room:
    """Return the room before its next game."""
    return replace(
        room,
        game_link="",
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


def unpaused(room: Room, seq: int, at_ms: int) -> Room:
    """Return the room after a pause, with all of its times later by the length of the pause."""
    assert room.pause is not None
    length_ms = at_ms - room.pause.since_ms
    members = {
        name: replace(member, grace_until_ms=_later(member.grace_until_ms, length_ms))
        for name, member in room.members.items()
    }
    return replace(
        room,
        seq=seq,
        pause=None,
        members=members,
        deadline_ms=_later(room.deadline_ms, length_ms),
        turn_since_ms=_later(room.turn_since_ms, length_ms),
        nudged_ms=_later(room.nudged_ms, length_ms),
    )


def _later(time_ms: int | None, by_ms: int) -> int | None:
    return None if time_ms is None else time_ms + by_ms
