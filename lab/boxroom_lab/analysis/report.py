"""The report of an analysed game as text: the loss of each move, and the course of the game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from boxroom_client.text_width import column_widths, left_aligned, text_width, wrap
from boxroom_engine.games.marks import glyph
from boxroom_engine.games.protocol import Seat
from boxroom_engine.phrases import phrase
from boxroom_engine.review.judging import JudgedMove, Losses, losses
from boxroom_engine.review.lead import leader
from boxroom_engine.review.review import Finding, facts_for
from boxroom_lab.analysis.analysed_game import AnalysedGame, Unjudged

_LEAST_TEXT_COLUMNS = 24
"""With less room beside long names, the text about a move begins on a new line."""

_FOR_ALL = (
    "Among more than two players there is no best play against all others. A move is judged by the"
    " boxes that its player gets at the end if all play for their own boxes from there on; who wins"
    " by that isn't judged. Once two are left it is the margin if both play best."
)

_FOR_ONE = (
    "A single player gets every box, in whatever order the lines are drawn: no move loses anything."
)


@dataclass(frozen=True, slots=True)
class TextLayout:
    """The width and character set of the text."""

    columns: int
    ascii_only: bool = False


def report(
    analysed: AnalysedGame, layout: TextLayout, *, every_move: bool = False
) -> Iterator[str]:
    """Yield all lines: the score, the unjudged moves, the costly moves, and the players' losses.

    With `every_move` all moves are listed.
    """
    yield from wrap(_standing(analysed), layout.columns)
    for reason, run in analysed.unjudged():
        yield from wrap(_unjudged(analysed, reason, run), layout.columns)
    if analysed.has_shares:
        yield from wrap(_FOR_ONE if analysed.game.seats == 1 else _FOR_ALL, layout.columns)
    moves = [move for move in analysed.judged.moves if every_move or move.is_costly]
    if moves:
        yield ""
        yield from _heading(analysed, layout, every_move=every_move)
        yield from _move_table(analysed, moves, layout)
    if any(move.lost is not None for move in analysed.judged.moves):
        yield ""
        for line in _summary(analysed, layout):
            yield from wrap(line, layout.columns, subsequent_indent="  ")


def loss_text(move: JudgedMove) -> str:
    """Return the boxes that a move lost: "−2", "0", "about −1.5"; "?" if it isn't known."""
    if move.lost_boxes is None:
        return "?"
    return _amount(-move.lost_boxes, exact=move.exact)


def move_sentence(analysed: AnalysedGame, move: JudgedMove) -> str:
    """Return the effect of a move; of a costly one a better move, and what both lead to."""
    if analysed.game.seats == 1:
        return _effect_for_one(move)
    finding = analysed.findings.get(move.number)
    if finding is None:
        about = facts_for(move)
        return str(about.effect(about.of(move.before, move.move)))
    return _costly_sentence(analysed, move, finding)


def _costly_sentence(analysed: AnalysedGame, move: JudgedMove, finding: Finding) -> str:
    about, player = facts_for(move), analysed.players[move.seat]
    facts, better_facts = tuple(about.read(finding.facts)), tuple(about.read(finding.better_facts))
    effect, better_effect = about.effect(facts), about.effect(better_facts)
    which = "" if better_effect is None else f", which {better_effect}"
    better = f"better: {finding.better}{which}{_as_good(analysed, move, finding)}."
    outlooks = (
        (finding.move, about.outlook(facts, player)),
        (finding.better, about.outlook(better_facts, player)),
    )
    return " ".join(
        (
            f"{'' if effect is None else f'{effect}; '}{better}",
            *(
                str(phrase("finding_after", move=name, outlook=outlook))
                for name, outlook in outlooks
                if outlook is not None
            ),
        )
    )


def _as_good(analysed: AnalysedGame, move: JudgedMove, finding: Finding) -> str:
    """Return the other moves that are as good as the better one, or their number."""
    names = map(analysed.game.format_move, move.better)
    match [name for name in names if name != finding.better]:
        case []:
            return ""
        case [other]:
            return f"; {other} is as good"
        case others:
            return f"; {len(others)} more are as good"


def _effect_for_one(move: JudgedMove) -> str:
    """Return what a single player's move takes: all else it does would concern an opponent."""
    facts = facts_for(move)
    if not move.after.taken:
        return "takes nothing"
    return str(facts.effect(facts.of(move.before, move.move)))


