"""The choice of a host: go on in the last room, or set up a new one."""

from boxroom_client.link.join_request import Create
from boxroom_client.screen.forms.room_form import edit_room
from boxroom_client.screen.lobby.chooser import Chooser
from boxroom_client.screen.lobby.menu import Item, Menu
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_common.phrases import say
from boxroom_engine.games.registry import KINDS
from boxroom_engine.wire.messages import RoomListed


async def set_up_room(
    request: Create, hosted: RoomListed | None, *, look: ScreenLook
) -> Create | RoomListed | None:
    """Return `hosted` or `request`, as the person has changed it; None if the person cancels.

    Leaving the form leads back to the choice, if there is one.

    Raises:
        Interrupted: Ctrl-C.
    """
    if hosted is None:
        return await edit_room(request, look=look)
    while True:
        chosen = await Chooser(menu(request, hosted), look=look).run()
        if not isinstance(chosen, Create):
            return chosen
        if (edited := await edit_room(chosen, look=look)) is not None:
            return edited


def menu(request: Create, hosted: RoomListed) -> Menu[Create | RoomListed]:
    """Return the menu with the last room, and a new one."""
    kind = KINDS.get(hosted.settings.game)
    game = hosted.settings.game if kind is None else str(kind.named)
    people = say("terminal.menu.people_there", n=hosted.people) if hosted.people else ""
    back = say("terminal.menu.back_to_room", room=hosted.room)
    items: tuple[Item[Create | RoomListed], ...] = (
        Item("hosted", (back, game, people), hosted),
        Item("new", (say("terminal.menu.new_room"),), request),
    )
    return Menu(
        say("terminal.menu.your_room"),
        items,
        hints=(
            ("Enter", say("terminal.dialog.chooses")),
            ("Esc", say("terminal.dialog.leaves")),
        ),
    )
