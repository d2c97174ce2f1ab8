"""The screen that replays a recorded game: controller, renderer, playback and positions.

It shares the panes, the view model and the layout of a game's screen; its keys are in `keys`.
Only `boxroom replay` imports it.
"""
