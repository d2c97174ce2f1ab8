"""The menu of what the host can do now: a list over the game, in which Enter uses a power."""

from collections.abc import Callable, Sequence

from prompt_toolkit.key_binding import KeyBindings

from boxroom_client.screen.lobby.menu import ChooserState, Item, Menu
from boxroom_client.shell.output.powers import effect_of, line_of, obstacle_of
from boxroom_common.phrases import say
from boxroom_engine.room.powers import Power

HostMenu = ChooserState[Power]


def host_menu(powers: Sequence[Power], next_game_key: str) -> Menu[Power]:
    """Return the menu of `powers`; `next_game_key` opens the form of the next game."""
    items = (
        Item(
            line_of(power),
            (line_of(power), obstacle_of(power) or effect_of(power)),
            power,
            obstacle=obstacle_of(power),
        )
        for power in powers
    )
    hints = (
        ("Enter", say("terminal.dialog.chooses")),
        ("Esc", say("terminal.dialog.back")),
        (next_game_key, say("terminal.footer.next_game")),
    )
    return Menu(say("host_menu"), tuple(items), hints=hints)


def host_menu_keys(
    menu: Callable[[], HostMenu],
    set_menu: Callable[[HostMenu | None], None],
    use: Callable[[Power], None],
) -> KeyBindings:
    """Return the keys of the menu: they move in it, close it, and use what is possible."""
    made = KeyBindings()

    def bind(names: str, act: Callable[[], None]) -> None:
        for name in names.split():
            made.add(name, eager=name == "escape")(lambda event: act())

    def move(names: str, to: Callable[[], HostMenu]) -> None:
        bind(names, lambda: set_menu(to()))

    def choose(index: int | None) -> None:
        if index is None:
            return
        chosen = menu().moved_to(index)
        set_menu(chosen)
        if chosen.current is not None and not chosen.current.obstacle:
            use(chosen.current.value)

    move("up k c-p", lambda: menu().moved(-1))
    move("down j c-n tab", lambda: menu().moved(1))
    move("home g", lambda: menu().moved_to(0))
    move("end G", lambda: menu().moved_to(len(menu().menu.items) - 1))
    bind("enter", lambda: choose(menu().index))
    bind("escape q c-c c-d", lambda: set_menu(None))
    for digit in range(1, 10):
        made.add(str(digit))(lambda event, digit=digit: choose(menu().index_of_digit(digit)))
    return made
