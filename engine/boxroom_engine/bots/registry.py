"""Every bot that Boxroom knows, by name."""

from collections.abc import Mapping

from boxroom_engine.bots.alphabeta import AlphaBetaBot
from boxroom_engine.bots.careless import CarelessBot
from boxroom_engine.bots.chain import ChainBot
from boxroom_engine.bots.exhaustive import ITERATIVE, MEMO, RECURSIVE, ExhaustiveBot
from boxroom_engine.bots.expert import ExpertBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.levels import BEGINNER, CHILD, EASY, HARD, MEDIUM
from boxroom_engine.bots.mcts import MctsBot
from boxroom_engine.bots.minimax import MinimaxBot
from boxroom_engine.bots.names import MOST_CHARS_SHOWN, BotName, BotNameError, written
from boxroom_engine.bots.options import Value
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.rough import RoughBot
from boxroom_engine.bots.uniform import UniformBot
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game, GameKind
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.wording import did_you_mean

_ALL: tuple[Bot, ...] = (
    UniformBot(),
    MctsBot(),
    CHILD,
    BEGINNER,
    CarelessBot(),
    EASY,
    AlphaBetaBot(),
    GreedyBot(),
    RECURSIVE,
    ITERATIVE,
    MEMO,
    RoughBot(),
    MEDIUM,
    ChainBot(),
    HARD,
    MinimaxBot(),
    ExpertBot(),
)

BOTS: Mapping[str, Bot] = {bot.name: bot for bot in _ALL}
"""The bots in the order in which they are offered: the weakest at Dots and Boxes 5×5 first."""


SOLVING_BOTS = frozenset({"medium", "hard", "minimax", "expert"})
"""The bots that solve positions of Dots and Boxes: without the kernel they see less far."""


class UnknownBot(BotNameError):
    """There is no bot of that name; the sentence says which there are."""


class BadBotOption(BotNameError):
    """The bot has no such option, or not with that value; the sentence says what it has."""


def bot_of(text: str) -> Bot:
    """The bot that `text` names, with the options that follow the name.

    Raises:
        UnknownBot: there is none.
        BadBotOption: it can't have those options.
        BotNameError: the options aren't written as they should be.
    """
    name = BotName.parse(text)
    bot = _bot_called(name.bot)
    chosen = _chosen(bot, name.options)
    if not chosen:
        return bot
    return bot.with_options({option.name: option.default for option in bot.options} | chosen)


def plain_name(text: str) -> str:
    """`text` as it is written when nothing in it is superfluous: `chain:max_ply=08` with 8.

    The options stand in the order in which the bot has them, and only those that were given.

    Raises:
        BotNameError: see `bot_of`.
    """
    name = BotName.parse(text)
    return written(name.bot, _chosen(_bot_called(name.bot), name.options))


def bots_for(kind: GameKind) -> tuple[str, ...]:
    """The names of the bots that play games of this kind, the weakest first."""
    return tuple(name for name, bot in BOTS.items() if bot.supports(kind))


def caution(text: str, game: Game) -> Phrase | None:
    """A warning about the bot that `text` names before it plays `game`; None if there is none."""
    try:
        bot = bot_of(text)
    except BotNameError:
        return None  # the bot of a server that knows more bots
    return bot.caution(game) if isinstance(bot, ExhaustiveBot) else None


def _bot_called(name: str) -> Bot:
    bot = BOTS.get(name)
    if bot is None:
        shown = name[:MOST_CHARS_SHOWN]
        guess = did_you_mean(shown, BOTS, list_all=True)
        raise UnknownBot(phrase("bot.unknown", bot=repr(shown), guess=guess))
    return bot


def _chosen(bot: Bot, texts: Mapping[str, str]) -> dict[str, Value]:
    """The values that `texts` give to options of `bot`, in its order.

    Raises:
        BadBotOption: it has no such option, or not with such a value.
    """
    known = {option.name: option for option in bot.options}
    if texts and not known:
        raise BadBotOption(phrase("bot.has_no_options", bot=bot.name))
    for name in texts:
        if name not in known:
            shown = name[:MOST_CHARS_SHOWN]
            guess = did_you_mean(shown, known, list_all=True)
            raise BadBotOption(
                phrase("bot.no_such_option", bot=bot.name, name=repr(shown), guess=guess)
            )
    try:
        return {name: option.parse(texts[name]) for name, option in known.items() if name in texts}
    except OptionError as error:
        raise BadBotOption(phrase("bot.option", bot=bot.name, problem=error.phrase)) from None
