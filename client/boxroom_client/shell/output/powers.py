"""The powers of a room's host as lines: the command, its effect, or why it isn't possible. Pure."""

from collections.abc import Iterator, Sequence

from boxroom_client.shell.output.wording import sentence
from boxroom_client.text_width import left_aligned, text_width
from boxroom_common.phrases import say
from boxroom_engine.phrases import phrase
from boxroom_engine.room.powers import Power

_TYPED = {
    "configure": "set",
    "seat_bot": "bot",
    "stand_in": "standin",
    "unbar": "unkick",
    "hand_over": "host",
}
"""Names of typed commands that aren't those of the protocol."""

_OF_ONE = ("mute", "unmute", "kick", "unbar", "hand_over")
"""Powers that a long list names once, without a person."""


def line_of(power: Power) -> str:
    """Return what is typed to use a power; it ends with a space where an argument is to follow."""
    command = f"/{_TYPED.get(power.power, power.power)}"
    return f"{command} " if power.is_open else f"{command} {power.name}".rstrip()


def effect_of(power: Power) -> str:
    """Return the effect of a power, as a sentence."""
    of_any = ".any" if power.power in _OF_ONE and not power.name else ""
    return str(phrase(f"power.{power.power}{of_any}", name=power.name))


def obstacle_of(power: Power) -> str:
    """Return why a power isn't possible now, and what is instead; "" if it is possible."""
    return "" if power.refused is None else sentence(str(power.refused))


def power_lines(powers: Sequence[Power]) -> Iterator[str]:
    """Yield a line for each power."""
    widest = max((text_width(line_of(power)) for power in powers), default=0)
    for power in powers:
        obstacle = obstacle_of(power)
        not_now = f" {say('power.not_now', why=obstacle)}" if obstacle else ""
        yield f"  {left_aligned(line_of(power), widest)}  {effect_of(power)}{not_now}"
