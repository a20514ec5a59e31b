import { targetSources } from "../../../provider/promotion/target";

const [one, two] = ["1", "2"].map((digit) => digit.repeat(40)) as [string, string];

/** Returns the failed artifacts of a deployment with these revisions, newest first; the newest DEPLOYED one serves. */
function failedIn(...revisions: [string, string][]) {
  const { failed } = targetSources(
    { source: "github" },
    revisions.map(
      ([commit, status], index) => ({ id: `r${index}`, status, repoRef: "main", commit }) as never,
    ),
  );
  return failed.map(({ artifact, status }) => [artifact, status]);
}

describe("failed", () => {
  test.each<[string, [string, string][], [string, string | undefined][]]>([
    [
      "failed before a rollback",
      [
        [one, "DEPLOYED"],
        [two, "BUILD_FAILED"],
        [one, "DEPLOYED"],
      ],
      [[two, "BUILD_FAILED"]],
    ],
    [
      "failed in a verification before a rollback",
      [
        [one, "DEPLOYED"],
        [two, "DEPLOYED"],
        [one, "DEPLOYED"],
      ],
      [[two, undefined]],
    ],
    [
      "failed after the serving revision",
      [
        [two, "DEPLOY_FAILED"],
        [one, "DEPLOYED"],
      ],
      [[two, "DEPLOY_FAILED"]],
    ],
    [
      "failed at first and succeeded later",
      [
        [one, "DEPLOYED"],
        [two, "DEPLOYED"],
        [two, "BUILD_FAILED"],
      ],
      [],
    ],
    [
      "failed earlier, but is serving",
      [
        [two, "DEPLOYED"],
        [one, "DEPLOYED"],
        [two, "BUILD_FAILED"],
      ],
      [],
    ],
  ])("lists an artifact only if it failed in its last rollout: %s", (_, revisions, expected) => {
    expect(failedIn(...revisions)).toEqual(expected);
  });
});
