import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../rollout/repository";

test("allows workers to request runs while it loads the deployment's data", async () => {
  const script = join(__dirname, "fixtures/take-over.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script, temporaryFolder("take-over")]);
  expect(JSON.parse(stdout.slice(stdout.lastIndexOf("{")))).toEqual({ asked: true, errors: [] });
});
