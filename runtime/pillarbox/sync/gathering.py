"""Several requests for rows, each for one, as few that ask for all of them.

Depends on: protocol.  Never on: what is asked, who answers, the queue, clocks.

Law: each request is part of exactly one that is sent, of its own kind, and none of those is for more than
its kind allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from pillarbox.sync.protocol import Request, SyncProtocol

#: What is sent -> what it was made of.
Gathered: TypeAlias = dict[Request, tuple[Request, ...]]


def gathered(protocol: SyncProtocol, requests: Iterable[Request]) -> Gathered:
    """What is sent for these, in the order of the first of each."""
    alike: dict[Request, list[Request]] = {}
    for request in dict.fromkeys(requests):
        rule = protocol.gathers.get(type(request))
        alike.setdefault(request if rule is None else rule.made(request, ()), []).append(request)
    found: Gathered = {}
    for group in alike.values():
        for made, parts in _chunks(protocol, group):
            found[made] = (*found.get(made, ()), *parts)
    return found


def _chunks(protocol: SyncProtocol, group: list[Request]) -> Iterator[tuple[Request, tuple[Request, ...]]]:
    """Requests that are alike but for their items, as many at once as may be."""
    rule = protocol.gathers.get(type(group[0]))
    if rule is None:
        yield group[0], tuple(group)
        return
    items: dict[object, None] = {}
    parts: list[Request] = []
    for request in group:
        more = dict.fromkeys(rule.items(request))
        if parts and len(items | more) > rule.most:
            yield rule.made(request, tuple(items)), tuple(parts)
            items, parts = {}, []
        items |= more
        parts.append(request)
    yield rule.made(group[0], tuple(items)), tuple(parts)
