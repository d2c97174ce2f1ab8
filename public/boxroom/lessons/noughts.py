"""The functions of a worksheet on noughts and crosses with minimax."""

from boxroom_lab.lessons.noughts import *  # noqa: F403
from boxroom_lab.lessons.noughts import __all__  # noqa: F401
