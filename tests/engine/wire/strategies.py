"""Hypothesis strategies for all messages, derived from their types and bounds."""

from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from boxroom_engine.wire.messages import ClientMessage, ServerMessage

_INT_64 = 2**63

_structs: dict[type, st.SearchStrategy[Any]] = {}
"""Strategies of structs, which may contain themselves."""


def any_of(kind: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of `kind`, a type as msgspec describes it."""
    return _values(inspect.type_info(kind))


def _values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.StructType():
            return _structs.setdefault(kind.cls, st.deferred(lambda: _builds(kind)))
        case inspect.UnionType():
            return st.one_of([_values(one) for one in kind.types])
        case inspect.IntType():
            least = kind.ge if kind.ge is not None else -_INT_64
            most = kind.le if kind.le is not None else _INT_64 - 1
            return st.integers(least, most)
        case inspect.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case inspect.TupleType():
            return st.tuples(*map(_values, kind.item_types))
        case inspect.StrType(pattern=str(pattern)):
            # Of what JSON and Python mean differently by `$`, nothing is drawn.
            return st.from_regex(pattern).filter(lambda text: not text.endswith("\n"))
        case inspect.StrType():
            return st.text(min_size=kind.min_length or 0, max_size=min(kind.max_length or 20, 50))
        case inspect.VarTupleType():
            return st.lists(_values(kind.item_type), max_size=3).map(tuple)
        case inspect.ListType():
            return st.lists(_values(kind.item_type), max_size=3)
        case inspect.DictType():
            return st.dictionaries(_values(kind.key_type), _values(kind.value_type), max_size=3)
        case inspect.EnumType():
            return st.sampled_from(kind.cls)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case _:
            raise NotImplementedError(f"the protocol has a new kind of field: {kind}")


def _builds(kind: inspect.StructType) -> st.SearchStrategy[Any]:
    return st.builds(kind.cls, **{field.name: _values(field.type) for field in kind.fields})


client_messages = any_of(ClientMessage)
server_messages = any_of(ServerMessage)


def message_kinds(union: Any) -> list[type[msgspec.Struct]]:
    """Return the classes of a union of messages."""
    info = inspect.type_info(union)
    assert isinstance(info, inspect.UnionType)
    return [one.cls for one in info.types if isinstance(one, inspect.StructType)]


def structs_in(kind: Any) -> set[type[msgspec.Struct]]:
    """Return the classes of all structs in `kind`, at any depth."""
    found: set[type[msgspec.Struct]] = set()

    def look(at: inspect.Type) -> None:
        match at:
            case inspect.StructType() if at.cls not in found:
                found.add(at.cls)
                for field in at.fields:
                    look(field.type)
            case inspect.UnionType():
                for one in at.types:
                    look(one)
            case inspect.VarTupleType() | inspect.ListType():
                look(at.item_type)
            case inspect.DictType():
                look(at.value_type)
            case _:
                pass

    look(inspect.type_info(kind))
    return found
