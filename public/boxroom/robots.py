"""The board of classic robots, and the functions that their authors use.

A classic robot takes a `Board` and returns all lines of one turn; see docs/how-to/robots.md.
"""

from boxroom_engine.robots import *  # noqa: F403
from boxroom_engine.robots import __all__  # noqa: F401
