"""Forms on the whole terminal: fields, their state, the screen; games, rooms, single questions.

Lists to choose from are in `lobby`. What is entered is checked by each form's own function. The
full screen's frontend and `lobby` may import it.
"""
