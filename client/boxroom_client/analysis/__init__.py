"""The analysis of a recorded game of Dots and Boxes: the loss of each move, and the reason.

The theory, the facts about moves and their values are in the engine (`games.dots.theory`), and so
is the judge (`games.dots.solve.judge`); `shell.output.facts` words the facts. The arguments of
`boxroom analyse` are in `cli`, which alone imports this package.

- `analysed_game`: the result of an analysis, from which all output is made.
- `lead`: the seat that is ahead in a position.
- `report`: the result as text.
- `chart`: the lead during the game as a text chart.
- `chart_svg`: the same as an SVG picture.
- `as_json`: the JSON object for programs.
"""
