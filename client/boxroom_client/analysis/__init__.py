"""Telling what was lost in a recorded game of Dots and Boxes, and why.

- `wording`: what a move does, in English.

What moves do and what they lose is said by `games.dots.facts` and `games.dots.judging` in the
engine.
"""
