import { z } from "zod";
import { AgentServerError } from "../../../provider/errors";
import type { Guard } from "../../../provider/http/transport";
import { kindState } from "../../../provider/resource/kind-state";
import type { ManagedState } from "../../../provider/resource/managed";
import type { Operation } from "../../../provider/resource/operation";
import type { Adopt } from "../../../provider/resource/ownership/claim";
import { type Metadata, ownerTag, withoutTag } from "../../../provider/resource/ownership/owner-tag";
import { managed, planByFields, replacesInPlace } from "../../../provider/resource/plan/field-plan";
import { StatusLine } from "../../../provider/resource/status-line";
import { type TaggedKind, taggedOperations } from "../../../provider/resource/tagged";

interface NoteInputs {
  noteId: string;
  title?: string | null;
  color?: string;
  metadata?: Metadata;
  adopt?: Adopt;
}

type NoteState = NoteInputs & { edition?: string } & ManagedState;

interface Note {
  id: string;
  title?: string | null;
  color?: string;
  metadata: Metadata;
  isOfServer?: boolean;
}

interface NoteClient {
  guarded(guard: Guard): NoteClient;
  write<Result>(request: string, change: () => Result): Promise<Result>;
}

type NoteOperation = Operation & { server: NoteClient };
type NoteKind = TaggedKind<NoteOperation, NoteInputs, NoteState, Note>;

const lost = new AgentServerError("connection_failed", "POST /notes received no response.");
const resource = {
  ownerId: "ours",
  identity: { urn: "urn:pulumi:prod::shop::agentserver:Note::memo", organization: "acme" },
  workingFolder: "/",
};
const ourTag = ownerTag(resource);
const tagOf = (owner: string) => ({ agentserver_owner: owner, agentserver_resource: "acme/shop/dev:memo" });

/** Notes on a server, and a resource that manages one of them. */
class Notes {
  now = 1_000;
  readonly stored = new Map<string, Note>();
  readonly writes: string[] = [];
  readonly said: string[] = [];
  readonly deletions: unknown[] = [];
  reads = 0;
  /** Called once, during a pause immediately before the next write. */
  duringPause?: (() => void) | undefined;
  /** Part of the next write that is lost: the request or the response. */
  losing?: "request" | "response" | undefined;
  readonly kind: NoteKind;
  readonly op: NoteOperation;

  constructor(change: (kind: NoteKind) => Partial<NoteKind> = () => ({}), otherOwnerId?: string) {
    const sleep = async (ms: number) => {
      this.now += ms;
    };
    const clock = { now: () => this.now, sleep };
    this.op = {
      resource: { ...resource, otherOwnerId },
      time: { clock, deadline: { at: 1_000_000, totalMs: 1_000_000, setBy: "timeouts" } },
      report: {
        log: (severity, message) => this.said.push(`${severity}: ${message}`),
        status: new StatusLine(() => {}, clock, "Ctrl-C"),
        redact: (text) => text,
      },
      server: this.clientWith(),
    };
    const kind: NoteKind = {
      noun: "Note",
      alternative: "use another `noteId`",
      state: kindState<NoteState>("note", z.object({ edition: z.string().optional() }), 1),
      rules: { noteId: {}, title: {}, color: {}, metadata: { counts: "entries" } },
      plan: ({ state, ...question }) =>
        planByFields(
          {
            noteId: "replace",
            color: managed("replace"),
            title: managed("patch"),
            metadata: managed("patch"),
            adopt: "state",
          },
          { ...question, state },
          replacesInPlace("noteId"),
        ),
      idOf: ({ id }) => id,
      nameOf: ({ title }) => title,
      metadataOf: ({ metadata }) => metadata,
      isOfServer: ({ isOfServer }) => isOfServer === true,
      reported: ({ id, title, color, metadata }) => ({
        noteId: id,
        title,
        color,
        metadata: withoutTag(metadata),
      }),
      outputs: (_inputs, { title }, _op, before) => ({
        edition: before ? `${before.state.title}, ${before.stored.title} → ${title}` : `${title}`,
      }),
      find: async (_op, id) => {
        this.reads += 1;
        return this.stored.get(id);
      },
      findExisting: async (_op, { noteId }) => this.stored.get(noteId),
      create: ({ server }, { noteId, title = null, color, metadata }, tag) =>
        server.write("create", () => {
          if (this.stored.has(noteId)) throw new AgentServerError("request_refused", "409", { status: 409 });
          return this.put({ id: noteId, title, ...(color && { color }), metadata: { ...metadata, ...tag } });
        }),
      patch: ({ server }, note, { fields, metadata, wanted }) =>
        server.write(`patch ${[...fields].join()} ${JSON.stringify(metadata)}`, () =>
          this.put({
            ...note,
            ...(fields.has("title") && { title: wanted.title }),
            metadata: Object.fromEntries(
              Object.entries({ ...note.metadata, ...metadata }).filter(([, value]) => value !== null),
            ),
          }),
        ),
      delete: ({ server }, { id }, state, replacement) =>
        server.write("delete", () => {
          this.deletions.push([state?.noteId, replacement]);
          this.stored.delete(id);
        }),
    };
    this.kind = { ...kind, ...change(kind) };
  }

