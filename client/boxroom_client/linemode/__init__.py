"""The client for a pipe, a plain terminal, or somebody who likes it so: lines in, lines out.

What a line means:
    `commands` is the one table of commands and `parse`; `arguments` reads what follows a
    command's name, in the light of the `scene`; an `intents` value is the result.
What is said:
    `narrate` tells what happened and `describe` how things stand; `settings`, `turns`, `hints`
    and `wording` are parts of that. All of these are pure, and the full screen's as well.
What is done:
    `lines` is where lines come from and `page` where they are printed, `choosing` and `joining`
    lead into a room, and `app` is the loop in it, on any connection that is a `link`.
"""
