"""The root of the exceptions that Boxroom raises."""


class BoxroomError(Exception):
    """An error of Boxroom; its message is for the user.

    One without a message is a signal within the program, which no user sees.
    """
