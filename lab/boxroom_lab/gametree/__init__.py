"""Values of positions, and game trees with values, for the commands that show them.

The algorithms are in the engine (`search`, and the solvers of games); the arguments of `boxroom
solve`, `boxroom perfect` and `boxroom tree` are in `cli`, which alone imports this package.

- `effort`: the limits of a search.
- `solve`: the value of a position.
- `graph`: the graph of positions; `graph_as_text`, `graph_as_svg`, `graph_as_json` and
  `graph_as_dot` show it. `as_text` and `as_svg` show one that merges nothing as a tree.
"""
