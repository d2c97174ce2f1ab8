"""The vocabularies of two exercises: code that was written for them runs with one import.

- `noughts`: the functions of a worksheet on noughts and crosses with minimax.
- `stonehenge`: the classes and strategies of the Stonehenge assignment.
"""
