"""The screen of puzzles: the board of a game, sentences below it, and a line to answer.

`shell.puzzles` asks and answers. Only `boxroom puzzle` imports it.
"""
