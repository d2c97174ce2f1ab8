"""An analysed game in lines for people: what moves lost, and what that made of the game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import assert_never

from boxroom_client.analysis.analysed import Analysed, Unjudged
from boxroom_client.analysis.lead import leader
from boxroom_client.analysis.wording import said_of
from boxroom_engine.games.dots.theory.facts import Change, ChangesControl, Fact, facts_of
from boxroom_engine.games.dots.theory.judging import JudgedMove, Losses, losses
from boxroom_engine.games.marks import glyph
from boxroom_engine.games.protocol import Seat

_LEAST_TEXT_COLUMNS = 24
"""Where long names leave less for what is said of a move, it begins on a new line."""


@dataclass(frozen=True, slots=True)
class Page:
    """What the lines are written on."""

    columns: int
    ascii_only: bool = False


def report(analysed: Analysed, page: Page, *, every_move: bool = False) -> Iterator[str]:
    """All lines: how it stands, what isn't known, the moves that lost something, the players.

    With `every_move` all moves are told.
    """
    yield from wrap(_standing(analysed), page.columns)
    for why, run in analysed.unjudged():
        yield from wrap(_unjudged(analysed, why, run), page.columns)
    moves = [move for move in analysed.judged.moves if every_move or move.is_costly]
    if moves:
        yield ""
        yield from _heading(analysed, page, every_move=every_move)
        yield from _told(analysed, moves, page)
    if any(move.lost is not None for move in analysed.judged.moves):
        yield ""
        for line in _summary(analysed, page):
            yield from wrap(line, page.columns, subsequent_indent="  ")


def lost_of(move: JudgedMove) -> str:
    """What it lost: "−4", "0", "about −2.5"; "?" if that isn't known."""
    if move.lost is None:
        return "?"
    return _amount(-move.lost, exact=move.exact)


def sentence_of(analysed: Analysed, move: JudgedMove) -> str:
    """What it does, and if it lost something what had been better."""
    said = said_of(_explaining(move, facts_of(move.before, move.move), is_good=not move.is_costly))
    if not move.better:
        return said
    better = analysed.advice(move)
    why = said_of(_explaining(move, facts_of(move.before, better), is_good=True))
    others = [analysed.game.format_move(each) for each in move.better if each != better]
    match others:
        case []:
            as_good = ""
        case [other]:
            as_good = f"; {other} is as good"
        case _:
            as_good = f"; {len(others)} more are as good"
    return f"{said}; better: {analysed.game.format_move(better)}, which {why}{as_good}"


def _explaining(move: JudgedMove, facts: Sequence[Fact], *, is_good: bool) -> Iterator[Fact]:
    """Those of `facts` that don't point the wrong way.

    Who will be in control is a forecast as long as chains can change. Where what the move is
    worth speaks against it, it explains nothing.
    """
    misleading = (Change.GIVES, Change.GIVES_UP) if is_good else (Change.GAINS,)
    for fact in facts:
        match fact:
            case ChangesControl(change, is_forecast=True) if change in misleading:
                if move.lost is None:
                    yield fact
            case _:
                yield fact


def _standing(analysed: Analysed) -> str:
    last = analysed.last
    scores = ", ".join(
        f"{name} {last.scores[seat]}{' (gave up)' if seat in last.withdrawn else ''}"
        for seat, name in enumerate(analysed.players)
    )
    how = "is over" if last.is_over else "isn't over"
    return f"The game {how}: {scores}."


def _unjudged(analysed: Analysed, why: Unjudged, run: Sequence[JudgedMove]) -> str:
    first, last = run[0].number, run[-1].number
    until = "and" if last == first + 1 else "to"
    moves = f"Moves {first} {until} {last} are" if first != last else f"Move {first} is"
    match why:
        case Unjudged.MANY_SEATS:
            return f"{moves} not judged: only what two players do can be, and more were in play."
        case Unjudged.TOO_EARLY:
            return (
                f"{moves} too early to judge in {analysed.limit_s:g} s a position;"
                " give more time with --time."
            )
        case Unjudged.INTERRUPTED:
            return f"{moves} not judged: it was interrupted."
        case _:
            assert_never(why)


def _heading(analysed: Analysed, page: Page, *, every_move: bool) -> Iterator[str]:
    which = "All moves" if every_move else "The moves that lost something"
    counted = ""
    if any(move.is_costly for move in analysed.judged.moves):
        counted = ", counted in the margin at the end if both play best from there on"
    yield from wrap(f"{which}{counted}:", page.columns)


def _told(analysed: Analysed, moves: Sequence[JudgedMove], page: Page) -> Iterator[str]:
    """A table of what was played, with what is said of it wrapped in the last column."""
    table = [
        (
            str(move.number),
            _player(analysed, move.seat, page),
            analysed.name(move),
            lost_of(move),
        )
        for move in moves
    ]
    numbers, players, names, lost = (max(map(len, column)) for column in zip(*table, strict=True))
    for move, (number, player, name, loss) in zip(moves, table, strict=True):
        head = f"{number:>{numbers}}  {player:<{players}}  {name:<{names}}  {loss:>{lost}}  "
        text = sentence_of(analysed, move)
        if page.columns - len(head) < _LEAST_TEXT_COLUMNS:
            yield head.rstrip()
            head = " " * (numbers + 2)
        yield from wrap(text, page.columns, initial_indent=head, subsequent_indent=" " * len(head))


def _summary(analysed: Analysed, page: Page) -> Iterator[str]:
    for seat in map(Seat, range(analysed.game.seats)):
        of_seat = losses(analysed.judged, seat)
        if of_seat.judged:
            yield f"{_player(analysed, seat, page)} {_losses(analysed, of_seat)}"
    if (move := analysed.judged.turning_point) is not None:
        yield _turning_point(analysed, move)


def _losses(analysed: Analysed, of_seat: Losses) -> str:
    judged = f"{of_seat.judged} judged move{'s' * (of_seat.judged != 1)}"
    if of_seat.worst is None:
        return f"lost nothing in {judged}."
    lost = _amount(of_seat.lost, exact=of_seat.exact)
    worst = f"{analysed.name(of_seat.worst)} in move {of_seat.worst.number}"
    if of_seat.costly == 1:
        return f"lost {lost} in {judged}, all of it with {worst}."
    return (
        f"lost {lost} with {of_seat.costly} of {judged},"
        f" most with {worst} ({lost_of(of_seat.worst)})."
    )


def _turning_point(analysed: Analysed, move: JudgedMove) -> str:
    margins = analysed.judged.margins()
    before = _result(analysed, move, margins[move.number - 1])
    after = _result(analysed, move, margins[move.number])
    who = analysed.players[move.seat]
    return (
        f"The game turned with move {move.number}, {analysed.name(move)} by {who}:"
        f" best play by both led to {before} before, and to {after} after it."
    )


def _result(analysed: Analysed, move: JudgedMove, margin: float | None) -> str:
    assert margin is not None, "estimates and unknown margins turn nothing"
    seat = leader(move.before, margin)
    if seat is None:
        return "a draw"
    return f"{analysed.players[seat]} winning by {abs(margin):g}"


def _player(analysed: Analysed, seat: Seat, page: Page) -> str:
    return f"{glyph(seat, ascii_only=page.ascii_only)} {analysed.players[seat]}"


def _amount(amount: float, *, exact: bool) -> str:
    """A whole number of boxes, or about how many."""
    text = f"{amount:.0f}" if exact else f"about {amount:.1f}"
    return text.replace("-", "−") if amount else "0"
