import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { downloadObstacle } from "../../../tools/dev-engine/download";

async function at<Result>(answer: RequestListener, ask: (url: string) => Promise<Result>): Promise<Result> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    return await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/install.sh`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("finds no obstacle if the server responds", async () => {
  expect(
    await at(
      (_, reply) => reply.end(),
      (url) => downloadObstacle(undefined, url),
    ),
  ).toBeUndefined();
});

test("reports the status if the server rejects the request", async () => {
  const refuse: RequestListener = (_, reply) => reply.writeHead(403).end();

  expect(await at(refuse, (url) => downloadObstacle(undefined, url))).toMatch(
    /^127\.0\.0\.1:\d+ responds with 403$/,
  );
});

test("reports a server that is missing or does not respond as unreachable", async () => {
  const closed = await at(
    (_, reply) => reply.end(),
    (url) => Promise.resolve(url),
  );

  expect(await downloadObstacle(undefined, closed)).toMatch(/ cannot be reached$/);
  expect(
    await at(
      () => undefined,
      (url) => downloadObstacle(undefined, url),
    ),
  ).toMatch(/ cannot be reached$/);
});

test("stops the request on an interrupt", async () => {
  const abort = new AbortController();
  const asked = at(
    () => abort.abort(new Error("enough")),
    (url) => downloadObstacle(abort.signal, url),
  );

  await expect(asked).rejects.toThrow("enough");
});
