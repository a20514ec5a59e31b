import * as pulumi from "@pulumi/pulumi";
import { getDeploymentLogs, getDeploymentLogsOutput } from "../../../sdk";
import { agent, canary, World } from "../../provider/world";
import { valueOf, withoutEngine } from "../program";

async function deployed(dialect: "interface" | "langsmith" = "langsmith") {
  await withoutEngine();
  const world = await World.start({ dialect });
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": world.plane.apiKey,
    "agentserver:tenantId": world.plane.tenantId,
  });
  const { deploymentId, state } = await world.deployed(agent());
  return { world, deploymentId, revisionId: state.latestRevisionId };
}

test("returns the newest revision's log, oldest line first", async () => {
  const { deploymentId, revisionId } = await deployed();
  const found = await getDeploymentLogs({ deploymentId });
  expect(found.revisionId).toBe(revisionId);
  const times = found.lines.map(({ timestamp }) => timestamp!);
  expect(times).toEqual([...times].sort());
  expect(await getDeploymentLogs({ deploymentId, revisionId })).toEqual(found);
  const build = await getDeploymentLogs({ deploymentId, type: "build" });
  expect(build.lines.length).toBeGreaterThan(1);
  const [last] = (await getDeploymentLogs({ deploymentId, type: "build", limit: 1 })).lines;
  expect(last).toEqual(build.lines.at(-1));
});

test("redacts the deployment's secrets, and returns a secret output", async () => {
  const { world, deploymentId, revisionId } = await deployed();
  const logs = [{ message: `key ${canary}-model`, timestamp: 1_767_225_600_000, level: "INFO" }];
  const record = await world.request("GET", `/v2/deployments/${deploymentId}`);
  const path = `/v2/deployments/${deploymentId}/revisions/${revisionId}/logs`;
  world.admin.fault({ kind: "status", status: 200, body: { logs }, path, times: 9 });
  expect(JSON.stringify(record)).toContain(canary);
  const { lines } = await getDeploymentLogs({ deploymentId });
  expect(lines).toHaveLength(1);
  expect(lines[0]!.message).not.toContain(canary);
  expect(lines[0]).toMatchObject({ timestamp: "2026-01-01T00:00:00.000Z", level: "INFO" });
  const later = getDeploymentLogsOutput({ deploymentId: pulumi.output(deploymentId) });
  expect(await pulumi.isSecret(later)).toBe(true);
  expect((await valueOf(later)).lines).toEqual(lines);
});

test("redacts a secret that is split by a color code, and keeps other colors", async () => {
  const { world, deploymentId, revisionId } = await deployed();
  const secret = `${canary}-model`;
  const logs = [
    { message: `key ${secret.slice(0, 3)}\u001b[31m${secret.slice(3)}\u001b[0m` },
    { message: "\u001b[31mred\u001b[0m" },
  ];
  const path = `/v2/deployments/${deploymentId}/revisions/${revisionId}/logs`;
  world.admin.fault({ kind: "status", status: 200, body: { logs }, path, times: 9 });
  const { lines } = await getDeploymentLogs({ deploymentId });
  expect(lines.map(({ message }) => message).sort()).toEqual(["\u001b[31mred\u001b[0m", "key [secret]"]);
});

test("redacts each secret value that the server reports, even if it hides others", async () => {
  const { world, deploymentId, revisionId } = await deployed();
  const reported = (await world.request("GET", `/v2/deployments/${deploymentId}`)) as object;
  const secrets = [
    { name: "KEY", value: "very-secret-value" },
    { name: "MODE", value: "hidden" },
    { name: "OLD" },
  ];
  const fault = { kind: "status" as const, status: 200, times: 9 };
  world.admin.fault({ ...fault, body: { ...reported, secrets }, path: `/v2/deployments/${deploymentId}` });
  const logs = [{ message: "uses very-secret-value" }];
  world.admin.fault({
    ...fault,
    body: { logs },
    path: `/v2/deployments/${deploymentId}/revisions/${revisionId}/logs`,
  });
  const { lines } = await getDeploymentLogs({ deploymentId });
  expect(lines.map(({ message }) => message)).toEqual(["uses [secret]"]);
});

test.each([
  [{ deploymentId: "00000000-0000-4000-8000-000000000000" }, "no deployment with the ID 00000000-"],
  [{ limit: 0 }, "limit must be a positive integer, not 0"],
  [{ revisionId: "00000000-0000-4000-8000-000000000000" }, "404"],
])("rejects %j", async (change, text) => {
  const { deploymentId } = await deployed();
  await expect(getDeploymentLogs({ deploymentId, ...change })).rejects.toThrow(text);
});

test("reports that the server has no logs", async () => {
  const { world, deploymentId } = await deployed();
  world.admin.fault({
    kind: "status",
    status: 404,
    body: { detail: "Not Found" },
    path: `/v2/deployments/${deploymentId}/revisions/*/logs`,
    times: 9,
  });
  await expect(getDeploymentLogs({ deploymentId })).rejects.toThrow("This server keeps no logs");
});
