import type { DialectName } from "../../../../wire";
import { fc } from "../../../properties";
import type { ServerLimits } from "../../../provider/server-limits";
import type { Fault } from "../world/provider-process";
import { change, start, type Change } from "./declaration";

/** Action of another actor on the deployment with a given identity. */
export type ForeignAction =
  /** Creates a revision from the same source, as after a push to a branch that is built on push. */
  | { does: "push" }
  /** Creates a revision from another source, like a client that rolls out its own source. */
  | { does: "roll out" }
  /** Changes, removes, or adds a variable or secret. All others are kept, including the ownership tag. */
  | { does: "set variable"; name: string; value: string | null }
  /** Replaces all variables and secrets, which removes the ownership tag. */
  | { does: "replace environment" }
  | { does: "resize" }
  | { does: "rename" }
  | { does: "change spec" }
  | { does: "delete" }
  /** Creates a deployment with the same identity if there is none. Occurs only during an `up`. */
  | { does: "create" };

export type Action =
  | {
      do: "up";
      who?: number;
      change: Change;
      fault?: Fault;
      /** Change by another actor immediately before the request with this number. */
      meanwhile?: { at: number; action: ForeignAction };
      /** True if the next rollout fails. */
      fails?: boolean;
    }
  | { do: "refresh"; who?: number; fault?: Fault }
  | { do: "destroy"; who?: number; fault?: Fault }
  /** Removes the resource from the state of the stack. */
  | { do: "lose"; who?: number }
  | { do: "foreign"; identity: "one" | "two"; action: ForeignAction }
  /** Creates a deployment without Pulumi. */
  | { do: "create by hand"; identity: "one" | "two" }
  | { do: "wait"; seconds: number };

/** Differences between the control plane of a history and the local control plane. */
type Limits = Pick<ServerLimits, "secrets" | "mask" | "hides" | "pageCap" | "reportsImages" | "url">;

/**
 * A control plane, one or two stacks, and their actions. Consists of plain data, so that a history can be stored as a
 * file.
 */
export interface History {
  dialect: DialectName;
  limits: Limits;
  /** Initial declaration of each stack. */
  stacks: Change[];
  actions: Action[];
  /** True if the last `up` of each stack is preceded by a refresh. */
  refreshes: boolean;
}

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constant("killed" as const), at: fc.integer({ min: 1, max: 24 }) }),
  fc.record({
    kind: fc.constant("lost" as const),
    at: fc.integer({ min: 1, max: 10 }),
    how: fc.constantFrom("reset", "truncated", "500 after", "503 before", "reset before", "429 before"),
  }),
  fc.record({
    kind: fc.constant("refused" as const),
    at: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom(400, 403, 422),
  }),
);

const foreignAction: fc.Arbitrary<ForeignAction> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<ForeignAction>({ does: "push" }) },
  { weight: 2, arbitrary: fc.constant<ForeignAction>({ does: "roll out" }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("set variable" as const),
      name: fc.constantFrom("KEY", "OTHER", "LOG", "REGION", "THEIRS"),
      value: fc.constantFrom("rotated", "***", null),
    }),
  },
  fc.constant<ForeignAction>({ does: "replace environment" }),
  fc.constant<ForeignAction>({ does: "resize" }),
  fc.constant<ForeignAction>({ does: "rename" }),
  fc.constant<ForeignAction>({ does: "change spec" }),
  fc.constant<ForeignAction>({ does: "delete" }),
);

const identity = fc.constantFrom("one" as const, "one" as const, "two" as const);

function actions(stacks: number): fc.Arbitrary<Action> {
  const who = stacks > 1 ? fc.constantFrom(undefined, 1) : fc.constant(undefined);
  const up = fc.record({
    do: fc.constant("up" as const),
    who,
    change,
    fault: seldom(fault, 3),
    meanwhile: seldom(fc.record({ at: fc.integer({ min: 1, max: 8 }), action: foreignAction }), 5),
    fails: seldom(fc.constant(true), 10),
  });
  return fc
    .oneof<fc.MaybeWeightedArbitrary<Action>[]>(
      { weight: 12, arbitrary: up },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("refresh" as const), who }) },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant("destroy" as const), who, fault: seldom(fault, 3) }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("lose" as const), who }) },
      {
        weight: 6,
        arbitrary: fc.record({ do: fc.constant("foreign" as const), identity, action: foreignAction }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("create by hand" as const), identity }) },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 30) }),
      },
    )
    .map(withoutUndefined);
}

