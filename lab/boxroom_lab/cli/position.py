"""Arguments that select a position: a game with moves, or a position as text.

The limits of the commands that solve positions stand here, too.
"""

import argparse

from boxroom_client.cli.arguments.game import add_game, room_settings_from
from boxroom_client.shell.room_settings import SEATS
from boxroom_common.exits import Failure, UsageError
from boxroom_engine.games.errors import FormatError, MoveError
from boxroom_engine.games.protocol import Game, Seat, State
from boxroom_lab.gametree.effort import DEFAULT_MEMORY_MIB, MOST_MEMORY_MIB, Effort


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add a game with its options and players, a position and the player to move to `parser`."""
    options = add_game(parser)
    options.add_argument(
        "--players", type=int, default=2, metavar="N", help="how many play (default: 2)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--moves",
        default="",
        metavar="MOVES",
        help='what has been played, for example "h0 v3" (default: nothing)',
    )
    where.add_argument(
        "--position",
        metavar="TEXT",
        help="a position as the game writes it, also one that no game leads to",
    )
    parser.add_argument(
        "--to-move",
        metavar="N",
        help="the player to move: its number, from 1, or its mark, such as o"
        " (default: whose turn it is there)",
    )


def position_from(args: argparse.Namespace) -> State:
    """Return the position that the command line describes; the game isn't over in it.

    Raises:
        UsageError: the game, the position, a move or the player to move is invalid.
        Failure: the game is over.
    """
    game = room_settings_from(args, **{SEATS.name: args.players}).make_game()
    state = _played(game, args.moves) if args.position is None else _parsed(game, args.position)
    check_not_over(state)
    return state if args.to_move is None else _with_to_move(state, args.to_move)


def check_not_over(state: State) -> None:
    """Check that a seat is to move.

    Raises:
        Failure: the game is over.
    """
    if state.is_over:
        raise Failure("the game is over: there is nothing left to solve")


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add `--time`, a limit in seconds, and `--memory`, one in MiB, to `parser`."""
    parser.add_argument(
        "--time", type=float, metavar="S", help="answer after S seconds, by an estimate if need be"
    )
    parser.add_argument(
        "--memory",
        type=int,
        default=DEFAULT_MEMORY_MIB,
        metavar="MIB",
        help="memory for what the search learns, about, in MiB; more makes long searches shorter"
        " (default: %(default)s)",
    )


def effort_from(args: argparse.Namespace) -> Effort:
    """Return the limits of `add_limits`, whose time runs from now on.

    Raises:
        UsageError: one of them is out of its bounds.
    """
    return effort_of(args.time, args.memory)


def effort_of(limit_s: float | None, memory_mib: int) -> Effort:
    """Return these limits; the time runs from now on.

    Raises:
        UsageError: one of them is out of its bounds.
    """
    check_time(limit_s)
    if not 1 <= memory_mib <= MOST_MEMORY_MIB:
        raise UsageError(f"--memory is a number of MiB, 1 to {MOST_MEMORY_MIB}, not {memory_mib}")
    return Effort(limit_s, memory_mib)


def check_time(limit_s: float | None) -> None:
    """Check the value of `--time`.

    Raises:
        UsageError: it isn't above 0.
    """
    if limit_s is not None and not limit_s > 0:
        raise UsageError("--time is a number of seconds above 0")


def _played(game: Game, moves: str) -> State:
    state = game.initial()
    for number, text in enumerate(moves.split(), 1):
        try:
            state = state.play(game.parse_move(text))
        except MoveError as error:
            raise UsageError(f"move {number} of --moves can't be played: {error}") from None
    return state


def _with_to_move(state: State, player: str) -> State:
    """Return the position with another player to move: one named by number from 1, or by mark."""
    seats, marks = state.game.seats, state.game.kind.marks
    names = {str(seat + 1): Seat(seat) for seat in range(seats)}
    names |= {mark: Seat(seat) for seat, mark in enumerate(marks[:seats]) if not mark.isdigit()}
    seat = names.get(player)
    if seat is None:
        or_mark = f", or its mark, {', '.join(marks[:seats])}" if marks else ""
        raise UsageError(f"--to-move is a player, 1 to {seats}{or_mark}, not {player}")
    if seat in state.withdrawn:
        raise UsageError(f"--to-move can't be {player}: that player has withdrawn")
    return state.with_to_move(seat)


def _parsed(game: Game, text: str) -> State:
    try:
        return game.parse_position(text)
    except FormatError as error:
        raise UsageError(f"--position can't be read: {error}") from None
