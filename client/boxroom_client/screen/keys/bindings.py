"""Key bindings, made from the table of keys."""

from collections.abc import Callable, Mapping

from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from boxroom_client.screen.keys.table import KEYS, Action, Where
from boxroom_common.exits import Exit


def bindings(
    actions: Mapping[Action, Callable[[], None]],
    *,
    has_text: Filter,
    on_board: Filter,
    is_asked: Filter,
    is_helped: Filter,
    answer: Callable[[bool], None],
    insert: Callable[[str], None],
) -> KeyBindings:
    """Bindings that call `actions`.

    While `is_asked`, only `answer` is called, with whether it was a yes. What is typed on the
    board, or pasted anywhere, goes to `insert`, in one line.
    """
    conditions = {
        Where.ANYWHERE: ~is_asked,
        Where.NO_TEXT: ~is_asked & ~is_helped & (~has_text | on_board),
        Where.TEXT: ~is_asked & ~is_helped & ~on_board & has_text,
        Where.BOARD: ~is_asked & ~is_helped & on_board,
    }
    made = KeyBindings()

    @made.add(Keys.Any, filter=on_board & ~is_asked & ~is_helped)
    def _(event: KeyPressEvent) -> None:
        if event.data.isprintable():
            insert(event.data)

    for key in KEYS:
        for name in key.keys:
            made.add(name, filter=conditions[key.where])(_calling(actions[key.action]))

    for yes in ("y", "Y", "enter"):
        made.add(yes, filter=is_asked, eager=True)(_calling(lambda: answer(True)))
    for no in ("n", "N", "escape", "c-c", "c-d"):
        made.add(no, filter=is_asked, eager=True)(_calling(lambda: answer(False)))
    made.add(Keys.Any, filter=is_asked | is_helped)(_calling(_nothing))

    @made.add(Keys.BracketedPaste, filter=~is_asked & ~is_helped)
    def _(event: KeyPressEvent) -> None:
        insert(" ".join(event.data.split()))

    @made.add(Keys.SIGINT)
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=Exit.INTERRUPTED)

    return made


def _calling(act: Callable[[], None]) -> Callable[[KeyPressEvent], None]:
    return lambda event: act()


def _nothing() -> None:
    """A key that means nothing now, and is kept from meaning anything else."""


def condition(holds: Callable[[], bool]) -> Filter:
    """A filter of prompt_toolkit that asks `holds` each time."""
    return Condition(holds)
