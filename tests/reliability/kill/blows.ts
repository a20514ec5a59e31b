import { fc } from "../../properties";
import type { EngineRun } from "../../e2e/engine-run";
import { type Exchange, headOf, type Place, type Reply } from "./gate";
import type { Lane } from "./lane";

/** A fault at one place of a run. */
export interface Blow {
  at: Place;
  /** Time or form of the fault. */
  manner: string;
  /** True if the rollout does not progress until the next run. */
  holdsRollout?: boolean;
  act(exchange: Exchange, lane: Lane, run: EngineRun): Promise<void>;
  /** Restores what is required before the next run. */
  fix?(lane: Lane): Promise<void>;
}

type Act = Blow["act"];

const providerKilled: Record<string, Act> = {
  "before it arrives": async (exchange, lane) => {
    await lane.killProvider();
    exchange.drop();
  },
  "when it is sent": async (exchange, lane) => {
    await lane.killProvider();
    await exchange.forward();
    exchange.drop();
  },
  "when it is carried out": async (exchange, lane) => {
    await exchange.forward();
    await lane.killProvider();
    exchange.drop();
  },
  "when it is answered": async (exchange, lane) => {
    await exchange.answer(await exchange.forward());
    await lane.killProvider();
  },
};

const planeKilled: Record<string, Act> = {
  "before it arrives": async (_exchange, lane) => lane.killPlane(),
  "when it is sent": async (exchange, lane) => {
    lane.plane.freeze();
    const lost = exchange.forward().catch(() => undefined);
    await exchange.sent;
    await lane.killPlane();
    await lost;
  },
  "when it is carried out": async (exchange, lane) => {
    await exchange.forward();
    await lane.killPlane();
  },
  "when it is answered": async (exchange, lane) => {
    await exchange.answer(await exchange.forward());
    await lane.killPlane();
  },
};

/** Ends the provider's process before and after each of these requests. */
export function killsOfProvider(places: Place[]): Blow[] {
  return places.flatMap((at) => Object.entries(providerKilled).map(([manner, act]) => ({ at, manner, act })));
}

/** Ends the control plane's process before and after each of these requests; it is restarted immediately. */
export function killsOfPlane(places: Place[]): Blow[] {
  return places.flatMap((at) =>
    Object.entries(planeKilled).map(([manner, act]) => ({ at, manner, act: thenRestarted(act) })),
  );
}

/** Does the same, but restarts it after the run has ended. */
export function absencesOfPlane(places: Place[]): Blow[] {
  return places.flatMap((at) =>
    Object.entries(planeKilled).map(([manner, act]) => ({
      at,
      manner: `${manner}, and it stays away`,
      act,
      fix: (lane) => lane.restartPlane(),
    })),
  );
}

/** Ends either process between two polls of the revision. */
export function killsInTheWait(places: Place[], victim: "provider" | "plane"): Blow[] {
  const kill: Act = (_exchange, lane) => (victim === "provider" ? lane.killProvider() : lane.killPlane());
  return looksBeforeAWait(places).map((at) => ({
    at,
    manner: "in the wait after it",
    holdsRollout: true,
    act: async (exchange, lane, run) => {
      await exchange.answer(await exchange.forward());
      await run.reaches(() => lane.statusColumn(run).some((line) => line.endsWith(`poll ${at.occurrence}`)));
      await (victim === "provider" ? kill : thenRestarted(kill))(exchange, lane, run);
    },
  }));
}

/**
 * Interrupts the response to each of these requests at bytes drawn from the seed: alternately with and without a
 * length that reveals it to the client.
 */
export function cutReplies(places: Place[], cuts: number, seed: number): Blow[] {
  const perMille = fc.noBias(fc.integer({ min: 0, max: 999 }));
  const parts = fc.sample(perMille, { numRuns: places.length * cuts, seed });
  return parts.map((part, turn) => {
    const withLength = Math.floor(turn / places.length) % 2 === 0;
    return {
      at: places[turn % places.length]!,
      manner: `its response interrupted at ${part} ‰, ${withLength ? "with" : "without"} its length`,
      act: async (exchange) => {
        const reply = await exchange.forward();
        await exchange.cut(withLength ? reply : withoutLength(reply), (whole) => cutAt(whole, part / 1_000));
      },
    };
  });
}

/**
 * Returns the number of bytes to send: this many of the head, and this share of the body, or of the head if there is
 * no body.
 */
function cutAt(reply: Reply, part: number): number {
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

/** Returns requests for a revision that are repeated; the time between them is a wait. */
function looksBeforeAWait(places: Place[]): Place[] {
  return places.filter(
    ({ request }, index) => request.includes("/revisions/") && places[index + 1]?.request === request,
  );
}

function thenRestarted(act: Act): Act {
  return async (exchange, lane, run) => {
    await act(exchange, lane, run);
    await lane.restartPlane();
  };
}
