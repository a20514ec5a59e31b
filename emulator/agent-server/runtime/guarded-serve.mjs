// The `serve` that the runtime receives instead of the one that it imports (see replacements.mjs). The original one
// responds to every client, and allows every web page to read the responses.
import { createServer } from "node:http";
import { serve as serveEverybody } from "@hono/node-server";
import { takeToken } from "../token.mjs";

const detail =
  "This port accepts requests only from the control plane. Send the request to the deployment's URL.";

let guards = false;

/** True if this module has opened a server. */
export function isGuarded() {
  return guards;
}

/** Starts a server that accepts only requests with the token and rejects all others. */
export function serve(options, listening) {
  guards = true;
  return serveEverybody({ ...options, createServer: guardedServer }, listening);
}

function guardedServer(...parameters) {
  const server = createServer(...parameters);
  const { emit } = server;
  // Runs before every listener, including those for WebSockets.
  server.emit = (event, ...values) => {
    const refuse = refusals[event];
    const failure = refuse && failureOf(values[0].url);
    if (failure) return fail(failure, event, ...values);
    if (!refuse || takeToken(values[0])) return emit.call(server, event, ...values);
    refuse(...values);
    return true;
  };
  return server;
}

/**
 * Returns an error for a URL whose path is malformed, or refers to the runtime's own admin API in any spelling. Returns
 * `undefined` for all other URLs.
 */
function failureOf(url) {
  try {
    const { pathname } = URL.canParse(url) ? new URL(url) : new URL(`http://agent${url}`);
    return /^\/+internal(?:\/|$)/i.test(decodeURIComponent(pathname)) ? notFound : undefined;
  } catch {
    return badRequest;
  }
}

const notFound = { status: 404, text: "Not Found", detail: "Not Found" };
const badRequest = { status: 400, text: "Bad Request", detail: "The path is not valid percent-encoding." };

function fail({ status, text, detail }, event, request, target) {
  if (event === "upgrade")
    target.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  else {
    target.writeHead(status, { "content-type": "application/json", connection: "close" });
    target.end(JSON.stringify({ detail }));
  }
  return true;
}

const refusals = {
  request(_request, response) {
    response.writeHead(401, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify({ detail }));
  },
  upgrade(_request, socket) {
    socket.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  },
};
