import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { AgentServerError } from "../../../provider/errors";
import { Network } from "../../../provider/http/network";
import { upload } from "../../../provider/http/upload";
import { temporaryFolder } from "../../tools/temporary-folder";

const signature = "ab+cd/0123456789abcdef0123456789ABCDEF==";
const credential = "robot@project.iam.example.com/20260101/auto/storage/goog4_request";
const query = new URLSearchParams({
  "X-Goog-Credential": credential,
  "X-Goog-Signature": signature,
}).toString();

const [pathToken, headerToken] = ["path-token-0123456789", "header-token-0123456789"];

let requests: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => {
  requests.push(request);
  request.resume().on("end", () => answer(request, response));
});
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => void (requests = []));

/** Returns the error of an upload and, as a single string, everything that the error contains. */
async function failureOf(
  url: string,
  controlPlane = "http://127.0.0.1:1",
  now = 0,
): Promise<{ error: AgentServerError; all: string }> {
  const file = join(temporaryFolder({ archive: "content" }), "archive");
  const sent = upload(
    new Network(undefined, undefined),
    controlPlane,
    {
      url,
      headers: { "X-Storage-Token": headerToken },
      file,
      bytes: 7,
      onProgress: () => undefined,
      deadline: { at: 60_000, totalMs: 60_000, setBy: "rollout.timeout" },
      undone: "deployment d-1 was not changed",
    },
    () => now,
  );
  const error: unknown = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!AgentServerError.is(error)) throw new Error(`It was not refused as expected: ${String(error)}`);
  return {
    error,
    all: `${error.message} ${String(error.stack)} ${JSON.stringify(error)} ${String(error.cause)}`,
  };
}

describe("an upload", () => {
  test("is rejected without a request if the control plane uses https but the upload URL does not", async () => {
    const { error, all } = await failureOf(`${origin}/bucket/object?${query}`, "https://control.example.com");
    expect(error).toMatchObject({
      code: "unexpected_response",
      message: `The control plane returned an upload address on ${new URL(origin).host} that is not https, so nothing was sent.`,
    });
    expect(all).not.toContain("X-Goog");
    expect(requests).toEqual([]);
  });

  test.each(["ftp://127.0.0.1/x", "/relative", "file:///etc/passwd"])(
    "is rejected for the address %s",
    async (url) => {
      expect((await failureOf(url)).error.message).toBe(
        "The control plane returned an invalid upload address.",
      );
    },
  );

  test("does not follow redirects", async () => {
    answer = (_request, response) => response.writeHead(307, { location: `${origin}/elsewhere` }).end();
    expect((await failureOf(`${origin}/object?${query}`)).error.message).toContain("returned 307.");
    expect(requests).toHaveLength(1);
  });

  test.each<[string, (request: IncomingMessage) => string]>([
    ["its path and query", (request) => `The URL ${request.url} has expired.`],
    ["its query, escaped for HTML", (request) => `<b>${request.url!.replaceAll("&", "&amp;")}</b>`],
    ["its signature, decoded", () => `<SignatureProvided>${signature}</SignatureProvided>`],
    ["its query, after 280 other characters", (request) => `${"x".repeat(280)}${request.url}`],
    ["the token in its path", () => `<Code>Expired</Code> ${pathToken}`],
    ["the token in its headers", (request) => JSON.stringify(request.headers)],
    ["its address, in JSON", (request) => JSON.stringify({ detail: `No access to ${origin}${request.url}` })],
  ])("does not reveal any part of the signature if the storage repeats %s", async (_what, text) => {
    answer = (request, response) => response.writeHead(403).end(text(request));
    const { error, all } = await failureOf(`${origin}/bucket/${pathToken}/object?${query}`);
    expect(error).toMatchObject({ code: "request_refused", facts: { status: 403 } });
    for (const length of [8, 16]) {
      expect(all).not.toContain(signature.slice(0, length));
      expect(all).not.toContain(encodeURIComponent(signature).slice(0, length));
    }
    for (const other of ["robot@project", pathToken, headerToken]) expect(all).not.toContain(other);
  });

  test("shows only the host if the connection is interrupted", async () => {
    answer = (request) => request.socket.destroy();
    const { error, all } = await failureOf(
      `http://user:pass-word@${new URL(origin).host}/bucket/object?${query}`,
    );
    expect(error.message).toMatch(/^The upload of 7 bytes to 127\.0\.0\.1:\d+ was interrupted: /);
    for (const secret of ["X-Goog", "pass-word", "bucket", signature.slice(0, 8)])
      expect(all).not.toContain(secret);
  });

  test("stops at the deadline, and reports what was not done", async () => {
    answer = () => {};
    const { error } = await failureOf(`${origin}/object?${query}`, undefined, 59_500);
    server.closeAllConnections();
    expect(error).toMatchObject({ code: "timeout", facts: { final: true } });
    expect(error.message).toMatch(
      /^The timeout of 1m expired, so the upload was stopped after \d bytes? of 7 bytes, and deployment d-1 was not changed\. Run the command again, or increase `rollout\.timeout`\.$/,
    );
  });

  test("does not start after the deadline", async () => {
    const { error } = await failureOf(`${origin}/object?${query}`, undefined, 60_001);
    expect(error.message).toMatch(/^The timeout of 1m expired, so deployment d-1 was not changed\./);
    expect(requests).toEqual([]);
  });
});
