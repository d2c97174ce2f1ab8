"""`python -m boxroom` is `boxroom`."""

if __name__ == "__main__":  # bot workers import the main module again
    import sys

    from boxroom_client.main import main

    sys.exit(main())
