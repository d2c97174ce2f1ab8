"""The theory of Dots and Boxes: properties of a position that are found without search.

Strings and captures are the base; control, endgame, forecast, neutral runs, facts about moves and
the judging of whole games stand on them. No search is in here. Solvers, bots and clients may
import it; it imports the rules alone.
"""
