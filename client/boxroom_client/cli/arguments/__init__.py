"""Arguments that several commands share, and the values that they stand for.

No command stands here. Only the commands import this package.
"""
