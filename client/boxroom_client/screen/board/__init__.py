"""The board's pane: drawing, scrolling, the cursor, and the move under a mouse click.

It shows any game, since the games draw themselves in the engine. Keys are bound elsewhere. The
renderer and the view model of a screen may import it.
"""
