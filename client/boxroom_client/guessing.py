"""What somebody may have meant who wrote a name that doesn't exist."""

from collections.abc import Iterable
from difflib import get_close_matches

from boxroom_client.shell.output.wording import listed

_LONGEST = 100
"""Characters that are compared; no name of ours is that long."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence: ": did you mean dark?", or "; there are dark and light"."""
    names = list(known)
    close = get_close_matches(word[:_LONGEST].lower(), names, n=1)
    return f": did you mean {close[0]}?" if close else f"; there are {listed(names)}"
