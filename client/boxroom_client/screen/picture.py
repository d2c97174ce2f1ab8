"""The renderer of a game's screen: from the view model to rows of styled text, pane by pane.

Rendering is a function of the `Model`, the size and the time; only the board's pane caches
its drawing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from msgspec import structs

from boxroom_client.screen.board.pane import BoardLook
from boxroom_client.screen.board.viewport import scrolls_one_way
from boxroom_client.screen.keys.help_page import help_lines, help_rows
from boxroom_client.screen.keys.table import KEYS, KeyAction, label_of
from boxroom_client.screen.layout import NOWHERE, Arrangement, PaneLayout, Rect, lay_out
from boxroom_client.screen.model import Model
from boxroom_client.screen.panes import bars
from boxroom_client.screen.panes.journal import Journal
from boxroom_client.screen.panes.lead import lead_rows
from boxroom_client.screen.panes.players import players
from boxroom_client.screen.panes.qr_code import qr_rows
from boxroom_client.screen.text.rows import Row, wrapped
from boxroom_client.screen.themes.symbols import UNICODE
from boxroom_client.shell.output import describe
from boxroom_client.shell.output.advice import pause_notice, pending_request
from boxroom_client.shell.output.painting import side_of
from boxroom_client.shell.turns import my_seat_to_move
from boxroom_client.text_width import centred
from boxroom_common.phrases import say
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.review.reviewed_game import ReviewedGame
from boxroom_engine.room.room import Phase, Room


@dataclass(frozen=True, slots=True)
class Picture:
    """A rendered screen; the input line stands between `rows` and `footer`."""

    rows: list[Row]
    footer: Row | None
    has_line: bool
    board: Rect
    """Cells of the board; `NOWHERE` if it isn't visible."""
    log: Rect


_LEAST_LOG_LINES = 4
"""Lines that a log keeps above the curve of the lead."""

_WITHOUT_BOARD = (40, 8)
"""Space for the notice that is shown before there is a board."""


def draw(model: Model, columns: int, lines: int, now_s: float) -> Picture:
    """Return the picture for a terminal of that size."""
    symbols = model.options.symbols
    banner = bars.banner(_banner(model, now_s), columns, lines, symbols=symbols)
    arranged = _lay_out(model, columns, lines, banner=len(banner))
    if arranged.arrangement is Arrangement.TOO_SMALL:
        rows = bars.too_small(columns, lines)
        return Picture(rows, None, False, NOWHERE, NOWHERE)
    if model.form is not None:
        rows = model.form.rows(columns, lines)
        return Picture(rows, None, False, NOWHERE, NOWHERE)
    if model.host_menu is not None:
        rows = model.host_menu.rows(columns, lines)
        return Picture(rows, None, False, NOWHERE, NOWHERE)
    if model.help_from is not None:
        return _help(model, columns, lines)
    if model.qr_link is not None:
        close = say("terminal.help_page.close", key=label_of(KeyAction.QR_CODE))
        rows = qr_rows(
            model.qr_link,
            close,
            columns,
            lines,
            symbols=symbols,
            has_colours=model.options.has_colours,
        )
        return Picture(rows, None, False, NOWHERE, NOWHERE)
    parts = [
        (arranged.title, [_title(model, columns)]),
        (arranged.board, _board(model, arranged.board, now_s)),
        *((rect, bars.rule(rect.columns, rect.lines, symbols=symbols)) for rect in arranged.rules),
    ]
    if arranged.banner is not None:
        parts.append((arranged.banner, banner))
    if arranged.players is not None:
        parts.append((arranged.players, _players_rows(model, arranged.players, now_s)))
    if arranged.log is not None:
        parts.append((arranged.log, _log_and_lead(model, arranged.log)))
    return Picture(
        composed(parts, columns, arranged.input.y),
        _footer(model, columns) if arranged.footer is not None else None,
        has_line=True,
        board=arranged.board if model.room.state is not None else NOWHERE,
        log=arranged.log or NOWHERE,
    )


def _title(model: Model, columns: int) -> Row:
    kept = None if model.premove is None else model.premove.text
    return bars.title(model.room, model.me, columns, premove=kept, symbols=model.options.symbols)


