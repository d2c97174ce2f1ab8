"""The sentence with the result of a game."""

import re

RESULT = re.compile(r"\bwon\b(?!')|\bwin together\b|\bgave up\. |It is a draw\.|Nobody wins\.")
"""Matches any result, and no rule of a game."""
