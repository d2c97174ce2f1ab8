"""The tree of a game, as deep as one wants to see it: `grown`, `as_text` and `as_svg`."""
