"""The classes and strategies of the Stonehenge assignment."""

from boxroom_lab.lessons.stonehenge import *  # noqa: F403
from boxroom_lab.lessons.stonehenge import __all__  # noqa: F401
