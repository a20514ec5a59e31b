import type { Page } from "playwright-core";
import type { Deployment, Resources } from "../answers";
import { type Clock, startControlPlane, systemClock } from "../../../emulator/index";
import { type Client, clientOf, creation } from "../control-plane/client";
import { signIn, TestBrowser } from "./browser/browser";
import { savePicture } from "./browser/pictures";
import { type ScriptedRollout, ScriptedRunner } from "./scripted-runner";

const minute = 60_000;
const day = 24 * 60 * minute;

let shift = -2 * day;
const clock: Clock = { ...systemClock, now: () => Date.now() + shift };
const runner = new ScriptedRunner();

/** Rolls out the next revision, which takes this number of seconds. */
async function rollOut(client: Client, seconds: number): Promise<void> {
  const rollout = await runner.next();
  rollout.log("build", "INFO", "Cloning https://github.com/example/agents");
  shift += seconds * 1000;
  rollout.deploy();
  let deployment: Deployment;
  do deployment = (await client.get<Deployment>(`/v2/deployments/${rollout.job.deploymentId}`)).body;
  while (deployment.active_revision_id !== rollout.job.revisionId);
}

async function watched(
  page: Page,
  rollout: ScriptedRollout,
  status: "BUILDING" | "DEPLOYING",
): Promise<void> {
  rollout.status(status);
  await page.getByRole("region", { name: "Revisions" }).getByText(status, { exact: true }).first().waitFor();
}

test("shows a failed rollout in the same way as the picture in the documentation", async () => {
  const plane = await startControlPlane({ runner, clock, admin: true });
  const client = clientOf(plane);
  const browser = await TestBrowser.start();
  const secrets = ["MODEL_API_KEY", "INVOICE_DB_URL"].map((name) => ({ name, value: "not-for-your-eyes" }));
  const source_config = { repo_url: "https://github.com/example/agents", deployment_type: "prod" };
  const create = async (name: string, repo_ref: string): Promise<string> => {
    const source_revision_config = { repo_ref, graph_config_path: `${name}/langgraph.json` };
    return (
      await client.post<Deployment>(
        "/v2/deployments",
        creation(name, { source_config, source_revision_config, secrets }),
      )
    ).body.id;
  };
  const revise = (id: string, repo_ref: string) =>
    client.patch(`/v2/deployments/${id}`, { source_revision_config: { repo_ref } });
  try {
    for (const name of ["support-agent", "release-notes", "sales-researcher"]) {
      await create(name, "v1.4.0");
      await rollOut(client, 64);
      shift += 40 * minute;
    }
    const id = await create("invoice-triage", "v1.3.0");
    await rollOut(client, 71);
    shift = -62 * minute;
    await revise(id, "v1.4.0");
    await rollOut(client, 48);
    await create("onboarding-bot", "main");
    await rollOut(client, 55);
    shift = -9 * minute;

    const visit = await browser.visit(plane, {
      viewport: { width: 1240, height: 680 },
      colorScheme: "light",
    });
    await signIn(visit, plane);
    await visit.page.getByRole("link", { name: /invoice-triage/ }).click();
    await revise(id, "v1.5.0");
    await fail(visit.page, await runner.next());
    shift = -4 * minute;
    const notes = (await client.get<Resources<Deployment>>("/v2/deployments?name=release-notes")).body
      .resources[0]!.id;
    await revise(notes, "v1.5.1");
    (await runner.next()).status("BUILDING");
    shift += 26_000;
    await visit.page.getByRole("link", { name: /release-notes.*BUILDING/s }).waitFor();
    await visit.page.getByText("4 min ago").first().waitFor();
    await savePicture(visit.page, "control-plane-page");
    const border = `getComputedStyle(document.querySelector(".log-line .message")).borderTopStyle`;
    expect(await visit.page.evaluate(border)).toBe("none");
    expect(visit.problems).toEqual([]);
  } finally {
    await browser.close();
    await plane.close();
  }
});

async function fail(page: Page, rollout: ScriptedRollout): Promise<void> {
  const say = (seconds: number, message: string, level: "INFO" | "WARNING" | "ERROR" = "INFO"): void => {
    shift += seconds * 1000;
    rollout.log("build", level, message);
  };
  await page.getByRole("region", { name: "Revisions" }).getByText("v1.5.0").waitFor();
  shift += 3000;
  await watched(page, rollout, "BUILDING");
  say(1, "Cloning https://github.com/example/agents at v1.5.0");
  rollout.resolvedCommit("9f3c1e7a52d04b1c8e6f0a7d3b2c4e5f60718293");
  say(3, "Checked out 9f3c1e7a: Move the triage graph to tool nodes");
  say(1, "Found invoice-triage/langgraph.json: graphs triage, approve");
  say(1, "$ npm ci");
  say(19, "added 214 packages in 18s");
  say(0, "2 packages are deprecated: inflight, glob", "WARNING");
  say(1, "$ npm run build");
  await watched(page, rollout, "DEPLOYING");
  say(2, "$ agent server starts on a free port");
  say(6, "TypeError: ToolNode is not a constructor\n    at triage (invoice-triage/graph.ts:12:24)", "ERROR");
  say(0, "The agent server exited with code 1 before it was healthy.", "ERROR");
  rollout.fail(
    "DEPLOY_FAILED",
    "The agent server exited with code 1:\nTypeError: ToolNode is not a constructor (graph.ts:12:24)",
  );
  await page.getByRole("region", { name: "Revisions" }).getByText("exited with code 1").first().waitFor();
}
