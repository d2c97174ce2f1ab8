"""The time until which a connection has to answer what was sent over it. No socket or clock here.

A connection can swallow packets without closing, while a new one would work at once. A server can
also be slow: then a new connection doesn't help. A ping tells them apart, as it arrives behind all
that was sent before it: if it is answered, so were the requests received.

States and events; `since` is the sending of the oldest request without an answer, or of the last
answered ping if that is later:

    state    event                                      next state
    IDLE     sent                                       WAITING
    WAITING  answered, the last one                     IDLE
    WAITING  answered, ping_answered                    WAITING, since a later time
    WAITING  patience_s have passed since `since`       OVERDUE: a second connection is opened
    OVERDUE  the second one has completed its greeting  IDLE, and it is the connection from now on
    OVERDUE  answered, ping_answered                    as from WAITING; the second one is closed
    OVERDUE  the second one fails                       WAITING, for longer
    any      the connection is lost or replaced         IDLE

Invariants: without an unanswered request nothing is overdue, and neither is a connection that
answers pings. There is one second connection at most. Each one that is opened doubles the patience
for the next, up to `MOST_S`, and a prompt answer resets that: a server that always answers late
isn't called again and again.
"""

MOST_S = 40.0
"""Limit of the patience: by then the keepalive of the connection has found out as well."""


class AnswerDeadline:
    """The deadline of one member's connections, one after the other; times are in seconds."""

    def __init__(self, patience_s: float) -> None:
        self._first_s = patience_s
        self._patience_s = patience_s
        # Times at which unanswered requests were sent over this connection, by id, in order.
        self._sent: dict[int, float] = {}
        # Time at which the last ping was sent that has been answered; None before that.
        self._ping_s: float | None = None

    def sent(self, request_id: int, now_s: float) -> None:
        """Note that a request is sent."""
        self._sent[request_id] = now_s

    def answered(self, request_id: int, now_s: float) -> None:
        """Note the answer to a request; others are ignored."""
        sent_s = self._sent.pop(request_id, None)
        if sent_s is not None and now_s - sent_s <= self._first_s:
            self._patience_s = self._first_s

    def ping_answered(self, sent_s: float) -> None:
        """Note the answer to the ping that was sent at `sent_s`."""
        self._ping_s = sent_s

    def second_opened(self) -> None:
        """Note that a second connection is being opened."""
        self._patience_s = min(MOST_S, 2 * self._patience_s)

    def reconnected(self) -> None:
        """Note that nothing was sent yet over the connection that is used from now on."""
        self._sent.clear()
        self._ping_s = None

    @property
    def since_s(self) -> float | None:
        """Time since which an answer is due; None if none is."""
        if not self._sent:
            return None
        oldest_s = next(iter(self._sent.values()))
        return oldest_s if self._ping_s is None else max(oldest_s, self._ping_s)

    @property
    def due_s(self) -> float | None:
        """Time from which the answer is overdue; None if none is due."""
        since_s = self.since_s
        return None if since_s is None else since_s + self._patience_s
