import os

from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph


def answer(state: MessagesState) -> dict:
    """Answers without a model, with a greeting from the environment of the deployment."""
    return {"messages": [AIMessage(f"{os.environ['GREETING']}, {state['messages'][-1].text}!")]}


graph = (
    StateGraph(MessagesState)
    .add_node("answer", answer)
    .add_edge(START, "answer")
    .add_edge("answer", END)
    .compile()
)