  private clientWith(guard?: Guard): NoteClient {
    return {
      guarded: (one) => this.clientWith(one),
      write: async (request, change) => {
        const { duringPause, losing } = this;
        this.duringPause = this.losing = undefined;
        duringPause?.();
        await guard?.(duringPause ? this.now : -Infinity);
        if (losing === "request") throw lost;
        const result = change();
        this.writes.push(request);
        if (losing === "response") throw lost;
        return result;
      },
    };
  }

  put(note: Note): Note {
    this.stored.set(note.id, note);
    return note;
  }

  get operations() {
    return taggedOperations(this.kind);
  }

  create(inputs: Partial<NoteInputs> = {}, ...pending: string[]) {
    return this.operations.create(this.op, { noteId: "n", title: "A", ...inputs }, undefined, pending);
  }

  update(before: Partial<NoteInputs>, inputs: Partial<NoteInputs>) {
    const state = { noteId: "n", title: "A", ...before, ownerId: "ours", schemaVersion: 1 };
    return this.operations.update(this.op, "n", state, { noteId: "n", title: "A", ...inputs });
  }
}

/** Returns notes, one of which already exists. */
function withNote(note: Partial<Note>, ...given: ConstructorParameters<typeof Notes>): Notes {
  const notes = new Notes(...given);
  notes.put({ id: "n", title: "A", metadata: {}, ...note });
  return notes;
}

const untagged = () => ({ metadataOf: undefined });

