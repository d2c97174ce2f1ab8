"""How it ends for somebody who plays: an exit code, and a few last words."""

from boxroom_client.link.updates import SessionEnded
from boxroom_client.shell.output.wording import sentence
from boxroom_common.exits import Exit


def exit_for(finished: SessionEnded) -> Exit:
    """The exit code for the end of a connection."""
    match finished.code:
        case "left" | "closed":
            return Exit.DONE
        case "gave_up":
            return Exit.UNREACHABLE
        case _:
            return Exit.FAILED


def last_words(finished: SessionEnded) -> tuple[str, ...]:
    """What is to be said about it."""
    if finished.code == "no_such_room":
        return (
            sentence(finished.message),
            "The room was closed, or its server was started anew and had kept nothing.",
        )
    return (sentence(finished.message),)
