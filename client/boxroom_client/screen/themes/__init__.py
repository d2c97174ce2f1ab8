"""Themes of the full screen: TOML files with a style for each role, and their reader.

The symbols of the panes are here too. The colours of printed boards are in
`shell.output.painting`. All of `screen` may import it, and `cli` for settings.
"""
