"""The version of Boxroom, for its build and for its programs."""

VERSION = "0.1.0"
