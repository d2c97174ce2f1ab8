"""Telling what was lost in a recorded game of Dots and Boxes, and why.

- `judge`: asks for exact play, a limited time for each position.
- `analysed`: all that is told, as one value.
- `lead`: who is ahead in a position.
- `wording`: what a move does, in English.
- `report`: what people get.
- `chart`: who was ahead, as text.
- `chart_svg`: who was ahead, as a picture.
- `as_json`: what programs get.

What moves do and what they lose is said by `games.dots.facts` and `games.dots.judging` in the
engine.
"""
