import { sourcesInState, targetSources } from "../../../provider/promotion/target";

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
      "before a rollback",
      [
        [one, "DEPLOYED"],
        [two, "BUILD_FAILED"],
        [one, "DEPLOYED"],
      ],
      [[two, "BUILD_FAILED"]],
    ],
    [
      "in a verification before a rollback",
      [
        [one, "DEPLOYED"],
        [two, "DEPLOYED"],
        [one, "DEPLOYED"],
      ],
      [[two, undefined]],
    ],
    [
      "since the serving revision",
      [
        [two, "DEPLOY_FAILED"],
        [one, "DEPLOYED"],
      ],
      [[two, "DEPLOY_FAILED"]],
    ],
    [
      "at first and succeeded later",
      [
        [one, "DEPLOYED"],
        [two, "DEPLOYED"],
        [two, "BUILD_FAILED"],
      ],
      [],
    ],
    [
      "for a while, but is serving",
      [
        [two, "DEPLOYED"],
        [one, "DEPLOYED"],
        [two, "BUILD_FAILED"],
      ],
      [],
    ],
  ])("lists an artifact by its last rollout if it failed %s", (_, revisions, expected) => {
    expect(failedIn(...revisions)).toEqual(expected);
  });
});

test.each([
  ["github", "main", one],
  [
    "external_docker",
    "registry.example.com/support:v1",
    `registry.example.com/support@sha256:${"a".repeat(64)}`,
  ],
])("keeps the source in state instead of a branch or a tag (%s)", (source, artifact, before) => {
  const declared = { source, artifact: before };
  const sources = { serving: { source, artifact }, failed: [] };
  expect(sourcesInState(sources, { declared, verified: [] })).toEqual({ failed: [], declared });
});

test("uses the path in state if the server does not report one", () => {
  const declared = { source: "github", artifact: two, graphConfigPath: "own.json" };
  const serving = { source: "github", artifact: two };
  expect(sourcesInState({ serving, failed: [] }, { declared, verified: [] })).toEqual({
    serving: declared,
    failed: [],
    declared,
  });
});

test("treats the last artifact that the stack verified as active if others rolled out a source", () => {
  // A refresh stores what others have rolled out.
  const declared = { source: "github", artifact: "9".repeat(40) };
  const verified = [one, two].map((artifact) => ({ source: "github", artifact }));
  const servingOf = (artifact: string | undefined) =>
    sourcesInState(
      { serving: artifact === undefined ? undefined : { source: "github", artifact }, failed: [] },
      { declared, verified },
    ).serving?.artifact;
  expect(servingOf("9".repeat(40))).toBe(one);
  expect(servingOf(undefined)).toBe(one);
  expect(servingOf(two)).toBe(two);
});
