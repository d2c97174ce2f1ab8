"""Rules of games in a room: settings, start, moves, hints, resignation, votes."""

from msgspec.structs import replace

from boxroom_engine.games.errors import MoveError, OptionError
from boxroom_engine.games.protocol import Game, Seat, State, listed_moves
from boxroom_engine.games.record import is_withdrawal
from boxroom_engine.games.turn_order import check_turn
from boxroom_engine.phrases import phrase
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused, Decision, refusal
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Phase, Room, Settings, granted
from boxroom_engine.room.rules.seating import (
    drop_empty_seats,
    prepare_seats,
    seat_joining,
    take_seat,
)

MOST_WORK = 10_000
"""Greatest `Game.work` of a board, or the longest game if that is more."""


MOST_OPENING_MOVES = 500
"""Moves with which a game can begin; the settings, and so each list of rooms, have them all."""


def granted_settings(requested: Settings, taken: int, limits: RoomLimits) -> Settings:
    """Return the settings for a room with so many `taken` seats.

    The present number of seats in a range follows from the latter.

    Raises:
        CommandRefused: there is no such game, or it is beyond `limits`.
    """
    settings = granted(requested)
    if settings.seat_range is None:
        check_settings(settings, limits)
        return settings
    least, most = settings.seat_range
    if least > most:
        raise refusal("bad_option.seat_range", least=least, most=most)
    for seats in (most, least):
        check_settings(replace(settings, seats=seats), limits)
    return replace(settings, seats=min(max(least, taken), most))


def check_settings(settings: Settings, limits: RoomLimits) -> None:
    """Refuse settings that name no game, or one beyond `limits`.

    It checks the number of seats before it makes the game, so that a huge number costs nothing.
    """
    if settings.seats > limits.seats:
        raise refusal("too_many_seats", n=limits.seats)
    try:
        game = settings.make_game()
    except OptionError as error:
        raise CommandRefused("bad_option", error.phrase) from None
    for name, value in settings.options.items():
        if game.options[name] != value:  # text instead of a number, for example
            raise refusal(
                "bad_option.form", name=name, right=repr(game.options[name]), wrong=repr(value)
            )
    if game.longest > limits.longest_game:
        raise refusal("too_large", n=game.longest, most=limits.longest_game)
    most_work = max(limits.longest_game, MOST_WORK)
    if game.work > most_work:
        raise refusal("too_large.work", work=game.work, most=most_work)
    if settings.opening:
        _check_opening(settings, game)


def _check_opening(settings: Settings, game: Game) -> None:
    """Refuse an opening with which no game of these settings can begin, or that ends it."""
    if len(settings.opening) > MOST_OPENING_MOVES:
        raise refusal("too_large.opening", n=MOST_OPENING_MOVES)
    if settings.seat_range is not None:  # with other seats others would have made these moves
        raise refusal("bad_option.opening_seats")
    state = game.initial()
    for number, text in enumerate(settings.opening, 1):
        if is_withdrawal(text):
            raise refusal("bad_option.opening_withdrawal")
        try:
            move = game.parse_move(text)
            state = state.play(move)
        except MoveError as error:
            raise refusal("bad_option.opening", n=number, move=text, why=error.phrase) from None
        if (right := game.format_move(move)) != text:
            raise refusal("bad_option.form", name="opening", right=right, wrong=text)
    if state.is_over:
        raise refusal("bad_option.opening_over")


def configure(decision: Decision, command: cmd.Configure) -> None:
    """Change the settings; refuse a change by which a seat holder would lose the seat."""
    room, requested = decision.room, command.settings
    if requested.private != room.settings.private:
        raise refusal("bad_option.private")
    taken = [holder.name or "?" for holder in room.seats if not holder.is_empty]
    settings = granted_settings(requested, len(taken), decision.limits)
    if len(taken) > settings.seats:
        raise refusal("seats_taken", name=taken[settings.seats])
    for holder in room.seats:
        if holder.bot and not decision.limits.has_bot(holder.bot, settings.game):
            raise refusal("no_such_bot.game", bot=holder.bot, game=phrase(f"title.{settings.game}"))
    if settings == room.settings:
        raise refusal("no_change.settings")
    joining = room.joining_next()
    if any(not holder.is_empty for holder in room.seats[settings.seats :]):
        drop_empty_seats(decision, settings.seats)
    decision.add(ev.Configured(settings))
    seat_joining(decision, joining)


