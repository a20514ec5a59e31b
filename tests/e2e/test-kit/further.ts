import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { startTestControlPlane, type TestControlPlane } from "agentserver-emulator/testing";
import { Deployment } from "pulumi-agentserver";

function program() {
  new Deployment("agent", {
    name: "agent",
    source: "github",
    sourceConfig: { repoUrl: "https://github.com/example/agent" },
    sourceRevisionConfig: {
      repoRef: new pulumi.Config().require("commit"),
      graphConfigPath: "langgraph.json",
    },
    rollout: { verify: { ok: false } },
  });
  return Promise.resolve({});
}

/** Settings in the user's environment that apply to another control plane. */
const settings = {
  AGENTSERVER_ACCESS_TOKEN: "token-of-the-user",
  AGENTSERVER_CA_FILE: "/no-such-file",
  AGENTSERVER_DIALECT: "interface",
  AGENTSERVER_OFFLINE: "true",
};

let plane: TestControlPlane;
afterEach(() => plane.close());

test("rejects a preview with the error of a failing program", async () => {
  plane = await startTestControlPlane();
  const stack = await plane.createStack(program);
  await expect(stack.preview()).rejects.toThrow("Missing required configuration variable 'test:commit'");
});

test("deploys a relative folder, and ignores the user's settings", async () => {
  mkdirSync("agent");
  writeFileSync(join("agent", "langgraph.json"), JSON.stringify({ graphs: { agent: "./graph.ts:graph" } }));
  writeFileSync(join("agent", "graph.ts"), "");
  Object.assign(process.env, settings);
  try {
    plane = await startTestControlPlane({ dialect: "langsmith" });
    const stack = await plane.createStack(() => {
      new Deployment("agent", {
        name: "agent",
        source: "internal_source",
        sourceConfig: { deploymentType: "dev" },
        sourceRevisionConfig: { folder: "agent" },
        rollout: { verify: { ok: false } },
      });
      return Promise.resolve({});
    });
    await stack.up();
    expect(plane.takeWrites().map(({ request }) => request)).toContain("PATCH /v2/deployments/:id");
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name];
  }
});

test("ends a waiting operation when the control plane is closed", async () => {
  plane = await startTestControlPlane();
  plane.steer({ verdict: "never" });
  const stack = await plane.createStack(program, { config: { commit: "1".repeat(40) } });
  let isWaiting = () => {};
  const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
  const up = stack.up({ onOutput: (text) => void (/DEPLOYING/.test(text) && isWaiting()) });
  const end = up.then(
    () => "succeeded",
    (error: unknown) => String(error),
  );
  await Promise.race([waiting, end]);
  await plane.close();
  expect(await end).toContain("update cancelled");
  expect(readdirSync(join("node_modules", ".cache", "agentserver-testing"))).toEqual([]);
});
