import { resolve } from "node:path";
import { startTestControlPlane, type TestControlPlane } from "agentserver-emulator/testing";
import { program } from "./program";

const [first, second] = ["1".repeat(40), "2".repeat(40)];

let plane: TestControlPlane;

beforeEach(async () => {
  plane = await startTestControlPlane();
});
afterEach(() => plane.close());

/** Returns a stack in which the first commit is deployed to both environments. */
async function deployed() {
  const stack = await plane.createStack(program, { config: { commit: first, approved: first } });
  await stack.up();
  plane.takeWrites();
  return stack;
}

/** Returns the requests that were sent, such as `PATCH /v2/deployments/:id`. */
const requests = () => plane.takeWrites().map(({ request }) => request);

test("creates a revision for a new commit, but not for the same program", async () => {
  const stack = await deployed();
  await stack.up();
  expect(requests()).toEqual([]);

  await stack.setConfig("commit", { value: second });
  await stack.up();
  const [write] = plane.takeWrites();
  expect(write).toMatchObject({
    request: "PATCH /v2/deployments/:id",
    body: { source_revision_config: { repo_ref: second } },
  });
});

test("rolls staging back if a new commit does not start", async () => {
  const stack = await deployed();
  plane.steer({ verdict: "DEPLOY_FAILED", reason: "The agent does not start.", times: 1 });

  await stack.setConfig("commit", { value: second });
  await expect(stack.up()).rejects.toThrow(/The agent does not start\.[^]*Rolled back/);
  const sources = plane.takeWrites().map(({ body }) => body);
  expect(sources).toMatchObject([
    { source_revision_config: { repo_ref: second } },
    { source_revision_config: { repo_ref: first } },
  ]);
});

test("complies with the policies, and is rejected if an input contains a plaintext credential", async () => {
  const stack = await plane.createStack(program, { config: { commit: first, approved: first } });
  const policyPacks = ["node_modules/pulumi-agentserver-policies"].map((path) => resolve(path));
  const { stdout } = await stack.preview({ policyPacks });
  expect(stdout).not.toContain("[mandatory]");

  await stack.setConfig("greeting", { value: ["ghp", "exampleExampleExample0123456789abcdef"].join("_") });
  await expect(stack.preview({ policyPacks })).rejects.toThrow("no-plain-secrets");
});

test("does not promote a commit without an approval", async () => {
  const stack = await deployed();
  await stack.setConfig("commit", { value: second });
  const { outputs } = await stack.up();
  expect(outputs.waiting?.value).toContain("is waiting for approval");
  const changed = plane.takeWrites().map(({ body }) => body);
  expect(changed).toMatchObject([{ source_revision_config: { repo_ref: second } }]);

  await stack.setConfig("approved", { value: second });
  await stack.up();
  expect(requests()).toEqual(["PATCH /v2/deployments/:id"]);
});

test("sends a request again if the connection fails", async () => {
  const stack = await plane.createStack(program, { config: { commit: first, approved: first } });
  plane.admin.fault({ kind: "status", status: 503, method: "POST", path: "/v2/deployments", retryAfter: 1 });
  await stack.up();
  expect(requests().sort()).toEqual(Array(3).fill("POST /v2/deployments"));
});
