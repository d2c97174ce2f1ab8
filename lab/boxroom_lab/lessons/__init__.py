"""The vocabularies of two exercises, so that code which was written for them runs on these games.

- `noughts`: the functions of a worksheet on noughts and crosses with minimax.
- `stonehenge`: the classes and strategies of the Stonehenge assignment.

Each is a thin layer over the engine's `games` and `search`. They print and ask at the keyboard,
because the exercises do. Nothing imports them.
"""
