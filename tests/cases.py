"""Cases of a test that run one after another, as one item for pytest."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Test = TypeVar("Test", bound=Callable[..., Any])


@contextmanager
def _named(case: dict[str, Any]) -> Iterator[None]:
    """Add the values of `case` to the error with which it fails."""
    try:
        yield
    except BaseException as error:
        named = (f"{name}={value!r:.200}" for name, value in case.items())
        error.add_note("case: " + ", ".join(named))
        raise


def each(names: str, values: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test, or every test of a class, with each of the values in turn; a failure names them.

    It is written like `pytest.mark.parametrize`, and costs a fraction for short cases. They share
    the fixtures, and the first failure, or skip, ends the test. There has to be a value.
    """
    keys = [name.strip() for name in names.split(",")]
    cases = [dict(zip(keys, value if len(keys) > 1 else [value], strict=True)) for value in values]
    assert cases, f"no values of {names}: the test could not fail"

    def decorate(test: Any) -> Any:
        if inspect.isclass(test):
            for name in [name for name in vars(test) if name.startswith("test")]:
                setattr(test, name, decorate(getattr(test, name)))
            return test

        @functools.wraps(test)
        def run(*self: object, **fixtures: Any) -> None:
            for case in cases:
                with _named(case):
                    test(*self, **fixtures, **case)

        @functools.wraps(test)
        async def run_coroutine(*self: object, **fixtures: Any) -> None:
            for case in cases:
                with _named(case):
                    await test(*self, **fixtures, **case)

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in keys]
        wrapper: Any = run_coroutine if inspect.iscoroutinefunction(test) else run
        wrapper.__signature__ = signature.replace(parameters=others)
        return wrapper

    return decorate
