import { fc } from "../../properties";
import type { DeploymentInputs } from "../../../provider/deployment/inputs";
import { canary } from "../../provider/world";
import { inClear } from "../../provider/wire";

/** The fields of a user's program that change in a sequence. */
export interface Program {
  name: string;
  deploymentType: string;
  buildOnPush: boolean;
  cpu: number;
  repoRef: string;
  graphConfigPath: string;
  /** Value of the secret `MODEL_KEY`; null where the program names no secrets. */
  secret: string | null;
  trigger: string | null;
  wait: boolean;
  timeout: string | null;
  onSecretChange: "keep" | "revise";
  onConflict: "proceed" | "fail";
  /** Goes only with `wait`. */
  onFailure: "keep" | "rollback";
}

/** A commit, which does not move: only such a source can be gone back to wherever the control plane resolves none. */
export const commit = "c".repeat(40);

/** The program that a sequence starts with. */
export const firstProgram: Program = {
  name: "one",
  deploymentType: "prod",
  buildOnPush: false,
  cpu: 1,
  repoRef: "v1",
  graphConfigPath: "langgraph.json",
  secret: "a",
  trigger: null,
  wait: true,
  timeout: null,
  onSecretChange: "keep",
  onConflict: "proceed",
  onFailure: "keep",
};

/** A few fields with values of a small world, so that a field often gets back the value that it had. */
const some = fc.record(
  {
    name: fc.constantFrom("one", "two"),
    deploymentType: fc.constantFrom("prod", "dev"),
    buildOnPush: fc.boolean(),
    cpu: fc.constantFrom(1, 2),
    repoRef: fc.constantFrom("v1", "v2", commit),
    graphConfigPath: fc.constantFrom("langgraph.json", "other.json"),
    secret: fc.constantFrom("a", "b", null),
    trigger: fc.constantFrom("monday", "tuesday", null),
    wait: fc.boolean(),
    timeout: fc.constantFrom("20s", null),
    onSecretChange: fc.constantFrom("keep" as const, "revise" as const),
    onConflict: fc.constantFrom("proceed" as const, "fail" as const),
    onFailure: fc.constantFrom("keep" as const, "rollback" as const),
  },
  { requiredKeys: [] },
);

const onlyOf = (...fields: (keyof Program)[]): fc.Arbitrary<Partial<Program>> =>
  some.map((all) =>
    Object.fromEntries(Object.entries(all).filter(([field]) => fields.includes(field as never))),
  );

/** How a program changes before an `up`: often in its revision, sometimes in settings alone or not at all. */
export const change: fc.Arbitrary<Partial<Program>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 4, arbitrary: onlyOf("repoRef", "graphConfigPath", "trigger") },
  { weight: 2, arbitrary: onlyOf("buildOnPush", "cpu", "secret") },
  { weight: 2, arbitrary: onlyOf("wait", "timeout", "onSecretChange", "onConflict", "onFailure") },
  { weight: 2, arbitrary: some },
);

/** With what a sequence starts: half of them go back after a failure, and can. */
export const start: fc.Arbitrary<Partial<Program>> = fc.record({
  repoRef: fc.constantFrom("v1", commit),
  onFailure: fc.constantFrom("keep", "rollback"),
});

/** What the program gives to the resource. */
export function inputsOf(program: Program): DeploymentInputs {
  return {
    name: program.name,
    source: "github",
    sourceConfig: {
      repoUrl: "https://git.example.com/agents.git",
      deploymentType: program.deploymentType,
      buildOnPush: program.buildOnPush,
      resourceSpec: { cpu: program.cpu },
    },
    sourceRevisionConfig: { repoRef: program.repoRef, graphConfigPath: program.graphConfigPath },
    ...(program.secret !== null && { secrets: { MODEL_KEY: `${canary}-${program.secret}` } }),
    rollout: {
      ...(program.trigger !== null && { triggers: [program.trigger] }),
      ...(!program.wait && { wait: false }),
      ...(program.timeout !== null && { timeout: program.timeout }),
      ...(program.onSecretChange === "revise" && { onSecretChange: "revise" as const }),
      ...(program.onConflict === "fail" && { onConflict: "fail" as const }),
      ...(program.onFailure === "rollback" && { onFailure: "rollback" as const }),
    },
  };
}

/** The program that a state was made from. */
export function programIn(state: DeploymentInputs): Program {
  const { name, sourceConfig, sourceRevisionConfig, secrets, rollout = {} } = inClear(state);
  return {
    name,
    deploymentType: sourceConfig.deploymentType!,
    buildOnPush: sourceConfig.buildOnPush!,
    cpu: Number(sourceConfig.resourceSpec!["cpu"]),
    repoRef: sourceRevisionConfig.repoRef!,
    graphConfigPath: sourceRevisionConfig.graphConfigPath!,
    secret: secrets ? (secrets["MODEL_KEY"] ?? "").replace(`${canary}-`, "") : null,
    trigger: (rollout.triggers?.[0] as string | undefined) ?? null,
    wait: rollout.wait !== false,
    timeout: rollout.timeout ?? null,
    onSecretChange: rollout.onSecretChange ?? "keep",
    onConflict: rollout.onConflict ?? "proceed",
    onFailure: rollout.onFailure ?? "keep",
  };
}
