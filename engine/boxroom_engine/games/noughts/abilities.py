"""Abilities of noughts and crosses; see `Abilities`."""

from boxroom_engine.games.abilities import Abilities
from boxroom_engine.games.noughts.expectation import expected
from boxroom_engine.games.noughts.state import Position
from boxroom_engine.games.noughts.worksheet import worksheet

ABILITIES: Abilities[Position] = Abilities(expectation=expected, worksheet=worksheet)
"""All of them."""
