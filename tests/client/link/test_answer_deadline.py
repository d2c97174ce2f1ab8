"""The deadline of answers, against its definition and against servers that are only slow."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.link.answer_deadline import MOST_S, AnswerDeadline

PATIENCE_S = 5.0
seconds = st.floats(0, 20).map(lambda s: round(s, 1))
happenings = st.lists(
    st.tuples(
        st.sampled_from(["send", "answer", "answer", "ping", "pong", "second", "reconnect"]),
        seconds,
        st.integers(0, 5),
    ),
    max_size=60,
)


@dataclass
class Connection:
    """All that has happened on one connection; times in seconds."""

    unanswered: dict[int, float] = field(default_factory=dict)
    pings: list[float] = field(default_factory=list)
    answered_pings: list[float] = field(default_factory=list)

    def since_s(self) -> float | None:
        """Return the time since which an answer is due, by its definition."""
        if not self.unanswered:
            return None
        return max(min(self.unanswered.values()), *self.answered_pings, 0.0)


@given(happenings)
def test_any_history(history: list[tuple[str, float, int]]) -> None:
    deadline, connection = AnswerDeadline(PATIENCE_S), Connection()
    now_s, next_id, patience_s = 0.0, 1, PATIENCE_S
    for kind, passed_s, choice in history:
        now_s += passed_s
        match kind:
            case "send":
                deadline.sent(next_id, now_s)
                connection.unanswered[next_id] = now_s
                next_id += 1
            case "answer":
                request_id = min(next_id, choice + 1)  # perhaps one that was answered, or not sent
                deadline.answered(request_id, now_s)
                sent_s = connection.unanswered.pop(request_id, None)
                if sent_s is not None and now_s - sent_s <= PATIENCE_S:
                    patience_s = PATIENCE_S
            case "ping":
                connection.pings.append(now_s)
            case "pong" if connection.pings:
                ping_s = connection.pings.pop(0)  # pings are answered in their order
                deadline.ping_answered(ping_s)
                connection.answered_pings.append(ping_s)
            case "second":
                deadline.second_opened()
                patience_s = min(MOST_S, 2 * patience_s)
            case _:
                deadline.reconnected()
                connection = Connection()
        since_s = connection.since_s()
        assert deadline.since_s == since_s
        assert deadline.due_s == (None if since_s is None else since_s + patience_s)


@given(st.lists(st.floats(0, MOST_S - 1), min_size=1, max_size=50))
def test_a_server_that_is_only_slow_is_seldom_called_a_second_time(answers_s: list[float]) -> None:
    deadline, now_s, seconds_opened = AnswerDeadline(PATIENCE_S), 0.0, 0
    for request_id, answer_s in enumerate(answers_s):
        deadline.sent(request_id, now_s)
        while deadline.due_s is not None and deadline.due_s < now_s + answer_s:
            deadline.second_opened()
            seconds_opened += 1
        now_s += answer_s
        deadline.answered(request_id, now_s)
    prompt = sum(answer_s <= PATIENCE_S for answer_s in answers_s)
    assert seconds_opened <= 3 * (1 + prompt)


@given(st.floats(0, 4), st.floats(0, 0.9))
def test_a_connection_that_answers_pings_is_never_replaced(first_s: float, trip_s: float) -> None:
    deadline = AnswerDeadline(PATIENCE_S)
    deadline.sent(1, 0.0)
    for number in range(20):
        ping_s = first_s + 4 * number
        assert deadline.due_s is not None
        assert deadline.due_s > ping_s + trip_s
        deadline.ping_answered(ping_s)
