"""A change of a member's name, from the second greeting to the entry under the new name.

The server lets a person go on with a membership under another name that the same secret owns: as
if the member came back. So a change that a lost connection interrupts is simply tried again.
"""

import asyncio
from dataclasses import dataclass, field

from boxroom_client.link.conversation import Conversation
from boxroom_client.profile.identity import Identity
from boxroom_engine.room.decision import CommandRefused


@dataclass(slots=True)
class Renaming:
    """A change of the name that is under way."""

    former: Identity
    conversation: Conversation
    """The one that has greeted under the new name."""
    entered: "asyncio.Future[None]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    """Done when the member is in the room under the new name."""

    def refuse(self, error: CommandRefused) -> None:
        """Let the person who waits know that the name stays."""
        if not self.entered.done():
            self.entered.set_exception(error)

    def accept(self) -> None:
        """Let the person know that it is done."""
        if not self.entered.done():
            self.entered.set_result(None)