describe("create", () => {
  test("writes the ownership tag, and returns the state with the outputs", async () => {
    const notes = new Notes();
    const { id, state } = await notes.create({ metadata: { a: 1 } });
    expect([id, state]).toEqual([
      "n",
      { noteId: "n", title: "A", metadata: { a: 1 }, edition: "A", ownerId: "ours", schemaVersion: 1 },
    ]);
    expect(notes.stored.get("n")!.metadata).toEqual({ a: 1, ...ourTag });
    expect([notes.writes, notes.said]).toEqual([["create"], []]);
  });

  test.each<[string, Partial<Note>, Adopt | undefined, string | RegExp]>([
    [
      "its own",
      { metadata: ourTag },
      undefined,
      'Note n ("A") has the ownership tag of this resource, so its interrupted create is resumed.',
    ],
    [
      "its own",
      { metadata: ourTag },
      "never",
      /already exists and has the ownership tag.*"ifOwned".*use another `noteId`/,
    ],
    [
      "another owner's",
      { metadata: tagOf("theirs") },
      "ifOwned",
      /is owned by the resource acme\/shop\/dev:memo/,
    ],
    ["another owner's", { metadata: tagOf("theirs") }, "always", /is owned by .* and is adopted/],
    ["without a tag", {}, undefined, /has no ownership tag\. Adopt it \(`adopt: "always"`\)/],
    ["without a tag", {}, "always", /has no ownership tag and is adopted/],
    ["the server's", { isOfServer: true }, undefined, /was created by the server and is adopted/],
    ["the server's", { isOfServer: true, metadata: tagOf("theirs") }, undefined, /is owned by the resource/],
  ])("handles an existing note (%s, %j, adopt: %s)", async (_, note, adopt, text) => {
    const notes = withNote(note);
    const refused = await notes.create({ ...(adopt && { adopt }) }).then(
      () => undefined,
      (error: unknown) => error as AgentServerError,
    );
    expect(refused?.message ?? notes.said.join().replace("info: ", "")).toMatch(text);
    expect([notes.stored.get("n")!.metadata, notes.writes.length]).toEqual(
      refused
        ? [note.metadata ?? {}, 0]
        : [{ ...note.metadata, ...ourTag }, note.metadata === ourTag ? 0 : 1],
    );
  });

  test("updates an adopted note to match the desired inputs", async () => {
    const notes = withNote({ title: "Theirs", metadata: { theirs: 1 } });
    const { state } = await notes.create({ metadata: { a: 1 }, adopt: "always" });
    expect(notes.stored.get("n")).toEqual({ id: "n", title: "A", metadata: { theirs: 1, a: 1, ...ourTag } });
    expect(state).toMatchObject({ edition: "A", ownerId: "ours" });
  });

  test("does not adopt a note that differs in an immutable value", async () => {
    const notes = withNote({ color: "red" });
    await expect(notes.create({ color: "blue", adopt: "always" })).rejects.toMatchObject({
      code: "immutable_field",
      message:
        'Note n ("A") cannot be adopted, because these fields differ and cannot be changed: `color`. Set them to the existing values, use another `noteId`, or delete the existing object.',
    });
    expect(notes.writes).toEqual([]);
  });

  test("recreates a note if an interrupted create had different values", async () => {
    const notes = withNote({ color: "red", metadata: ourTag });
    await notes.create({ color: "blue" });
    expect(notes.writes).toEqual(["delete", "create"]);
    expect(notes.stored.get("n")!.color).toBe("blue");
    expect(notes.said.at(-1)).toBe(
      'info: Note n ("A") will be recreated, because the interrupted create used different values.',
    );
  });

  test("fails if the server rejects a create but does not return the existing note", async () => {
    const notes = withNote({}, () => ({ findExisting: async () => undefined }));
    await expect(notes.create()).rejects.toMatchObject({
      code: "name_conflict",
      message: expect.stringContaining(
        "The server refused to create the note because it already exists, but the server does not return it.",
      ),
    });
  });

  test("does not send a create if a search finds the note first", async () => {
    const notes = withNote({ metadata: ourTag }, () => ({ searchesFirst: true }));
    await notes.create({ noteId: "other" });
    expect(notes.writes).toEqual(["create"]);
    notes.kind.create = () => Promise.reject(new Error("sent"));
    await expect(notes.create()).resolves.toMatchObject({ id: "n" });
  });

  test("includes the ID of the replaced resource in the search for an existing note", async () => {
    const notes = withNote({ metadata: ourTag });
    const predecessors: unknown[] = [];
    notes.kind.findExisting = async (_op, _inputs, predecessor) => {
      predecessors.push(predecessor);
      return notes.stored.get("n");
    };
    await notes.operations.create(notes.op, { noteId: "n", title: "A" }, "earlier");
    expect(predecessors).toEqual(["earlier"]);
  });

  test("recreates a note if an interrupted create had different values and a response is lost", async () => {
    const notes = withNote({ color: "red", metadata: ourTag });
    notes.losing = "request";
    await notes.create({ color: "blue" });
    expect([notes.writes, notes.stored.get("n")!.color]).toEqual([["delete", "create"], "blue"]);
  });

  test.each(["request", "response"] as const)("creates one note after a lost %s", async (losing) => {
    const notes = new Notes();
    notes.losing = losing;
    const { state } = await notes.create({ adopt: "never" });
    expect([notes.writes, notes.said, state.title]).toEqual([["create"], [], "A"]);
  });

  test.each<[string, Partial<Note>, boolean]>([
    ["accepts", {}, true],
    ["rejects", { title: "Theirs" }, false],
  ])("%s a note without a tag after a lost response: %j", async (_, note, isAccepted) => {
    const notes = new Notes(untagged);
    notes.losing = "request";
    notes.kind.findExisting = async () => notes.put({ id: "n", title: "A", metadata: {}, ...note });
    const created = notes.create({ adopt: "never" });
    if (isAccepted) await expect(created).resolves.toMatchObject({ id: "n" });
    else await expect(created).rejects.toThrow("already exists and has no reported owner");
    expect(notes.writes).toEqual([]);
  });

  test("rejects the note of another resource after a lost request", async () => {
    const notes = new Notes();
    notes.losing = "request";
    notes.kind.findExisting = async () => notes.put({ id: "n", title: "A", metadata: tagOf("theirs") });
    await expect(notes.create()).rejects.toThrow("is owned by");
  });

  test("reclaims a note without a tag that an earlier replacement was about to delete", async () => {
    await expect(withNote({}, untagged).create({})).rejects.toThrow("has no reported owner");
    await expect(withNote({}, untagged).create({}, "other")).rejects.toThrow("has no reported owner");
    await expect(withNote({}, untagged).create({}, "n")).resolves.toMatchObject({ id: "n" });
    await expect(withNote({}).create({}, "n")).rejects.toThrow("has no ownership tag");
  });

  test("completes a create, including a resumed one", async () => {
    for (const notes of [new Notes(), withNote({ metadata: ourTag })]) {
      notes.kind.complete = async ({ server }, _inputs, note) =>
        server.write("complete", () => notes.put({ ...note, title: `${note.title}!` }));
      const { state } = await notes.create();
      expect([notes.writes.at(-1), state.edition]).toEqual(["complete", "A!"]);
    }
  });
});

