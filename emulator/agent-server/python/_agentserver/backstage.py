"""What the control plane asks of an agent server beside the public API."""

import json
from urllib.parse import parse_qsl, quote, urlencode

from .guard import answer

# By this the runtime knows requests that it makes to itself: the project's authentication does not see them.
OWN = {"root_path": "/noauth"}


def backstage(app, data, register, facts):
    """The other server of this process; what the runtime can answer itself is passed on to it."""

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
            # The runtime reads the last of several parameters only.
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
