"""Token that the control plane sends to this process with every request. This process creates the token and reports it
over the link, so that it appears neither in the arguments nor in the environment of the process."""

import json
import re
import secrets
from contextvars import ContextVar

HEADER = b"x-internal-api-token"
CRON = b"x-cron-delivery"
DETAIL = "This port accepts requests only from the control plane. Send the request to the deployment's URL."

# Matches the paths of the runtime's own admin API, which is not accessible. Paths are already decoded here.
INTERNAL = re.compile(r"/*internal(?:/|$)", re.IGNORECASE)

token = secrets.token_urlsafe(24)
# Cron and due time of the run that the request creates; None for a caller's request.
delivery = ContextVar("delivery", default=None)


def guarded(app):
    """Returns an app that rejects all requests without the token. The token is removed from all other requests."""

    async def serve(scope, receive, send):
        if scope["type"] not in ("http", "websocket"):
            return await app(scope, receive, send)
        if scope["type"] == "http" and INTERNAL.match(scope["path"]):
            return await answer(send, 404, {"detail": "Not Found"})
        shown = [value for name, value in scope["headers"] if name == HEADER]
        if len(shown) == 1 and secrets.compare_digest(shown[0], token.encode()):
            headers = [pair for pair in scope["headers"] if pair[0] not in (HEADER, CRON)]
            for name, value in scope["headers"]:
                if name == CRON:
                    delivery.set(tuple(value.decode().split()))
            return await app({**scope, "headers": headers}, receive, send)
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close", "code": 1008})
        await answer(send, 401, {"detail": DETAIL})

    return serve


async def answer(send, status, body):
    """Sends a JSON response with this status."""
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