def composed(parts: Sequence[tuple[Rect, list[Row]]], columns: int, lines: int) -> list[Row]:
    """Return the rows of a screen made of parts, each in its rectangle; other cells are empty."""
    rows: list[Row] = []
    in_order = sorted(parts, key=lambda part: part[0].x)
    for y in range(lines):
        row: Row = []
        x = 0
        for rect, content in in_order:
            if not rect.y <= y < rect.y + rect.lines:
                continue
            if rect.x > x:
                row.append(("", " " * (rect.x - x)))
            row += content[y - rect.y]
            x = rect.x + rect.columns
        if x < columns:
            row.append(("", " " * (columns - x)))
        rows.append(row)
    return rows


def next_change_s(model: Model, now_s: float) -> float | None:
    """Return the seconds until time alone changes the picture; None: it doesn't."""
    changes = []
    if model.fresh_until_s > now_s:
        changes.append(model.fresh_until_s - now_s)
    if model.outage is not None and model.outage.retry_at_s > now_s:
        changes.append((model.outage.retry_at_s - now_s) % 1 or 1.0)
    if model.silent_since_s is not None:
        changes.append(1.0)
    left_s = _clock_left_s(model, now_s)
    if left_s is not None and left_s > 0 and model.room.pause is None:
        changes.append(left_s % 1 or 1.0)
    elif model.server_ahead_s and _others_are_timed(model.room, model.me):
        changes.append(1.0 - (now_s + model.server_ahead_s) % 1)
    return min(changes, default=None)


def _others_are_timed(room: Room, me: str) -> bool:
    """Return True while the list of players shows a time of another one: thinking, or away."""
    state = room.running
    if state is None or state.to_move is None or room.pause is not None:
        return False
    holder = room.seats[state.to_move]
    thinks = holder.bot is None and holder.member != me
    return thinks or any(member.grace_until_ms is not None for member in room.members.values())


def _clock_left_s(model: Model, now_s: float) -> float | None:
    """Return the seconds until the running clock ends; None if there is none."""
    if model.room.phase is not Phase.PLAYING or model.room.deadline_ms is None:
        return None
    return (model.room.deadline_ms - _room_ms(model, now_s)) / 1000


def _room_ms(model: Model, now_s: float) -> int:
    """Return the room's time, by the clock of the server."""
    return model.room.time_ms(round((now_s + model.server_ahead_s) * 1000))


def input_hint(model: Model, *, on_board: bool) -> str:
    """Return the hint in the empty input line: how to move, or how to chat."""
    if on_board:
        return _board_hint(model)
    if model.is_covered:
        return ""
    if model.review is not None:
        return model.options.symbols.text(_review_hint(model.review))
    if model.premove is not None:
        return say("terminal.line_hint.premove", move=model.premove.text)
    state, at_cursor = model.room.state, model.pane.move
    if state is None or my_seat_to_move(model.room, model.me) is None:
        running = model.room.running
        if running is not None and at_cursor is not None and model.room.is_player(model.me):
            return say("terminal.line_hint.keeps", move=running.game.format_move(at_cursor))
        if describe.can_review(model.room):
            offer = describe.review_offer(model.room, model.me)
            review = say(f"terminal.line_hint.{offer}", key=label_of(KeyAction.REVIEW))
            return f"{review}; {say('terminal.line_hint.chat')}"
        return say("terminal.line_hint.chat")
    game = state.game
    if at_cursor is not None:
        return say("terminal.line_hint.plays", move=game.format_move(at_cursor))
    example = game.format_move(state.legal_moves()[0])
    arrows = say("terminal.keyboard.arrows") if model.options.symbols.ascii_only else "←↑↓→"
    return say("terminal.line_hint.how_to_move", move=example, arrows=arrows)


def _review_hint(reviewed: ReviewedGame) -> str:
    """Return which position of a reviewed game is shown, and what leads to others."""
    line, finding = reviewed.line, reviewed.finding
    if line is not None:
        number = reviewed.at - line.finding.number + 1
        where = say("line_n_of", move=line.moves[0], n=number, of=len(line.moves))
        return say("terminal.line_hint.in_line", where=where)
    where = say("move_n_of", n=reviewed.at, of=len(reviewed.positions) - 1)
    if finding is None:
        return say("terminal.line_hint.review_steps", where=where)
    return say("terminal.line_hint.better", where=where, better=finding.better, move=finding.move)


