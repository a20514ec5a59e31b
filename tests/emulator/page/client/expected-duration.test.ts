import { expectedDuration } from "../../../../emulator/page/client/data/expected-duration";
import type { Revision } from "../../../../emulator/page/client/data/types";

const start = Date.parse("2026-01-01T00:00:00Z");
const commits = ["a".repeat(40), "b".repeat(40)];

/**
 * Returns revisions, newest first. The arguments list them oldest first: the commit (0, 1, or a branch), the duration
 * in seconds, and the status.
 */
function history(...list: [commit: 0 | 1 | "branch", seconds: number, status?: string][]): Revision[] {
  const revisions = list.map(([commit, seconds, status = "DEPLOYED"], place): Revision => {
    const created = start + place * 3_600_000;
    return {
      id: String(place),
      status,
      created_at: new Date(created).toISOString(),
      updated_at: new Date(created + seconds * 1000).toISOString(),
      source_revision_config:
        commit === "branch" ? { repo_ref: "main" } : { repo_ref: "main", repo_commit_sha: commits[commit]! },
    };
  });
  return revisions.reverse();
}

const newest = (revisions: Revision[], hasMore = false) =>
  expectedDuration(revisions, revisions[0]!, hasMore);

test("returns the range of durations of successful rollouts with the same kind of change", () => {
  const revisions = history(
    [0, 300],
    [1, 62],
    [1, 5],
    [0, 48],
    [1, 500, "BUILD_FAILED"],
    [0, 51],
    [1, 2, "BUILDING"],
  );
  expect(newest(revisions)).toEqual({
    range: { low: 48_000, high: 60_000 },
    text: "Rollouts with a new source usually take 48 s to 1 min (3 earlier rollouts).",
  });
  expect(expectedDuration(revisions, revisions[4]!, false).text).toBe(
    "There is no usual duration, because no earlier rollout with an unchanged source was successful.",
  );
});

test("compares rollouts with an unchanged source, and returns one duration for one rollout", () => {
  const { text } = newest(history([0, 300], [1, 60], [1, 5], [1, 2, "DEPLOYING"]));
  expect(text).toBe("Rollouts with an unchanged source usually take 5.0 s (1 earlier rollout).");
});

test("returns no range if no similar rollout is known", () => {
  const first = history([0, 300]);
  expect(newest(first).text).toContain("first rollout");
  // If an earlier revision has not been read, the change that this rollout made is unknown.
  expect(newest(first, true).text).toContain("is unknown");
  expect(newest(history(["branch", 30], ["branch", 40], ["branch", 1, "BUILDING"]))).toMatchObject({
    range: undefined,
    text: expect.stringContaining("is unknown"),
  });
});

test("ignores revisions changed after their rollouts, or with another configuration path", () => {
  const [last, second, first] = history([0, 300], [1, 3601], [0, 1]) as [Revision, Revision, Revision];
  expect(newest([last, second, first]).range).toBeUndefined();
  const moved = history([0, 300], [1, 60], [0, 1]);
  moved[1]!.source_revision_config!.graph_config_path = "other/langgraph.json";
  expect(newest(moved).range).toBeUndefined();
});
