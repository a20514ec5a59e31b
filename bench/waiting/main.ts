import { storeResults, type Bound, type Plot } from "../../tools/performance/results";
import { draw, first, floorOf, regular, seeded, type Lengths } from "./lengths";
import { atOnce, idle } from "./many";
import type { Before, Rollout } from "./plane";
import { record, recorded } from "./record";
import { simulate, meanOf, ours, peers, type Mean } from "./schedules";

const rollouts = 1_000;
const pastCount = 10;
const recordedCount = 20;

void main(process.argv.slice(2));

/** Simulates thousands of rollouts in virtual time, and prints the cost of waiting for them. */
async function main([what]: string[]): Promise<void> {
  if (what === "record") return record(recordedCount);
  const rows: string[][] = [];
  const bounds: Bound[] = [];
  for (const lengths of regular) {
    const floor = floorOf(lengths);
    const mean = await meanWith(lengths, (random) => pastOf(lengths, random));
    rows.push(row(lengths.name, mean, floor));
    // The initial requests and one poll per minute weigh more if there are few other polls.
    const most = lengths.name.startsWith("0.5") ? 1.5 : 1.25;
    if (lengths.name.includes("failures"))
      bounds.push(bound(`${lengths.name}: ratio to lower bound`, product(mean) / floor, most));
  }
  const steady = regular[2]!;
  const seen = await meanWith(steady, (random) => ({ ...pastOf(steady, random), isSeen: true }));
  rows.push(row(`${steady.name}, phases already observed by the process`, seen, floorOf(steady)));
  const unknown = await meanWith(first, () => ({ rollouts: [], isOwn: false }));
  rows.push(row(`${first.name}, no known durations`, unknown, floorOf(first)));
  const siblings = await meanWith(first, (random) => ({ rollouts: [draw(first, random)], isOwn: false }));
  rows.push(row(`${first.name}, durations of three other deployments known`, siblings, floorOf(first)));
  const others = Object.entries(peers).map(
    ([name, pause]) => [name, meanOf(drawn(first).map((one) => simulate(pause, one)))] as const,
  );
  const best = Math.min(...others.map(([, mean]) => product(mean)));
  bounds.push(bound("first rollout: polls", unknown.polls, 60));
  bounds.push(
    bound("first rollout: polls × delay, ratio to the best other client", product(unknown) / best, 1.05),
  );
  bounds.push(
    bound(
      "first rollout with known durations: polls × delay, ratio to the best other client",
      product(siblings) / best,
      1,
    ),
  );
  const local = recorded().map((ms) => ({ ms, fails: false }));
  const localWaits = [];
  for (const rollout of local)
    localWaits.push(
      await ours(rollout, { rollouts: local.filter((one) => one !== rollout), isOwn: true }, true),
    );
  const lies = await lieRows(bounds);
  const many = await manyRows(bounds);
  const code = storeResults("waiting", {
    tables: [
      {
        title: `Means of ${rollouts} rollouts, each after ten earlier rollouts unless stated otherwise`,
        columns: [
          "rollouts",
          "polls",
          "delay, s",
          "polls × delay, s",
          "lower bound, s",
          "ratio to lower bound",
        ],
        rows,
      },
      {
        title: "Schedules of other clients for the same first rollouts",
        columns: ["schedule", "polls", "delay, s", "polls × delay, s"],
        rows: others.map(([name, mean]) => [name, ...figures(mean)]),
      },
      {
        title: `${local.length} recorded rollouts of the quickstart agent, ${seconds(local)} s, on the same machine`,
        columns: ["", "polls", "delay, s", "polls × delay, s"],
        rows: [["pulumi-agentserver", ...figures(meanOf(localWaits))]],
      },
      {
        title: "Rollouts with an unexpected duration, after ten rollouts of 10 min with a deviation of 3%",
        columns: ["duration", "polls", "delay, s", "polls × delay, s", "fixed interval: polls × delay, s"],
        rows: lies,
      },
      {
        title: "Concurrent first rollouts in one process",
        columns: ["rollouts", "requests", "delay, s", "requests × delay, ratio to one rollout"],
        rows: many.rows,
      },
      {
        title: "Cost of 1,000 waits in one process",
        columns: ["memory, MiB", "CPU usage, % of a core"],
        rows: [[many.idle.mebibytes.toFixed(0), `${(100 * many.idle.cores).toFixed(1)} %`]],
      },
    ],
    plots: [await lagAgainstPolls(others)],
    bounds,
  });
  // Pending waits would keep the process running.
  process.exit(code);
}

function drawn(lengths: Lengths): Rollout[] {
  const random = seeded(1);
  return Array.from({ length: rollouts }, () => draw(lengths, random));
}

