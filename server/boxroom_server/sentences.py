"""Messages that say something to people: as a phrase, and in English for clients without it.

It is English in a process that speaks another language, too.
"""

from boxroom_common.phrases import in_english
from boxroom_engine.phrases import Phrase, Value
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.wire.messages import Notice, Refused


def refused(message_id: int, error: CommandRefused) -> Refused:
    """Return the refusal of a message."""
    return Refused(message_id, error.code, in_english(error.phrase), error.phrase)


def notice(code: str, /, **values: Value) -> Notice:
    """Return the notice that says the phrase `notice.<code>` with its values."""
    said = Phrase(f"notice.{code}", values)
    return Notice(code, in_english(said), phrase=said)
