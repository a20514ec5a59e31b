import { AgentServerError } from "../../../../provider/errors";
import {
  type Adopt,
  claim,
  type ClaimedFor,
  conflict,
  type Existing,
  ignoreConflict,
  type Owner,
  removedKeys,
} from "../../../../provider/resource/ownership/claim";

/** Cases: the operation, the owner, and the results for the `never`, `ifOwned`, and `always` values of `adopt`. */
const table: [ClaimedFor, Owner, string[]][] = [
  ["create", "this", ["refused", "resume", "resume"]],
  ["create", "this, changed", ["refused", "refused", "adopt"]],
  ["create", "another", ["refused", "refused", "adopt"]],
  ["create", "none", ["refused", "refused", "adopt"]],
  ["create", "server", ["refused", "adopt", "adopt"]],
  ["create", "unreported", ["refused", "refused", "adopt"]],
  ["update", "this", ["change", "change", "change"]],
  ["update", "this, changed", ["change", "change", "change"]],
  ["update", "another", ["refused", "refused", "adopt"]],
  ["update", "none", ["adopt", "adopt", "adopt"]],
  ["update", "server", ["adopt", "adopt", "adopt"]],
  ["update", "unreported", ["change", "change", "change"]],
  ["delete", "this", ["delete", "delete", "delete"]],
  ["delete", "this, changed", ["delete", "delete", "delete"]],
  ["delete", "another", ["keep", "keep", "keep"]],
  ["delete", "none", ["keep", "keep", "keep"]],
  ["delete", "server", ["keep", "keep", "keep"]],
  ["delete", "unreported", ["delete", "delete", "delete"]],
];

const modes: Adopt[] = ["never", "ifOwned", "always"];

function run(purpose: ClaimedFor, owner: Owner, adopt?: Adopt) {
  const logged: string[] = [];
  const log = (severity: string, text: string) => void logged.push(`${severity}: ${text}`);
  const existing = {
    title: "Assistant 4711",
    owner,
    holder: "the resource acme/shop/dev:inbox",
    alternative: "use another `assistantId`",
  };
  try {
    return { result: claim({ log }, purpose, existing, adopt), logged };
  } catch (error) {
    expect(error).toMatchObject({ code: "name_conflict" });
    return { result: "refused", logged, message: (error as Error).message };
  }
}

test.each(table)("returns the decision for the %s (owner: %j)", (purpose, owner, expected) => {
  expect(modes.map((adopt) => run(purpose, owner, adopt).result)).toEqual(expected);
  expect(run(purpose, owner).result).toBe(expected[1]);
});

test.each<[ClaimedFor, Owner, Adopt, string]>([
  [
    "create",
    "another",
    "ifOwned",
    'Assistant 4711 already exists and is owned by the resource acme/shop/dev:inbox. Adopt it (`adopt: "always"`), use another `assistantId`, or delete it.',
  ],
  [
    "create",
    "this",
    "never",
    'Assistant 4711 already exists and has the ownership tag of this resource. Adopt it (`adopt: "ifOwned"`), use another `assistantId`, or delete it.',
  ],
  [
    "create",
    "this, changed",
    "ifOwned",
    'Assistant 4711 already exists and was changed after this resource created it. Adopt it (`adopt: "always"`), use another `assistantId`, or delete it.',
  ],
  [
    "update",
    "another",
    "ifOwned",
    'Assistant 4711 was not changed because it is owned by the resource acme/shop/dev:inbox. Reclaim it (`adopt: "always"`), or remove it from one of the two programs.',
  ],
])("explains why the %s is rejected (owner: %j, adopt: %s)", (purpose, owner, adopt, message) => {
  expect(run(purpose, owner, adopt).message).toBe(message);
});

test.each<[ClaimedFor, Owner, string]>([
  ["create", "none", "info: Assistant 4711 has no ownership tag and is adopted."],
  ["create", "another", "info: Assistant 4711 is owned by the resource acme/shop/dev:inbox and is adopted."],
  [
    "create",
    "this",
    "info: Assistant 4711 has the ownership tag of this resource, so its interrupted create is resumed.",
  ],
  ["delete", "none", "warning: Assistant 4711 was not deleted because it has no ownership tag."],
  [
    "delete",
    "another",
    "warning: Assistant 4711 was not deleted because it is owned by the resource acme/shop/dev:inbox.",
  ],
])("logs the result of the %s (owner: %j)", (purpose, owner, line) => {
  expect(run(purpose, owner, "always").logged).toEqual([line]);
});

test.each<[ClaimedFor, Owner]>([
  ["update", "this"],
  ["update", "unreported"],
  ["delete", "this"],
])("logs nothing about the %s (owner: %j)", (purpose, owner) => {
  expect(run(purpose, owner, "always").logged).toEqual([]);
});

test.each<[string, Existing, string]>([
  [
    "the server",
    { title: "Assistant 4711", owner: "server" },
    'Assistant 4711 already exists and was created by the server. Adopt it (`adopt: "always"`), or delete it.',
  ],
  [
    "an unknown owner",
    { title: "Listener 4711", owner: "unreported", hint: "See its name." },
    'Listener 4711 already exists and has no reported owner. Adopt it (`adopt: "always"`), or delete it. See its name.',
  ],
])("explains the conflict with an object that belongs to %s", (_, existing, message) => {
  expect(conflict("create", existing).message).toBe(message);
});

test("identifies the deployment in the error", () => {
  const error = conflict("update", { title: "Deployment d", owner: "another", deploymentId: "d" });
  expect(error.facts.deploymentId).toBe("d");
});

test("ignores only responses with status 409", () => {
  expect(ignoreConflict(new AgentServerError("name_conflict", "exists", { status: 409 }))).toBeUndefined();
  for (const error of [
    new AgentServerError("name_conflict", "exists", { status: 422 }),
    new AgentServerError("name_conflict", "exists"),
    Object.assign(new Error("other"), { facts: { status: 409 } }),
  ])
    expect(() => ignoreConflict(error)).toThrow(error);
});

test.each([
  [{ a: 1, b: 2, c: undefined }, { b: 3 }, { a: null, c: null }],
  [{ a: 1 }, null, { a: null }],
  [{ a: 1 }, undefined, { a: null }],
  [undefined, { a: 1 }, {}],
  [null, { a: 1 }, {}],
])("returns null for the keys of %j that are not in %j", (current, wanted, expected) => {
  expect(removedKeys(current, wanted)).toEqual(expected);
});
