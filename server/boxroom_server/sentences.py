"""Messages that say something to people: as a phrase, and in English for clients without it.

It is English in a process that speaks another language, too.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from boxroom_common.phrases import in_english
from boxroom_engine.phrases import Phrase, Value
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.powers import Power
from boxroom_engine.wire.messages import Notice, Powers, Refused


def refused(message_id: int, error: CommandRefused) -> Refused:
    """Return the refusal of a message."""
    return Refused(message_id, error.code, in_english(error.phrase), error.phrase)


def powers(message_id: int, listed: Iterable[Power]) -> Powers:
    """Return the answer with the powers of a host."""
    return Powers(message_id, tuple(map(_with_message, listed)))


def _with_message(power: Power) -> Power:
    said = power.refused
    return power if said is None else replace(power, message=in_english(said))


def notice(code: str, /, **values: Value) -> Notice:
    """Return the notice that says the phrase `notice.<code>` with its values."""
    said = Phrase(f"notice.{code}", values)
    return Notice(code, in_english(said), phrase=said)
