import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { healthGate, okCheck } from "../../../../emulator/rollout/build/health";

test("does not treat an endless response as healthy, and reports the reason", async () => {
  const server = createServer((_request, response) => {
    const send = () => {
      while (response.write(" ".repeat(65_536)));
    };
    response.on("drain", send);
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gate = healthGate({ origin }, [okCheck]);
  const closing = new AbortController();
  const passed = gate.passed(closing.signal).catch((error: unknown) => error);
  // The first check ends when the health gate has closed its connection.
  await new Promise((resolve) =>
    server.once("request", (_request, response) => response.once("close", resolve)),
  );
  await new Promise((resolve) => server.once("request", resolve));
  closing.abort(new Error("stopped"));
  expect(await passed).toEqual(new Error("stopped"));
  expect(gate.obstacle()).toBe("GET /ok: the response is larger than 1 MiB");
  server.closeAllConnections();
  server.close();
});
