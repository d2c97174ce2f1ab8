"""Help as sentences: a bot's hint, and the words of the coach with what can be done about it.

The reason of a hint states facts about the position. That the move is good is the bot's opinion.
"""

from boxroom_client.link.updates import CoachSpoke, HintReceived
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move
from boxroom_engine.room.room import Room


def hinted_move(hinted: HintReceived, room: Room) -> Move | None:
    """Return the hinted move; None if `room` has another position by now."""
    state = room.running
    if state is None or (hinted.game, hinted.ply) != (room.game_number, room.ply):
        return None
    try:
        move = state.game.parse_move(hinted.move)
    except MoveError:
        return None
    return move if move in state.legal_moves() else None


def hint_sentence(hinted: HintReceived, room: Room) -> str:
    """Return the hint as a sentence for the member who asked for it."""
    move = hinted_move(hinted, room)
    if move is None or room.state is None:
        return say("hint.late")
    if room.state.game.seats == 1:
        return say("hint.alone", move=hinted.move)
    reason = room.state.game.kind.abilities.reason
    bot = called(hinted.bot)
    if reason is None:
        return say("hint.move", bot=bot, move=hinted.move)
    return say("hint.reason", bot=bot, move=hinted.move, reason=reason(room.state, move))


def coach_sentences(spoken: CoachSpoke) -> str:
    """Return the coach's words, and the command that takes the move back, or has puzzles."""
    coaching = spoken.coaching
    said = say("coach.says", what=spoken.said)
    if coaching.can_undo:
        return f"{said} {say('terminal.coach.undo')}"
    if coaching.theme is not None:
        return f"{said} {say('terminal.coach.practise', theme=coaching.theme)}"
    return said
