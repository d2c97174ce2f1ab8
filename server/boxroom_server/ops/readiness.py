"""The readiness of a server to accept sessions, with the reasons against it, for `/readyz`."""

import logging

from boxroom_server.ops.logs import fields

logger = logging.getLogger(__name__)

SAVING = "saving"
"""Subject of the reason that nothing can be saved."""

LEAVING = "leaving"
"""Subject of the reason that a server gives its rooms, and their members, to others."""


class Readiness:
    """Reasons against accepting sessions, one for each subject; without any the server is ready.

    The part of the server that owns a subject, such as `SAVING`, sets and clears its reason.
    """

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}  # by subject

    @property
    def is_ready(self) -> bool:
        """Whether there is no reason against it."""
        return not self._reasons

    @property
    def reasons(self) -> tuple[str, ...]:
        """All reasons against it, the oldest first."""
        return tuple(self._reasons.values())

    @property
    def only_cannot_save(self) -> bool:
        """Whether the only reason is that nothing can be saved."""
        return self._reasons.keys() == {SAVING}

    @property
    def is_leaving(self) -> bool:
        """True while the server takes no new sessions and sends its members to other servers."""
        return LEAVING in self._reasons

    def set(self, subject: str, reason: str) -> None:
        """Make the server not ready, because of `reason`, for example "the disk is full".

        It replaces the reason that `subject` had before, if any.
        """
        if self._reasons.get(subject) != reason:
            logger.info("not ready", extra=fields(subject=subject, reason=reason))
        self._reasons[subject] = reason

    def clear(self, subject: str) -> None:
        """Remove the reason of `subject`, if there is one."""
        if self._reasons.pop(subject, None) is not None and self.is_ready:
            logger.info("ready")
