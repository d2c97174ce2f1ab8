"""Forms with one field: a question that a text answers."""

from collections.abc import Callable
from dataclasses import dataclass

from boxroom_client.profile.identity import NAME_CHARS, BadName, checked_name
from boxroom_client.screen.forms.fields import Field, Text
from boxroom_client.screen.forms.form_screen import fill_in
from boxroom_client.screen.forms.form_state import FormState, Values
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_common.phrases import say


@dataclass(frozen=True, slots=True)
class SingleField:
    """The field of such a form."""

    label: str
    """The phrase of its label."""
    kind: Text
    mistake_in: Callable[[str], str]
    """Returns the mistake in a text; empty if there is none."""
    done: str = "terminal.dialog.goes_on"
    """The phrase of the effect of Enter."""


def question(
    title: str,
    introduction: tuple[str, ...],
    asked: SingleField,
    value: str = "",
) -> FormState:
    """Return the form, with `value` in its field."""

    def fields(values: Values) -> tuple[Field, ...]:
        text, label = values.get(asked.label, value), say(asked.label)
        return (Field(asked.label, label, asked.kind, text, mistake=asked.mistake_in(text)),)

    return FormState(title, fields, say(asked.done), introduction)


async def ask(
    title: str,
    introduction: tuple[str, ...],
    asked: SingleField,
    value: str = "",
    *,
    look: ScreenLook,
) -> str | None:
    """Return the text that the person enters; None if cancelled.

    Raises:
        Interrupted: Ctrl-C.
    """
    filled = await fill_in(question(title, introduction, asked, value), look=look)
    if filled is None:
        return None
    text = filled.fields[0].value
    return text if asked.kind.is_hidden else text.strip()


def _mistake_in_name(text: str) -> str:
    try:
        checked_name(text)
    except BadName as error:
        return str(error)
    return ""


def _nothing(text: str) -> str:
    return "" if text.strip() else say("terminal.dialog.type_something")


PASSWORD_FIELD = SingleField(
    "password", Text(200, is_hidden=True), _nothing, "terminal.dialog.joins"
)

ROOM_FIELD = SingleField("terminal.dialog.room", Text(), _nothing, "terminal.dialog.joins")

NAME_FIELD = SingleField("your_name", Text(NAME_CHARS), _mistake_in_name)
