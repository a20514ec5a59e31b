import { fc } from "../../../properties";
import type { Answers } from "../world/agents";
import type { Fault } from "../world/provider-process";
import { change, type Program } from "./program";

/** Final status of a failed rollout. */
type Verdict = "BUILD_FAILED" | "DEPLOY_FAILED" | "CREATE_FAILED";

/** Action of another actor during an `up`, with its delay after the start. */
export interface Meanwhile {
  afterSeconds: number;
  /** Another revision from the newest source, a revision from another source, or the deletion of the deployment. */
  does: "push" | "push theirs" | "delete";
}

/** A `pulumi up`, possibly with a changed program. */
export interface UpStep {
  do: "up";
  /** Index of the stack. Defaults to the first one. */
  who?: number;
  change: Partial<Program>;
  /** Change to a second resource in the same program. */
  also?: Partial<Program>;
  /** Status with which the next rollout fails. */
  fails?: Verdict;
  /** Behavior of agents that start to serve during this step. */
  answers?: Answers;
  fault?: Fault;
  meanwhile?: Meanwhile;
}

/** Action of another actor on the deployment with this index (defaults to the first one), or on the control plane. */
export type OthersStep =
  /** Creates a revision from another source or from the current one. */
  | { do: "push"; at?: number; repoRef?: string }
  /** Changes a setting, a secret, or all secrets including the ownership tag. */
  | { do: "meddle"; at?: number; with: "buildOnPush" | "cpu" | "secrets" | "all secrets" }
  | { do: "delete"; at?: number }
  /** Creates a deployment without Pulumi. */
  | { do: "make"; name: string; repoRef: string; deploymentType: string; fails?: Verdict }
  /** Deletes the records of settled revisions, except for the newest revision and the one that is serving. */
  | { do: "prune"; at?: number }
  /** Makes the next rollout fail. */
  | { do: "fail"; verdict: Verdict }
  /** Makes the next rollout take 90 seconds. */
  | { do: "slow" }
  /** Restarts the control plane between two commands. */
  | { do: "restart" }
  | { do: "wait"; seconds: number };

/** Steps of a sequence, as plain data, so that a sequence can be stored as a file. */
export type Step =
  | UpStep
  | { do: "refresh"; who?: number; fault?: Fault }
  | { do: "destroy"; who?: number; fault?: Fault }
  /** Removes the resource from the state of the stack. */
  | { do: "lose"; who?: number }
  | OthersStep;

/** Returns points in time for faults. Early ones are more likely, because many commands end early. */
const upTo = (max: number) => fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max }));

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constant("killed" as const), at: upTo(40) }),
  fc.record({
    kind: fc.constant("lost" as const),
    at: upTo(20),
    how: fc.constantFrom("reset", "truncated", "500 after", "503 before", "reset before", "429 before"),
  }),
  fc.record({
    kind: fc.constant("outage" as const),
    at: upTo(20),
    carriedOut: fc.boolean(),
    refused: fc.constantFrom(0, 1, 3, 20),
  }),
);

const verdict = fc.constantFrom<Verdict[]>("BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED");
const sources = fc.constantFrom("v1", "v2", "theirs");

const meanwhile: fc.Arbitrary<Meanwhile> = fc.record({
  afterSeconds: fc.constantFrom(0.5, 1, 3, 10),
  does: fc.constantFrom("push", "push", "push theirs", "delete"),
});

/** Generates a value in one of `oneIn` cases, on average. */
const optional = <Value>(value: fc.Arbitrary<Value>, oneIn: number): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Returns steps without the keys of omitted values, as stored in a file. */
const compact = <Kind extends Step>(step: fc.Arbitrary<Kind>): fc.Arbitrary<Step> =>
  step.map((all) => {
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as unknown as Step;
  });

const does = <Word extends string>(word: Word) => fc.constant(word);

const at = fc.constantFrom(undefined, undefined, 1);

const others: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: compact(fc.record({ do: does("push"), at, repoRef: optional(sources, 2) })) },
  {
    weight: 1,
    arbitrary: compact(
      fc.record({
        do: does("meddle"),
        at,
        with: fc.constantFrom("buildOnPush", "cpu", "secrets", "all secrets"),
      }),
    ),
  },
  { weight: 1, arbitrary: compact(fc.record({ do: does("delete"), at })) },
  {
    weight: 1,
    arbitrary: compact(
      fc.record({
        do: does("make"),
        name: fc.constantFrom("one", "two"),
        repoRef: sources,
        deploymentType: fc.constantFrom("prod", "prod", "dev"),
        fails: optional(verdict, 3),
      }),
    ),
  },
  { weight: 1, arbitrary: compact(fc.record({ do: does("prune"), at })) },
  { weight: 1, arbitrary: fc.record({ do: does("fail"), verdict }) },
  { weight: 1, arbitrary: fc.record({ do: does("slow") }) },
  { weight: 1, arbitrary: fc.record({ do: does("restart") }) },
  { weight: 2, arbitrary: fc.record({ do: does("wait"), seconds: fc.constantFrom(1, 3, 30, 120) }) },
);

const answers = fc.constantFrom<Answers[]>("well", "without the graph", "wrongly", "wrongly", "slowly");

/** Returns arbitrary steps for this number of stacks. With `pair`, each program has two resources. */
export function steps(stacks: number, pair: boolean): fc.Arbitrary<Step> {
  const who = stacks > 1 ? fc.integer({ min: 0, max: stacks - 1 }) : fc.constant(undefined);
  const up = fc.record({
    do: does("up"),
    who,
    change,
    also: pair ? change : fc.constant(undefined),
    fails: optional(verdict, 4),
    answers: optional(answers, 3),
    fault: optional(fault, 3),
    meanwhile: optional(meanwhile, 8),
  });
  return fc.oneof(
    { weight: 18, arbitrary: compact(up) },
    { weight: 3, arbitrary: compact(fc.record({ do: does("refresh"), who, fault: optional(fault, 3) })) },
    { weight: 2, arbitrary: compact(fc.record({ do: does("destroy"), who, fault: optional(fault, 3) })) },
    { weight: 1, arbitrary: compact(fc.record({ do: does("lose"), who })) },
    { weight: 12, arbitrary: others },
  );
}
