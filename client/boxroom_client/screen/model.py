"""The view model of a game's screen: everything that it shows, changed by updates and by keys.

Nothing here draws, waits or knows the terminal; `picture` renders it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from prompt_toolkit.styles import BaseStyle

from boxroom_client.profile.setting_values import NO_NOTIFICATION
from boxroom_client.profile.settings_file import SaveSetting, never_saved
from boxroom_client.screen.board.pane import BoardPane
from boxroom_client.screen.forms.form_state import FormState
from boxroom_client.screen.host_menu import HostMenu
from boxroom_client.screen.panes.journal import Journal
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.screen.themes.symbols import UNICODE, Symbols
from boxroom_client.servers.address import Address
from boxroom_client.shell.input.intents import Switch
from boxroom_client.shell.premoves import Premove
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.review.reviewed_game import ReviewedGame
from boxroom_engine.room.room import Room
from boxroom_engine.wire.links import PageUrl

FRESH_S = 1.5
"""Seconds for which the last move and what it took are highlighted."""


@dataclass(frozen=True, slots=True)
class Outage:
    """A lost connection, and the time of the next try."""

    reason: str
    retry_at_s: float


@dataclass(slots=True)
class DisplayOptions:
    """The person's display preferences."""

    symbols: Symbols = UNICODE
    has_colours: bool = True
    """Whether the terminal shows colours, which a QR code needs."""
    names: bool = True
    """Whether open moves show their names."""
    size: Size | None = None
    """None: the largest that fits."""
    switches: dict[Switch, bool] = field(
        default_factory=lambda: {
            Switch.CONFIRM: False,
            Switch.MOUSE: True,
            Switch.BELL: True,
            Switch.JOINS: True,
        }
    )
    save: SaveSetting = never_saved
    """Called for each change that the person makes."""
    rings_alone: bool = False
    """Whether the bell also rings when only bots and other people at this keyboard play."""
    notify: str = NO_NOTIFICATION
    """Kind of desktop notifications: one of `NOTIFICATIONS`."""

    def look(self, style: Callable[[], BaseStyle]) -> ScreenLook:
        """Return the look of a screen with these options."""
        return ScreenLook(style, self.symbols, lambda: self.switches[Switch.MOUSE])


@dataclass(slots=True)
class Model:
    """Everything that the screen shows. Times are in seconds of the screen's clock."""

    room: Room
    me: str
    options: DisplayOptions
    journal: Journal = field(default_factory=Journal)
    pane: BoardPane = field(default_factory=BoardPane)
    guests_address: Address | None = None
    """Address by which others reach the server; None if they can't."""
    guests_page: PageUrl | None = None
    """Page by which others come with a browser; None if there is none."""
    thinking: Seat | None = None
    """Seat of the bot that is known to think."""
    after_mine: dict[Seat, State] = field(default_factory=dict)
    """Positions after the last move of each of the person's seats, if it has moved."""
    last_move: tuple[State, Move] | None = None
    """Last move, with the position before it; None if it isn't known."""
    fresh_until_s: float = 0.0
    server_ahead_s: float = 0.0
    """Lead of the server's clock over the screen's, by the last event; 0 before the first."""
    outage: Outage | None = None
    """None while there is a connection."""
    silent_since_s: float | None = None
    """Time since which the server hasn't answered, though there is a connection."""
    form: FormState | None = None
    """The form of the next game; None: it is closed."""
    host_menu: HostMenu | None = None
    """The menu of what the host can do; None: it is closed."""
    review: ReviewedGame | None = None
    """The game whose positions are shown instead of the board; None: the board is shown."""
    premove: Premove | None = None
    """Move that is played when the turn comes."""
    help_from: int | None = None
    """First visible line of the help; None: the help is closed."""
    qr_link: str | None = None
    """Link whose QR code covers the screen; None: none does."""

    def forget_room(self) -> None:
        """Forget what belongs to the room that was shown before another one."""
        self.thinking = self.form = self.review = self.premove = None
        self.help_from = self.qr_link = None

    @property
    def is_covered(self) -> bool:
        """Whether the help or a QR code covers the screen, so that keys don't play."""
        return self.help_from is not None or self.qr_link is not None
