"""The board in words, for people who don't look at one: its free moves, and one of its boxes.

The page says `turn_in_words` too (`turn_in_words.js`); docs/sentence-vectors.json holds both sides
together.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from boxroom_client.shell.output.wording import sentence
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.abilities import BoxSide, BoxSides
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.room.room import Room

_SHORTEST_RUN = 3
"""Moves in a row, such as h0, h1 and h2, that are said as the first and the last one."""


def turn_in_words(state: State) -> str:
    """Return how many moves take something and how many are safe; empty in games without that.

    The game mustn't be over.
    """
    kinds = _kinds_of_moves(state)
    return " ".join(
        sentence(say(key, n=len(moves)))
        for key, moves in kinds.items()
        if moves or key.startswith("safe_moves")
    )


def free_moves(state: State) -> Iterator[str]:
    """Yield sentences that list the legal moves, those that take something, and the safe ones."""
    legal = state.legal_moves()
    yield _listed(say("terminal.board.free", n=len(legal)), state.game, legal)
    for key, moves in _kinds_of_moves(state).items():
        yield _listed(say(key, n=len(moves)), state.game, moves)


def box_in_words(box: BoxSides, room: Room) -> str:
    """Return a box with its owner and sides."""
    assert room.state is not None
    game = room.state.game
    if box.owner is not None:
        owned = say("terminal.board.box_owned", name=called(room.players[box.owner]), **_place(box))
        return f"{owned} {_drawn(box, game)}"
    free = say(
        "terminal.board.box_free", n=len(box.free), sides=_sides(box.free, game), **_place(box)
    )
    return f"{free} {_drawn(box, game)}" if box.drawn else free


def _kinds_of_moves(state: State) -> Mapping[str, Sequence[Move]]:
    """Return moves that take something, and safe ones, by the key of the phrase for their number.

    It is empty in a game that has no theory of captures.
    """
    kind = state.game.kind
    captures = kind.abilities.captures
    if captures is None:
        return {}
    return {
        f"taking_moves.{kind.name}": tuple(captures.takes(state)),
        f"safe_moves.{kind.name}": captures.quiet(state),
    }


def _listed(what: str, game: Game, moves: Sequence[Move]) -> str:
    if not moves:
        return sentence(what)
    names = list(_in_short([game.format_move(move) for move in moves]))
    return say("terminal.board.listed", what=sentence(what).rstrip("."), moves=", ".join(names))


def _in_short(names: Sequence[str]) -> Iterator[str]:
    """Yield `names`, those in a row as their first and last one: "h0–h5"."""
    places = [_letters_and_number(name) for name in names]
    numbered = enumerate(zip(names, places, strict=True))
    for _, group in groupby(numbered, key=lambda each: (each[1][1][0], each[1][1][1] - each[0])):
        run = [name for _, (name, _) in group]
        yield from [f"{run[0]}–{run[-1]}"] if len(run) >= _SHORTEST_RUN else run


def _letters_and_number(name: str) -> tuple[str, int]:
    """Split "h12" into "h" and 12; without a number at its end, a name is a run of its own."""
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    return (letters, int(digits)) if digits and (letters.isalpha() or not letters) else (name, 0)


def _place(box: BoxSides) -> dict[str, Any]:
    return {"number": box.number, "row": box.row, "column": box.column}


def _drawn(box: BoxSides, game: Game) -> str:
    return say("terminal.board.box_drawn", sides=_sides(box.drawn, game))


def _sides(sides: Mapping[BoxSide, Move], game: Game) -> list[str | Phrase]:
    return [
        phrase(f"terminal.board.side_{side.value}", move=game.format_move(move))
        for side, move in sides.items()
    ]
