"""An index of names by their looks."""

from collections.abc import Iterable, Iterator
from itertools import count

from boxroom_common.look_alikes import looks

_USUAL_CHARS = 20
"""Fewer characters than a name can have, unless its server takes short ones only."""


class Looks:
    """Names that are in use, by their looks; each name is given in its one spelling."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names: dict[str, tuple[str, ...]] = {}  # by look
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Add `name`; adding it again has no effect."""
        for look in looks(name):
            known = self._names.get(look, ())
            if name not in known:
                self._names[look] = (*known, name)

    def discard(self, name: str) -> None:
        """Remove `name`, if it is there."""
        for look in looks(name):
            left = tuple(known for known in self._names.get(look, ()) if known != name)
            if left:
                self._names[look] = left
            else:
                self._names.pop(look, None)

    def like(self, name: str) -> Iterator[str]:
        """Yield the names that look like `name`, that itself included."""
        for look in looks(name):
            yield from self._names.get(look, ())

    def another_like(self, name: str) -> str:
        """Return the first of `name 2`, `name 3` and so on that no name looks like.

        It is no longer than `name` if that is a long one.
        """
        most = max(len(name), _USUAL_CHARS)
        ends = (f" {number}" for number in count(2))
        numbered = (f"{name[: most - len(end)].rstrip()}{end}" for end in ends)
        return next(each for each in numbered if not any(self.like(each)))
