"""The analysis of a recorded game: the loss of each move, and the reason if the game has any.

Judged games are in the engine (`review`), and so are judges, facts about moves and their words
(`games.abilities`, `search.judge`). The arguments of `boxroom analyse` are in `cli`, which alone
imports this package.

- `analysed_game`: the result of an analysis, from which all output is made.
- `lead`: the seat that is ahead in a position.
- `report`: the result as text, where moves win or lose a margin.
- `expectation_report`: the result as text, where only the win counts.
- `chart`: the lead during the game as a text chart.
- `chart_svg`: the same as an SVG picture.
- `as_json`: the JSON object for programs.
"""
