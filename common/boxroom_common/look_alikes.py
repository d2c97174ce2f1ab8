"""The looks of names, by Unicode's table of confusable characters (UTS 39).

The table has a pair for each two characters that look alike, without a direction. So a skeleton
has one character for each group of them, but not always the one that UTS 39 chooses.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Set
from functools import cache

from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.room.text import fold, is_number

_ASCII = {ord("0"): "O", ord("1"): "l", ord("I"): "l", ord("m"): "rn"}
"""The part of the table that names in ASCII need, as loading all of it takes 40 ms."""

_OF_ANY_SCRIPT = frozenset({"COMMON", "INHERITED"})

_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""The scripts that may stand in one name: *Highly Restrictive* in UTS 39, section 5.2."""


def looks(name: str) -> Set[str]:
    """Return the looks of `name`, in capitals or not: names with one in common look alike."""
    folded = fold(name)
    found = {fold(skeleton(name)), skeleton(folded)}
    return found if folded.isascii() else {*found, fold(skeleton(folded.upper()))}


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """Return the first one of `others` that looks like `name`, or is the same name."""
    wanted = looks(name)
    return next((other for other in others if not wanted.isdisjoint(looks(other))), None)


def skeleton(text: str) -> str:
    """Return `text` with each character replaced by the one that stands for all that look so."""
    if text.isascii():
        return text.translate(_ASCII)
    # The table pairs some letters with their marks, such as Ő and Ö, and marks by themselves.
    for form in ("NFC", "NFD"):
        text = "".join(map(_prototype, unicodedata.normalize(form, text)))
    return unicodedata.normalize("NFD", text)


@cache
def _prototype(char: str) -> str:
    """Return the text that stands for `char`, which may be longer, as `rn` is for `m`."""
    if char.isascii():
        return char.translate(_ASCII)
    likes = _paired_with(char)
    if len(likes) != 1:  # it stands for all these itself, or looks like no other
        return char
    if _paired_with(likes[0]) == [char]:  # a group of two
        return min(char, likes[0])
    return likes[0].translate(_ASCII)


def _paired_with(char: str) -> list[str]:
    from confusable_homoglyphs.confusables import confusables_data

    # The table has marks of direction around letters that are written from the right.
    pairs = confusables_data.get(char) or confusables_data.get(f"\u200e{char}\u200e", ())
    return [str(entry["c"]).strip("\u200e") for entry in pairs]


def mistake_in_new_name(name: str) -> Phrase | None:
    """Return why `name` can be taken by no new person, in any room; None if it can."""
    if is_number(name):
        return phrase("name.number", name=name)
    return mixed_scripts(name) or _mistake_for_bot(name)


def mixed_scripts(name: str) -> Phrase | None:
    """Return why `name` can be mistaken for another one by its scripts; None if it can't."""
    if name.isascii():
        return None
    from confusable_homoglyphs.categories import alias

    scripts = {str(alias(char)).upper() for char in name} - _OF_ANY_SCRIPT
    if len(scripts) < 2 or any(scripts <= together for together in _WRITTEN_TOGETHER):
        return None
    names = sorted(script.replace("_", " ").title() for script in scripts)
    return phrase("name.scripts", name=name, names=names)


def _mistake_for_bot(name: str) -> Phrase | None:
    bots = _bots_by_look(ascii_only=name.isascii())
    bot = next((bots[look] for look in looks(re.sub(" [0-9]+$", "", name)) if look in bots), None)
    return None if bot is None else phrase("name.bot", name=name, bot=bot)


@cache
def _bots_by_look(*, ascii_only: bool) -> Mapping[str, str]:
    """Return the bots by the looks of their names; names with umlauts look like none in ASCII."""
    from boxroom_common.phrases import LANGUAGES, table
    from boxroom_engine.bots.levels import LEVELS
    from boxroom_engine.bots.registry import BOTS

    titles = ((str(table(code)[f"level.{level}"]), level) for code in LANGUAGES for level in LEVELS)
    named = [*((bot, bot) for bot in BOTS), *titles]
    compared = (each for each in named if not ascii_only or each[0].isascii())
    return {look: bot for name, bot in compared for look in looks(name)}
