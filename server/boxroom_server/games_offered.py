"""The games and bots that a server offers, as `Welcome` describes them."""

from typing import cast

import msgspec

from boxroom_common.phrases import in_english
from boxroom_engine.bots.levels import LEVELS
from boxroom_engine.bots.options import BotOption, DecimalOption
from boxroom_engine.bots.registry import BOTS, bots_for
from boxroom_engine.games.protocol import GameKind
from boxroom_engine.games.registry import KINDS
from boxroom_engine.wire.messages import PROTOCOL, GameOffered, OptionOffered, Welcome


def game_offered(kind: GameKind) -> GameOffered:
    """Return the description of a game, with its options and the bots that play it."""
    bots = bots_for(kind)
    return GameOffered(
        kind.name,
        in_english(kind.named),
        bots,
        rules=in_english(kind.rules),
        options=tuple(map(option_offered, kind.options)),
        least_seats=kind.fewest_seats,
        most_seats=kind.most_seats,
        prize=kind.prize,
        marks=kind.marks,
        levels=tuple(level for level in LEVELS if level in bots),
        bot_options={
            bot: tuple(map(option_offered, BOTS[bot].options)) for bot in bots if BOTS[bot].options
        },
        reviewed=kind.reviewed_seats,
        only_the_win_counts=kind.only_the_win_counts,
    )


def option_offered(option: BotOption) -> OptionOffered:
    """Return the description of an option: with bounds if it is a number, else with choices."""
    meaning = in_english(option.help)
    if isinstance(option, DecimalOption) or isinstance(option.default, int):
        bounds = option.least, option.most
        return OptionOffered(option.name, meaning, option.default, *bounds)
    return OptionOffered(option.name, meaning, option.default, choices=option.choices)


GAMES_OFFERED = tuple(map(game_offered, KINDS.values()))
"""All games, in the order in which they are offered."""

_ENCODED = msgspec.Raw(msgspec.json.encode(GAMES_OFFERED))


def welcome(server: str, name: str, now_ms: int, page: str | None, message_bytes: int) -> Welcome:
    """Return the answer to a hello, by which the person called `name` may come in.

    Its games are encoded once for all: that they are many bytes costs no time.
    """
    games = cast("tuple[GameOffered, ...]", _ENCODED)  # msgspec copies it into the message
    return Welcome(PROTOCOL, server, name, games, now_ms, message_bytes, page)
