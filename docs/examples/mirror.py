"""A mirror of a room in plain Python: what each event does to it, without the rules of any game.

    room = picture(in_room["room"])     # on entering
    apply(room, message)                # for each message with events

docs/mirror-vectors.json has pictures and events to test it with, and the mirrors of others.
"""

from copy import deepcopy
from typing import Any

Json = dict[str, Any]

MOVES = ("movable", "legal_moves")
LEFT_OUT: Json = {
    "game_number": 0,
    "game_link": "",
    "undo": None,
    "request": None,
    "turn_since_ms": None,
    "nudged_ms": None,
    "pause": None,
    "unrated": False,
    "undos": 0,
    "to_move": None,
    "deadline_ms": None,
    **{name: [] for name in ("players", "tokens", "movers", "taken", "scores", "winners")},
    **{name: [] for name in MOVES},
    "table": [],
    "series": [],
    **{name: [] for name in ("chat", "unrevealed", "private", "rematch", "barred")},
    "muted": [],
}
NO_GAME = ("players", "tokens", "movers", "taken", *MOVES, "scores", "winners", "rematch")
REQUESTS = ("undo", "request")
SETTINGS: Json = {"game": "dots", "seats": 2, "best_of": 0}
ROW: Json = {"games": 0, "wins": 0, "points": 0, "scores": {}, "series": 0}
SEAT: Json = {"name": None, "member": None, "bot": None, "missed": 0, "since": 0, "coached": False}
NOWHERE: Json = {"person": "", "node": "", "away": None}
MEMBER: Json = {"connected": True, "grace_until_ms": None} | NOWHERE
LINE: Json = {"to": "all", "name": "", "action": False}
PRIVATE: Json = {"name": "", "persons": ["", ""]}


def picture(snapshot: Json) -> Json:
    """Return the room of an `in_room` with the fields that the server has left out."""
    room = deepcopy(LEFT_OUT) | deepcopy(snapshot)
    room["settings"] = SETTINGS | room["settings"]
    room["seats"] = [SEAT | seat for seat in room["seats"]]
    room["members"] = [MEMBER | member for member in room["members"]]
    for name in ("chat", "unrevealed"):
        room[name] = [LINE | line for line in room[name]]
    for name in ("table", "series"):
        room[name] = [deepcopy(ROW) | row for row in room[name]]
    room["private"] = [PRIVATE | line for line in room["private"]]
    room["request"] = room.pop("pause_asked", None) or room["request"]
    for name in REQUESTS:
        if room[name] is not None:
            room[name] = {"agreed": []} | room[name]
    if room.get("ply") is None:
        room["ply"] = len(room["tokens"])
    return room


def apply(room: Json, message: Json) -> None:
    """Apply the events of a message, which continues the numbers of the last one."""
    if message["seq"] != room["seq"] + 1:
        raise ValueError("events are missing: come back without `after`")
    for event in message["events"]:
        room["seq"] += 1
        # `hidden`, `hint_asked` and what later versions add have a number, and no effect.
        for part in (_apply_to_members, _apply_to_seats, _apply_to_requests):
            part(room, event)
        _apply_to_game(room, event, message["at_ms"])
        _apply_to_turn(room, event, message["at_ms"])
        _apply_to_chat(room, event)


def _apply_to_members(room: Json, event: Json) -> None:
    match event["type"]:
        case "joined" | "returned":
            came = {key: event.get(key, "") for key in ("person", "node")}
            _set_member(room, MEMBER | {"name": event["member"]} | came)
        case "renamed":
            _rename(room, event["member"], event["name"])
        case "went_away" | "came_back":
            for member in room["members"]:
                if member["name"] == event["member"]:
                    is_away = event["type"] == "went_away"
                    member["away"] = event.get("text", "") if is_away else None
        case "dropped":
            grace = {"connected": False, "grace_until_ms": event["until_ms"]}
            _set_member(room, MEMBER | {"name": event["member"]} | grace)
            _end_request(room)
        case "grace_over":
            _set_member(room, MEMBER | {"name": event["member"], "connected": False})
            _stop_clock_of(room, event["member"])
        case "left" | "kicked":
            _remove(room, event["member"], is_kicked=event["type"] == "kicked")
        case "woken":
            for member in room["members"]:
                if member["connected"] or member["grace_until_ms"] is not None:
                    until = {"connected": False, "grace_until_ms": event["until_ms"]}
                    member.update(until | NOWHERE)
            room["deadline_ms"] = event.get("deadline_ms")
            _end_request(room)
        case "host_passed":
            room["host"] = event["member"]
        case "unbarred":
            room["barred"].remove(event["member"])
        case "muted":
            room["muted"] = sorted({*room["muted"], event["member"]})
        case "unmuted":
            room["muted"].remove(event["member"])


