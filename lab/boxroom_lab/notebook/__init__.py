"""Functions for notebooks and scripts: games between robots that are functions, not files.

::

    from boxroom_lab.notebook import arena, seat

    arena([my_robot, "greedy"])            # a table of ratings, after 100 games
    seat(my_robot, server="192.168.1.20")  # my_robot plays there with people

They are to Python what `boxroom arena` and `boxroom robot` are to a shell, whose modules do the
work; nothing else imports this package. Robots run in processes of their own, as everywhere.

- `contest`: `arena`; `table` and `progress` show its results and how far it is.
- `seating`: `seat`.
- `arguments`: robots as arguments, and mistakes in calls.
"""

from boxroom_lab.notebook.arguments import NotebookError
from boxroom_lab.notebook.contest import arena
from boxroom_lab.notebook.seating import seat
from boxroom_lab.notebook.table import ArenaTable

__all__ = ["ArenaTable", "NotebookError", "arena", "seat"]