function pastOf(lengths: Lengths, random: () => number): Before {
  return { rollouts: Array.from({ length: pastCount + 1 }, () => draw(lengths, random)), isOwn: true };
}

async function meanWith(lengths: Lengths, before: (random: () => number) => Before): Promise<Mean> {
  const random = seeded(2);
  const waited = [];
  for (const rollout of drawn(lengths)) waited.push(await ours(rollout, before(random)));
  return meanOf(waited);
}

/**
 * Returns the cost of waits whose predictions are based on outdated rollouts, compared to the same number of polls at a
 * fixed interval.
 */
async function lieRows(bounds: Bound[]): Promise<string[][]> {
  const past = regular[0]!;
  const rows: string[][] = [];
  for (const minutes of [2, 5, 15, 30, 60]) {
    const random = seeded(3);
    const waited = [];
    let fixed = 0;
    for (let count = 0; count < rollouts / 4; count += 1) {
      const ms = minutes * 60_000 * (0.9 + 0.2 * random());
      waited.push(await ours({ ms, fails: false }, pastOf(past, random)));
      fixed += ms / 2_000 / (rollouts / 4);
    }
    const mean = meanOf(waited);
    rows.push([`${minutes} min ± 10%`, ...figures(mean), fixed.toFixed(0)]);
    if (minutes >= 15)
      bounds.push(
        bound(
          `${minutes} min ± 10% instead of 10 min: polls × delay, ratio to a fixed interval`,
          product(mean) / fixed,
          1.05,
        ),
      );
  }
  return rows;
}

async function manyRows(bounds: Bound[]) {
  const means = await Promise.all(Array.from({ length: 100 }, (_, seed) => atOnce(1, seed)));
  const one = {
    polls: average(means.map(({ polls }) => polls)),
    lagS: average(means.map(({ lagS }) => lagS)),
  };
  const rows = [["1", ...figures(one).slice(0, 2), "1"]];
  for (const count of [10, 100, 1_000]) {
    const mean = await atOnce(count, 1);
    const times = product(mean) / product(one);
    rows.push([String(count), ...figures(mean).slice(0, 2), times.toFixed(2)]);
    if (count === 100)
      bounds.push(bound("100 concurrent rollouts: requests × delay, ratio to one rollout", times, 3));
  }
  const cost = await idle(1_000, 60);
  bounds.push(
    bound("1,000 waits: memory, MiB", cost.mebibytes, 64),
    bound("1,000 waits: CPU usage, % of a core", 100 * cost.cores, 2),
  );
  return { rows, idle: cost };
}

async function lagAgainstPolls(others: readonly (readonly [string, Mean])[]): Promise<Plot> {
  const points = (mean: Mean): [number, number][] => [[round(mean.polls), round(mean.lagS)]];
  const fixed = [60, 40, 30, 20, 15, 10, 7, 5, 4, 3].map((seconds): [number, number] => {
    const mean = meanOf(drawn(first).map((one) => simulate(() => 1_000 * seconds, one)));
    return [round(mean.polls), round(mean.lagS)];
  });
  const known = [];
  for (const lengths of regular.slice(0, 4))
    known.push({
      name: lengths.name,
      style: "points" as const,
      points: points(await meanWith(lengths, (random) => pastOf(lengths, random))),
    });
  return {
    file: "waiting",
    title: "Delay by number of polls, 10 min",
    x: { title: "polls", scale: "log" },
    y: { title: "delay, seconds", scale: "log" },
    series: [
      { name: "fixed intervals", style: "line", points: fixed },
      ...others.map(([name, mean]) => ({ name, style: "points" as const, points: points(mean) })),
      {
        name: "no known durations",
        style: "points",
        points: points(await meanWith(first, () => ({ rollouts: [], isOwn: false }))),
      },
      ...known.map((one) => ({ ...one, name: one.name })),
    ],
  };
}

/** Returns the shortest and the longest duration, in seconds. */
function seconds(all: readonly Rollout[]): string {
  const lengths = all.map(({ ms }) => ms / 1_000);
  return `${Math.min(...lengths).toFixed(1)} to ${Math.max(...lengths).toFixed(1)}`;
}

function product({ polls, lagS }: Mean): number {
  return polls * lagS;
}

function figures(mean: Mean): string[] {
  return [mean.polls.toFixed(1), mean.lagS.toFixed(2), product(mean).toFixed(0)];
}

function row(name: string, mean: Mean, floor: number): string[] {
  return [name, ...figures(mean), floor.toFixed(0), (product(mean) / floor).toFixed(2)];
}

function bound(what: string, measured: number, most: number): Bound {
  return { what, measured: round(measured), most };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
