"""Search: what a position is worth when everybody plays best."""
