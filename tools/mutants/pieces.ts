/** Part of the provider whose mutants are run together. */
export interface Piece {
  /** Name of the piece on the command line. */
  name: string;
  /** Globs of the files to mutate. Stryker splits this option at commas, so braces with commas do not work. */
  sources: readonly string[];
  /** Patterns, relative to `tests/`, for the tests that run against the mutants of this piece. */
  tests: readonly string[];
}

/** Parts of the provider in which an error could cause an unwanted rollout, delete a thread, or expose a secret. */
export const pieces: readonly Piece[] = [
  {
    name: "plan",
    sources: ["provider/deployment/plan/*.ts", "provider/resource/plan/*.ts"],
    tests: [
      "provider/deployment/{changes,current}.test.ts",
      "provider/deployment/plan/*.test.ts",
      "provider/resource/**/*.test.ts",
    ],
  },
  {
    name: "current",
    sources: [
      "provider/deployment/current.ts",
      "provider/deployment/environment.ts",
      "provider/deployment/apply.ts",
      "provider/resource/merge.ts",
      "provider/resource/tagged.ts",
    ],
    tests: [
      "provider/deployment/**/*.test.ts",
      "provider/resource/*.test.ts",
      "provider/{assistant,thread,listener}/*.test.ts",
    ],
  },
  {
    name: "claim",
    sources: ["provider/resource/ownership/*.ts", "provider/deployment/ownership/*.ts"],
    tests: [
      "provider/adopt.test.ts",
      "provider/{resource,deployment}/ownership/*.test.ts",
      "provider/deployment/reconcile/*.test.ts",
    ],
  },
  {
    name: "rollout",
    sources: ["provider/deployment/rollout/**/*.ts"],
    tests: ["provider/deployment/**/*.test.ts"],
  },
  {
    name: "reconcile",
    sources: ["provider/deployment/reconcile/**/*.ts"],
    tests: ["provider/deployment/**/*.test.ts"],
  },
  {
    name: "client",
    sources: ["provider/http/**/*.ts", "provider/control-plane/**/*.ts"],
    tests: ["provider/{control-plane,http}/**/*.test.ts"],
  },
];
