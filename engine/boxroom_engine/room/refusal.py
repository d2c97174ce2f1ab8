"""Why a command was refused: a stable code for programs and a sentence for people."""

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """The answer to a command that may not be; it changed nothing.

    `code` is one of those in docs/protocol.md; `sentence` says what would be right.
    """

    code: str
    sentence: str


class Refused(Exception):
    """Carries a refusal out of the rules to `decide`, which returns it."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.refusal = Refusal(code, sentence)
