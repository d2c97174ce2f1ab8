"""The small panes: the lines at the edges, and what stands there when there is no place."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.text.styled import Row, row_width, text_width, wrapped
from boxroom_client.screen.themes.signs import Signs, signs
from boxroom_client.shell.output.narrate import narrate
from boxroom_client.shell.room_settings import in_words
from boxroom_client.shell.turns import my_seat_to_move
from boxroom_engine.games.registry import kind_of
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.wording import listed

_GAP = "   "


def title(room: Room, me: str, columns: int, *, ascii_only: bool = False) -> Row:
    """Room, game and spectators on the left, as far as there is place; on the right the turn."""
    sign = signs(ascii_only=ascii_only)
    # Names can be long; the code of the room keeps a place of its own.
    most = max(columns - text_width(room.code) - 4, columns // 2)
    is_mine = my_seat_to_move(room, me) is not None
    style = "class:title.turn" if is_mine else "class:title"
    turn = _clipped(sign.text(turn_in_words(room, me)), most, sign)
    right: Row = [("class:title", "  "), (style, turn), ("class:title", " ")]
    left = max(0, columns - row_width(right))
    text = next(
        (text for text in _headings(room, sign) if text_width(text) <= left), f" {room.code}"
    )
    where = sign.fitted([("class:title", sign.text(text))], left, "class:title")
    return sign.fitted([*where, *right], columns, "class:title")


def _headings(room: Room, sign: Signs) -> Iterable[str]:
    """What the room is, in fewer and fewer words."""
    watching = len(room.members.keys() - {holder.member for holder in room.seats})
    kind = kind_of(room.settings.game).title
    for game in (in_words(room.settings), kind):
        if watching:
            yield f" {room.code} {sign.dot} {game} {sign.dot} {watching} watching"
        yield f" {room.code} {sign.dot} {game}"


def turn_in_words(room: Room, me: str) -> str:
    """What everybody waits for."""
    match room.phase:
        case Phase.WAITING:
            if room.empty_seats():
                return "waiting for players"
            return "all seats are taken" if room.host == me else "waiting for the host"
        case Phase.PLAYING:
            return _whose_turn(room, me)
        case Phase.OVER:
            return f"game over: {_result(room)}"
        case _:
            assert_never(room.phase)


def _whose_turn(room: Room, me: str) -> str:
    state = room.running
    if state is None or state.to_move is None:
        return ""  # the last move is made, and its result comes next
    name, holder = room.players[state.to_move], room.seats[state.to_move]
    if my_seat_to_move(room, me) is not None:
        return f"your turn, {name}"
    if holder.bot is not None:
        return f"{name} thinks…" if holder.member is None else f"the bot of {name} thinks…"
    return f"{name}'s turn" if room.is_connected(holder.member) else f"waiting for {name}"


def _result(room: Room) -> str:
    outcome = room.state.outcome if room.state is not None else None
    winners = [room.players[seat] for seat in outcome.winners] if outcome is not None else []
    match len(winners):
        case 0:
            return "a draw"
        case 1:
            return f"{winners[0]} wins"
        case 2:
            return f"{listed(winners)} win together"
        case number:
            return f"{number} win together"


def _clipped(text: str, columns: int, sign: Signs) -> str:
    return "".join(part for _, part in sign.fitted([("", text)], min(columns, text_width(text))))


def banner(text: str, columns: int, *, ascii_only: bool = False) -> Row:
    """One line that nobody overlooks."""
    sign = signs(ascii_only=ascii_only)
    return sign.fitted([("class:banner", f" {sign.text(text)}")], columns, "class:banner")


def footer(hints: Sequence[tuple[str, str]], columns: int, *, ascii_only: bool = False) -> Row:
    """What keys do: as many of `hints`, a key and a word or two, as there is place for."""
    sign = signs(ascii_only=ascii_only)
    row: Row = []
    for key, does in hints:
        gap = _GAP if row else " "
        hint: Row = [
            ("class:footer", gap),
            ("class:key", sign.text(key)),
            ("class:footer", f" {sign.text(does)}"),
        ]
        if row_width(row) + row_width(hint) > columns:
            break
        row += hint
    return sign.fitted(row, columns, "class:footer")


def rule(columns: int, lines: int, *, ascii_only: bool = False) -> list[Row]:
    """A line between panes: upright if it is one column wide."""
    sign = signs(ascii_only=ascii_only)
    char = sign.upright if columns == 1 else sign.across
    return [[("class:rule", char * columns)] for _ in range(lines)]


def too_small(columns: int, lines: int) -> list[Row]:
    """Says how large a terminal has to be; fits any that isn't, down to a single cell."""
    needed = f"{LEAST_COLUMNS}x{LEAST_LINES}"
    texts = (
        f"This terminal is too small: it has {columns}x{lines} cells, and Boxroom needs {needed}.",
        f"Too small: {columns}x{lines}. Make it {needed}.",
        f"Make it {needed}.",
        needed,
    )
    words = next((text for text in texts if _has_place(text, columns, lines)), "!")
    text = wrapped(words, columns)[:lines]
    above = (lines - len(text)) // 2
    rows = ["" for _ in range(above)] + [line.center(columns) for line in text]
    sign = signs(ascii_only=True)
    notice = [sign.fitted([("class:title", row)], columns) for row in rows]
    return [*notice, *([sign.fitted([], columns)] * (lines - len(notice)))]


def _has_place(text: str, columns: int, lines: int) -> bool:
    """Whether `text` fits without a word being broken."""
    longest = max(map(len, text.split()))
    return longest <= columns and len(wrapped(text, columns)) <= lines


def ending(room: Room, me: str) -> list[str]:
    """Who won, every score, and how to play again; nothing while a game is on."""
    outcome = room.state.outcome if room.state is not None else None
    if room.phase is not Phase.OVER or outcome is None:
        return []
    told = narrate(ev.Ended(outcome.scores, tuple(outcome.winners)), room, room, me="")
    again = ["F5 (or /rematch) plays again."] if room.is_player(me) else []
    return [*told, *again]
