"""Abilities of Dots and Boxes; see `Abilities`."""

from boxroom_engine.games.abilities import Abilities, CaptureTheory, MoveFacts
from boxroom_engine.games.dots.play.long_chains import long_chain_move
from boxroom_engine.games.dots.play.perfect import perfect_moves
from boxroom_engine.games.dots.play.position_solver import DotsSolver
from boxroom_engine.games.dots.play.strongest import best_move
from boxroom_engine.games.dots.rules.box_sides import box_sides
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.solve.judge import TimedJudge
from boxroom_engine.games.dots.theory.captures import (
    at_hand,
    boxes_taken,
    neutral,
    sacrifices,
)
from boxroom_engine.games.dots.theory.expectation import expected
from boxroom_engine.games.dots.theory.facts import contrast, facts_of, given, read_facts
from boxroom_engine.games.dots.theory.glossary import GLOSSARY
from boxroom_engine.games.dots.theory.theme import theme_of
from boxroom_engine.games.dots.theory.words import effect, outlook, reason

ABILITIES: Abilities[Position] = Abilities(
    captures=CaptureTheory(
        takes=boxes_taken, at_hand=at_hand, quiet=neutral, sacrifices=sacrifices
    ),
    box=box_sides,
    expectation=expected,
    long_chain_move=long_chain_move,
    perfect_moves=perfect_moves,
    best_move=best_move,
    solver=DotsSolver,
    judge=TimedJudge,
    facts=MoveFacts(
        of=facts_of,
        given=given,
        contrast=contrast,
        read=read_facts,
        effect=effect,
        outlook=outlook,
        theme=theme_of,
    ),
    reason=reason,
    glossary=GLOSSARY,
)
"""All of them."""
