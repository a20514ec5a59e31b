import { fc } from "../../../properties";
import type { DialectName } from "../../../../emulator/index";
import { start, type Program } from "./program";
import { rareOrders } from "./rare-orders";
import { servers, type Server } from "./server";
import { steps, type Step } from "./steps";

/** The stacks and resources of a sequence. */
export type Cast =
  /** One stack with one resource. */
  | "alone"
  /** One stack whose program has two resources. */
  | "pair"
  /** Two stacks with the same names in two backends. */
  | "two backends"
  /** Two stacks of one backend. */
  | "two stacks";

/** One world with its steps. */
export interface Sequence {
  server: Server;
  /** By default, one stack with one resource. */
  cast?: Cast;
  /** Differences of the first program from the usual one. */
  starts: Partial<Program>;
  /** The same for the second resource, or for the second stack's. */
  alsoStarts?: Partial<Program>;
  steps: Step[];
}

const casts = fc.constantFrom<Cast[]>("alone", "alone", "alone", "pair", "two backends", "two stacks");

/** Any sequence in one dialect. */
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

/** Up to ten steps; every second sequence has fewer of them, followed by one of the rare orders. */
function stepsOf(cast: Cast, server: Server): fc.Arbitrary<Step[]> {
  const step = steps(cast.startsWith("two") ? 2 : 1, cast === "pair");
  const any = fc.array(step, { minLength: 2, maxLength: 10, size: "max" });
  const rare = fc.tuple(fc.array(step, { maxLength: 3 }), rareOrders(server)).map((both) => both.flat());
  return fc.oneof(any, rare);
}

/** Resources of one program must differ in their names; those of two stacks need not. */
function alsoStart(cast: Cast): fc.Arbitrary<Partial<Program>> {
  const names = cast === "pair" ? fc.constant("two") : fc.constantFrom("one", "two");
  return fc.tuple(start, names).map(([program, name]) => ({ ...program, name }));
}
