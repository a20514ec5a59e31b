"""Requests from the control plane to an agent server, in addition to the public API."""

import json
from urllib.parse import parse_qsl, quote, urlencode

from .guard import answer

# Marks the runtime's requests to itself, which skip the project's authentication.
OWN = {"root_path": "/noauth"}


def internal_api(app, data, register, facts):
    """Returns the app of the internal server. It forwards requests that the runtime supports to the runtime's app."""

    async def ask(scope, receive, send, path, query="", headers=()):
        delivered = False

        async def content():
            nonlocal delivered
            if delivered:
                return await receive()
            delivered = True
            return {"type": "http.request", "body": b"", "more_body": False}

        asked = {**scope, **OWN, "method": "GET", "path": OWN["root_path"] + path, "headers": list(headers)}
        asked["raw_path"] = asked["path"].encode()
        asked["query_string"] = query.encode()
        await app(asked, content, send)

    async def serve(scope, receive, send):
        if scope["type"] != "http":
            return
        at = (scope["method"], scope["path"])
        if at == ("GET", "/facts"):
            return await answer(send, 200, await facts())
        if at == ("POST", "/take-over"):
            try:
                folder = (await body_of(receive))["folder"]
                return await answer(send, 200, {"cut_runs": 0, "resumed_runs": await data.take_over(folder, register)})
            except Exception as error:
                return await answer(send, 500, {"detail": str(error)})
        if at == ("POST", "/graphs/draw"):
            asked = await body_of(receive)
            path = f"/assistants/{quote(asked['assistant_id'])}/graph"
            xray = asked["xray"]
            query = urlencode({"xray": xray if not isinstance(xray, bool) else str(xray).lower()})
            return await ask(scope, receive, send, path, query)
        if at == ("POST", "/threads/keep-latest"):
            data.keep_latest((await body_of(receive))["thread_id"])
            return await answer(send, 200, {})
        if at[0] == "GET" and at[1].startswith("/threads/") and at[1].endswith("/stream"):
            query = parse_qsl(scope["query_string"].decode())
            # The runtime reads only the last of several parameters with the same name.
            modes = {"stream_modes": ",".join(value for name, value in query if name == "mode")}
            last = [(b"last-event-id", value.encode()) for name, value in query if name == "last"]
            return await ask(scope, receive, send, at[1], urlencode(modes), last)
        await answer(send, 404, {"detail": "Not Found"})

    return serve


async def body_of(receive):
    chunks = []
    while True:
        message = await receive()
        chunks.append(message.get("body", b""))
        if not message.get("more_body"):
            return json.loads(b"".join(chunks))
