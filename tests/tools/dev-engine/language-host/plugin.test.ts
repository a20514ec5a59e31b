import { readJson } from "../../../json";
import { Host, type Started } from "./host";
import { program } from "./program";

const report = `
  console.log(JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), env: process.env }));
  console.error("a complaint");
  process.exit(5);
`;

test("runs a plugin in the engine's folder, and streams its output and exit code", async () => {
  const host = await Host.start();
  const folder = program(report);

  const seen = await host.runPlugin(folder, (request) =>
    request.setArgsList(["a", "b"]).setEnvList(["KEY=a=b"]),
  );

  expect(seen).toMatchObject({ stderr: "a complaint\n", exitCode: 5 });
  const { argv, cwd, env } = readJson<Started>(seen.stdout);
  expect({ argv, cwd }).toEqual({ argv: [folder, "a", "b"], cwd: "/" });
  expect(env).toMatchObject({ KEY: "a=b", PULUMI_NODEJS_TYPESCRIPT: "true" });
});

test("streams a lot of output in order before the exit code", async () => {
  const host = await Host.start();

  const seen = await host.runPlugin(
    program(`process.stdout.write("y".repeat(2 << 20) + "end"); process.exit(0)`),
  );

  expect(seen.stdout).toHaveLength((2 << 20) + 3);
  expect(seen.exitCode).toBe(0);
});

test("returns an error if the plugin cannot be started", async () => {
  const host = await Host.start();

  await expect(host.runPlugin("/nowhere")).rejects.toMatchObject({
    details: "It looks like the Pulumi SDK has not been installed. Have you run npm install in /nowhere?",
  });
});
