"""What the schema of CDA R2 says of a document, by classes that were generated from it.

`malac-models-cda` (LGPL 3) has a class for each type of the schema (and Austria's additions). What
is judged: names, order and number of elements, names and vocabularies of attributes, and types of
values, down to the entries. The classes do not say what must stand: see `cda_order`.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from lxml import etree

_BOOLEAN = "'^(true|false)$'"
"""A pattern that the classes ask of Python's own "True"."""


def faults(data: bytes) -> list[str]:
    """What a document has that the schema does not allow."""
    return [*_faults(data)]


def _faults(data: bytes) -> Iterator[str]:
    model = pytest.importorskip("malac.models.cda.at_ext")
    parser = etree.XMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    every = [*etree.fromstring(data, parser).iter()]  # held, since they are keys of `node_dict`
    model.node_dict.clear()
    told = model.GdsCollector_()
    try:
        model.POCD_MT000040_ClinicalDocument.factory().build(every[0], gds_collector_=told)
    except model.GDSParseError as error:
        yield str(error)
        return
    yield from (message for message in told.get_messages() if _BOOLEAN not in message)
    for one in every:
        if one in model.node_dict:
            yield from _of(one, model.node_dict[one])
        else:
            yield f"{_name(one.getparent())} holds no {_name(one)}"


def _of(one: Any, built: Any) -> Iterator[str]:
    allowed, name = _allowed(type(built)), _name(one)
    for key in one.attrib:
        if not key.startswith("{") and not {key, f"{key}_"} & allowed.keys():
            yield f"{name} has no {key}"
    if hasattr(built, "content_"):  # text between elements, in any order
        return
    children = [child for child in map(_name, one) if child in allowed]
    order = [*allowed]
    if children != sorted(children, key=order.index):
        yield f"{name}: {', '.join(children)} are in another order"
    for child, count in Counter(children).items():
        if count > 1 and not allowed[child]:
            yield f"{name} holds one {child}"


@cache
def _allowed(kind: type) -> dict[str, bool]:
    """What a type may have, in its order, and whether more than once."""
    found: dict[str, bool] = {}
    for base in reversed(kind.__mro__):
        if "__init__" in vars(base) and base is not object:
            asked = inspect.signature(base.__init__).parameters.values()
            found |= {each.name: "List[" in str(each.annotation) for each in asked}
    return found


def _name(element: Any) -> str:
    return str(etree.QName(element).localname)
