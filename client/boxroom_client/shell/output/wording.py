"""Small pieces of sentences: full stops, signed numbers, and the options of a bot."""


def sentence(text: str, *, capital: bool = True) -> str:
    """Return `text` with a full stop and a capital, but not for a first word such as h31."""
    first, space, rest = text.partition(" ")
    if capital and not any(char.isdigit() for char in first):
        first = first[:1].upper() + first[1:]
    stop = "" if text.endswith((".", "!", "?")) else "."
    return f"{first}{space}{rest}{stop}"


def margin(value: float) -> str:
    """Return a number with its sign: "+2", "0", "−3"."""
    return f"{value:+g}".replace("-", "−") if value else "0"


def bot_options(bot: str | None) -> str:
    """Return the options after a bot's name, `max_ply=8, time=0.3`; empty if there are none."""
    return (bot or "").partition(":")[2].replace(",", ", ")
