import { fc } from "../../properties";
import type { DialectName } from "../../../emulator/index";
import type { Mishap } from "./provider-process";
import { change, start, type Program } from "./program";

/** How a rollout fails. */
type Verdict = "BUILD_FAILED" | "DEPLOY_FAILED" | "CREATE_FAILED";

/** What happens in a sequence. All of it is plain data, so that a sequence can be kept as a file. */
export type Step =
  /** The program is changed, perhaps by nothing, and `pulumi up` runs. */
  | { do: "up"; change: Partial<Program>; fails?: Verdict; mishap?: Mishap }
  | { do: "refresh"; mishap?: Mishap }
  | { do: "destroy"; mishap?: Mishap }
  /** The next rollout fails. */
  | { do: "fail"; verdict: Verdict }
  /** The next rollout takes 90 seconds. */
  | { do: "slow" }
  /** Somebody else makes a revision: of another source, or of the one that is there. */
  | { do: "push"; repoRef?: string }
  /** Somebody else changes a setting, or a secret. */
  | { do: "meddle"; with: "buildOnPush" | "secrets" }
  /** Somebody else deletes the deployment. */
  | { do: "delete" }
  /** The control plane ends between two commands and starts again. */
  | { do: "restart" }
  | { do: "wait"; seconds: number };

/** One world and what happens in it. */
export interface Sequence {
  dialect: DialectName;
  /** How long a deleted deployment holds its name. */
  lingerSeconds: number;
  /** Whether the provider has to find out the dialect. */
  detects: boolean;
  /** In what the program differs from the first one. */
  starts: Partial<Program>;
  steps: Step[];
}

/** Early moments are the more likely ones: many commands have no late ones. */
const upTo = (max: number) => fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max }));

const mishap: fc.Arbitrary<Mishap> = fc.oneof(
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

const struck = fc.option(mishap, { nil: undefined, freq: 3 });

const verdict = fc.constantFrom<Verdict[]>("BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED");

const up = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("up" as const), change, mishap: struck }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("up" as const), change }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("up" as const), change, fails: verdict, mishap: struck }),
  },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: up },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refresh" as const), mishap: struck }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("destroy" as const), mishap: struck }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fail" as const), verdict }) },
  { weight: 1, arbitrary: fc.constant({ do: "slow" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("push" as const),
      repoRef: fc.constantFrom("v1", "v2", "theirs"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "push" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("meddle" as const),
      with: fc.constantFrom("buildOnPush", "secrets"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "delete" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 3, 30, 120) }),
  },
);

/** Any sequence in one dialect. */
export const sequences = (dialect: DialectName): fc.Arbitrary<Sequence> =>
  fc.record({
    dialect: fc.constant(dialect),
    lingerSeconds: fc.constantFrom(0, 20),
    // The document that tells the dialect takes the control plane long to write.
    detects: fc.constantFrom(false, false, false, true),
    starts: start,
    steps: fc.array(step, { minLength: 2, maxLength: 10, size: "max" }),
  });
