"""The rules of Dots and Boxes: grid, positions and moves, their notation, drawing and symmetry.

Only `state` imports the other modules, so each can be read alone. Theory and search aren't in
here, and nothing in here imports them; everything else may import it.
"""
