"""The root of the exceptions that Boxroom raises, and of those that players read."""

from boxroom_engine.phrases import Phrase


class BoxroomError(Exception):
    """An error of Boxroom; its message is for the user.

    One without a message is a signal within the program, which no user sees.
    """


class LocalizedError(BoxroomError):
    """An error for players: `phrase` says it in any language, `str` in that of this process."""

    def __init__(self, said: Phrase) -> None:
        super().__init__(said)
        self.phrase = said