def _standing(analysed: AnalysedGame) -> str:
    last = analysed.last
    scores = ", ".join(
        f"{name} {last.scores[seat]}{' (gave up)' if seat in last.withdrawn else ''}"
        for seat, name in enumerate(analysed.players)
    )
    how = "is over" if last.is_over else "isn't over"
    return f"The game {how}: {scores}."


def _unjudged(analysed: AnalysedGame, reason: Unjudged, run: Sequence[JudgedMove]) -> str:
    first, last = run[0].number, run[-1].number
    until = "and" if last == first + 1 else "to"
    moves = f"Moves {first} {until} {last} are" if first != last else f"Move {first} is"
    match reason:
        case Unjudged.TOO_EARLY:
            return (
                f"{moves} too early to judge in {analysed.limit_s:g} s a position;"
                " give more time with --time."
            )
        case Unjudged.INTERRUPTED:
            return f"{moves} not judged: it was interrupted."
        case _:
            assert_never(reason)


def _heading(analysed: AnalysedGame, layout: TextLayout, *, every_move: bool) -> Iterator[str]:
    which = "All moves" if every_move else "The moves that lost boxes"
    is_for_two = any(move.is_costly for move in analysed.judged.moves) and not analysed.has_shares
    counted = ", if both play best from there on" if is_for_two else ""
    yield from wrap(f"{which}{counted}:", layout.columns)


def _move_table(
    analysed: AnalysedGame, moves: Sequence[JudgedMove], layout: TextLayout
) -> Iterator[str]:
    """Yield a table of moves, with the text about each wrapped in the last column."""
    table = [
        (
            str(move.number),
            _player(analysed, move.seat, layout),
            analysed.name(move),
            loss_text(move),
        )
        for move in moves
    ]
    numbers, players, names, lost = column_widths(table)
    for move, (number, player, name, loss) in zip(moves, table, strict=True):
        who = left_aligned(player, players)
        head = f"{number:>{numbers}}  {who}  {name:<{names}}  {loss:>{lost}}  "
        text = move_sentence(analysed, move)
        if layout.columns - text_width(head) < _LEAST_TEXT_COLUMNS:
            yield head.rstrip()
            head = " " * (numbers + 2)
        yield from wrap(
            text, layout.columns, initial_indent=head, subsequent_indent=" " * text_width(head)
        )


def _summary(analysed: AnalysedGame, layout: TextLayout) -> Iterator[str]:
    for seat in map(Seat, range(analysed.game.seats)):
        of_seat = losses(analysed.judged, seat)
        if of_seat.judged:
            yield f"{_player(analysed, seat, layout)} {_losses(analysed, of_seat)}"
    if (move := analysed.judged.turning_point) is not None:
        yield _turning_point(analysed, move)


def _losses(analysed: AnalysedGame, of_seat: Losses) -> str:
    judged = f"{of_seat.judged} judged move{'s' * (of_seat.judged != 1)}"
    if of_seat.worst is None:
        return f"lost nothing in {judged}."
    lost = _amount(of_seat.lost_boxes, exact=of_seat.exact)
    boxes = "box" if of_seat.lost_boxes == 1 and of_seat.exact else "boxes"
    worst = f"{analysed.name(of_seat.worst)} in move {of_seat.worst.number}"
    if of_seat.costly == 1:
        return f"lost {lost} {boxes} in {judged}, with {worst}."
    return (
        f"lost {lost} {boxes} with {of_seat.costly} of {judged},"
        f" most with {worst} ({loss_text(of_seat.worst)})."
    )


def _turning_point(analysed: AnalysedGame, move: JudgedMove) -> str:
    margins = analysed.judged.margins()
    before = _result(analysed, move, margins[move.number - 1])
    after = _result(analysed, move, margins[move.number])
    who = analysed.players[move.seat]
    return (
        f"The game turned with move {move.number}, {analysed.name(move)} by {who}:"
        f" best play by both led to {before} before, and to {after} after it."
    )


def _result(analysed: AnalysedGame, move: JudgedMove, margin: float | None) -> str:
    assert margin is not None, "only exact margins make a turning point"
    seat = leader(move.before, margin)
    if seat is None:
        return "a draw"
    return f"{analysed.players[seat]} winning by {abs(margin):g}"


def _player(analysed: AnalysedGame, seat: Seat, layout: TextLayout) -> str:
    return f"{glyph(seat, ascii_only=layout.ascii_only)} {analysed.players[seat]}"


def _amount(amount: float, *, exact: bool) -> str:
    """Return a number of boxes, rounded to one decimal if it is an estimate."""
    text = f"{amount:.0f}" if exact else f"about {amount:.1f}"
    return text.replace("-", "−") if amount else "0"
