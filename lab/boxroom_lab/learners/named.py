"""The learners by name, for the arena: which aren't offered as opponents."""

from collections.abc import Mapping

from boxroom_engine.bots.chain import ChainBot
from boxroom_engine.bots.person import Person
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.registry import bot_of, plain_name
from boxroom_lab.learners.learner import Learner

_ALL = (
    Learner("learner-scribbler", Person(overlooks=0.7, careless=1.0), at_random=0.7),
    Learner("learner-careless", Person(careless=1.0), at_random=0.4),
    Learner("learner-absent", Person(overlooks=0.6, careless=0.5, miscounts=1.0)),
    Learner("learner-taker", Person(careless=1.0)),
    Learner("learner-hasty", Person(overlooks=0.1, careless=0.15, miscounts=0.6)),
    Learner("learner-cautious", Person(careless=0.02, miscounts=1.0)),
    Learner("learner-counter", Person(overlooks=0.05, miscounts=0.2)),
    Learner(
        "learner-chains",
        Person(overlooks=0.05, miscounts=0.3, tires=0.03, thinks=ChainBot(max_ply=4)),
    ),
    Learner("learner-master", Person(miscounts=0.1, tires=0.005, thinks=ChainBot(max_ply=8))),
)

LEARNERS: Mapping[str, Bot] = {learner.name: learner for learner in _ALL}
"""The learners, the least practised first."""


def contender(text: str) -> Bot:
    """Return the learner or the bot that `text` names.

    Raises:
        BotNameError: there is none.
    """
    return LEARNERS.get(text) or bot_of(text)


def contender_name(text: str) -> str:
    """Return the name of a learner, or of a bot in its canonical form.

    Raises:
        BotNameError: there is none.
    """
    return text if text in LEARNERS else plain_name(text)
