import { Phases, phasesText } from "../../../../provider/deployment/rollout/settle";

/**
 * Returns the phases of a rollout that started at 0. Each poll consists of the status, its start time, and the time of
 * the poll, in seconds.
 */
function phasesOf(
  polls: [status: string, since: number | undefined, at: number][],
  { ahead = 0, source }: { ahead?: number; source?: object } = {},
): string {
  const phases = new Phases();
  const created_at = new Date(ahead * 1_000).toISOString();
  for (const [status, since, at] of polls) {
    const updated_at = since === undefined ? undefined : new Date((since + ahead) * 1_000).toISOString();
    phases.record({ id: "r", status, created_at, updated_at, source_revision_config: source }, at * 1_000);
  }
  return phasesText(phases.parts());
}

test("measures each status with the control plane's timestamps", () => {
  const polls: Parameters<typeof phasesOf>[0] = [
    ["CREATING", 0, 0],
    ["CREATING", 0, 1],
    ["BUILDING", 2, 60],
    ["BUILDING", 2, 62],
    ["DEPLOYING", 72, 75],
    ["DEPLOYED", 79, 180],
  ];
  expect(phasesOf(polls)).toBe("CREATING 2s, BUILDING 1m10s, DEPLOYING 7s");
  expect(phasesOf(polls, { ahead: 3_600 })).toBe("CREATING 2s, BUILDING 1m10s, DEPLOYING 7s");
});

test.each([
  ["missing", undefined],
  ["before the last poll of the earlier status", 1],
  ["after the poll", 40],
])("measures from the first poll of a status if the control plane's time for it is %s", (_case, since) => {
  expect(
    phasesOf([
      ["CREATING", 0, 0],
      ["CREATING", 0, 10],
      ["BUILDING", since, 13],
      ["DEPLOYING", 33, 34],
      ["DEPLOYED", 40, 41],
    ]),
  ).toBe("CREATING 13s, BUILDING 21s, DEPLOYING 7s");
});

test.each([
  [["BUILDING", "DEPLOYED"], "BUILDING until DEPLOYED 10s"],
  [["BUILDING", "DEPLOY_FAILED"], "BUILDING until DEPLOY_FAILED 10s"],
  [["CREATING", "DEPLOYING", "DEPLOYED"], "CREATING until DEPLOYING 10s, DEPLOYING 10s"],
  [["AWAITING_BUILD", "BUILD_FAILED"], "AWAITING_BUILD until BUILD_FAILED 10s"],
  [["BUILDING", "BUILD_FAILED"], "BUILDING 10s"],
  [
    ["BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"],
    "BUILDING 10s, AWAITING_DEPLOY 10s, DEPLOYING 10s",
  ],
  [["WARMING_UP", "DEPLOYED"], "WARMING_UP 10s"],
])(
  "reports the statuses between which a duration was measured if polls missed one: %j",
  (statuses, expected) => {
    const polls = statuses.map((status, place): [string, number, number] => [status, place * 10, place * 10]);
    expect(phasesOf(polls)).toBe(expected);
  },
);

test("does not expect a build for an image", () => {
  const source = { image_uri: "registry.example.com/agent:1" };
  const polls: Parameters<typeof phasesOf>[0] = [
    ["CREATING", 0, 0],
    ["DEPLOYING", 3, 4],
    ["DEPLOYED", 9, 10],
  ];
  expect(phasesOf(polls, { source })).toBe("CREATING 3s, DEPLOYING 6s");
});

test("reports the time before the first polled status", () => {
  expect(
    phasesOf([
      ["BUILDING", 40, 45],
      ["DEPLOYING", 60, 61],
      ["DEPLOYED", 65, 66],
    ]),
  ).toBe("until BUILDING 40s, BUILDING 20s, DEPLOYING 5s");
});

test("does not report phases for a rollout that had already finished by the first poll", () => {
  expect(phasesOf([["DEPLOYED", 0, 10]])).toBe("");
});
