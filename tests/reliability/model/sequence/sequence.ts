import { fc } from "../../../properties";
import type { DialectName } from "../../../../emulator/index";
import { start, type Program } from "./program";
import { rareOrders } from "./rare-orders";
import { servers, type Server } from "./server";
import { steps, type Step } from "./steps";

/** Stacks and resources of a sequence. */
export type Cast =
  /** A stack with one resource. */
  | "alone"
  /** A stack whose program has two resources. */
  | "pair"
  /** Two stacks with the same names in different backends. */
  | "two backends"
  /** Two stacks in the same backend. */
  | "two stacks";

/** A control plane, its stacks, and the steps that are performed. */
export interface Sequence {
  server: Server;
  /** Stacks and resources. Defaults to one stack with one resource. */
  cast?: Cast;
  /** Differences between the initial program and the usual one. */
  starts: Partial<Program>;
  /**
   * Differences between the usual program and the initial program of the second resource, or of the second stack's
   * resource.
   */
  alsoStarts?: Partial<Program>;
  steps: Step[];
}

const casts = fc.constantFrom<Cast[]>("alone", "alone", "alone", "pair", "two backends", "two stacks");

/** Returns arbitrary sequences in one dialect. */
export const sequences = (dialect: DialectName): fc.Arbitrary<Sequence> =>
  fc
    .tuple(casts, servers(dialect))
    .chain(([cast, server]) =>
      fc.record({
        server: fc.constant(server),
        cast: fc.constant(cast),
        starts: start,
        ...(cast !== "alone" && { alsoStarts: alsoStart(cast) }),
        steps: stepsOf(cast, server),
      }),
    );

/** Returns up to ten steps, or, in half of the cases, up to three steps followed by one of the rare orders. */
function stepsOf(cast: Cast, server: Server): fc.Arbitrary<Step[]> {
  const step = steps(cast.startsWith("two") ? 2 : 1, cast === "pair");
  const any = fc.array(step, { minLength: 2, maxLength: 10, size: "max" });
  const rare = fc.tuple(fc.array(step, { maxLength: 3 }), rareOrders(server)).map((both) => both.flat());
  return fc.oneof(any, rare);
}

/**
 * Returns initial programs for the second resource. Resources of the same program must have different names; those of
 * two stacks need not.
 */
function alsoStart(cast: Cast): fc.Arbitrary<Partial<Program>> {
  const names = cast === "pair" ? fc.constant("two") : fc.constantFrom("one", "two");
  return fc.tuple(start, names).map(([program, name]) => ({ ...program, name }));
}
