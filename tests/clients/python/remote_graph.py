"""Uses a deployed graph like a local one, with RemoteGraph: asynchronously, synchronously, and in another graph."""

import asyncio
import os
import uuid

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.pregel.remote import RemoteException, RemoteGraph
from langgraph.types import Command

from visits import methods_of

# Methods that send no requests, with the reasons.
EXCEPTIONS = {
    "copy": "creates another RemoteGraph without a request",
    "with_config": "creates another RemoteGraph without a request",
    "bulk_update_state": "not implemented by the client",
    "abulk_update_state": "not implemented by the client",
}

remote = RemoteGraph("agent", url=os.environ["AGENT_URL"], api_key=os.environ["AGENT_API_KEY"])
called: set[str] = set()


def method(name: str):
    called.add(name)
    return getattr(remote, name)


def says(content: str) -> dict:
    return {"messages": [{"role": "user", "content": content}]}


def contents(values: dict) -> list[str]:
    return [message["content"] for message in values["messages"]]


def new_thread() -> dict:
    return {"configurable": {"thread_id": str(uuid.uuid4())}}


async def use_asynchronously() -> None:
    assert contents(await method("ainvoke")(says("alone"))) == ["alone", "heard alone"]
    thread = new_thread()
    assert contents(await method("ainvoke")(says("first"), thread)) == ["first", "heard first"]
    streamed = [chunk async for chunk in method("astream")(says("s"), thread, stream_mode=["values", "updates"])]
    assert {chunk[0] for chunk in streamed} == {"values", "updates"}, streamed
    state = await method("aget_state")(thread)
    assert contents(state.values) == ["first", "heard first", "s", "heard s"] and state.next == ()
    history = [snapshot async for snapshot in method("aget_state_history")(thread, limit=100)]
    assert history[0].config == state.config and len(history) > 4
    assert (await method("aget_state")(history[-1].config)).config == history[-1].config
    changed = await method("aupdate_state")(thread, says("by hand"), as_node="answer")
    assert contents((await remote.aget_state(changed)).values)[-1] == "by hand"
    assert "answer" in (await method("aget_graph")(xray=True)).nodes

    asking = await remote.ainvoke(says("ask"), thread)
    assert [question["value"] for question in asking["__interrupt__"]] == ["what?"], asking
    state = await remote.aget_state(thread)
    assert state.next == ("answer",) and [one.value for one in state.interrupts] == ["what?"], state
    told = await remote.ainvoke(Command(resume="forty-two"), thread)
    assert contents(told)[-1] == "told forty-two"
    try:
        await remote.ainvoke(says("fail"), thread)
    except RemoteException as error:
        assert "asked to fail" in str(error), error
    else:
        raise AssertionError("a failing graph did not fail")

    async with await method("astream_events")(says("newly"), new_thread(), version="v3") as run:
        assert contents(await run.output()) == ["newly", "heard newly"]


def use_synchronously() -> None:
    thread = new_thread()
    assert contents(method("invoke")(says("first"), thread)) == ["first", "heard first"]
    streamed = list(method("stream")(says("s"), thread, stream_mode="updates"))
    assert [list(update) for update in streamed] == [["hear"], ["answer"]], streamed
    state = method("get_state")(thread)
    assert contents(state.values)[-1] == "heard s"
    history = list(method("get_state_history")(thread))
    assert history[0].config == state.config
    changed = method("update_state")(thread, says("by hand"), as_node="answer")
    assert contents(remote.get_state(changed).values)[-1] == "by hand"
    assert "answer" in method("get_graph")().nodes
    remote.invoke(says("ask"), thread)
    assert contents(remote.invoke(Command(resume="this"), thread))[-1] == "told this"
    with method("stream_events")(says("newly"), new_thread(), version="v3") as run:
        assert contents(run.output) == ["newly", "heard newly"]


async def use_as_subgraph() -> None:
    """Uses the remote graph as a node of a local graph. A question of the remote graph interrupts both graphs."""
    builder = StateGraph(MessagesState)
    builder.add_node("child", remote)
    builder.add_edge(START, "child")
    graph = builder.compile(checkpointer=InMemorySaver())
    answer = await graph.ainvoke(says("hi"), new_thread())
    assert [message.content for message in answer["messages"]] == ["hi", "heard hi"], answer
    stream = graph.astream(says("hi"), new_thread(), stream_mode="updates", subgraphs=True)
    updated = [name async for _, update in stream for name in update]
    assert updated == ["hear", "answer", "child"], updated
    thread = new_thread()
    asking = await graph.ainvoke(says("ask"), thread)
    assert [question.value for question in asking["__interrupt__"]] == ["what?"], asking
    state = await graph.aget_state(thread)
    assert state.next == ("child",) and [one.value for one in state.interrupts] == ["what?"], state


async def main() -> None:
    await use_asynchronously()
    await asyncio.to_thread(use_synchronously)
    await use_as_subgraph()
    unvisited = methods_of(RemoteGraph) - called - EXCEPTIONS.keys()
    assert unvisited == set(), unvisited


asyncio.run(main())
