"""What line mode and the full screen share. All of it is pure but for `saving` and `doing`.

What a line means:
    `commands` is the one table of commands and `parse`; `arguments` reads what follows a
    command's name, in the light of the `context`; an `intents` value is the result.
What is said:
    `narrate` tells what happened and `describe` how things stand; `settings`, `turns`, `hints`
    and `wording` are parts of that.
What is done:
    `doing` does what a line means, on any connection that is a `link`, and `saving` writes
    records.
"""
