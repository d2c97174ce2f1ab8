"""A hint in a sentence: the move, and what speaks for it in the words of the game's theory.

What is said of a move are facts about the position. That the move is good is the bot's opinion.
"""

from boxroom_client.link.updates import Hinted
from boxroom_client.shell.output.narrate import counted
from boxroom_engine.games.dots import Position
from boxroom_engine.games.dots.theory.captures import sacrifices
from boxroom_engine.games.dots.theory.facts import (
    Declines,
    Leaves,
    Opens,
    Takes,
    Waits,
    facts_about_boxes,
)
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.room.room import Room


def hinted_move(hinted: Hinted, room: Room) -> Move | None:
    """The move of the hint, if it can be played in the position of `room` for which it was."""
    state = room.running
    if state is None or (hinted.game, hinted.ply) != (room.game_number, state.ply):
        return None
    try:
        move = state.game.parse_move(hinted.move)
    except MoveError:
        return None
    return move if move in state.legal_moves() else None


def advice(hinted: Hinted, room: Room) -> str:
    """What to tell the person who asked for the hint."""
    move = hinted_move(hinted, room)
    if move is None or room.state is None:
        return "The hint came too late: the game has gone on."
    reason = _reason(room.state, move)
    return f"Hint: {hinted.bot} would play {hinted.move}{f', which {reason}' if reason else ''}."


def _reason(state: State, move: Move) -> str:
    """What `move` does, by its first fact; empty in games that have no words for it."""
    if not isinstance(state, Position):
        return ""
    kind = state.game.kind
    fact = next(facts_about_boxes(state, move))
    match fact:
        case Takes(boxes):
            return f"takes {counted(boxes, kind)}"
        case Declines():
            return "is a double-dealing move: it gives up the last boxes on offer to keep control"
        case Leaves():
            return "leaves what is on offer"
        case Waits():
            return "is neutral: it gives nothing away"
        case Opens(gives=gives):
            less = "" if gives > min(sacrifices(state).values()) else ", as few as any move does"
            return f"gives away {counted(gives, kind)}{less}"
        case _:
            return ""
