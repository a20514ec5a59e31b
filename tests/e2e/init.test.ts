import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import { World } from "./world";

const agentserver = join(repositoryRoot, "dist", "cli", "main.js");

let world: World;

afterEach(() => world?.end());

test("deploys a folder with the program that the command has written", async () => {
  world = await World.start({ dialect: "langsmith", rollout: "real" });
  const stack = await world.stack("agent");
  for (const name of readdirSync(stack.folder))
    if (/^(index\.|package\.json|Pulumi\.yaml)/.test(name)) rmSync(join(stack.folder, name));
  const agent = join(stack.folder, "agent");
  cpSync(join(repositoryRoot, "examples", "local-folder", "agent"), agent, { recursive: true });
  const configuration = { graphs: { agent: "./graph.ts:graph" }, env: ".env" };
  writeFileSync(join(agent, "langgraph.json"), JSON.stringify(configuration));
  writeFileSync(join(agent, ".env"), "GREETING=Welcome\n");
  writeFileSync(join(agent, ".dockerignore"), ".env\n");

  const shown = execFileSync(process.execPath, [agentserver, "init", "agent", "--output", "."], {
    cwd: stack.folder,
    env: world.environment,
    encoding: "utf8",
  });

  expect(shown).toContain("  pulumi config set --secret GREETING\n");
  await stack.config("GREETING", "Welcome", "--secret");
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  const { outputs } = (await stack.resource("agent"))!;
  const response = await fetch(`${outputs!["url"] as string}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
    body: JSON.stringify({ assistant_id: "agent", input: { messages: [{ role: "user", content: "you" }] } }),
  });
  expect(JSON.stringify(await response.json())).toContain("Welcome, you!");
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(readFileSync(join(stack.folder, "index.ts"), "utf8")).not.toContain("Welcome");
});
