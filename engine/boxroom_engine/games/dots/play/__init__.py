"""Strategies of Dots and Boxes: its theory and its searches, applied to one move in limited time.

`offers` is about boxes on offer, `neutral_search` about neutral moves, `estimates` about any move
by playouts. `long_chains`, `perfect` and `strongest` each choose a move. The bots that play so are
in `bots`, which knows these strategies by `games.dots.abilities`.
"""
