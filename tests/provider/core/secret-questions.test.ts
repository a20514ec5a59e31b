import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { VirtualClock } from "../../../emulator/index";
import { kinds } from "../../../provider/kinds";
import { RecordedLog } from "../recorded-log";
import { Stack } from "../stack";
import { providerOf } from "../test-host";
import { SessionPool } from "../../../provider/session/session-pool";

const requests: string[] = [];
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (piece: Buffer) => (body += piece.toString()));
  request.on("end", () => {
    requests.push(`${request.method} ${request.url} ${body}`);
    response.setHeader("content-type", "application/json").end("[]");
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.close());
beforeEach(() => void requests.splice(0));

const id = "0b5d7c52-7a4e-4bd5-8a28-0f5d5d0b6c11";

describe("a preview", () => {
  test.each([
    ["cron", { schedule: "0 9 * * *", assistant: "canary" }, "assistant"],
    ["cron", { schedule: "0 9 * * *", assistant: id }, "assistant"],
    ["run", { input: {}, assistant: "canary" }, "assistant"],
    ["assistant", { graph: "canary", context: { style: "brief" } }, "graph"],
  ] as const)(
    "does not send secret inputs to the server that `connection` specifies (%s, %j)",
    async (kind, inputs, secret) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const host = providerOf(kinds[kind](), {
        log: new RecordedLog(),
        sessions: new SessionPool({ env: {}, clock: new VirtualClock(), random: () => 0.5 }),
      });
      void host.configure({ config: { get: () => undefined } as never });
      const stack = new Stack({ failures: [] }, host);
      await stack.check({ ...inputs, connection: { url } });
      expect(requests.length).toBeGreaterThan(0);
      requests.splice(0);
      const other = new Stack({ failures: [] }, host);
      other.call = { secretPaths: [secret] };
      await other.check({ ...inputs, connection: { url: `${url}/other` } });
      expect(requests).toEqual([]);
    },
  );
});