def _rename(room: Json, former: str, name: str) -> None:
    """Put a member's new name in every place of the former one, but for what was said."""
    persons = [member["person"] for member in room["members"] if member["name"] == former]
    for row in (*room["members"], *room["table"], *room["series"]):
        row["name"] = name if row["name"] == former else row["name"]
    for seat in room["seats"]:
        if seat["member"] == former:
            seat |= {"member": name, "name": name if seat["name"] == former else seat["name"]}
    for line in room["private"]:
        for field, person in zip(("member", "to"), line["persons"], strict=True):
            if line[field] == former and person in persons:
                line[field] = name
    room["host"] = name if room["host"] == former else room["host"]
    for field in ("players", "rematch", "muted"):
        room[field] = [name if each == former else each for each in room[field]]
    room["rematch"].sort()
    room["muted"].sort()


def _apply_to_seats(room: Json, event: Json) -> None:
    match event["type"]:
        case "created":
            room |= {"room": event["room"], "log": event["log"], "host": event["member"]}
            _configure(room, event["settings"])
        case "configured":
            _configure(room, event["settings"])
        case "sat":
            _hold(room, event["seat"], name=event["name"], member=event["member"])
        case "reseated":
            kept = [room["seats"][seat] for seat in event["kept"]]
            room["seats"] = _with_new_seats(kept, event["seats"])
            room["settings"] = room["settings"] | {"seats": event["seats"]}
            room["undo"] = None
        case "bot_sat":
            _hold(room, event["seat"], name=event["name"], bot=event["bot"])
            room["unrated"] = room["unrated"] or room["phase"] == "playing"
            _set_clock_of(room, event["seat"], None)
        case "vacated":
            _hold(room, event["seat"], since=0)
        case "stood_in":
            room["seats"][event["seat"]]["bot"] = event["bot"]
            room["unrated"] = True
            _set_clock_of(room, event["seat"], None)
            _end_request(room)
        case "coached":
            room["seats"][event["seat"]]["coached"] = event["on"]
            room["unrated"] = room["unrated"] or (event["on"] and room["phase"] == "playing")
            _end_request(room)
        case "took_back":
            room["seats"][event["seat"]] |= {"bot": None, "missed": 0}
            _set_clock_of(room, event["seat"], event.get("deadline_ms"))
            _end_request(room)
        case "rotated":
            room["seats"].append(room["seats"].pop(0))


def _apply_to_game(room: Json, event: Json, at_ms: int) -> None:
    match event["type"]:
        case "started":
            _start(room, event)
        case "played":
            seat = room["seats"][event["seat"]]
            seat["missed"] = seat["missed"] + 1 if event.get("by") == "clock" else 0
            if event["taken"]:
                room["taken"].append([len(room["tokens"]), *event["taken"]])
            _add_token(room, event, event["move"])
            if event.get("by", "player") == "player":
                _end_request(room)
        case "withdrew":
            if event["to_move"] != room["to_move"]:
                pause = room["pause"]
                room["turn_since_ms"] = at_ms if pause is None else pause["since_ms"]
            _add_token(room, event, f"~{event['seat']}")
            _end_request(room)
        case "ended":
            room |= {"phase": "over", "deadline_ms": None}
            _end_request(room)
            room |= {"scores": event["scores"], "winners": event["winners"]}
            room["table"] = _with_game(room["table"], room, event)
            has_series = room["settings"]["best_of"]
            room["series"] = _with_game(room["series"], room, event) if has_series else []
        case "series_won":
            for row in room["table"]:
                row["series"] += row["name"] == event["name"]
            room["series"] = []
        case "aborted":
            _forget_game(room)
        case "rematch_wanted":
            room["rematch"] = sorted({*room["rematch"], event["member"]})
        case "rematch_unwanted":
            room["rematch"] = [name for name in room["rematch"] if name != event["member"]]


