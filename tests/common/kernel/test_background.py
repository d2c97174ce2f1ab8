"""The build in a thread."""

from collections.abc import Mapping

from tests.common.kernel.conftest import Script

from boxroom_common.kernel.background import BackgroundBuild, Building, BuildState, Built, Failed
from boxroom_common.kernel.building import Builder
from boxroom_common.kernel.places import Places


def states_of(builder: Builder) -> list[BuildState]:
    states: list[BuildState] = []
    build = BackgroundBuild(builder, states.append)
    assert build.state == Building("")
    build.start()
    assert build.wait() == build.state == states[-1]
    return states


def test_it_tells_what_it_does_and_what_came_of_it(
    places: Places, environ: Mapping[str, str], script: Script, compiles: str
) -> None:
    script("g++", compiles)
    builder = Builder(may_download=False, places=places, environ=environ)
    says, built = states_of(builder)
    assert says == Building("Building the fast engine with g++: about 15 s.")
    library = places.find()
    assert library
    assert built == Built(library)


def test_it_tells_why_it_failed(places: Places, environ: Mapping[str, str]) -> None:
    (state,) = states_of(Builder(may_download=False, places=places, environ=environ))
    assert isinstance(state, Failed)
    assert state.error.cause.startswith("No C++20 compiler was found")
