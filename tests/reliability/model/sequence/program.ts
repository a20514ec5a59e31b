import { fc } from "../../../properties";
import type { DeploymentInputs, RolloutInputs } from "../../../../provider/deployment/inputs/inputs";
import { canary } from "../../../provider/world";
import type { Server } from "./server";

/** Fields of a program that change in a sequence. */
export interface Program {
  name: string;
  deploymentType: string;
  buildOnPush: boolean;
  cpu: number;
  /** State of the CPU limit in the resource specification. A null value has no effect. */
  cpuLimit: "null" | "unset";
  repoRef: string;
  graphConfigPath: string;
  /** Value of the `MODEL_KEY` secret, or null if the program does not manage secrets. */
  secret: string | null;
  trigger: string | null;
  wait: boolean;
  timeout: string | null;
  onSecretChange: "keep" | "revise";
  onConflict: "proceed" | "fail";
  /** Behavior after a failed rollout. A rollback requires `wait`. */
  onFailure: "keep" | "rollback";
  /** Verification of a DEPLOYED revision. Requires `wait`. */
  verify: "graph" | "run" | null;
  adopt: "never" | "ifOwned" | "always";
}

/**
 * An immutable commit. If the control plane does not resolve branches, only such a source can be restored by a
 * rollback.
 */
export const commit = "c".repeat(40);

/** Usual initial program of a sequence. */
export const firstProgram: Program = {
  name: "one",
  deploymentType: "prod",
  buildOnPush: false,
  cpu: 1,
  cpuLimit: "unset",
  repoRef: "v1",
  graphConfigPath: "langgraph.json",
  secret: "a",
  trigger: null,
  wait: true,
  timeout: null,
  onSecretChange: "keep",
  onConflict: "proceed",
  onFailure: "keep",
  verify: null,
  adopt: "ifOwned",
};

/** Returns a program after a change. With `wait: false`, it has no verification and no rollback. */
export function changed(program: Program, change: Partial<Program>): Program {
  const next = { ...program, ...change };
  return next.wait ? next : { ...next, onFailure: "keep", verify: null };
}

/** Returns a program that a control plane can apply. If the URL is not reported, nothing can be verified. */
export function fitting(program: Program, { hides }: Pick<Server, "hides">): Program {
  return hides === "everything" ? { ...program, verify: null } : program;
}

/** Changes of a few fields, each with few possible values, so that a field often returns to an earlier value. */
const some = fc.record(
  {
    name: fc.constantFrom("one", "two"),
    deploymentType: fc.constantFrom("prod", "dev"),
    buildOnPush: fc.boolean(),
    cpu: fc.constantFrom(1, 2),
    cpuLimit: fc.constantFrom("null" as const, "unset" as const),
    repoRef: fc.constantFrom("v1", "v2", commit),
    graphConfigPath: fc.constantFrom("langgraph.json", "other.json"),
    secret: fc.constantFrom("a", "b", null),
    trigger: fc.constantFrom("monday", "tuesday", null),
    wait: fc.boolean(),
    timeout: fc.constantFrom("20s", null),
    onSecretChange: fc.constantFrom("keep" as const, "revise" as const),
    onConflict: fc.constantFrom("proceed" as const, "fail" as const),
    onFailure: fc.constantFrom("keep" as const, "rollback" as const),
    verify: fc.constantFrom("graph" as const, "run" as const, null),
    adopt: fc.constantFrom("never" as const, "ifOwned" as const, "always" as const),
  },
  { requiredKeys: [] },
);

const onlyOf = (...fields: (keyof Program)[]): fc.Arbitrary<Partial<Program>> =>
  some.map((all) => {
    const entries = Object.entries(all) as [keyof Program, unknown][];
    return Object.fromEntries(entries.filter(([field]) => fields.includes(field)));
  });

/**
 * Changes to a program before an `up`. They often affect its revision, sometimes only settings, and sometimes nothing.
 */
export const change: fc.Arbitrary<Partial<Program>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 4, arbitrary: onlyOf("repoRef", "graphConfigPath", "trigger") },
  { weight: 2, arbitrary: onlyOf("buildOnPush", "cpu", "cpuLimit", "secret") },
  { weight: 1, arbitrary: onlyOf("secret") },
  { weight: 2, arbitrary: onlyOf("wait", "timeout", "onSecretChange", "onConflict", "onFailure", "verify") },
  { weight: 1, arbitrary: onlyOf("name", "adopt") },
  { weight: 2, arbitrary: some },
);

/**
 * Initial programs. Half of them specify a rollback after a failure, and half have a source that a rollback can always
 * restore.
 */
export const start: fc.Arbitrary<Partial<Program>> = fc.record({
  repoRef: fc.constantFrom("v1", commit),
  onFailure: fc.constantFrom("keep", "rollback"),
  verify: fc.constantFrom(null, null, "run" as const),
  cpuLimit: fc.constantFrom("unset" as const, "null" as const),
  adopt: fc.constantFrom("ifOwned" as const, "ifOwned" as const, "always" as const),
});

/** Returns the inputs of the resource in a program. */
export function inputsOf(program: Program): DeploymentInputs {
  return {
    name: program.name,
    source: "github",
    sourceConfig: {
      repoUrl: "https://git.example.com/agents.git",
      deploymentType: program.deploymentType,
      buildOnPush: program.buildOnPush,
      resourceSpec: { cpu: program.cpu, ...(program.cpuLimit === "null" && { cpuLimit: null }) },
    },
    sourceRevisionConfig: { repoRef: program.repoRef, graphConfigPath: program.graphConfigPath },
    ...(program.secret !== null && { secrets: { MODEL_KEY: `${canary}-${program.secret}` } }),
    rollout: rolloutOf(program),
    ...(program.adopt !== "ifOwned" && { adopt: program.adopt }),
  };
}

function rolloutOf(program: Program): RolloutInputs {
  const run = { input: { messages: [] }, expect: "pong" };
  return {
    ...(program.trigger !== null && { triggers: [program.trigger] }),
    ...(!program.wait && { wait: false }),
    ...(program.timeout !== null && { timeout: program.timeout }),
    ...(program.onSecretChange === "revise" && { onSecretChange: "revise" }),
    ...(program.onConflict === "fail" && { onConflict: "fail" }),
    ...(program.onFailure === "rollback" && { onFailure: "rollback" }),
    ...(program.verify !== null && { verify: { graph: "agent", ...(program.verify === "run" && { run }) } }),
  };
}