/** Generates a value in one of `oneIn` cases, on average. */
function seldom<Value>(value: fc.Arbitrary<Value>, oneIn: number): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

function withoutUndefined(action: Action): Action {
  return Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined)) as Action;
}

const limits: fc.Arbitrary<Limits> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc.record({
    secrets: fc.constantFrom("omitted", "names", "masked", "partly masked"),
    mask: fc.constantFrom("********", "hidden", "a"),
  }),
  fc.record({ pageCap: fc.constantFrom(1, 2) }),
  fc.record({ reportsImages: fc.constant(true) }),
  fc.record({
    hides: fc.constantFrom(
      ["source_config.build_on_push", "source_config.resource_spec"],
      ["source_revision_config"],
      ["display_name", "secret_references", "compute_tier", "database_tier", "deployment_tier"],
    ),
  }),
);

/** Orders of actions that are rare in random histories and have violated guarantees in the past. */
const rareOrders: fc.Arbitrary<Action[]> = fc.oneof(
  // A removal after a change by another actor.
  fc
    .tuple(
      fc.constantFrom<Change>(
        { variables: { LOG: "a", REGION: "a" } },
        { secrets: { KEY: "a", OTHER: "a" } },
        { cpu: 2, memory: 4096 },
        { references: { TOKEN: "a" } },
      ),
      fc.option(foreignAction, { nil: undefined }),
      fc.constantFrom<Change>(
        { variables: { LOG: "a" } },
        { variables: {} },
        { secrets: {} },
        { secrets: { OTHER: "b" } },
        { memory: null },
        { references: {} },
      ),
      fc.option(fault, { nil: undefined }),
    )
    .map(([first, action, removal, fault]): Action[] => [
      up(first),
      ...(action ? [{ do: "foreign" as const, identity: "one" as const, action }] : []),
      up(removal, fault),
      up({}),
    ]),
  // An interrupted create, and a different program after it.
  fc.tuple(change, fault, change).map(([first, fault, second]): Action[] => [up(first, fault), up(second)]),
  // An update in two steps, the second of which does not succeed.
  fc
    .tuple(
      fc.constantFrom<Change>(
        { ref: "v2", version: "2" },
        { variables: { LOG: "b" } },
        { displayName: "Help" },
      ),
      fc.tuple(fc.constantFrom("S" as const, "M" as const), fc.constantFrom("S" as const, "M" as const)),
      fault,
      fc.constantFrom<Change>({}, { tier: null }, { trigger: "monday" }),
    )
    .map(([first, tier, fault, next]): Action[] => [up({}), up({ ...first, tier }, fault), up(next), up({})]),
  // An action of another actor between any two requests of a create or an update.
  fc
    .tuple(
      fc.array(change, { maxLength: 1 }),
      change,
      fc.integer({ min: 1, max: 10 }),
      fc.oneof(fc.constant<ForeignAction>({ does: "create" }), foreignAction),
    )
    .map(([first, second, at, action]): Action[] => [
      ...first.map((one) => up(one)),
      { ...up(second), meanwhile: { at, action } },
      up({}),
    ]),
  // A replacement that does not succeed, and its reversal.
  fc
    .tuple(fc.constantFrom<Change>({ identity: "two" }, { isDedicated: false }), fault, fc.boolean())
    .map(([other, fault, isReverted]): Action[] => [
      up({}),
      up(other, fault),
      up(isReverted ? { identity: "one", isDedicated: true } : {}),
    ]),
);

function up(change: Change, fault?: Fault): Extract<Action, { do: "up" }> {
  return { do: "up", change, ...(fault && { fault }) };
}

/** Returns arbitrary histories in one dialect. */
export function histories(dialect: DialectName): fc.Arbitrary<History> {
  return fc.constantFrom(1, 1, 2).chain((count) => {
    const any = fc.array(actions(count), { minLength: 3, maxLength: 6, size: "max" });
    const some = fc.array(actions(count), { maxLength: 2 });
    return fc.record({
      dialect: fc.constant(dialect),
      limits,
      stacks: fc.array(start, { minLength: count, maxLength: count }),
      actions: fc.oneof(
        any,
        fc.tuple(some, rareOrders, some).map((parts) => parts.flat()),
      ),
      refreshes: fc.boolean(),
    });
  });
}
