import os

from langchain_core.messages import AIMessage
from langgraph.config import get_store
from langgraph.graph import END, START, MessagesState, StateGraph
from titlecase import titlecase

NOTES = ("notes",)


async def answer(state: MessagesState) -> dict:
    """Responds without a model. The greeting is a secret of the deployment, and the notes are in its store."""
    question = state["messages"][-1].text
    greeting, signature = os.environ["GREETING"], os.environ["SIGNATURE"]
    store = get_store()
    if question.startswith("note "):
        text = question.removeprefix("note ")
        await store.aput(NOTES, text, {"text": text})
    notes = [item.value["text"] for item in await store.asearch(NOTES)]
    known = f" I know: {', '.join(sorted(notes))}." if notes else ""
    return {"messages": [AIMessage(f'{greeting}! You asked: "{titlecase(question)}"{known} — {signature}')]}


graph = (
    StateGraph(MessagesState)
    .add_node("answer", answer)
    .add_edge(START, "answer")
    .add_edge("answer", END)
    .compile()
)
