"""What the screen of a game shows, apart from the room: changed by what happens and by keys.

Nothing here draws, waits or knows the terminal; `picture` draws it.
"""

from dataclasses import dataclass, field

from boxroom_client.screen.board.pane import BoardPane
from boxroom_client.screen.panes.journal import Journal
from boxroom_client.shell.input.intents import Intent, Switch
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room.room import Room

FRESH_S = 1.5
"""How long the last move and what it took stand out."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is asked before it is done."""

    text: str
    intent: Intent
    """What is done after a yes."""


@dataclass(frozen=True, slots=True)
class Outage:
    """There is no connection."""

    reason: str
    retry_at_s: float


@dataclass(slots=True)
class Look:
    """How the person likes it."""

    ascii_only: bool = False
    names: bool = True
    """Whether free places show their names."""
    size: Size | None = None
    """None: what fits."""
    switches: dict[Switch, bool] = field(
        default_factory=lambda: {
            Switch.CONFIRM: False,
            Switch.MOUSE: True,
            Switch.BELL: False,
            Switch.JOINS: True,
        }
    )


@dataclass(slots=True)
class Model:
    """Everything that is shown. Times are seconds of the clock that the screen is given."""

    room: Room
    me: str
    look: Look
    journal: Journal = field(default_factory=Journal)
    pane: BoardPane = field(default_factory=BoardPane)
    thinking: Seat | None = None
    """A bot's seat, once it is known to think."""
    fresh_until_s: float = 0.0
    outage: Outage | None = None
    silent_since_s: float | None = None
    """Since when the server hasn't answered, though there is a connection."""
    question: Question | None = None
    help_from: int | None = None
    """The first line of the help that is shown; None: no help."""
