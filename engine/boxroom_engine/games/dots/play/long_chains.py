"""Play for the parity of long chains, which declines boxes to keep control, for two players.

It is the student's General Solution (https://github.com/ArthurConmy/EPQ) on any grid, with his
`max_ply`::

    are only chains and loops left?  yes: play them perfectly
           no
    is something on offer?           yes: take it, down to what can be declined; then take that or
           no                             decline it, whichever is worth more
    are there neutral moves?         yes: no more than `max_ply` one after the other: minimax over
           no                             all of them; more: one at random
    give away what leaves the other least

Positions at the end of the neutral moves are valued by `forecast`. While there are too many moves
to search, everything on offer is taken.
"""

import random

from boxroom_engine.games.dots.play.neutral_search import NeutralSearch, can_stay_neutral
from boxroom_engine.games.dots.play.offers import Offer, offer_in
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import after_taking_all, neutral, sacrifices
from boxroom_engine.games.dots.theory.endgame import best_endgame_moves, is_endgame
from boxroom_engine.games.dots.theory.forecast import forecast
from boxroom_engine.games.dots.theory.strings import Chain, Loop, parts_of
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import Limit, SearchStopped


def long_chain_move(position: Position, max_ply: int, limit: Limit, rng: random.Random) -> Move:
    """The move of the flow chart, equals at random; when `limit` expires, the best so far.

    Two seats must be in play. It looks `max_ply` neutral moves ahead, all that are left or none.
    """
    if is_endgame(position):
        return rng.choice(best_endgame_moves(position))
    if offer := offer_in(position):
        return _take_or_decline(position, offer, max_ply, limit)
    if neutrals := neutral(position):
        shuffled = rng.sample(neutrals, len(neutrals))
        if can_stay_neutral(position, max_ply):
            return shuffled[0]
        return NeutralSearch(position.game.grid, limit.expired).best(position, shuffled)
    return _give_away(position, limit, rng)


def _take_or_decline(position: Position, offer: Offer, max_ply: int, limit: Limit) -> Move:
    if offer.decline is None:
        return offer.take
    rest = after_taking_all(position)
    if can_stay_neutral(rest, max_ply):
        return offer.take
    try:
        value = NeutralSearch(position.game.grid, limit.expired).value(rest)
    except SearchStopped:
        return offer.take
    return offer.take if offer.is_worth_taking(value) else offer.decline


def _give_away(position: Position, limit: Limit, rng: random.Random) -> Move:
    """The opening worth most to the seat to move, of those looked at, the smallest gift first."""
    costs = sacrifices(position)
    parts = parts_of(position)
    strings: list[Chain | Loop] = [*parts.chains, *parts.loops]
    openings = [string.opening for string in strings]
    rng.shuffle(openings)
    openings.sort(key=costs.__getitem__)
    best, least = openings[0], _worth_to_other(position.play(openings[0]))
    for opening in openings[1:]:
        if limit.expired():
            break
        worth = _worth_to_other(position.play(opening))
        if worth < least:
            best, least = opening, worth
    return best


def _worth_to_other(opened: Position) -> int:
    """The forecast margin to come for the player to move in `opened`, where boxes are on offer."""
    offer = offer_in(opened)
    assert offer is not None, "without neutral edges every move gives something away"
    return offer.value(forecast(parts_of(after_taking_all(opened))))
