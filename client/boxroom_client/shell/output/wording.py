"""Small change of language: sentences and lists."""


def sentence(text: str, *, capital: bool = True) -> str:
    """`text` with a full stop and a capital, unless it begins with what is typed so: h31."""
    first, space, rest = text.partition(" ")
    if capital and not any(char.isdigit() for char in first):
        first = first[:1].upper() + first[1:]
    stop = "" if text.endswith((".", "!", "?")) else "."
    return f"{first}{space}{rest}{stop}"


def margin(value: float) -> str:
    """A number with its sign: "+2", "0", "−3"."""
    return f"{value:+g}".replace("-", "−") if value else "0"


def bot_options(bot: str | None) -> str:
    """What stands behind the name of a bot: `max_ply=8, time=0.3`; mostly nothing."""
    return (bot or "").partition(":")[2].replace(",", ", ")
