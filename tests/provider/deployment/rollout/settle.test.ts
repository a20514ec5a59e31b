import { Phases, phasesInWords } from "../../../../provider/deployment/rollout/settle";

test("measures each status from the first poll that showed it to the next status", () => {
  const phases = new Phases();
  const looks: [string, number][] = [
    ["CREATING", 0],
    ["CREATING", 1_000],
    ["BUILDING", 3_000],
    ["DEPLOYING", 73_000],
    ["DEPLOYED", 80_000],
  ];
  for (const [status, at] of looks) phases.see(status, at);
  expect(phasesInWords(phases.until(90_000))).toBe("CREATING 3s, BUILDING 1m10s, DEPLOYING 7s");
});

test("reports no phases for a rollout that had ended at the first poll", () => {
  const phases = new Phases();
  phases.see("DEPLOYED", 0);
  expect(phases.until(1_000)).toEqual([]);
});