describe("read", () => {
  const read = (notes: Notes, state?: Partial<NoteState>) =>
    notes.operations.read(
      notes.op,
      "n",
      state && { noteId: "n", ...state, ownerId: "ours", schemaVersion: 1 },
    );

  test("returns nothing if the note no longer exists", async () => {
    await expect(read(new Notes(), {})).resolves.toBeUndefined();
  });

  test("imports the reported values", async () => {
    const found = await read(withNote({ title: null, metadata: { a: 1, ...tagOf("theirs") } }));
    expect(found?.inputs).toStrictEqual({ noteId: "n", metadata: { a: 1 } });
    expect(found?.state).toEqual({
      noteId: "n",
      metadata: { a: 1 },
      edition: "null",
      ownerId: "ours",
      schemaVersion: 1,
    });
  });

  test("shows changes by others, and keeps values that are not reported", async () => {
    const notes = withNote({ title: "Theirs", metadata: { a: 2, more: 1, ...ourTag } });
    const found = await read(notes, { title: "A", color: "red", metadata: { a: 1 } });
    expect(found?.inputs).toEqual({ noteId: "n", title: "Theirs", color: "red", metadata: { a: 2 } });
    expect(found?.state).toMatchObject({ title: "Theirs", edition: "A, Theirs → Theirs", ownerId: "ours" });
    expect(notes.said).toEqual([]);
  });

  test("warns about another owner only if the note is in state", async () => {
    const notes = withNote({ metadata: tagOf("theirs") });
    await read(notes);
    expect(notes.said).toEqual([]);
    await read(notes, { title: "A" });
    expect(notes.said).toEqual(['warning: Note n ("A") is now owned by the resource acme/shop/dev:memo.']);
  });

  test("names a note without a title by its ID, and ignores owners if the API has no tags", async () => {
    const unnamed = withNote({ title: null, metadata: tagOf("theirs") });
    await read(unnamed, {});
    expect(unnamed.said).toEqual(["warning: Note n is now owned by the resource acme/shop/dev:memo."]);
    const notes = withNote({ metadata: tagOf("theirs") }, untagged);
    await read(notes, {});
    expect(notes.said).toEqual([]);
  });
});

