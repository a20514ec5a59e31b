import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { whyNoDownload } from "../../../tools/engine/download";

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

test("a place that answers can be downloaded from", async () => {
  expect(
    await at(
      (_, reply) => reply.end(),
      (url) => whyNoDownload(undefined, url),
    ),
  ).toBeUndefined();
});

test("a place that refuses is named with its answer", async () => {
  const refuse: RequestListener = (_, reply) => reply.writeHead(403).end();

  expect(await at(refuse, (url) => whyNoDownload(undefined, url))).toMatch(/^127\.0\.0\.1:\d+ answers 403$/);
});

test("a place that is not there, or never answers, cannot be reached", async () => {
  const closed = await at(
    (_, reply) => reply.end(),
    (url) => Promise.resolve(url),
  );

  expect(await whyNoDownload(undefined, closed)).toMatch(/ cannot be reached$/);
  expect(
    await at(
      () => undefined,
      (url) => whyNoDownload(undefined, url),
    ),
  ).toMatch(/ cannot be reached$/);
});

test("an interrupt ends the question", async () => {
  const abort = new AbortController();
  const asked = at(
    () => abort.abort(new Error("enough")),
    (url) => whyNoDownload(abort.signal, url),
  );

  await expect(asked).rejects.toThrow("enough");
});
