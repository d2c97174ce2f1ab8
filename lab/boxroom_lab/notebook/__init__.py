"""The functions that `boxroom` offers to notebooks and scripts.

They are to Python what the commands `solve`, `analyse`, `arena` and `robot` are to a shell, whose
modules do the work. Only the package `boxroom` imports this one. Robots run in processes of their
own, as everywhere.

- `playing`: `games`, `make_game`, `bots` and `choose_move`.
- `solving`: `solve`. `reviewing`: `review`.
- `contest`: `arena`; `table` and `progress` show its results and how far it is.
- `seating`: `seat`.
- `arguments`: robots as arguments, and mistakes in calls.
"""
