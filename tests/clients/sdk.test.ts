import { type Running, runDeployment } from "../emulator/gateway/deployment";
import { officialClient, walk } from "../emulator/gateway/walk";
import { expectOperations, record } from "./recording";

let running: Running;
beforeAll(async () => {
  running = await runDeployment();
});

test("uses every method of the JavaScript SDK, and calls the operations in docs/coverage.md", async () => {
  const recorded = record();
  await walk(officialClient(running.url, running.plane));
  await expectOperations("JS SDK", recorded());
});
