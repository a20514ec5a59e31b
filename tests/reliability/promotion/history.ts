import { fc } from "../../properties";

/** Environments in the order of promotion. */
export const environments = ["development", "staging", "production"] as const;

/** Position of an environment in the order of promotion. */
type Place = 0 | 1 | 2;

/** Possible gates for the environments after the first one. */
const gates = ["none", "approval", "soak", "window", "approval and soak"] as const;
export type GateKind = (typeof gates)[number];

/** Commits that programs declare. The second and the last start with the same digits. */
export const commits = [
  ...["0", "1", "2", "3"].map((digit) => digit.repeat(40)),
  "1".repeat(7) + "4".repeat(33),
] as const;

/** Commit that others push, and that no program declares. */
export const foreignCommit = "f".repeat(40);

export interface UpAction {
  do: "up";
  /** Environment whose stack is updated; `all` updates them in order until one fails. */
  who: Place | "all";
  /** Commit that the program of the first environment declares from now on. */
  commit?: number | undefined;
  /** True to refresh the stack first. */
  refreshes: boolean;
  /**
   * Number of the request, pause, or use of a response before which the provider of the first updated stack is killed.
   */
  killAt?: number | undefined;
  /** Failure of the next rollout of the first updated stack. */
  fails?: "build" | "verification" | undefined;
  /** True if the reference to the stack of the previous environment is missing. */
  missesReference: boolean;
}

/** Another user rolls out a commit. The rollout may still be in progress at the next action. */
export interface PushAction {
  do: "push";
  to: Place;
  commit: number | "foreign";
  isFinished: boolean;
}

export type Action =
  | UpAction
  /** Approves a commit for an environment, or removes the approval. */
  | { do: "approve"; for: 1 | 2; commit: number | "foreign" | null; isShort: boolean }
  | PushAction
  | { do: "wait"; minutes: number };

/** Random sequence of actions of users and of other actors. */
export interface History {
  dialect: "interface" | "langsmith";
  gates: [staging: GateKind, production: GateKind];
  /** State before the first action: no environment exists, or all of them serve the first commit. */
  start: "empty" | "deployed" | "deployed, approvals removed";
  actions: Action[];
}

const place = fc.constantFrom<Place[]>(0, 1, 2);
const commit = fc.nat({ max: commits.length - 1 });
const seldom = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, value);

const up: fc.Arbitrary<Action> = fc.record({
  do: fc.constant("up" as const),
  who: fc.oneof(place, { weight: 2, arbitrary: fc.constant("all" as const) }),
  commit: fc.option(commit, { nil: undefined, freq: 3 }),
  refreshes: fc.boolean(),
  killAt: seldom(fc.integer({ min: 1, max: 40 })),
  fails: seldom(fc.constantFrom("build" as const, "verification" as const)),
  missesReference: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, fc.constant(true)),
});

const approve: fc.Arbitrary<Action> = fc.record({
  do: fc.constant("approve" as const),
  for: fc.constantFrom<(1 | 2)[]>(1, 2),
  commit: fc.oneof({ weight: 6, arbitrary: commit }, fc.constantFrom("foreign" as const, null)),
  isShort: fc.boolean(),
});

const action = fc.oneof(
  { weight: 6, arbitrary: up },
  { weight: 3, arbitrary: approve },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("push" as const),
      to: place,
      commit: fc.oneof(commit, fc.constant("foreign" as const)),
      isFinished: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(1, 30, 150, 700) }),
  },
);

export function histories(dialect: History["dialect"]): fc.Arbitrary<History> {
  return fc.record({
    dialect: fc.constant(dialect),
    gates: fc.tuple(fc.constantFrom(...gates), fc.constantFrom(...gates)),
    start: fc.constantFrom("empty", "deployed", "deployed, approvals removed"),
    actions: fc.array(action, { minLength: 4, maxLength: 14, size: "max" }),
  });
}
