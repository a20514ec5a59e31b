"""Environment variables that the runtime reads when it is imported."""

import json
import os


def prepare(launch):
    """Sets the variables of the runtime, and disables all features that serving does not require, such as usage
    reports."""
    options = launch["options"]
    graphs = {graph["id"]: served(graph) for graph in launch["graphs"]}
    given = {
        "LANGSERVE_GRAPHS": graphs,
        "LANGGRAPH_HTTP": options.get("http"),
        "LANGGRAPH_AUTH": options.get("auth"),
        "LANGGRAPH_STORE": options.get("store"),
        "LANGGRAPH_CHECKPOINTER": options.get("checkpointer"),
        "LANGGRAPH_WEBHOOKS": options.get("webhooks"),
    }
    for name, value in given.items():
        if value:
            os.environ[name] = json.dumps(value)
        else:
            os.environ.pop(name, None)
    os.environ.update(
        MIGRATIONS_PATH="__inmem",
        LANGGRAPH_RUNTIME_EDITION="inmem",
        LANGSMITH_LANGGRAPH_API_VARIANT="local_dev",
        LANGGRAPH_DISABLE_FILE_PERSISTENCE="false",
        N_JOBS_PER_WORKER=str(launch["workers"]),
        LANGGRAPH_NO_VERSION_CHECK="true",
    )
    for name, value in {
        "REDIS_URI": "fake",
        "DATABASE_URI": ":memory:",
        # A deployed agent may make blocking calls. Only the development server of the command-line client rejects them.
        "LANGGRAPH_ALLOW_BLOCKING": "true",
    }.items():
        os.environ.setdefault(name, value)


def served(graph):
    source = f"{graph.get('module') or graph['file']}:{graph['export']}"
    return {"path": source, "description": graph["description"]} if graph.get("description") else source
