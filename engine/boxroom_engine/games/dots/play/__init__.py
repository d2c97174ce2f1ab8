"""Strategies of Dots and Boxes: its theory and its searches, applied to one move in limited time.

`offers` is about boxes on offer, `neutral_search` about neutral moves, `estimates` about any move
by playouts. The bots that play so, and their names, are in `bots`, which may import it.
"""
