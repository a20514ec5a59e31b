"""Calls every method of the official SDK with its asynchronous client and its synchronous client."""

import asyncio
import inspect
import os

from langgraph_sdk import get_client, get_sync_client
from langgraph_sdk.errors import ConflictError, NotFoundError

from visits import NotingClient, awaited

connection = {"url": os.environ["AGENT_URL"], "api_key": os.environ["AGENT_API_KEY"]}


def says(content: str) -> dict:
    return {"messages": [{"role": "user", "content": content}]}


def contents(values: dict) -> list[str]:
    return [message["content"] for message in values["messages"]]


async def missing(found) -> bool:
    try:
        await found
    except NotFoundError:
        return True
    return False


async def walk_assistants(assistants) -> None:
    made = await assistants.create("agent", name="Walker", metadata={"walk": "python"})
    known = made["assistant_id"]
    assert (await assistants.get(known))["version"] == 1
    changed = await assistants.update(known, name="Runner", context={"mood": "brisk"})
    assert (changed["version"], changed["name"], changed["context"]) == (2, "Runner", {"mood": "brisk"})
    assert [one["version"] for one in await assistants.get_versions(known)] == [2, 1]
    assert (await assistants.set_latest(known, 1))["name"] == "Walker"
    found = await assistants.search(metadata={"walk": "python"}, limit=1000)
    assert known in [one["assistant_id"] for one in found]
    assert await assistants.count(metadata={"walk": "python"}) == len(found)
    page = await assistants.search(metadata={"walk": "python"}, limit=1, response_format="object")
    assert len(page["assistants"]) == 1
    assert "answer" in [node["id"] for node in (await assistants.get_graph("agent", xray=True))["nodes"]]
    assert await assistants.get_subgraphs("agent", recurse=True) == {}
    assert await assistants.get_subgraphs("agent", "none") == {}
    assert (await assistants.get_schemas("agent"))["graph_id"] == "agent"
    await assistants.delete(known)
    assert await missing(assistants.get(known))


async def walk_threads(threads, runs) -> None:
    thread = (await threads.create(metadata={"walk": "python"}, graph_id="agent"))["thread_id"]
    assert (await threads.get(thread))["status"] == "idle"
    updated = await threads.update(thread, metadata={"more": "2"})
    assert updated["metadata"].items() >= {"walk": "python", "more": "2"}.items()
    await runs.wait(thread, "agent", input=says("first"))
    assert contents((await threads.get_state(thread))["values"]) == ["first", "heard first"]
    await threads.update_state(thread, says("by hand"), as_node="answer")
    history = await threads.get_history(thread, limit=100)
    assert len(history) > 3
    earlier = history[-1]["checkpoint"]
    assert (await threads.get_state(thread, earlier))["checkpoint"] == earlier
    by_id = await threads.get_state(thread, checkpoint_id=earlier["checkpoint_id"])
    assert by_id["checkpoint"]["checkpoint_id"] == earlier["checkpoint_id"]
    before = await threads.get_history(thread, before=history[0]["checkpoint"])
    assert len(before) == len(history) - 1
    copy = (await threads.copy(thread))["thread_id"]
    assert (await threads.get_state(copy))["values"] == (await threads.get_state(thread))["values"]
    found = await threads.search(metadata={"walk": "python"}, limit=100)
    assert {thread, copy} <= {one["thread_id"] for one in found}
    assert await threads.count(metadata={"walk": "python"}) == len(found)
    assert await threads.prune([copy]) == {"pruned_count": 1}
    assert await missing(threads.get(copy))
    try:
        await threads.create(thread_id=thread)
    except ConflictError:
        pass
    else:
        raise AssertionError("a thread was created twice")
    await threads.delete(thread)
    assert await missing(threads.get(thread))


async def walk_protocol(threads) -> None:
    """Uses the newer protocol, which starts and streams runs with one handle."""
    stream = threads.stream(assistant_id="agent")
    if hasattr(stream, "__aenter__"):
        async with stream as handle:
            await handle.run.start(input=says("newly"))
            output = await handle.output
    else:
        output = await asyncio.to_thread(stream_synchronously, await stream)
    assert contents(output) == ["newly", "heard newly"]


def stream_synchronously(stream):
    with stream as handle:
        handle.run.start(input=says("newly"))
        return handle.output


