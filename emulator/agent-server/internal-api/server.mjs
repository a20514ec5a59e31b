// Internal API of an agent server: responds only to requests from the control plane, which contain the token.
import { createServer } from "node:http";
import { takeToken, token } from "../token.mjs";
import { drawGraph } from "./graph-drawing.mjs";
import { streamThread } from "./thread-stream.mjs";

/** Opens the internal API of a runtime. Resolves with its address and token. */
export async function openInternalApi(runtime, facts) {
  const answers = {
    "POST /take-over": async ({ folder }) => ({ cut_runs: await runtime.takeOver(folder) }),
    "GET /facts": async () => ({ ...facts, queue: await runtime.operations.queue() }),
    "POST /graphs/draw": async ({ graph_id, config, xray }) => drawGraph(graph_id, config, xray),
    "POST /threads/keep-latest": async ({ thread_id }) => runtime.operations.threads.keepLatest(thread_id),
  };
  const server = createServer(async (request, response) => {
    if (!takeToken(request)) return response.writeHead(401).end();
    const url = new URL(request.url, "http://internal-api");
    const thread = /^\/threads\/([^/]+)\/stream$/.exec(url.pathname)?.[1];
    if (thread) return streamThread(runtime.operations, thread, url.searchParams, response);
    const answer = answers[`${request.method} ${url.pathname}`];
    if (!answer) return response.writeHead(404).end();
    try {
      const body = (await answer(await bodyOf(request))) ?? {};
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    } catch (error) {
      response.writeHead(error.status ?? 500, { "content-type": "application/json" });
      response.end(JSON.stringify({ detail: error.message }));
    }
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, token };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}
