"""A game in a room: settings, the start, moves, giving up, and the same again."""

from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.turns import check_turn
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.draft import Draft
from boxroom_engine.room.refusal import Refused
from boxroom_engine.room.room import Phase, Room, granted
from boxroom_engine.room.settings import check_settings


def configure(draft: Draft, command: cmd.Configure) -> None:
    """Other settings; nobody loses a seat by them."""
    room, settings = draft.room, granted(command.settings)
    if settings.private != room.settings.private:
        raise Refused("bad_option", "whether a room is private is chosen when it is made")
    check_settings(settings, draft.house)
    leaving = [holder.name for holder in room.seats[settings.seats :] if not holder.is_empty]
    if leaving:
        raise Refused("seats_taken", f"{leaving[0]} sits in a seat that would go: empty it first")
    for holder in room.seats:
        if holder.bot and not draft.house.has_bot(holder.bot, settings.game):
            raise Refused(
                "no_such_bot", f"the bot {holder.bot} doesn't play {settings.game}: unseat it first"
            )
    if settings != room.settings:
        draft.add(ev.Configured(settings))


def start(draft: Draft) -> None:
    """The next game, if everybody is there; whoever is here plays again without a stand-in."""
    room = draft.room
    empty = len(room.empty_seats())
    if empty:
        seats = "1 seat is" if empty == 1 else f"{empty} seats are"
        raise Refused("empty_seats", f"{seats} empty: wait for players, or fill up with bots")
    for holder in room.seats:
        if holder.bot is None and not room.is_connected(holder.member):
            raise Refused("absent_player", f"{holder.name} is away: wait, or empty the seat")
    for seat, holder in enumerate(room.seats):
        if room.is_connected(holder.member):
            draft.take_back(Seat(seat))
    players = tuple(holder.name or "?" for holder in room.seats)
    first = room.settings.make_game().initial().to_move
    draft.add(ev.Started(room.game_number + 1, players, draft.deadline_ms(first)))


def rematch(draft: Draft, member: str) -> None:
    """One more vote for the same again; with all votes in, the seats rotate and it starts."""
    room = draft.room
    if room.phase is not Phase.OVER:
        raise Refused("not_over", "there is no finished game to play again")
    voters = set(room.connected_players())
    if not voters and room.host is not None:
        voters = {room.host}
    if member not in voters:
        raise Refused(
            "not_a_player", "only players ask for a rematch; the host can start a new game"
        )
    if member not in room.rematch:
        draft.add(ev.RematchWanted(member))
    if voters <= draft.room.rematch:
        draft.add(ev.Rotated())
        start(draft)


def play(draft: Draft, member: str, command: cmd.Play) -> None:
    """A person's move."""
    state = _running(draft.room)
    seat = _seat_to_move(draft.room, state, member, command)
    _play(draft, state, seat, command.move, ev.PLAYER)


def ask_hint(draft: Draft, member: str, command: cmd.AskHint) -> None:
    """A person at a loss; everybody learns of the question, and only the person the answer."""
    state = _running(draft.room)
    if not draft.room.settings.hints:
        raise Refused("hints_off", "there are no hints in this room: its host can allow them")
    draft.add(ev.HintAsked(_seat_to_move(draft.room, state, member, command)))


def play_for(draft: Draft, command: cmd.PlayFor) -> None:
    """A bot's move: for its own seat, or for a person whose clock has run out."""
    room, state = draft.room, draft.room.running
    if state is None or state.to_move != command.seat or state.ply != command.ply:
        raise Refused("stale", "the room has moved on")
    seat = Seat(command.seat)
    if command.by is ev.By.CLOCK:
        if room.deadline_ms is None or draft.now_ms < room.deadline_ms:
            raise Refused("too_early", "no clock has run out")
    elif command.by is ev.By.PLAYER or room.seats[seat].bot is None:
        raise Refused("not_your_seat", "no bot plays for this seat")
    _play(draft, state, seat, command.move, command.by)
    if command.by is ev.By.CLOCK and draft.room.seats[seat].missed >= draft.house.missed_clocks:
        draft.drop_out(seat)


def _play(draft: Draft, state: State, seat: Seat, text: str, by: ev.By) -> None:
    try:
        move = state.game.parse_move(text)
        after = state.play(move)
    except MoveError as error:
        raise Refused(error.code, str(error)) from None
    if by is ev.PLAYER and draft.room.seats[seat].bot is not None:
        draft.take_back(seat)
    event = ev.Played(
        seat,
        state.game.format_move(move),
        after.taken,
        after.to_move,
        after.scores,
        by,
        draft.deadline_ms(after.to_move),
    )
    draft.add_move(event, after)
    if after.to_move is None:
        draft.end_if_over()


def resign(draft: Draft, member: str, command: cmd.Resign) -> None:
    """Give up for one seat."""
    state = _running(draft.room)
    seat = _own_seat(draft.room, member, command.seat)
    if seat in state.withdrawn:
        raise Refused("already_out", "you have given up this game already")
    draft.withdraw(seat, ev.Why.RESIGNED)


def _running(room: Room) -> State:
    state = room.running
    if state is not None:
        return state
    if room.phase is Phase.OVER:
        raise Refused("game_over", "the game is over: ask for a rematch to play again")
    raise Refused("not_started", "the game hasn't started: the host starts it")


def _seat_to_move(room: Room, state: State, member: str, command: cmd.Play | cmd.AskHint) -> Seat:
    """The seat of `command`, which is the member's own and is to move in the very position."""
    seat = _own_seat(room, member, command.seat)
    if command.game is not None and command.game != room.game_number:
        raise Refused("stale", f"that was for game {command.game} of this room")
    if command.ply != state.ply:
        raise Refused("stale", f"the position is {state.ply} now, and that answered {command.ply}")
    if seat != state.to_move:
        try:
            check_turn(state, seat, room.players)
        except MoveError as error:
            raise Refused(error.code, str(error)) from None
    return seat


def _own_seat(room: Room, member: str, number: int) -> Seat:
    if number < len(room.seats) and room.seats[number].member == member:
        return Seat(number)
    mine = room.seats_of(member)
    seats = f"your seat is {mine[0]}" if mine else "you are watching"
    raise Refused("not_your_seat", f"seat {number} isn't yours: {seats}")
