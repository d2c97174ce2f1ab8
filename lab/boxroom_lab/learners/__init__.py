"""Models of people who learn Dots and Boxes, by which the levels of bots are measured."""