async def walk_runs(threads, runs) -> None:
    thread = (await threads.create())["thread_id"]
    run = (await runs.create(thread, "agent", input=says("background")))["run_id"]
    assert contents(await runs.join(thread, run)) == ["background", "heard background"]
    assert (await runs.get(thread, run))["status"] == "success"
    assert run in [one["run_id"] for one in await runs.list(thread)]

    modes = ["values", "updates", "messages-tuple", "debug", "events", "tasks", "checkpoints", "custom"]
    started = []
    events = [
        part.event
        async for part in runs.stream(
            thread, "agent", input=says("s"), stream_mode=modes, on_run_created=started.append
        )
    ]
    assert events[0] == "metadata" and started[0]["run_id"], started
    assert {"values", "updates", "debug", "events", "tasks", "checkpoints"} <= set(events), set(events)
    newer = [
        part["type"]
        async for part in runs.stream(thread, "agent", input=says("s"), stream_mode="values", version="v2")
    ]
    assert "values" in newer, newer

    again = await runs.create(thread, "agent", input=says("again"), stream_resumable=True)
    replayed = [part async for part in runs.join_stream(thread, again["run_id"], last_event_id="-1")]
    assert replayed[0].event == "metadata" and "heard again" in contents(replayed[-1].data)
    seen = [part.event async for part in first_of(threads.join_stream(thread, last_event_id="-"))]
    assert seen == ["metadata"], seen

    await runs.delete(thread, run)
    assert await missing(runs.get(thread, run))
    endless = (await runs.create(thread, "agent", input=says("endlessly")))["run_id"]
    try:
        await runs.create(thread, "agent", input=says("too much"), multitask_strategy="reject")
    except ConflictError:
        pass
    else:
        raise AssertionError("a second run was not rejected")
    await runs.cancel(thread, endless, wait=True)
    assert (await runs.get(thread, endless))["status"] == "interrupted"
    second = (await runs.create(thread, "agent", input=says("endlessly")))["run_id"]
    await runs.cancel_many(thread_id=thread, run_ids=[second])
    await runs.join(thread, second)

    asking = await runs.wait(thread, "agent", input=says("ask"))
    assert [question["value"] for question in asking["__interrupt__"]] == ["what?"], asking
    told = await runs.wait(thread, "agent", command={"resume": "forty-two"})
    assert contents(told)[-1] == "told forty-two"


async def walk_stateless_runs(runs) -> None:
    assert contents(await runs.wait(None, "agent", input=says("alone"))) == ["alone", "heard alone"]
    parts = [part async for part in runs.stream(None, "agent", input=says("alone"))]
    assert [part.event for part in parts][0] == "metadata" and "heard alone" in contents(parts[-1].data)
    assert "run_id" in await runs.create(None, "agent", input=says("alone"))
    assert len(await runs.create_batch([{"assistant_id": "agent", "input": says("b")}])) == 1


async def first_of(stream):
    # The asynchronous client returns a coroutine for this stream.
    async for part in await stream if inspect.iscoroutine(stream) else stream:
        yield part
        return


async def walk_crons(crons, threads) -> None:
    thread = (await threads.create())["thread_id"]
    made = await crons.create("agent", schedule="0 3 1 1 *", input=says("c"), metadata={"walk": "python"})
    on_thread = await crons.create_for_thread(thread, "agent", schedule="*/5 * * * *", input=says("c"))
    assert on_thread["thread_id"] == thread
    found = await crons.search(metadata={"walk": "python"}, limit=100)
    assert made["cron_id"] in [cron["cron_id"] for cron in found]
    assert await crons.count(metadata={"walk": "python"}) == len(found)
    assert (await crons.update(made["cron_id"], schedule="0 4 1 1 *"))["schedule"] == "0 4 1 1 *"
    for cron in (made, on_thread):
        await crons.delete(cron["cron_id"])
    assert await crons.search(thread_id=thread) == []


async def walk_store(store) -> None:
    await store.put_item(["walk", "python"], "key", {"a": 1})
    assert (await store.get_item(["walk", "python"], "key"))["value"] == {"a": 1}
    assert "key" in [item["key"] for item in (await store.search_items(["walk"]))["items"]]
    assert ["walk", "python"] in (await store.list_namespaces(prefix=["walk"]))["namespaces"]
    await store.delete_item(["walk", "python"], "key")
    assert (await store.search_items(["walk", "python"]))["items"] == []


async def look_at_system(http) -> None:
    """Requests the status and the version. The SDK has no methods for them, so users call its HTTP client."""
    get = http.get if inspect.iscoroutinefunction(http.get) else awaited(http.get)
    assert await get("/ok") == {"ok": True}
    assert (await get("/info"))["version"]


async def walk(client) -> None:
    await look_at_system(client.http)
    noting = NotingClient(client)
    await walk_assistants(noting.assistants)
    await walk_threads(noting.threads, noting.runs)
    await walk_protocol(noting.threads)
    await walk_runs(noting.threads, noting.runs)
    await walk_stateless_runs(noting.runs)
    await walk_crons(noting.crons, noting.threads)
    await walk_store(noting.store)
    assert noting.unvisited() == set(), noting.unvisited()


async def main() -> None:
    async with get_client(**connection) as client:
        await walk(client)
    with get_sync_client(**connection) as client:
        await walk(client)


asyncio.run(main())
