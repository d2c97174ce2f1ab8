"""Whether a server can take people in now, and if not, why: what `/readyz` answers."""

import logging

from boxroom_server.ops.logs import fields

logger = logging.getLogger(__name__)


class Readiness:
    """Reasons against taking people in, one for each subject; without any the server is ready.

    Whoever is in charge of a subject, such as `"saving"`, sets and clears its reason.
    """

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}

    @property
    def is_ready(self) -> bool:
        """Whether nothing speaks against it."""
        return not self._reasons

    @property
    def reasons(self) -> tuple[str, ...]:
        """What speaks against it, the oldest reason first."""
        return tuple(self._reasons.values())

    def set(self, subject: str, reason: str) -> None:
        """From now on the server isn't ready, because `reason`: "the disk is full".

        It takes the place of the reason that `subject` had before, if any.
        """
        if self._reasons.get(subject) != reason:
            logger.info("not ready", extra=fields(subject=subject, reason=reason))
        self._reasons[subject] = reason

    def clear(self, subject: str) -> None:
        """Nothing about `subject` speaks against it any more, if anything did."""
        if self._reasons.pop(subject, None) is not None and self.is_ready:
            logger.info("ready")
