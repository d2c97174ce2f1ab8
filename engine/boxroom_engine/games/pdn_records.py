"""Games of draughts as PDN and as records of Boxroom.

A record begins with the first position, names its players by seat, and has a token for a player who
gave up. PDN names White and Black, and has the result. So a game that was won before its end is one
in which the loser gave up, and a draw that was agreed is a game that isn't over.
"""

from boxroom_engine.games.draughts.pdn import UNKNOWN, PdnGame, own_names
from boxroom_engine.games.draughts.state import Draughts
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.protocol import Outcome, Seat
from boxroom_engine.games.record import Record, is_withdrawal, withdrawal_token

_WHITE_FIRST = {"english": False, "international": True}


def record_of_pdn(pdn: PdnGame) -> Record:
    """Return the record of a game in PDN.

    Raises:
        FormatError: the game doesn't begin with the first position.
    """
    game = pdn.game
    if pdn.start != game.initial():
        raise FormatError("a record begins with the first position of a game, not with a FEN")
    tags = dict(pdn.tags)
    players = tuple(tags.get(colour) or colour for colour in colours(game))
    tokens = [game.format_move(move) for move in pdn.moves]
    *_, last = pdn.positions()
    winner = _winner(game, pdn.result)
    if winner is not None and not last.is_over:
        tokens.append(withdrawal_token(Seat(1 - winner)))
    return Record(game, players, tuple(tokens))


def pdn_of_record(record: Record) -> PdnGame:
    """Return a recorded game as PDN.

    Raises:
        FormatError: it isn't draughts, a move is illegal, or a name can't be written.
    """
    game = record.game
    if not isinstance(game, Draughts):
        raise FormatError(f"PDN is for draughts, not for {game.kind.named}")
    moves = [token for token in record.tokens if not is_withdrawal(token)]
    names = tuple(zip(colours(game), record.players, strict=True))
    initial = game.initial()
    result = _result(game, record.final().outcome)
    return PdnGame(initial, tuple(own_names(initial, moves)), result, names)


def colours(game: Draughts) -> tuple[str, str]:
    """Return the colours of both seats, as PDN calls them."""
    return ("White", "Black") if _WHITE_FIRST[game.rule_set] else ("Black", "White")


def _winner(game: Draughts, result: str) -> Seat | None:
    """Return the seat that has won by `result`, in which White comes first."""
    winner = {"1-0": "White", "2-0": "White", "0-1": "Black", "0-2": "Black"}.get(result)
    return None if winner is None else Seat(colours(game).index(winner))


def _result(game: Draughts, outcome: Outcome | None) -> str:
    if outcome is None:
        return UNKNOWN
    if not outcome.winners:
        return "1/2-1/2"
    return "1-0" if colours(game)[outcome.winners[0]] == "White" else "0-1"
