"""The screen of puzzles and lessons: the board of a game, sentences below it, and a line to answer.

`shell.courses` asks and answers. Only `cli.arguments.courses` imports it.
"""
