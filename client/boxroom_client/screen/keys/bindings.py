"""The prompt_toolkit key bindings of a game's screen, made from the table of keys."""

from collections.abc import Callable, Mapping

from prompt_toolkit.filters import Always, Filter
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from boxroom_client.screen.keys.table import KEYS, KeyAction, When
from boxroom_common.exits import Exit


def bindings(
    actions: Mapping[KeyAction, Callable[[], None]],
    *,
    has_text: Filter,
    is_choosing: Filter,
    on_board: Filter,
    is_covered: Filter,
    is_reviewing: Filter,
    submit: Callable[[], None],
    insert: Callable[[str], None],
) -> KeyBindings:
    """Return the bindings, which call `actions`.

    Enter behind text in the line calls `submit`. Text that is typed on the board, or pasted
    anywhere, goes to `insert`, in one line.
    """
    has_no_text = ~is_covered & (~has_text | on_board)
    in_review = is_reviewing & has_no_text
    conditions = {
        When.ANYWHERE: Always(),
        When.NO_TEXT: has_no_text & ~in_review,
        When.CHOOSING: ~is_covered & ~in_review & (on_board | (~has_text & is_choosing)),
        When.LINE: ~is_covered & ~in_review & ~on_board & (has_text | ~is_choosing),
        When.TEXT: ~is_covered & ~on_board & has_text,
        When.BOARD: ~is_covered & ~in_review & on_board,
        When.REVIEW: in_review,
    }
    made = KeyBindings()

    @made.add(Keys.Any, filter=on_board & ~is_covered)
    def _(event: KeyPressEvent) -> None:
        if event.data.isprintable():
            insert(event.data)

    for key in KEYS:
        for name in key.keys:
            made.add(name, filter=conditions[key.when])(_calling(actions[key.action]))

    made.add("enter", filter=conditions[When.TEXT])(_calling(submit))
    made.add(Keys.Any, filter=is_covered)(_calling(_nothing))

    @made.add(Keys.BracketedPaste, filter=~is_covered)
    def _(event: KeyPressEvent) -> None:
        insert(" ".join(event.data.split()))

    @made.add(Keys.SIGINT)
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=Exit.INTERRUPTED)

    return made


def _calling(act: Callable[[], None]) -> Callable[[KeyPressEvent], None]:
    return lambda event: act()


def _nothing() -> None:
    """Ignore a key."""
