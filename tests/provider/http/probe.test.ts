import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Network } from "../../../provider/http/network";
import { postJson, probe } from "../../../provider/http/probe";

test.each([
  ["GET", (url: string, signal: AbortSignal) => probe(new Network(undefined, undefined), url, signal)],
  [
    "POST",
    (url: string, signal: AbortSignal) =>
      postJson(new Network(undefined, undefined), url, { body: {}, headers: {}, signal }),
  ],
])("does not follow a redirect of a %s request", async (_, send) => {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    if (request.url === "/health") response.writeHead(302, { location: "/login" }).end("moved");
    else response.end("Please log in");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
  try {
    expect(await send(url, AbortSignal.timeout(10_000))).toEqual({ status: 302, text: "moved" });
    expect(paths).toEqual(["/health"]);
  } finally {
    server.close().closeAllConnections();
  }
});
