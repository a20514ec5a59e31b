import { gzipSync } from "node:zlib";
import { json, raw, type Answer } from "./server";

const page = "<html><body>502 Bad Gateway</body></html>";
const mebibyte = 1024 * 1024;

/** Unexpected responses to any request. */
export const oddities: Record<string, Answer> = {
  "a page with 200": raw(200, page, { "content-type": "text/html" }),
  "a page with 502": raw(502, page, { "content-type": "text/html" }),
  "an HTML page declared as JSON": raw(200, page, { "content-type": "application/json" }),
  "an empty body": raw(200, ""),
  "204 without a body": raw(204, ""),
  "202 with an unexpected body": json(202, { accepted: true }),
  "an unknown HTTP status": json(299, []),
  "an invalid HTTP status": raw(777, "?"),
  "418 without detail": json(418, { message: "teapot" }),
  "a body of 17 MB": raw(200, Buffer.alloc(17 * mebibyte, 0x20)),
  "a gzip bomb of 100 MB": raw(200, gzipSync(Buffer.alloc(100 * mebibyte, 0x20)), {
    "content-encoding": "gzip",
  }),
  "invalid gzip data": raw(200, "this is no gzip", { "content-encoding": "gzip" }),
  "a body that arrives byte by byte": (_request, response, _body, giveUp) => {
    response.writeHead(200, { "content-type": "application/json" });
    let left = 5;
    const timer = setInterval(() => {
      response.write(" ");
      left -= 1;
      if (left === 0) giveUp();
    }, 1);
    response.on("close", () => clearInterval(timer));
  },
  "no response": (_request, _response, _body, giveUp) => giveUp(),
  "a connection that closes": (request) => void request.socket.destroy(),
  "a truncated response": (request, response) => {
    response.writeHead(200, { "content-length": "1000" }).write('{"id":');
    setImmediate(() => request.socket.destroy());
  },
  "a truncated response on a half-open connection": (request) => {
    request.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{");
  },
  "something that is not HTTP": (request) => void request.socket.end("SSH-2.0-OpenSSH_9.9\r\n"),
  "a flood of headers": (request) => {
    request.socket.end(`HTTP/1.1 200 OK\r\n${"x-flood: xxxxxxxxxxxxxxxx\r\n".repeat(5_000)}\r\n`);
  },
  "a redirect to itself": (request, response) => {
    response.writeHead(302, { location: request.url! }).end();
  },
  null: json(200, null),
  "a number": json(200, 7),
  "wrong types": json(200, { id: 7, status: [], resources: "x", logs: 1, detail: {} }),
  "no ID": json(200, { name: "support-agent", status: "DEPLOYED" }),
  "an empty ID": json(200, { id: "", status: "DEPLOYED", latest_revision_id: "" }),
  "the ID of another record": json(200, { id: "other", status: "DEPLOYED", latest_revision_id: "other" }),
  "an ID with a path": json(200, { id: "../../v1/keys", status: "DEPLOYED", latest_revision_id: ".." }),
  "an ID with control characters": json(200, {
    id: "d\u0000\u001b[2J",
    status: "DEPLOYED",
    latest_revision_id: "\n",
  }),
  "an ID of 1 MB": json(200, {
    id: "x".repeat(mebibyte),
    status: "DEPLOYED",
    latest_revision_id: "y".repeat(mebibyte),
  }),
  "invalid UTF-8": raw(200, Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
  "deeply nested JSON": raw(200, "[".repeat(2 * mebibyte)),
  "deeply nested objects": raw(200, `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
  "__proto__ keys": raw(
    200,
    '{"__proto__":{"id":"polluted"},"constructor":{"prototype":{"status":"DEPLOYED"}}}',
  ),
  "the same page repeatedly": json(200, {
    resources: Array.from({ length: 100 }, (_, n) => ({ id: `x${n}`, name: "another" })),
  }),
  "20,000 revisions": json(200, {
    id: "d1",
    latest_revision_id: "r1",
    resources: Array.from({ length: 20_000 }, (_, n) => ({
      id: `r${n}`,
      status: "DEPLOYED",
      created_at: "",
    })),
  }),
  "an unknown rollout status": json(200, { id: "r1", status: "TELEPORTING", latest_revision_id: "r1" }),
  "invalid times": json(200, {
    id: "r1",
    status: "DEPLOYED",
    created_at: "99999-99-99",
    updated_at: "x".repeat(100_000),
  }),
  "a failure with a huge message that contains terminal commands": json(200, {
    id: "r1",
    status: "BUILD_FAILED",
    status_message: `\u001b]0;owned\u0007\u001b[2J\u202e${"x".repeat(mebibyte)}\r\n`.repeat(3),
    logs: Array.from({ length: 50 }, () => ({ message: `\u001b[31m\u009b2J\u0008${"y".repeat(100_000)}\r` })),
  }),
  "a rollout status of 1 MB": json(200, { id: "r1", status: `\u001b[1m${"Z".repeat(mebibyte)}` }),
  "an address of 1 MB": json(200, {
    id: "d1",
    latest_revision_id: "r1",
    url: `https://x/${"u".repeat(mebibyte)}`,
  }),
  "a rejection of 1 MB": json(422, { detail: "\u001b[5m no ".repeat(100_000) }),
  "a rejection with a list of 10,000 errors": json(422, {
    detail: Array.from({ length: 10_000 }, () => ({
      loc: ["body", "x".repeat(50)],
      msg: "\u0007",
      type: "t",
    })),
  }),
  "429 that requests a pause of a year": raw(429, '{"detail":"slow"}', { "retry-after": "31536000" }),
  "503 that requests a negative pause": raw(503, '{"detail":"busy"}', { "retry-after": "-5" }),
  "503 that requests a pause until the year 9999": raw(503, "", {
    "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT",
  }),
  "503 that requests an invalid pause": raw(503, "", { "retry-after": "1e999" }),
};