def _apply_to_requests(room: Json, event: Json) -> None:
    match event["type"]:
        case "undo_asked":
            asked = {"member": event["member"], "ply": room["ply"], "keeps": event["keeps"]}
            room |= {"undo": asked | {"agreed": []}, "undos": room["undos"] + 1}
        case "undo_agreed":
            room["undo"]["agreed"].append(event["member"])
        case "stand_in_asked" | "abort_asked" | "pause_asked":
            asked = {name: event[name] for name in event if name != "type"}
            kind = event["type"].removesuffix("_asked")
            room["request"] = asked | {"kind": kind, "since": room["seq"], "agreed": []}
        case "agreed" if room["request"] is not None:
            room["request"]["agreed"].append(event["member"])
        case "undo_declined" | "declined":
            _end_request(room)
        case "undone":
            _take_back(room, event)


def _apply_to_turn(room: Json, event: Json, at_ms: int) -> None:
    """Note the time at which a turn begins, by another position or another person."""
    time_ms = at_ms if room["pause"] is None else room["pause"]["since_ms"]
    match event["type"]:
        case "paused":
            room["pause"] = {"member": event["member"], "since_ms": at_ms}
            _end_request(room)
        case "unpaused":
            _unpause(room, at_ms)
        case "started" | "played" | "undone":
            room["turn_since_ms"] = at_ms
        case "woken" if room["phase"] == "playing":
            room["turn_since_ms"] = time_ms
        case "took_back" if room["phase"] == "playing" and event["seat"] == room["to_move"]:
            room["turn_since_ms"] = time_ms
        case "ended":
            room["turn_since_ms"] = None
        case "nudged":
            room["nudged_ms"] = at_ms


def _unpause(room: Json, at_ms: int) -> None:
    """Let all times be later by the length of the pause."""
    length_ms = at_ms - room["pause"]["since_ms"]
    room["pause"] = None
    for name in ("deadline_ms", "turn_since_ms", "nudged_ms"):
        if room[name] is not None:
            room[name] += length_ms
    for member in room["members"]:
        if member["grace_until_ms"] is not None:
            member["grace_until_ms"] += length_ms


def _apply_to_chat(room: Json, event: Json) -> None:
    match event["type"]:
        case "said":
            line = LINE | {name: event[name] for name in event if name != "type"}
            chat = "chat" if line["to"] == "all" else "unrevealed"
            room[chat] = [*room[chat], line | {"seq": room["seq"]}][-100:]
        case "told":
            line = PRIVATE | {name: event[name] for name in event if name != "type"}
            room["private"] = [*room["private"], line | {"seq": room["seq"]}][-100:]
        case "revealed":
            lines = [*room["chat"], *(LINE | line for line in event["lines"])]
            room["chat"] = sorted(lines, key=lambda line: int(line["seq"]))[-100:]
            room["unrevealed"] = []


def _configure(room: Json, settings: Json) -> None:
    settings = SETTINGS | settings
    kept = room["seats"][: settings["seats"]]
    seats = [(_is_empty(seat) and SEAT | {"glyph": seat["glyph"]}) or seat for seat in kept]
    seats = _with_new_seats(seats, settings["seats"])
    if settings["best_of"] != room["settings"].get("best_of", 0):
        room["series"] = []
    room |= {"settings": settings, "seats": seats}
    _forget_game(room)


def _forget_game(room: Json) -> None:
    room |= {name: [] for name in NO_GAME}
    room |= {"phase": "waiting", "ply": 0, "to_move": None, "deadline_ms": None, "undos": 0}
    room |= {"turn_since_ms": None, "unrated": False, "game_link": ""}
    _end_request(room)


def _end_request(room: Json) -> None:
    room |= {"undo": None, "request": None}


