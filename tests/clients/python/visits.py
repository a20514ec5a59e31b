"""Records the called methods of a client, and makes a synchronous client asynchronous."""

import asyncio
import inspect
from collections.abc import Callable, Iterator
from typing import Any


def methods_of(thing: type) -> set[str]:
    """Returns the public methods that the class itself defines."""
    return {name for name, value in vars(thing).items() if callable(value) and not name.startswith("_")}


class Visits:
    """Forwards calls to one part of a client, and records them."""

    def __init__(self, part: Any, name: str, seen: set[str]) -> None:
        self._part, self._name, self._seen = part, name, seen
        self.methods = methods_of(type(part))

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._part, name)
        if name not in self.methods:
            return value
        self._seen.add(f"{self._name}.{name}")
        return value if inspect.iscoroutinefunction(value) or is_asynchronous(self._part) else awaited(value)


def is_asynchronous(part: Any) -> bool:
    return not type(part).__name__.startswith("Sync")


def awaited(method: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a variant of a blocking method that runs in a thread, and can be awaited or iterated asynchronously."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return Later(lambda: method(*args, **kwargs))

    return call


class Later:
    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work

    def __await__(self) -> Any:
        return asyncio.to_thread(self._work).__await__()

    async def __aiter__(self) -> Any:
        iterator: Iterator[Any] = iter(await asyncio.to_thread(self._work))
        nothing = object()
        while (item := await asyncio.to_thread(next, iterator, nothing)) is not nothing:
            yield item


PARTS = ("assistants", "threads", "runs", "crons", "store")


class NotingClient:
    """Records the calls to a synchronous or asynchronous client, and makes all parts of the client asynchronous."""

    def __init__(self, client: Any) -> None:
        self.seen: set[str] = set()
        for part in PARTS:
            setattr(self, part, Visits(getattr(client, part), part, self.seen))

    def unvisited(self) -> set[str]:
        every = {f"{part}.{name}" for part in PARTS for name in getattr(self, part).methods}
        return every - self.seen