describe("update", () => {
  test("fails if the note no longer exists", async () => {
    await expect(new Notes().update({}, {})).rejects.toMatchObject({
      code: "resource_gone",
      message: "Note n no longer exists. Run `pulumi refresh`; the next `pulumi up` recreates it.",
    });
  });

  test("sends only the differences, with null for each removed key", async () => {
    const notes = withNote({ metadata: { a: 1, b: 2, theirs: 3, ...ourTag } });
    const { state } = await notes.update({ metadata: { a: 1, b: 2 } }, { title: "B", metadata: { a: 4 } });
    expect(notes.writes).toEqual([`patch title,metadata ${JSON.stringify({ b: null, a: 4, ...ourTag })}`]);
    expect(notes.stored.get("n")).toEqual({ id: "n", title: "B", metadata: { a: 4, theirs: 3, ...ourTag } });
    expect([state.edition, notes.said]).toEqual(["A, A → B", []]);
  });

  test("does not send metadata that has not changed", async () => {
    const notes = withNote({ metadata: { a: 1, ...ourTag } });
    await notes.update({ metadata: { a: 1 } }, { title: "B", metadata: { a: 1 } });
    await notes.update({ title: "B", metadata: { a: 1 } }, { title: "B", metadata: { a: 1 } });
    expect(notes.writes).toEqual(["patch title undefined"]);
  });

  test("writes a missing tag without the metadata", async () => {
    const notes = withNote({ metadata: { a: 1 } });
    await notes.update({ metadata: { a: 1 } }, { metadata: { a: 1 } });
    expect(notes.writes).toEqual([`patch  ${JSON.stringify(ourTag)}`]);
    expect(notes.said).toEqual(['info: Note n ("A") has no ownership tag and is adopted.']);
    const bare = withNote({}, untagged);
    await bare.update({}, {});
    expect(bare.writes).toEqual([]);
  });

  test.each<[string, Partial<Note>, Partial<NoteInputs>, Partial<NoteInputs>, string]>([
    ["another change", { title: "Theirs" }, {}, {}, "the update also changes `title`"],
    [
      "a change that has already been made",
      { title: "B" },
      {},
      { title: "B" },
      "already up to date: `title`",
    ],
    [
      "both kinds of changes",
      { title: "B", metadata: { a: 2 } },
      { metadata: { a: 1 } },
      { title: "B", metadata: { a: 1 } },
      "the update also changes `metadata.a`; already up to date: `title`",
    ],
  ])("logs how it differs from the preview: %s", async (_, note, before, inputs, text) => {
    const notes = withNote({ ...note, metadata: { ...note.metadata, ...ourTag } });
    await notes.update(before, inputs);
    expect(notes.said).toEqual([
      `info: Note n ("${note.title ?? "A"}") was changed outside this program: ${text}.`,
    ]);
  });

  test.each<[string, Partial<Note>, Partial<NoteInputs>, Partial<NoteInputs>]>([
    ["a map becomes managed whose entries differ", { metadata: { a: 1 } }, {}, { metadata: { a: 2, b: 1 } }],
    ["a map becomes managed whose entries are the same", { metadata: { a: 1 } }, {}, { metadata: { a: 1 } }],
    ["an object had earlier values", { title: "Earlier" }, { title: "A" }, { title: "B" }],
  ])("reports no external change if %s", async (_, note, before, inputs) => {
    const hadEarlierValues = () => ({ keepsTag: ({ title }: NoteInputs) => title === "A" });
    const notes = withNote({ ...note, metadata: { ...note.metadata, ...ourTag } }, hadEarlierValues);
    await notes.update(before, inputs);
    expect(notes.said).toEqual([]);
  });

  test("rejects an update if others have changed an immutable value", async () => {
    const notes = withNote({ color: "red", metadata: ourTag });
    await expect(notes.update({ color: "blue" }, { color: "blue", title: "B" })).rejects.toThrow(
      'Note n ("A") was changed outside this program and cannot be updated, because these fields differ',
    );
    expect(notes.writes).toEqual([]);
  });

  test("changes another owner's note only with adopt: always, and then sends unreported fields", async () => {
    const silent = (kind: NoteKind) => ({
      reported: (note: Note) => ({ ...kind.reported(note), title: undefined }),
    });
    const foreign = () => withNote({ title: "Theirs", metadata: tagOf("theirs") }, silent);
    await expect(foreign().update({}, {})).rejects.toThrow("was not changed because it is owned by");
    const notes = foreign();
    await notes.update({}, { adopt: "always" });
    expect(notes.writes).toEqual([`patch title ${JSON.stringify(ourTag)}`]);
    const own = withNote({ title: "Theirs", metadata: ourTag }, silent);
    await own.update({}, {});
    expect(own.writes).toEqual([]);
  });
});

