"""What to add to a refusal, for somebody who doesn't know the commands yet."""

from boxroom_engine.room.room import Room

_FOR_HOST = {
    "not_started": "/start starts it.",
    "empty_seats": "/fill greedy fills them.",
    "absent_player": "/unseat NAME empties a seat.",
    "seats_taken": "/unseat NAME empties a seat.",
    "no_such_bot": "/unseat NAME empties a seat.",
    "hints_off": "/set hints on does that, between games.",
}
_FOR_PLAYER = {
    "game_over": "/rematch does that.",
}
_FOR_ALL = {
    "stale": "/board shows how it stands.",
    "not_host": "/members shows who it is.",
    "no_such_member": "/members shows who is here.",
}


def hint(code: str, room: Room, me: str) -> str:
    """A sentence that names the command which helps against a refusal; empty if none does."""
    if room.host == me and code in _FOR_HOST:
        return _FOR_HOST[code]
    if room.is_player(me) and code in _FOR_PLAYER:
        return _FOR_PLAYER[code]
    return _FOR_ALL.get(code, "")
