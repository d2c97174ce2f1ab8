"""Title bar, banner, footer, rules between panes, and the notice of a too small terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.text.rows import Row, row_width, wrapped
from boxroom_client.screen.themes.symbols import ASCII, UNICODE, Symbols
from boxroom_client.shell.room_settings import in_words
from boxroom_client.shell.turns import my_seat_to_move
from boxroom_client.text_width import text_width
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.registry import kind_of
from boxroom_engine.room.room import Phase, Room

_GAP = "   "
_KEY = "class:key"
_ROOMY = 24
"""Lines of a screen on which a banner may have three."""


def title(
    room: Room, me: str, columns: int, *, premove: str | None = None, symbols: Symbols = UNICODE
) -> Row:
    """Return the title bar: room, game and spectators, as far as they fit, and the turn.

    A spectator reads there that they watch, and a player which move waits for the turn.
    """
    # Names can be long; the code of the room is always visible.
    most = max(columns - text_width(room.code) - 4, columns // 2)
    is_mine = my_seat_to_move(room, me) is not None
    style = "class:title.turn" if is_mine else "class:title"
    turn = _clipped(symbols.text(_status(room, me, premove, most)), most, symbols)
    right: Row = [("class:title", "  "), (style, turn), ("class:title", " ")]
    left = max(0, columns - row_width(right))
    text = next(
        (text for text in _headings(room, symbols) if text_width(text) <= left), f" {room.code}"
    )
    where = symbols.fitted([("class:title", symbols.text(text))], left, "class:title")
    return symbols.fitted([*where, *right], columns, "class:title")


def _headings(room: Room, symbols: Symbols) -> Iterable[str]:
    """Yield descriptions of the room, shorter and shorter."""
    watching = len(room.members.keys() - {holder.member for holder in room.seats})
    for game in (in_words(room.settings), str(kind_of(room.settings.game).named)):
        if watching:
            spectators = say("terminal.bar.watching", n=watching)
            yield f" {room.code} {symbols.dot} {game} {symbols.dot} {spectators}"
        yield f" {room.code} {symbols.dot} {game}"


def _status(room: Room, me: str, premove: str | None, columns: int) -> str:
    """Return whose turn it is, with what concerns `me`."""
    turn = turn_in_words(room, me)
    if premove is not None:
        return say("terminal.bar.premove", turn=turn, move=premove)
    if me not in room.members or room.is_player(me):  # a replay has no members
        return turn
    watching = say("terminal.bar.you_watch", turn=turn)
    return watching if text_width(watching) <= columns else say("terminal.bar.watch", turn=turn)


def turn_in_words(room: Room, me: str) -> str:
    """Return whose turn it is, or what the room waits for."""
    match room.phase:
        case Phase.WAITING:
            if room.lacking:
                return say("terminal.bar.waiting")
            if room.host != me:
                return say("terminal.bar.waiting_for_host")
            return say("terminal.bar.can_start" if room.free_seats else "terminal.bar.all_seated")
        case Phase.PLAYING:
            return _whose_turn(room, me)
        case Phase.OVER:
            return say("terminal.bar.over", result=_result(room))
        case _:
            assert_never(room.phase)


def _whose_turn(room: Room, me: str) -> str:
    state = room.running
    if state is None or state.to_move is None:
        return ""  # the last move is made, and its result comes next
    name, holder = called(room.players[state.to_move]), room.seats[state.to_move]
    if room.pause is not None:
        return say("terminal.bar.paused", name=name)
    if my_seat_to_move(room, me) is not None:
        return say("terminal.bar.your_turn", name=name)
    if holder.bot is not None:
        return say(
            "terminal.bar.thinks" if holder.member is None else "terminal.bar.bot_thinks", name=name
        )
    return say(
        "terminal.bar.turn" if room.is_connected(holder.member) else "terminal.bar.waits_for",
        name=name,
    )


def _result(room: Room) -> str:
    outcome = room.state.outcome if room.state is not None else None
    winners = [called(room.players[seat]) for seat in outcome.winners] if outcome else []
    match len(winners):
        case 0:
            return say(
                "terminal.bar.nobody_wins" if len(room.players) == 1 else "terminal.bar.draw"
            )
        case 1:
            return say("terminal.bar.wins", name=winners[0])
        case 2:
            return say("terminal.bar.win_together", names=winners)
        case number:
            return say("terminal.bar.many_win", n=number)


def _clipped(text: str, columns: int, symbols: Symbols) -> str:
    return "".join(part for _, part in symbols.fitted([("", text)], min(columns, text_width(text))))


def banner(text: str, columns: int, lines: int, *, symbols: Symbols = UNICODE) -> list[Row]:
    """Return rows that stand out: two at most, or three on a screen of many lines."""
    return [*block(text, columns, 2 if lines < _ROOMY else 3, "class:banner", symbols)]


def block(text: str, columns: int, most: int, style: str, symbols: Symbols) -> Iterator[Row]:
    """Yield `text` in at most so many rows; the last one is cut if there is more."""
    if not text:
        return
    first, *rest = wrapped(symbols.text(text), columns - 1)
    for line in (first, *rest)[: most - 1]:
        yield symbols.fitted([(style, f" {line}")], columns, style)
    if len(rest) >= most - 1:
        last = " ".join((first, *rest)[most - 1 :])
        yield symbols.fitted([(style, f" {last}")], columns, style)


def footer(
    hints: Sequence[tuple[str, str]],
    columns: int,
    *,
    keeps_last: bool = False,
    symbols: Symbols = UNICODE,
) -> Row:
    """Return a line with as many of `hints`, keys and their effects, as fit.

    The first ones are kept and, with `keeps_last`, before all others the last one.
    """
    parts = [_hint(key, does, symbols) for key, does in hints]
    while parts and 1 - len(_GAP) + sum(map(row_width, parts)) > columns:
        del parts[-2 if keeps_last and len(parts) > 1 else -1]
    row = [fragment for part in parts for fragment in part]
    return symbols.fitted([("class:footer", " "), *row[1:]], columns, "class:footer")


def _hint(key: str, does: str, symbols: Symbols) -> Row:
    return [
        ("class:footer", _GAP),
        (_KEY, symbols.text(key)),
        ("class:footer", f" {symbols.text(does)}"),
    ]


def key_under(row: Row, x: int) -> str | None:
    """Return the label of the key whose hint is in column `x` of a footer; None: a gap."""
    label, end = None, 0
    for style, text in row:
        label = text if style == _KEY else label
        end += text_width(text)
        if x < end:
            return label if text.strip() else None
    return None


def rule(columns: int, lines: int, *, symbols: Symbols = UNICODE) -> list[Row]:
    """Return a line between panes, vertical if it is one column wide."""
    char = symbols.upright if columns == 1 else symbols.across
    return [[("class:rule", char * columns)] for _ in range(lines)]


def too_small(columns: int, lines: int) -> list[Row]:
    """Return a notice about the size that is needed; it fits any size, down to a single cell."""
    needed = f"{LEAST_COLUMNS}x{LEAST_LINES}"
    texts = (
        say("terminal.too_small.long", size=f"{columns}x{lines}", needed=needed),
        say("terminal.too_small.short", size=f"{columns}x{lines}", needed=needed),
        say("terminal.too_small.needed", needed=needed),
        needed,
    )
    words = next((text for text in texts if _fits(text, columns, lines)), "!")
    text = wrapped(words, columns)[:lines]
    above = (lines - len(text)) // 2
    rows = ["" for _ in range(above)] + [line.center(columns) for line in text]
    symbols = ASCII
    notice = [symbols.fitted([("class:title", row)], columns) for row in rows]
    return [*notice, *([symbols.fitted([], columns)] * (lines - len(notice)))]


def _fits(text: str, columns: int, lines: int) -> bool:
    """Whether `text` fits without breaking a word."""
    longest = max(map(len, text.split()))
    return longest <= columns and len(wrapped(text, columns)) <= lines
