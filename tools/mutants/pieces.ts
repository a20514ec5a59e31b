/** A part of the provider whose mutants are tried together. */
export interface Piece {
  /** Its name on the command line. */
  name: string;
  /** The files that are mutated. */
  sources: string;
  /** Patterns of the tests that judge its mutants, below `tests/`. */
  tests: readonly string[];
}

/** What is tested by mutation: where a slip costs a rollout, a thread or a secret. */
export const pieces: readonly Piece[] = [
  {
    name: "plan",
    sources: "provider/{deployment/plan/*,resource/plan/*}.ts",
    tests: [
      "provider/deployment/{changes,current}.test.ts",
      "provider/deployment/plan/*.test.ts",
      "provider/resource/**/*.test.ts",
    ],
  },
  {
    name: "current",
    sources: "provider/{deployment/{current,environment,apply},resource/{merge,tagged}}.ts",
    tests: [
      "provider/deployment/**/*.test.ts",
      "provider/resource/*.test.ts",
      "provider/{assistant,thread,listener}/*.test.ts",
    ],
  },
  {
    name: "claim",
    sources: "provider/{resource,deployment}/ownership/*.ts",
    tests: [
      "provider/adopt.test.ts",
      "provider/{resource,deployment}/ownership/*.test.ts",
      "provider/deployment/reconcile/*.test.ts",
    ],
  },
  {
    name: "rollout",
    sources: "provider/deployment/rollout/**/*.ts",
    tests: ["provider/deployment/**/*.test.ts"],
  },
  {
    name: "reconcile",
    sources: "provider/deployment/reconcile/**/*.ts",
    tests: ["provider/deployment/**/*.test.ts"],
  },
  {
    name: "client",
    sources: "provider/{http,control-plane}/**/*.ts",
    tests: ["provider/{control-plane,http}/**/*.test.ts"],
  },
];
