import { fc } from "../../properties";
import type { EngineRun } from "../../e2e/engine-run";
import { type Exchange, headOf, type Place, type Reply } from "./gate";
import type { Scenario } from "./scenario";

/** A fault at one point in a run. */
export interface Fault {
  at: Place;
  /** Description of when or how the fault occurs. */
  manner: string;
  /** True if the rollout does not progress until the next run. */
  holdsRollout?: boolean;
  act(exchange: Exchange, scenario: Scenario, run: EngineRun): Promise<void>;
  /** Restores everything that the next run requires. */
  fix?(scenario: Scenario): Promise<void>;
}

type Act = Fault["act"];

const providerKilled: Record<string, Act> = {
  "before it arrives": async (exchange, scenario) => {
    await scenario.killProvider();
    exchange.drop();
  },
  "when it is sent": async (exchange, scenario) => {
    await scenario.killProvider();
    await exchange.forward();
    exchange.drop();
  },
  "when it is carried out": async (exchange, scenario) => {
    await exchange.forward();
    await scenario.killProvider();
    exchange.drop();
  },
  "when it is answered": async (exchange, scenario) => {
    await exchange.answer(await exchange.forward());
    await scenario.killProvider();
  },
};

const planeKilled: Record<string, Act> = {
  "before it arrives": async (_exchange, scenario) => scenario.killPlane(),
  "when it is sent": async (exchange, scenario) => {
    scenario.plane.freeze();
    const lost = exchange.forward().catch(() => undefined);
    await exchange.sent;
    await scenario.killPlane();
    await lost;
  },
  "when it is carried out": async (exchange, scenario) => {
    await exchange.forward();
    await scenario.killPlane();
  },
  "when it is answered": async (exchange, scenario) => {
    await exchange.answer(await exchange.forward());
    await scenario.killPlane();
  },
};

/** Returns faults that kill the provider process before and after each of these requests. */
export function providerKills(places: Place[]): Fault[] {
  return places.flatMap((at) => Object.entries(providerKilled).map(([manner, act]) => ({ at, manner, act })));
}

/**
 * Returns faults that kill the control plane's process before and after each of these requests, and restart it
 * immediately.
 */
export function planeKills(places: Place[]): Fault[] {
  return places.flatMap((at) =>
    Object.entries(planeKilled).map(([manner, act]) => ({ at, manner, act: withRestart(act) })),
  );
}

/**
 * Returns faults that kill the control plane's process before and after each of these requests. The process is not
 * restarted until the run has finished.
 */
export function planeOutages(places: Place[]): Fault[] {
  return places.flatMap((at) =>
    Object.entries(planeKilled).map(([manner, act]) => ({
      at,
      manner: `${manner}, and it stays away`,
      act,
      fix: (scenario) => scenario.restartPlane(),
    })),
  );
}

/** Returns faults that kill either process between two polls of the revision. */
export function killsDuringWait(places: Place[], victim: "provider" | "plane"): Fault[] {
  const kill: Act = (_exchange, scenario) =>
    victim === "provider" ? scenario.killProvider() : scenario.killPlane();
  return pollsBeforeWait(places).map((at) => ({
    at,
    manner: "in the wait after it",
    holdsRollout: true,
    act: async (exchange, scenario, run) => {
      await exchange.answer(await exchange.forward());
      await run.reaches(() =>
        scenario.statusColumn(run).some((line) => line.endsWith(`poll ${at.occurrence}`)),
      );
      await (victim === "provider" ? kill : withRestart(kill))(exchange, scenario, run);
    },
  }));
}

/**
 * Returns faults that interrupt the response to each of these requests. The number of bytes that are sent is drawn from
 * the seed. Half of the responses have no content length, because a content length reveals the interruption to the
 * client.
 */
export function interruptedReplies(places: Place[], cuts: number, seed: number): Fault[] {
  const perMille = fc.noBias(fc.integer({ min: 0, max: 999 }));
  const parts = fc.sample(perMille, { numRuns: places.length * cuts, seed });
  return parts.map((part, turn) => {
    const withLength = Math.floor(turn / places.length) % 2 === 0;
    return {
      at: places[turn % places.length]!,
      manner: `its response interrupted at ${part} ‰, ${withLength ? "with" : "without"} its length`,
      act: async (exchange) => {
        const reply = await exchange.forward();
        await exchange.cut(withLength ? reply : withoutLength(reply), (whole) =>
          interruptAt(whole, part / 1_000),
        );
      },
    };
  });
}

/**
 * Returns the number of bytes to send: the head and this share of the body, or this share of the head if there is no
 * body.
 */
function interruptAt(reply: Reply, part: number): number {
  const head = headOf(reply).length;
  return reply.body.length > 0 ? head + Math.floor(part * reply.body.length) : Math.floor(part * head);
}

function withoutLength(reply: Reply): Reply {
  const kept = reply.headers.flatMap((name, index, all) =>
    index % 2 === 1 || /^(content-length|transfer-encoding|connection|keep-alive)$/i.test(name)
      ? []
      : [name, all[index + 1]!],
  );
  return { ...reply, headers: [...kept, "Connection", "close"] };
}

/** Returns the polls of a revision that are followed by another poll. The provider waits between two polls. */
function pollsBeforeWait(places: Place[]): Place[] {
  return places.filter(
    ({ request }, index) => request.includes("/revisions/") && places[index + 1]?.request === request,
  );
}

function withRestart(act: Act): Act {
  return async (exchange, scenario, run) => {
    await act(exchange, scenario, run);
    await scenario.restartPlane();
  };
}
