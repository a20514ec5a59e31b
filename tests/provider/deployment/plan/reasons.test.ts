import { interfaceDialect } from "../../../../provider/control-plane/dialects";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { LastRollout } from "../../../../provider/deployment/state";
import { notKnownYet } from "../../../../provider/resource/inputs/unknown";
import { agent, agentAt, canary } from "../../world";
import { said } from "../in-words";
import { planFrom } from "../plan-from";

function reasons(
  wanted: DeploymentInputs,
  before = agent(),
  lastRollout: LastRollout = "deployed",
): string[] {
  return said(planFrom({ before, wanted, lastRollout, dialect: interfaceDialect }).reasons);
}

test("shows the old and new values of changes", () => {
  expect(reasons(agentAt("v2"))).toEqual(["needs a new revision: sourceRevisionConfig.repoRef v1 → v2"]);
});

test("shortens commits and hides credentials in addresses", () => {
  expect(reasons(agentAt("0123456789abcdef0123456789abcdef01234567")).join()).toMatch(/v1 → 0123456789$/);
  const token = { ...agent().sourceConfig, repoUrl: `https://me:${canary}@git.example.com/a.git` };
  expect(reasons(agent({ sourceConfig: token })).join()).toContain("→ https://***@git.example.com/a.git");
});

test("names secrets, but never shows their values", () => {
  expect(reasons(agent({ secrets: { MODEL_KEY: `${canary}-2`, NEW: `${canary}-3` } }))).toEqual([
    "patched without a new revision: secrets.MODEL_KEY, secrets.NEW",
    "changed secrets take effect with the next revision",
  ]);
});

test("hides values that the program marked as secret", () => {
  const wanted = agentAt(canary);
  const isSecret = (path: string) => path === "sourceRevisionConfig.repoRef";
  const steps = planFrom({
    before: agent(),
    wanted,
    lastRollout: "deployed",
    dialect: interfaceDialect,
    isSecret,
  });
  expect(said(steps.reasons)).toEqual(["needs a new revision: sourceRevisionConfig.repoRef"]);
});

test("names the objects that a replacement deletes", () => {
  expect(reasons(agent({ name: "other" }))).toEqual([
    "is replaced (the new deployment is created first, and then the old one is deleted with its threads, assistants, crons, and store): name support-agent → other",
  ]);
  expect(reasons(agent({ source: "external_docker" }))).toEqual([
    expect.stringMatching(
      /^is replaced \(deleted first, with its threads, assistants, crons, and store\): source github → external_docker/,
    ),
  ]);
});

test("explains the effect of an earlier failure", () => {
  expect(reasons(agent(), agent(), "failed")).toEqual(["needs a new revision: the last rollout failed"]);
  expect(reasons(agent(), agent(), "unsettled")).toEqual([
    "continues to wait for the rollout that is still in progress",
  ]);
});

test("marks unknown values", () => {
  expect(reasons(agentAt(notKnownYet as never))).toEqual([
    "needs a new revision (value not known yet): sourceRevisionConfig.repoRef",
  ]);
});
