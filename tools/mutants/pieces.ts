/** A part of the provider whose mutants are tried together. */
export interface Piece {
  /** Its name on the command line. */
  name: string;
  /** Globs of the files that are mutated. Stryker splits its option at commas, so braces with commas do not work. */
  sources: readonly string[];
  /** Patterns of the tests that judge its mutants, below `tests/`. */
  tests: readonly string[];
}

/** What is tested by mutation: where a slip costs a rollout, a thread or a secret. */
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