def start(decision: Decision, command: cmd.Start | None = None) -> None:
    """Start the next game if every seat has a player; people who are back replace stand-ins."""
    first = (command.first if command is not None else None) or 0
    if first >= len(decision.room.seats):
        raise refusal("no_such_seat.first", seat=first)
    for _ in range(first):
        decision.add(ev.Rotated())
    prepare_seats(decision)
    room = decision.room
    empty = len(room.empty_seats())
    if empty:
        raise refusal("empty_seats", n=empty)
    for holder in room.seats:
        if holder.bot is None and not room.is_connected(holder.member):
            raise refusal("absent_player", name=holder.name or "?")
    for seat, holder in enumerate(decision.room.seats):
        if room.is_connected(holder.member):
            decision.take_back(Seat(seat))
    players = tuple(holder.name or "?" for holder in decision.room.seats)
    first_position, opening = room.settings.make_game().initial(), room.settings.opening
    deadline_ms = None if opening else decision.deadline_ms(first_position.to_move)
    number = room.game_number + 1
    link = "" if room.settings.private else decision.link
    can_move = first_position.movable, link, listed_moves(first_position)
    decision.add(ev.Started(number, players, deadline_ms, *can_move))
    for text in opening:
        state = decision.room.state
        assert state is not None
        assert state.to_move is not None
        _play(decision, state, state.to_move, text, ev.OPENING)


def vote(decision: Decision, member: str) -> None:
    """Count a vote for the next game; with the last one start it, in turns if there was one before.

    A spectator who votes joins the players of the next game.
    """
    room = decision.room
    is_playing = room.phase is Phase.PLAYING
    if member not in room.voters():
        _join_next(decision, member)
    elif is_playing:
        raise refusal("game_on.vote")
    if member not in room.rematch:
        decision.add(ev.RematchWanted(member))
    if not is_playing and decision.room.rematch.issuperset(decision.room.voters()):
        _start_voted(decision, counts_later=decision.room.is_player(member))
    if not decision.events:
        raise refusal("no_change.rematch")


def start_if_all_voted(decision: Decision) -> None:
    """Start the game for which all voters have voted, if it waited for one to come back."""
    room = decision.room
    if room.phase is not Phase.PLAYING and room.rematch and room.rematch.issuperset(room.voters()):
        _start_voted(decision, counts_later=True)


def _join_next(decision: Decision, member: str) -> None:
    """Seat a spectator who votes, at once if the room waits; refuse the vote if seats lack."""
    room = decision.room
    if member in room.rematch:
        return
    if room.free_places <= 0:
        raise refusal("not_a_player.rematch")
    if room.phase is Phase.WAITING and room.free_seats:
        take_seat(decision, member)


def _start_voted(decision: Decision, *, counts_later: bool) -> None:
    """Start the game for which all have voted; if it can't start yet, a new vote may count later.

    That of a host who watches doesn't: among players who come back it would be a wish to play.
    """
    started = Decision(decision.room, decision.now_ms, decision.limits, link=decision.link)
    if started.room.phase is Phase.OVER:
        started.add(ev.Rotated())
    try:
        start(started)
    except CommandRefused:
        if not counts_later or not decision.events:
            raise
        return
    decision.events += started.events
    decision.room = started.room


def play(decision: Decision, member: str, command: cmd.Play) -> None:
    """Play the move of a person."""
    state = running(decision.room)
    seat = _seat_to_move(decision.room, state, member, command)
    _play(decision, state, seat, command.move, ev.PLAYER)


def ask_hint(decision: Decision, member: str, command: cmd.AskHint) -> None:
    """Record that a player asked for a hint; the server sends the hint to that player alone."""
    state = running(decision.room)
    if not decision.room.settings.hints:
        raise refusal("hints_off")
    decision.add(ev.HintAsked(_seat_to_move(decision.room, state, member, command)))


