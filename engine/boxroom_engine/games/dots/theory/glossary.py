"""The field's words, for people who meet them in a hint or a review."""

GLOSSARY = (
    "chain",
    "loop",
    "long chain",
    "joint",
    "neutral move",
    "handout",
    "double-dealing move",
    "control",
    "parity",
    "loony move",
    "margin",
)
"""The words in English; see `Abilities.glossary`."""
