"""Starting child processes, from several threads too."""

import sys
from threading import Thread

from boxroom_common.child_processes import main_module_hidden


def test_the_main_module_comes_back_after_several_threads_have_hidden_it() -> None:
    main, interval_s = sys.modules["__main__"], sys.getswitchinterval()

    def hide_often() -> None:
        for _ in range(2_000):
            with main_module_hidden():
                assert sys.modules["__main__"] is not main

    threads = [Thread(target=hide_often) for _ in range(4)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sys.modules["__main__"] is main
    finally:
        sys.setswitchinterval(interval_s)
        sys.modules["__main__"] = main
