"""The runtime's server, with an internal API."""

import asyncio
import os
import signal
import sys

from . import environment, link
from .internal_api import internal_api
from .data import Data
from .failure import describe
from .guard import guarded, token

LOG = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"runtime": {"class": "langgraph_api.logging.Formatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "runtime", "stream": "ext://sys.stdout"}},
    "loggers": {"uvicorn": {"level": "WARNING"}, "uvicorn.error": {"level": "WARNING"}},
    "root": {"handlers": ["console"]},
}


def main(launch):
    """Serves requests until it is asked to stop, and then exits."""
    link.end_with_parent()
    environment.prepare(launch)
    sys.path.extend(launch["path"])
    project = os.getcwd()
    # When it is imported, the runtime reads its files and creates its folder.
    os.chdir(launch["stateFolder"])
    link.enter("listen")
    try:
        app, data, register = import_runtime()
    except BaseException as error:
        link.fail({"stage": "listen", **describe(error, launch["root"])})
    os.chdir(project)
    try:
        asyncio.run(serve(launch, app, data, register))
    except BaseException as error:
        link.fail({"stage": "listen", **describe(error, launch["root"])})
    link.end(0)


def import_runtime():
    data = Data()
    from langgraph_api import graph, server

    data.deliver_crons_once()
    data.refuse_bad_states()

    registered = {}
    load, add = graph._graph_from_spec, graph.register_graph

    def noted_load(spec):
        link.enter("import", spec.id)
        return load(spec)

    async def noted_add(graph_id, *args, **more):
        registered[graph_id] = (args, more)
        await add(graph_id, *args, **more)

    async def register():
        for graph_id, (args, more) in registered.items():
            await add(graph_id, *args, **more)

    graph._graph_from_spec, graph.register_graph = noted_load, noted_add
    return server.app, data, register


async def serve(launch, app, data, register):
    import uvicorn
    from langgraph_runtime_inmem import queue

    async def facts():
        statuses = [run["status"] for run in data.operations["runs"]]
        return {
            "graphs": [graph["id"] for graph in launch["graphs"]],
            "http": launch["options"].get("http") or {},
            "own_authentication": bool((launch["options"].get("auth") or {}).get("path")),
            "workers": launch["workers"],
            "queue": {"pending": statuses.count("pending"), "running": statuses.count("running")},
        }

    def server(served, lifespan):
        made = uvicorn.Server(
            uvicorn.Config(
                guarded(served),
                host="127.0.0.1",
                port=0,
                lifespan=lifespan,
                log_config=LOG,
                access_log=False,
                timeout_graceful_shutdown=1,
            )
        )
        made.config.load()
        made.lifespan = made.config.lifespan_class(made.config)
        # Both servers are stopped together below.
        made.install_signal_handlers = lambda: None
        return made

    public, hidden = server(data.noting_changes(app), "on"), server(internal_api(app, data, register, facts), "off")
    try:
        await public.startup()
    except SystemExit:
        public.should_exit = True
    if public.should_exit:
        link.fail(fault_of_start(launch))
    await hidden.startup()

    stopping = asyncio.Event()

    def stop():
        link.enter("stop")
        # Done first, because there may be little time.
        data.write()
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    writing = asyncio.create_task(data.keep_writing(lambda: queue.get_num_workers() > 0))
    serving = [asyncio.create_task(one.main_loop()) for one in (public, hidden)]
    origins = [f"http://127.0.0.1:{one.servers[0].sockets[0].getsockname()[1]}" for one in (public, hidden)]
    link.stage = "serve"
    link.report({"type": "listening", "origin": origins[0], "internalApi": {"origin": origins[1], "token": token, "documented": True}})
    await stopping.wait()
    writing.cancel()
    for one in (public, hidden):
        one.should_exit = True
    await asyncio.gather(*serving)
    await asyncio.gather(public.shutdown(), hidden.shutdown())


def fault_of_start(launch):
    """Returns the reason that the runtime reported for not starting."""
    from langgraph_runtime_inmem.lifespan import lifespan

    error = lifespan.get_last_error()
    if error is None:
        return {"stage": "listen", "message": "it ended while it was starting; see the deploy log"}
    cause = getattr(error, "cause", error)
    if hasattr(error, "spec"):
        return {"stage": "import", "graph": error.spec.id, **describe(cause, launch["root"])}
    return {"stage": "listen", **describe(cause, launch["root"])}