def check_judging(room: Room, member: str, ply: int) -> None:
    """Refuse a judgement of the running game, unless it is the present position of who may ask.

    That is the player to move, where hints are allowed. `ply` is that of the position itself.
    """
    state = running(room)
    if not room.settings.hints:
        raise refusal("hints_off")
    if state.to_move not in room.seats_of(member):
        raise refusal("not_your_turn.judge")
    if ply != state.ply:
        raise refusal("stale.ply", ply=ply, now=state.ply)


def play_for(decision: Decision, command: cmd.PlayFor) -> None:
    """Play the move of a bot: for its own seat, or for a person whose clock has run out."""
    room, state = decision.room, decision.room.running
    if state is None or state.to_move != command.seat or room.ply != command.ply:
        raise refusal("stale")
    seat = Seat(command.seat)
    if command.by is ev.MoveSource.CLOCK:
        if room.deadline_ms is None or decision.now_ms < room.deadline_ms:
            raise refusal("too_early.clock")
    elif command.by is not ev.MoveSource.BOT or room.seats[seat].bot is None:
        raise refusal("not_your_seat.bot")
    _play(decision, state, seat, command.move, command.by)
    has_missed_all = decision.room.seats[seat].missed >= decision.limits.missed_clocks
    if command.by is ev.MoveSource.CLOCK and has_missed_all:
        decision.drop_out(seat)


def _play(decision: Decision, state: State, seat: Seat, text: str, by: ev.MoveSource) -> None:
    try:
        move = state.game.parse_move(text)
        after = state.play(move)
    except MoveError as error:
        raise CommandRefused(error.code, error.phrase) from None
    if by is ev.PLAYER and decision.room.seats[seat].bot is not None:
        decision.take_back(seat)
    is_in_opening = after.ply < len(decision.room.settings.opening)  # nobody's time runs in it
    event = ev.Played(
        seat,
        state.game.format_move(move),
        after.taken,
        after.to_move,
        after.scores,
        by,
        None if is_in_opening else decision.deadline_ms(after.to_move),
        after.movable,
        listed_moves(after),
    )
    decision.add_move(event, after)
    if after.to_move is None:
        decision.end_if_over()


def resign(decision: Decision, member: str, command: cmd.Resign) -> None:
    """Withdraw a seat of `member` from the game."""
    state = running(decision.room)
    seat = own_seat(decision.room, member, command.seat)
    if seat in state.withdrawn:
        raise refusal("already_out")
    decision.withdraw(seat, ev.WithdrawalReason.RESIGNED)


def _seat_to_move(room: Room, state: State, member: str, command: cmd.Play | cmd.AskHint) -> Seat:
    """Return the seat of `command`; refuse another's seat, another position or a wrong turn."""
    seat = own_seat(room, member, command.seat)
    check_position(room, command)
    if seat != state.to_move:
        try:
            check_turn(state.to_move, seat, room.players)
        except MoveError as error:
            raise CommandRefused(error.code, error.phrase) from None
    return seat


def own_seat(room: Room, member: str, number: int) -> Seat:
    """Return the seat `number`; refuse it to a member who hasn't it."""
    if number < len(room.seats) and room.seats[number].member == member:
        return Seat(number)
    if mine := room.seats_of(member):
        raise refusal("not_your_seat.other", seat=number, mine=mine[0])
    raise refusal("not_your_seat.watching", seat=number)


def running(room: Room) -> State:
    """Return the position of the running game; refuse a command while none runs."""
    state = room.running
    if state is not None:
        return state
    if room.phase is Phase.OVER:
        raise refusal("game_over")
    raise refusal("not_started")


def check_position(room: Room, command: cmd.Play | cmd.AskHint | cmd.Undo) -> None:
    """Refuse a command for another position than the present one."""
    if command.game is not None and command.game != room.game_number:
        raise refusal("stale.game", game=command.game)
    if command.ply != room.ply:
        raise refusal("stale.ply", ply=command.ply, now=room.ply)
