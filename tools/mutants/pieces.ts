/** A part of the provider whose mutants are tried together. */
export interface Piece {
  /** Its name on the command line. */
  name: string;
  /** The files that are mutated. */
  sources: string;
  /** The folders of the tests that judge its mutants. */
  tests: readonly string[];
}

/** What is tested by mutation: where a slip costs a rollout, a thread or a secret. */
export const pieces: readonly Piece[] = [
  { name: "plan", sources: "provider/deployment/plan/**/*.ts", tests: ["provider/deployment/plan"] },
  { name: "rollout", sources: "provider/deployment/rollout/**/*.ts", tests: ["provider/deployment"] },
  { name: "lifecycle", sources: "provider/deployment/lifecycle/**/*.ts", tests: ["provider/deployment"] },
  { name: "client", sources: "provider/control-plane/*.ts", tests: ["provider/control-plane"] },
];