def _with_new_seats(kept: list[Json], number: int) -> list[Json]:
    used = {seat["glyph"] for seat in kept}
    free = [glyph for glyph in range(number) if glyph not in used]
    return kept + [SEAT | {"glyph": glyph} for glyph in free[: number - len(kept)]]


def _is_empty(seat: Json) -> bool:
    return seat["member"] is None and seat["bot"] is None


def _set_member(room: Json, member: Json) -> None:
    """Put a new member behind the others, or change one in its place."""
    names = [other["name"] for other in room["members"]]
    at = names.index(member["name"]) if member["name"] in names else len(names)
    room["members"][at : at + 1] = [member]


def _remove(room: Json, name: str, *, is_kicked: bool) -> None:
    held = [seat for seat in room["seats"] if seat["member"] == name]
    if held:
        _end_request(room)
    room["members"] = [member for member in room["members"] if member["name"] != name]
    room["rematch"] = [other for other in room["rematch"] if other != name]
    if is_kicked:
        room["barred"] = sorted({*room["barred"], name})
        for seat in held:  # which has withdrawn: its name stays on the board
            seat |= {"member": None, "bot": None, "coached": False}
    else:
        _stop_clock_of(room, name)


def _hold(room: Json, seat: int, **holder: str | int) -> None:
    glyph = room["seats"][seat]["glyph"]
    room["seats"][seat] = SEAT | {"glyph": glyph, "since": room["seq"]} | holder
    _end_request(room)


def _set_clock_of(room: Json, seat: int, deadline_ms: int | None) -> None:
    if room["to_move"] == seat:
        room["deadline_ms"] = deadline_ms


def _stop_clock_of(room: Json, name: str) -> None:
    seat = room["to_move"]
    if seat is not None and room["seats"][seat]["member"] == name:
        room["deadline_ms"] = None


def _start(room: Json, event: Json) -> None:
    if {row["name"] for row in room["series"]} != {*event["players"]}:
        room["series"] = []
    room |= {name: [] for name in NO_GAME}
    room |= {"phase": "playing", "game_number": event["number"], "players": event["players"]}
    room |= {"ply": 0, "to_move": 0, "scores": [0] * len(room["seats"])}
    room |= {"deadline_ms": event.get("deadline_ms"), "undos": 0}
    room |= {"game_link": event.get("link", "")} | _moves_in(event)
    room["unrated"] = any(
        (seat["member"] and seat["bot"]) or seat["coached"] for seat in room["seats"]
    )
    _end_request(room)
    for seat in room["seats"]:
        seat["missed"] = 0


def _add_token(room: Json, event: Json, token: str) -> None:
    room["tokens"].append(token)
    room["movers"].append(event["seat"])
    room["ply"] += 1
    room |= {"to_move": event["to_move"], "scores": event["scores"]}
    room |= {"deadline_ms": event.get("deadline_ms")} | _moves_in(event)


def _moves_in(event: Json) -> Json:
    return {name: event.get(name, []) for name in MOVES}


def _with_game(table: list[Json], room: Json, event: Json) -> list[Json]:
    """Return a table with the finished game; the rows of its players come last."""
    rows = {row["name"]: row for row in table}
    kind = room["settings"]["game"]
    for seat, points in enumerate(event.get("points", [])):
        name = room["players"][seat]
        row = rows.pop(name, ROW | {"name": name})
        score = row["scores"].get(kind, 0) + event["scores"][seat]
        rows[name] = row | {
            "games": row["games"] + 1,
            "wins": row["wins"] + (event["winners"] == [seat]),
            "points": row["points"] + points,
            "scores": row["scores"] | {kind: score},
        }
    return list(rows.values())[-max(100, len(room["players"])) :]


def _take_back(room: Json, event: Json) -> None:
    keeps = event["keeps"]
    if room["undo"] is None:  # nobody had to be asked, which counts as a request as well
        room["undos"] += 1
    room |= {"tokens": room["tokens"][:keeps], "movers": room["movers"][:keeps]}
    _end_request(room)
    room["taken"] = [taken for taken in room["taken"] if taken[0] < keeps]
    room |= {name: event[name] for name in ("ply", "to_move", "scores")} | _moves_in(event)
