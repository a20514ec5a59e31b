import { z } from "zod";
import { Core } from "../../../provider/core/core";
import type { Decoded } from "../../../provider/core/decoded";
import { failure } from "../../../provider/resource/inputs/finding";
import type { Call } from "../../../provider/resource/call";
import type { ControlPlaneKind } from "../../../provider/resource/kind";
import { controlPlaneAddress } from "../../../provider/resource/managed";
import type { ControlPlaneOperation } from "../../../provider/resource/operation";
import { commonWords, reasonsAbout, type Change, type Plan } from "../../../provider/resource/plan";
import { isSameJson } from "../../../provider/resource/inputs/json";
import { SessionPool } from "../../../provider/session/session-pool";
import { World } from "../world";

const noteInputs = z.strictObject({ place: z.string(), text: z.string() });
const noteState = noteInputs.extend({
  controlPlane: controlPlaneAddress,
  ownerId: z.string(),
  schemaVersion: z.number(),
  creationId: z.string().optional(),
});
type NoteInputs = z.infer<typeof noteInputs>;
type NoteState = z.infer<typeof noteState>;

/** Returns a kind for notes on a board. The kind has no deployments, revisions, or rollouts. */
function noteKind(board: Map<string, NoteInputs>): ControlPlaneKind<NoteInputs, NoteState> {
  const stateOf = (op: ControlPlaneOperation, inputs: NoteInputs): NoteState => ({
    ...inputs,
    controlPlane: op.plane.controlPlane,
    ownerId: op.resource.ownerId,
    schemaVersion: 1,
  });
  const pin = async (op: ControlPlaneOperation, id: string, inputs: NoteInputs) => {
    op.report.status.show("is pinned", `within ${op.time.deadline.totalMs} ms`);
    board.set(id, inputs);
    return { id, state: stateOf(op, inputs) };
  };
  return {
    type: "Note",
    endpointType: "control plane",
    inputs: noteInputs,
    outputs: ["controlPlane", "ownerId", "schemaVersion", "creationId"],
    secretMaps: [],
    readState: (values) => noteState.parse(values),
    secretTexts: () => [],
    secretCopies: () => [],
    checks: () => ({
      about: ["text"],
      rules: (wanted) => (wanted.text("text") === "" ? [failure("text", "must say something")] : []),
      dependsOnDialect: () => false,
      questions: [],
    }),
    plan: ({ state, wanted }): Plan => {
      const fields = [
        ["place", "replace"],
        ["text", "patch"],
      ] as const;
      const changes = fields
        .filter(([path]) => !isSameJson(state[path], wanted[path]))
        .map(([path, effect]): Change<"replace" | "patch"> => {
          return { path, effect, values: { from: state[path], to: wanted[path] } };
        });
      const replaces = changes.some(({ effect }) => effect === "replace");
      const reasons = reasonsAbout(changes, replaces)("replace", "patch", "along");
      return {
        action: replaces ? "replace" : changes.length > 0 ? "update" : "none",
        deletesFirst: false,
        changes,
        reasons,
      };
    },
    words: { ...commonWords, patch: "rewritten in place" },
    create: (op, inputs) => pin(op, `note-${board.size}`, inputs),
    update: (op, id, _state, inputs) => pin(op, id, inputs),
    read: async (op, id) => {
      const inputs = board.get(id);
      return inputs && { state: stateOf(op, inputs), inputs };
    },
    delete: async (_op, id) => void board.delete(id),
  };
}

const call: Call = { urn: "urn:note", timeouts: { create: 7_000 }, faults: [] };
const asDecoded = (values: object): Decoded => ({ values: { ...values }, secretPaths: [] });
const nothing = asDecoded({});

test("supports a kind that has nothing in common with deployments", async () => {
  const world = await World.start();
  const sessions = new SessionPool({ env: world.environment, clock: world.time, random: () => 0.5 });
  const board = new Map<string, NoteInputs>();
  const notes = new Core(noteKind(board), { sessions, log: world.log });
  const [first, second] = [asDecoded({ place: "door", text: "a" }), asDecoded({ place: "door", text: "b" })];

  expect((await notes.check(call, nothing, asDecoded({ place: "door", text: "" }))).failures).toMatchObject([
    { property: "text", reason: "must say something" },
  ]);
  const { ownerId, failures } = await notes.check(call, nothing, first);
  expect(failures).toEqual([]);

  const { id, state } = await notes.create(call, asDecoded({ ...first.values, ownerId }));
  expect(board.get(id)).toEqual(first.values);
  expect(state).toMatchObject({ ...first.values, ownerId });
  expect(world.log.lines("status").join()).toContain("within 7000 ms");

  expect(await notes.diff(id, call, asDecoded(state), first)).toMatchObject({
    hasChanges: false,
    replacing: [],
  });
  expect(await notes.diff(id, call, asDecoded(state), second)).toMatchObject({
    hasChanges: true,
    replacing: [],
  });
  expect(world.log.lines("info")).toEqual(["rewritten in place: text a → b [patch]"]);
  expect(
    (await notes.diff(id, call, asDecoded(state), asDecoded({ place: "wall", text: "a" }))).replacing,
  ).toMatchObject([{ path: "place" }]);
  expect(world.log.lines("info")[1]).toBe("is replaced: place door → wall [replace]");

  const changed = await notes.update(id, call, asDecoded(state), second);
  expect(await notes.read(id, call, asDecoded(changed.state))).toMatchObject({ inputs: second.values });
  await notes.delete(id, call, asDecoded(changed.state));
  expect(await notes.read(id, call, asDecoded(changed.state))).toBeUndefined();
});

test("shares one session among all kinds: tries the key once and detects the dialect once", async () => {
  const world = await World.start();
  const sessions = new SessionPool({ env: world.environment, clock: world.time, random: () => 0.5 });
  for (const kind of ["one", "other"]) {
    const core = new Core(noteKind(new Map()), { sessions, log: world.log });
    core.configure(() => undefined);
    await core.create({ ...call, urn: kind }, asDecoded({ place: "door", text: kind }));
  }
  const asked = world.admin.journal().map(({ method, path }) => `${method} ${path}`);
  expect(asked).toHaveLength(new Set(asked).size);
});
