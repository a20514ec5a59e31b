import { fc } from "../../properties";
import { type Fault, faults, type Kind, type PlaceName, placeNames } from "./world";

/** Values of the input fields. A field with the value `undefined` is omitted. */
type Fields = Record<string, unknown>;

/** Declaration of one resource in a program. */
export interface Program {
  place: PlaceName;
  adopt: "never" | "ifOwned" | "always" | undefined;
  fields: Fields;
}

/** Index of a resource. Each of the two stacks has one resource. */
export type Who = 0 | 1;

type OthersAction = "others edit" | "others delete" | "others duplicate" | "others create" | "others run";

export type Action =
  | { do: "up"; who: Who; change: Partial<Program>; fault?: Fault | undefined }
  | { do: "refresh" | "destroy"; who: Who; fault?: Fault | undefined }
  /** Runs a command while another control plane is configured. */
  | { do: "command on the other control plane"; who: Who; command: "up" | "refresh" | "destroy" }
  /** Gives the resource a new URN, in the same way as an alias, a parent, or a renamed project. */
  | { do: "rename"; who: Who }
  /** Runs `pulumi state delete`. */
  | { do: "forget"; who: Who }
  | { do: OthersAction; who: Who }
  | { do: "replace the deployment"; place: "first" | "second" };

export interface Scenario {
  kind: Kind;
  /** True if both stacks declare the same IDs or the same keys. */
  contested: boolean;
  programs: [Program, Program];
  actions: Action[];
}

export const chosenIds = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];

const metadata = [undefined, {}, { a: 1 }, { b: 2 }, { a: 2, b: 2 }];

/** Fields of store items that servers do not report. */
const unreadable: Record<string, readonly unknown[]> = {
  ttl: [undefined, 5, null],
  index: [undefined, false, ["x"]],
};

/** Possible values of each field by kind. The first one is the initial value. */
const choices: Record<Kind, Record<string, readonly unknown[]>> = {
  assistant: {
    graph: ["agent", "other"],
    chosenId: [false, true],
    name: [undefined, "One", "Two"],
    description: [undefined, null, "text"],
    context: [undefined, {}, { style: 1 }, { tone: 2 }],
    config: [undefined, { tags: ["a"] }, { recursionLimit: 5 }, { tags: ["b"], recursionLimit: 5 }],
    metadata,
  },
  cron: {
    assistant: ["agent", "other"],
    schedule: ["0 9 * * *", "30 9 * * 1-5"],
    timezone: [undefined, "Europe/Berlin", "Asia/Tokyo"],
    endTime: [undefined, null, "2030-01-31T18:00:00Z"],
    enabled: [undefined, true, false],
    input: [undefined, { a: 1 }, { b: 2 }],
    context: [undefined, { a: 1 }, { b: 2 }],
    webhook: [undefined, "https://hooks.example.com/a", "https://hooks.example.com/b"],
    onRunCompleted: [undefined, "keep", "delete"],
    durability: [undefined, "sync", "exit"],
    metadata,
  },
  thread: {
    chosenId: [false, true],
    graph: [undefined, "agent", "other"],
    ttl: [undefined, { minutes: 5 }, { minutes: 9, strategy: "delete" }],
    forceDelete: [undefined, true, false],
    metadata,
  },
  storeItem: { key: ["a", "b"], value: [{ x: 1 }, { x: 2 }], ...unreadable },
  storeItems: {
    items: [
      { a: { x: 1 } },
      { a: { x: 2 }, b: { x: 1 } },
      { b: { x: 2 } },
      { a: { x: 1 }, b: { x: 1 }, c: { x: 1 }, d: {} },
    ],
    prune: [undefined, true, false],
    ...unreadable,
  },
};

const adopt = fc.constantFrom<Program["adopt"]>(undefined, "never", "ifOwned", "always");
const place = fc.constantFrom(...placeNames);
const who = fc.constantFrom<Who>(0, 1);
const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.record({ at: fc.integer({ min: 1, max: 9 }), how: fc.constantFrom(...faults) }),
  },
);

function fieldsOf(kind: Kind, required: boolean): fc.Arbitrary<Fields> {
  const model = Object.fromEntries(
    Object.entries(choices[kind]).map(([name, values]) => [name, fc.constantFrom(...values)]),
  );
  return required ? fc.record(model) : fc.record(model, { requiredKeys: [] });
}

/**
 * Returns changes to a program. Most affect a few fields, some affect the location or `adopt`, and some change nothing.
 */