describe("rename", () => {
  const interrupted = {
    agentserver_owner: "later",
    agentserver_resource: "acme/shop/prod:renamed",
    agentserver_renamed_from: "ours",
  };

  test("recognizes the tag of an interrupted rename only on a note in state", async () => {
    const notes = withNote({ metadata: interrupted });
    const state = { noteId: "n", title: "A", ownerId: "ours", schemaVersion: 1 };
    const read = (one?: NoteState) => notes.operations.read(notes.op, "n", one);
    expect([(await read(state))?.state.ownerId, (await read())?.state.ownerId]).toEqual(["later", "ours"]);
    expect(notes.said).toEqual([]);
    await expect(notes.create()).rejects.toThrow("is owned by the resource acme/shop/prod:renamed");
    await notes.update({}, {});
    expect([notes.stored.get("n")!.metadata, notes.said]).toEqual([ourTag, []]);
  });

  test("replaces its own tag with the previous owner ID, and keeps that ID in the new tag", async () => {
    const notes = withNote({ metadata: tagOf("earlier") }, undefined, "earlier");
    const { state } = await notes.update({}, {});
    expect(notes.stored.get("n")!.metadata).toEqual({ ...ourTag, agentserver_renamed_from: "earlier" });
    expect([state.ownerId, notes.said]).toEqual(["ours", []]);
  });

  test("removes the previous owner ID with the next change to the metadata", async () => {
    const notes = withNote({ metadata: { ...ourTag, agentserver_renamed_from: "earlier" } });
    await notes.update({}, { metadata: { a: 1 } });
    expect(notes.stored.get("n")!.metadata).toEqual({ a: 1, ...ourTag });
  });

  test("keeps the tag if it must not change", async () => {
    const keeping = () => ({ keepsTag: ({ title }: NoteInputs) => title !== "B" });
    const notes = withNote({ metadata: tagOf("earlier") }, keeping, "earlier");
    expect(
      [{ title: "A" }, { title: "B" }].map((one) => notes.operations.keepsTag({ noteId: "n", ...one })),
    ).toEqual([true, false]);
    const { state } = await notes.update({}, {});
    expect([notes.writes, state.ownerId]).toEqual([[], "earlier"]);
    expect(new Notes().operations.keepsTag({ noteId: "n" })).toBe(false);
    const foreign = withNote({ metadata: tagOf("theirs") }, keeping, "earlier");
    await foreign.update({}, { adopt: "always" });
    expect(foreign.writes).toHaveLength(1);
  });
});

describe("delete", () => {
  test.each<[string, Metadata, boolean]>([
    ["deletes its own note", ourTag, true],
    ["keeps the note of another owner", tagOf("theirs"), false],
    ["keeps a note without a tag", {}, false],
  ])("%s", async (_, metadata, isDeleted) => {
    const notes = withNote({ metadata });
    const [state, successor] = [{ noteId: "n", ownerId: "ours", schemaVersion: 1 }, { noteId: "n2" }];
    const replacement = { id: "n3", inputs: { noteId: "n3" } };
    await notes.operations.delete(notes.op, "n", state, successor, replacement);
    expect(notes.stored.has("n")).toBe(!isDeleted);
    expect(notes.deletions).toEqual(isDeleted ? [["n", { successor, replacement }]] : []);
    expect(notes.said).toHaveLength(isDeleted ? 0 : 1);
  });

  test("does nothing if the note no longer exists", async () => {
    const notes = new Notes();
    await notes.operations.delete(notes.op, "n");
    expect([notes.writes, notes.said]).toEqual([[], []]);
  });
});

