import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { VirtualClock } from "../../../emulator/index";
import type { AgentServerError } from "../../../provider/errors";
import { Pace } from "../../../provider/http/pace";
import { defaultRetryPolicy } from "../../../provider/http/retry";
import { Transport, type RequestSpec, type TransportOptions } from "../../../provider/http/transport";
import { agentServerAt, serviceAt } from "./service";

const servers: { close: () => unknown }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Answer = { status: number; headers?: Record<string, string>; after?: () => void } | "none";

/** Starts a control plane in virtual time that records requests and their times, in seconds. */
async function plane(answers: (request: string) => Answer) {
  const clock = new VirtualClock(0);
  const time = { now: () => clock.now(), sleep: clock.advancingSleep };
  const pace = new Pace(time);
  const received: string[] = [];
  const server: Server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    received.push(`${clock.now() / 1_000} ${line}`);
    const answer = answers(line);
    if (answer === "none") return;
    answer.after?.();
    response.writeHead(answer.status, answer.headers).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push({ close: () => server.close().closeAllConnections() });
  const { port } = server.address() as AddressInfo;
  const operation = (options: Partial<TransportOptions> = {}) => {
    const transport = new Transport({
      service: { ...serviceAt(port), pace },
      clock: time,
      retry: defaultRetryPolicy,
      random: () => 1,
      deadline: { at: 60_000, totalMs: 60_000, setBy: "rollout.timeout" },
      ...options,
    });
    return (method: RequestSpec<undefined>["method"], path: string, undone?: string) =>
      transport
        .send({ method, path, ...(undone && { undone }), facts: { deploymentId: path.slice(1) } })
        .then(
          () => "done",
          (error: unknown) => error,
        );
  };
  return { clock, pace, received, operation };
}

test.each(["POST", "PUT", "PATCH", "DELETE"] as const)(
  "does not send %s after the deadline",
  async (method) => {
    const { clock, operation, received } = await plane(() => ({ status: 200 }));
    const send = operation();
    await clock.advance(60_000);
    expect(await send(method, "/d", "deployment d was not changed")).toBe("done");
    await clock.advance(1);

    expect(await send(method, "/d", "deployment d was not changed")).toMatchObject({
      code: "timeout",
      message:
        "The timeout of 1m expired, so deployment d was not changed. Run the command again, or increase `rollout.timeout`.",
      facts: { deploymentId: "d", request: `${method} /d`, notProcessed: true },
    });
    expect(received).toEqual([`60 ${method} /d`]);
  },
);

test("reads the results of earlier requests for up to 20 s after the deadline", async () => {
  const { clock, operation, received } = await plane(() => ({ status: 200 }));
  const send = operation();
  await clock.advance(80_000);
  expect(await send("GET", "/d")).toBe("done");
  await clock.advance(1);

  expect(await send("GET", "/d")).toMatchObject({
    code: "timeout",
    message:
      "The timeout of 1m expired, so GET /d was not sent. Run the command again, or increase `rollout.timeout`.",
  });
  expect(received).toEqual(["80 GET /d"]);
});

test("does not send a write again after the deadline", async () => {
  const { operation, received } = await plane(() => ({ status: 429, headers: { "retry-after": "25" } }));

  expect(await operation()("PATCH", "/d")).toMatchObject({ code: "server_failed", facts: { status: 429 } });
  expect(received).toEqual(["0 PATCH /d", "25 PATCH /d", "50 PATCH /d"]);
});

test("retries a read until the deadline, or until 20 s later if first sent after the deadline", async () => {
  const { clock, operation, received } = await plane(() => ({
    status: 500,
    headers: { "retry-after": "20" },
  }));
  const send = operation();
  await clock.advance(30_000);
  await send("GET", "/early");
  await clock.advance(11_000);
  await send("GET", "/late");

  expect(received).toEqual(["30 GET /early", "50 GET /early", "61 GET /late"]);
});

test("reports a distinct error for a request that a pause delays beyond its deadline", async () => {
  const { clock, operation, received } = await plane((request) =>
    request.endsWith("/a") ? { status: 503, headers: { "retry-after": "50" } } : { status: 200 },
  );
  const early = { deadline: { at: 15_000, totalMs: 15_000, setBy: "customTimeouts" } };
  expect(await operation(early)("GET", "/a")).toMatchObject({ code: "server_failed" });

  const failure = await operation(early)("DELETE", "/b", "deployment b was not deleted");

  expect(failure).toMatchObject({
    code: "timeout",
    message:
      "The control plane has requested a pause of 50s that extends beyond the timeout of 15s, so deployment b was not deleted. Run the command again, or increase `customTimeouts`.",
    facts: { deploymentId: "b", request: "DELETE /b", notProcessed: true },
  });
  expect((failure as AgentServerError).facts.status).toBeUndefined();
  expect(clock.now()).toBe(0);
  expect(await operation()("GET", "/c")).toBe("done");
  expect(received).toEqual(["0 GET /a", "50 GET /c"]);
});

test.each([
  [429, ["0 GET /a", "20 GET /b"]],
  [503, ["0 GET /a", "20 GET /b"]],
  [404, ["0 GET /a", "0 GET /b"]],
  [409, ["0 GET /a", "0 GET /b"]],
  [500, ["0 GET /a", "0 GET /b"]],
  [502, ["0 GET /a", "0 GET /b"]],
])(
  "lets a %i with Retry-After pause other requests only if it applies to all of them",
  async (status, expected) => {
    const { operation, received } = await plane((request) =>
      request.endsWith("/a") ? { status, headers: { "retry-after": "20" } } : { status: 200 },
    );
    await operation({ retry: { ...defaultRetryPolicy, attempts: 1 } })("GET", "/a");

    expect(await operation()("GET", "/b")).toBe("done");
    expect(received).toEqual(expected);
  },
);

test("skips an optional request instead of waiting for the end of a pause", async () => {
  const { operation, pace, received } = await plane(() => ({ status: 200 }));
  pace.pause(1_000);

  expect(await operation({ isOptional: true, deadline: undefined })("GET", "/a")).toMatchObject({
    facts: { notProcessed: true },
  });
  expect(received).toEqual([]);
});

test("waits for the response to a write for 10 s after the deadline, and to a read for 20 s", async () => {
  const waited: number[] = [];
  const timeout = jest.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    waited.push(ms);
    return AbortSignal.abort(new Error("time"));
  });
  try {
    const { clock, operation } = await plane(() => "none");
    const once = operation({ retry: { ...defaultRetryPolicy, attempts: 1 } });
    await clock.advance(60_000);
    await once("PATCH", "/d");
    await clock.advance(12_000);
    await once("GET", "/d");

    expect(waited).toEqual([10_000, 8_000]);
  } finally {
    timeout.mockRestore();
  }
});

test("reports a request as not sent if its connection was never encrypted", async () => {
  const silent = createTcpServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  servers.push(silent);
  const { port } = silent.address() as AddressInfo;
  const transport = new Transport({
    service: agentServerAt(port),
    clock: new VirtualClock(0),
    retry: { ...defaultRetryPolicy, attempts: 1 },
    random: () => 1,
    answerTimeoutMs: 100,
  });

  await expect(transport.send({ method: "POST", path: "/d" })).rejects.toMatchObject({
    code: "connection_failed",
    message: expect.stringContaining("received no response: no connection within 0.1 s."),
    facts: { notProcessed: true, timedOut: true },
  });
});
