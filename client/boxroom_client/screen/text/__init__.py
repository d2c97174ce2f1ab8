"""Styled text and tables, measured in terminal cells, for all panes and screens.

Colours are in `themes`; sentences are in `shell.output`. Nothing here knows a game or a room.
Every module of `screen` may import it.
"""