function changeOf(kind: Kind): fc.Arbitrary<Partial<Program>> {
  const few = fc
    .tuple(fieldsOf(kind, true), fc.subarray(Object.keys(choices[kind]), { maxLength: 2 }))
    .map(([all, names]) => ({ fields: Object.fromEntries(names.map((name) => [name, all[name]])) }));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 5, arbitrary: few },
    { weight: 1, arbitrary: fc.record({ place }) },
    { weight: 1, arbitrary: fc.record({ adopt }) },
    {
      weight: 1,
      arbitrary: fc.record({ fields: fieldsOf(kind, false), place, adopt }, { requiredKeys: [] }),
    },
  );
}

/** Returns the actions of other actors that apply to a kind. */
function othersOf(kind: Kind): OthersAction[] {
  if (kind.startsWith("store")) return ["others edit", "others delete", "others create"];
  const all: OthersAction[] = ["others edit", "others delete"];
  if (kind === "cron") return [...all, "others duplicate"];
  return [...all, "others create", ...(kind === "thread" ? ["others run" as const] : [])];
}

function actionOf(kind: Kind): fc.Arbitrary<Action> {
  const change = changeOf(kind);
  const command = fc.constantFrom("up" as const, "refresh" as const, "destroy" as const);
  const others = othersOf(kind);
  const named = <Name extends string>(...names: Name[]) => ({ do: fc.constantFrom(...names), who });
  const deployment = fc.constantFrom("first" as const, "second" as const);
  return fc.oneof(
    { weight: 8, arbitrary: fc.record({ ...named("up"), change, fault }) },
    { weight: 3, arbitrary: fc.record({ ...named("refresh", "destroy"), fault }) },
    { weight: 1, arbitrary: fc.record(named("forget")) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("replace the deployment" as const), place: deployment }),
    },
    { weight: 1, arbitrary: fc.record(named("rename")) },
    { weight: 1, arbitrary: fc.record({ ...named("command on the other control plane"), command }) },
    { weight: others.length, arbitrary: fc.record(named(...others)) },
  );
}

/** Returns histories for one kind of resource. */
export function scenarios(kind: Kind): fc.Arbitrary<Scenario> {
  const first = Object.fromEntries(Object.entries(choices[kind]).map(([name, values]) => [name, values[0]]));
  const start = fc
    .record({ place, adopt, fields: fieldsOf(kind, false) })
    .map(({ fields, ...rest }) => ({ ...rest, fields: { ...first, ...fields } }));
  return fc.record({
    kind: fc.constant(kind),
    contested: fc.boolean(),
    programs: fc.tuple(start, start),
    actions: fc.array(actionOf(kind), { minLength: 1, maxLength: 7 }),
  });
}

export function changed(program: Program, { fields, ...rest }: Partial<Program>): Program {
  return { ...program, ...rest, fields: { ...program.fields, ...fields } };
}

/**
 * Returns changes to a program, each with a name, and with the program before and after the change (`undefined` if
 * there is none).
 */
export function transitions(kind: Kind): [string, Program | undefined, Program | undefined][] {
  const [one, two] = [0, 1].map((at): Program => ({
    place: "first",
    adopt: undefined,
    fields: Object.fromEntries(Object.entries(samples[kind]).map(([name, values]) => [name, values[at]])),
  })) as [Program, Program];
  const replacing = { ...one, fields: { ...one.fields, ...replacements[kind] } };
  return [
    ["create", undefined, one],
    ["update", one, two],
    ["removal of fields", two, one],
    ["replacement", one, replacing],
    ["move to another deployment", one, { ...one, place: "second" }],
    ["move to another agent server", one, { ...two, place: "standalone" }],
    ["destroy", one, undefined],
  ];
}

/** Values of the two programs, which differ in fields that can be changed in place. */
const samples: Record<Kind, Record<string, readonly [unknown, unknown]>> = {
  assistant: {
    graph: ["agent", "other"],
    name: ["One", "Two"],
    context: [{ a: 1 }, { b: 2 }],
    metadata: [{ a: 1 }, { b: 2 }],
  },
  cron: {
    assistant: ["agent", "agent"],
    schedule: ["0 9 * * *", "30 9 * * 1-5"],
    input: [{ a: 1 }, { b: 2 }],
    metadata: [{ a: 1 }, { b: 2 }],
  },
  thread: {
    graph: ["agent", "agent"],
    metadata: [{ a: 1 }, { b: 2 }],
    ttl: [{ minutes: 5 }, { minutes: 9 }],
  },
  storeItem: { key: ["a", "a"], value: [{ x: 1 }, { x: 2 }], ttl: [5, 9] },
  storeItems: {
    items: [
      { a: { x: 1 }, b: { x: 1 } },
      { a: { x: 2 }, c: { x: 1 } },
    ],
  },
};

/** Fields whose changes require a replacement. */
const replacements: Record<Kind, Fields> = {
  assistant: { chosenId: true },
  cron: { assistant: "other" },
  thread: { chosenId: true },
  storeItem: { key: "b" },
  storeItems: { items: { b: { x: 1 }, d: { x: 1 } } },
};
