"""Rooms: what can happen in one (`events`), what may be asked (`commands`), and the rules.

`decide` says what a command leads to, `evolve` what an event changes, `view` what an audience
sees of it. All three are pure; docs/room.md is the table that they are written from.
"""
