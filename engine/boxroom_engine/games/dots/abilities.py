"""Abilities of Dots and Boxes; see `Abilities`."""

from boxroom_engine.games.dots.play.long_chains import long_chain_move
from boxroom_engine.games.dots.play.perfect import perfect_moves
from boxroom_engine.games.dots.play.strongest import best_move
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import (
    boxes_taken,
    neutral,
    sacrifices,
)
from boxroom_engine.games.dots.theory.expectation import expected
from boxroom_engine.games.dots.theory.glossary import GLOSSARY
from boxroom_engine.games.dots.theory.words import reason
from boxroom_engine.games.protocol import Abilities, CaptureTheory

ABILITIES: Abilities[Position] = Abilities(
    captures=CaptureTheory(takes=boxes_taken, quiet=neutral, sacrifices=sacrifices),
    expectation=expected,
    long_chain_move=long_chain_move,
    perfect_moves=perfect_moves,
    best_move=best_move,
    reason=reason,
    glossary=GLOSSARY,
)
"""All of them."""