def _board_hint(model: Model) -> str:
    """Return the hint while the board has the keys."""
    state, at = model.room.state, model.pane.move
    if state is None or at is None:
        return say("terminal.line_hint.board")
    return say(
        "terminal.line_hint.on_board",
        move=state.game.format_move(at),
        hint=say("terminal.line_hint.board"),
    )


# Panes


def _lay_out(model: Model, columns: int, lines: int, *, banner: int) -> PaneLayout:
    """Return the layout in which the whole board is visible, as large as possible."""
    seats = len(model.room.seats)
    layouts = []
    for size in _sizes_wanted(model):
        arranged = lay_out(columns, lines, board=size, seats=seats, banner=banner)
        if arranged.board.holds(size):
            return arranged
        layouts.append((size, arranged))
    # The board has to be scrolled; `choose_drawing` prefers the same sizes.
    smaller = layouts[len(layouts) // 2 :]
    for size, arranged in smaller:
        if scrolls_one_way(*size, arranged.board.columns, arranged.board.lines):
            return arranged
    return smaller[0][1]


def _sizes_wanted(model: Model) -> list[tuple[int, int]]:
    """Return the widths and heights that the board could have, the best first."""
    state, options = model.room.state, model.options
    if state is None:
        return [_WITHOUT_BOARD]
    sizes = (Size.LARGE, Size.NORMAL, Size.COMPACT) if options.size is None else (options.size,)
    return [
        model.pane.size_of(state, size, options.symbols.ascii_only, options.names) for size in sizes
    ]


def _board(model: Model, rect: Rect, now_s: float) -> list[Row]:
    room, options = model.room, model.options
    if room.state is None:
        return _in_the_middle(_before_the_game(model, rect.columns), rect)
    review = model.review
    is_first = model.pane.is_empty
    model.pane.show(
        room.state if review is None else review.position,
        BoardLook(
            tuple(holder.glyph for holder in room.seats),
            rect.columns,
            rect.lines,
            options.size,
            options.symbols.ascii_only,
            options.names,
            side_of(room, model.me),
        ),
        _seen_last(model) if review is None else review.shown[max(0, review.at - 1)],
    )
    if is_first and model.last_move is not None:
        model.pane.reveal(*model.last_move)
    return model.pane.rows(
        is_fresh_bright=now_s < model.fresh_until_s,
        marked=_marked(model) if review is None else review.marked,
    )


def _marked(model: Model) -> tuple[Move, ...]:
    """Return the move that waits for the person's turn, if there is one."""
    kept = None if model.premove is None else model.premove.move_in(model.room)
    return () if kept is None else (kept,)


def _seen_last(model: Model) -> State | None:
    """Return the position after the person's last move, from which on moves are marked.

    Of several people at one keyboard it is the one whose turn it is; else the last who moved.
    None: only the last move is marked, as the person doesn't play.
    """
    room = model.room
    if room.state is None or not room.is_player(model.me):
        return None
    seat = my_seat_to_move(room, model.me)
    if seat is None:
        seat = max(model.after_mine, key=lambda seat: model.after_mine[seat].ply, default=None)
    if seat in model.after_mine:
        return model.after_mine[seat]
    return _first_position(room.state.game)  # type: ignore[arg-type]  # games are hashable


@lru_cache(maxsize=2)
def _first_position(game: Game) -> State:
    """Return the first position of `game`, the same object each time."""
    return game.initial()


def _before_the_game(model: Model, columns: int) -> list[str]:
    """Return the wrapped notice about what has to happen before there is a board."""
    text = describe.waiting(model.room, model.me)
    return list(wrapped(text, max(20, columns - 8)))


def _in_the_middle(texts: Sequence[str], rect: Rect) -> list[Row]:
    above = max(0, (rect.lines - len(texts)) // 2)
    rows: list[Row] = [[] for _ in range(above)]
    rows += [[("class:title", centred(text, rect.columns))] for text in texts]
    rows += [[] for _ in range(rect.lines - len(rows))]
    return [UNICODE.fitted(row, rect.columns) for row in rows[: rect.lines]]


def _players_rows(model: Model, rect: Rect, now_s: float) -> list[Row]:
    left_s = _clock_left_s(model, now_s)
    room, review = model.room, model.review
    return players(
        room if review is None else structs.replace(room, state=review.position),
        model.me,
        rect.columns,
        rect.lines,
        thinking=model.thinking,
        clock_s=None if left_s is None else max(0, round(left_s)),
        server_ms=_room_ms(model, now_s) if model.server_ahead_s else None,
        symbols=model.options.symbols,
    )


def _log(journal: Journal, rect: Rect, model: Model) -> list[Row]:
    return journal.rows(rect.columns, rect.lines, symbols=model.options.symbols)


def _log_and_lead(model: Model, rect: Rect) -> list[Row]:
    """Return the log, and below it the curve of the lead while a game is reviewed."""
    if model.review is None:
        return _log(model.journal, rect, model)
    glyphs = [holder.glyph for holder in model.room.seats]
    curve = lead_rows(model.review, glyphs, rect.columns, symbols=model.options.symbols)
    left = rect.lines - len(curve)
    if left < _LEAST_LOG_LINES:
        return _log(model.journal, rect, model)
    return [*_log(model.journal, replace(rect, lines=left), model), *curve]


def _banner(model: Model, now_s: float) -> str:
    """Return the banner: a silent or lost server, a request, an invitation; "": no banner."""
    if model.silent_since_s is not None:
        silent_s = max(0, round(now_s - model.silent_since_s))
        return say("terminal.banner.silent", seconds=silent_s)
    if model.outage is None:
        room, me = model.room, model.me
        return pending_request(room, me) or pause_notice(room, me) or _invitation(model) or ""
    left_s = max(0, round(model.outage.retry_at_s - now_s))
    return (
        say("terminal.banner.lost", seconds=left_s) if left_s else say("terminal.banner.lost_now")
    )


def _invitation(model: Model) -> str | None:
    """Return what friends type, while the room waits for players; None if it doesn't."""
    room, address = model.room, model.guests_address
    if address is None or room.phase is not Phase.WAITING or not room.free_seats:
        return None
    return say("terminal.banner.invitation", line=describe.joining_line(room, address))


def _footer(model: Model, columns: int) -> Row:
    hints = [(key.shown, key.hint) for key in KEYS if key.is_in_footer]
    if describe.can_review(model.room):
        hints.insert(1, (label_of(KeyAction.REVIEW), say("terminal.footer.review")))
    if (again := _what_f5_does(model.room, model.me)) is not None:
        hints.insert(1, (label_of(KeyAction.AGAIN), again))
    if model.room.host == model.me:
        hints.insert(2, (label_of(KeyAction.HOST), say("terminal.footer.host")))
    page = model.guests_page
    if _invitation(model) is not None and page and not describe.is_page_out_of_reach(page):
        hints.insert(1, (label_of(KeyAction.QR_CODE), say("terminal.footer.qr_code")))
    if model.last_move is not None:
        hints.insert(-2, (label_of(KeyAction.LAST_MOVE), say("terminal.footer.last_move")))
    return bars.footer(hints, columns, keeps_last=True, symbols=model.options.symbols)


def _what_f5_does(room: Room, me: str) -> str | None:
    """Return what the key starts for `me`; None if `me` may start nothing now."""
    match room.phase:
        case Phase.WAITING:
            if room.host == me:
                return None if room.lacking else say("terminal.footer.start")
            return say("terminal.footer.ready") if room.can_vote(me) else None
        case Phase.PLAYING:
            return say("terminal.footer.join_next") if room.can_vote(me) else None
        case Phase.OVER:
            return say("terminal.footer.rematch") if room.can_vote(me) else None
        case _:
            assert_never(room.phase)


def can_set_up_next_game(room: Room, me: str) -> bool:
    """Whether `me` may change the opponent, the board and who begins, and start the game."""
    return room.phase is not Phase.PLAYING and room.host == me and not room.lacking


def _help(model: Model, columns: int, lines: int) -> Picture:
    """Return the help as the whole screen, and keep `help_from` within its text."""
    assert model.help_from is not None
    rows, model.help_from = help_rows(
        help_lines(), model.help_from, columns, lines, symbols=model.options.symbols
    )
    return Picture(rows, None, False, NOWHERE, Rect(0, 1, columns, lines - 2))


def move_under(model: Model, picture: Picture, x: int, y: int) -> Move | None:
    """Return the move under that cell of the screen, if any."""
    board = picture.board
    return model.pane.move_at(x - board.x, y - board.y) if is_in(board, x, y) else None


def is_in(rect: Rect, x: int, y: int) -> bool:
    """Whether that cell of the screen is in `rect`."""
    return rect.x <= x < rect.x + rect.columns and rect.y <= y < rect.y + rect.lines