describe("a pause before a write", () => {
  const takenBy = (notes: Notes, owner: string) => () =>
    notes.put({ id: "n", title: "Theirs", metadata: owner === "" ? {} : tagOf(owner) });

  test("rejects an update if another resource adopts the note in the meantime", async () => {
    const notes = withNote({ metadata: ourTag });
    notes.duringPause = takenBy(notes, "theirs");
    await expect(notes.update({}, { title: "B" })).rejects.toThrow("was not changed because it is owned by");
    expect(notes.writes).toEqual([]);
  });

  test("plans an update again if the tag is removed in the meantime", async () => {
    const notes = withNote({ metadata: ourTag });
    notes.duringPause = takenBy(notes, "");
    await notes.update({}, { title: "B" });
    expect(notes.said[0]).toContain("has no ownership tag and is adopted");
    expect(notes.writes).toEqual([`patch title ${JSON.stringify(ourTag)}`]);
  });

  test("sends an update if it still owns the note, and reads the note once if there is no pause", async () => {
    const notes = withNote({ metadata: ourTag });
    await notes.update({}, { title: "B" });
    expect([notes.writes.length, notes.reads]).toEqual([1, 1]);
    notes.duringPause = takenBy(notes, "ours");
    await notes.update({}, { title: "C" });
    expect([notes.writes.length, notes.reads, notes.said]).toEqual([2, 3, []]);
  });

  test("does not report its own earlier attempt to replace the tag after a rename", async () => {
    const notes = withNote({ metadata: tagOf("earlier") }, undefined, "earlier");
    notes.duringPause = () => notes.put({ id: "n", title: "B", metadata: tagOf("ours") });
    await notes.update({}, { title: "B" });
    expect([notes.writes.length, notes.said]).toEqual([1, []]);
  });

  test("sends an update to an adopted note if its owner has not changed in the meantime", async () => {
    const notes = withNote({ metadata: tagOf("theirs") });
    notes.duringPause = takenBy(notes, "theirs");
    await notes.update({}, { title: "B", adopt: "always" });
    expect([notes.writes.length, notes.said.length]).toEqual([1, 1]);
  });

  test("keeps a note that another resource adopts in the meantime", async () => {
    const notes = withNote({ metadata: ourTag });
    notes.duringPause = takenBy(notes, "theirs");
    await notes.operations.delete(notes.op, "n");
    expect([notes.writes, notes.stored.has("n")]).toEqual([[], true]);
    expect(notes.said).toEqual([expect.stringContaining("was not deleted because it is owned by")]);
  });

  test("sends the delete again if the note was deleted in the meantime", async () => {
    const notes = withNote({ metadata: ourTag });
    notes.duringPause = () => notes.stored.delete("n");
    await notes.operations.delete(notes.op, "n");
    expect(notes.writes).toEqual(["delete"]);
  });

  test("does not resume a create if another resource adopts the note in the meantime", async () => {
    const notes = withNote({ color: "red", metadata: ourTag });
    notes.duringPause = () => undefined;
    notes.kind.create = () => Promise.reject(new AgentServerError("request_refused", "409", { status: 409 }));
    notes.duringPause = takenBy(notes, "theirs");
    await expect(notes.create({ color: "blue" })).rejects.toThrow("is owned by");
    expect(notes.writes).toEqual([]);
  });

  test("does not complete the create of a note that another resource has adopted", async () => {
    const notes = new Notes();
    notes.kind.complete = async ({ server }, _inputs, note) => {
      notes.duringPause = takenBy(notes, "theirs");
      return server.write("complete", () => note);
    };
    await expect(notes.create()).rejects.toThrow("is owned by");
    expect(notes.writes).toEqual(["create"]);
  });

  test("sends writes if the API does not support tags", async () => {
    const notes = withNote({ metadata: ourTag }, untagged);
    notes.duringPause = takenBy(notes, "theirs");
    await notes.update({}, { title: "B" });
    expect(notes.writes).toHaveLength(1);
  });
});
