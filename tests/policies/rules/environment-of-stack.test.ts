import { environmentOfStack } from "../../../policies/rules/environment-of-stack";
import { compliant, said, unknown } from "../judging";

const { name: _name, ...nameless } = compliant;
const of = (environment: unknown) => ({ ...nameless, agent: { agentId: "support", environment } });
const settings = { development: ["dev-*"], staging: ["staging"] };

test.each([
  ["prod", "production"],
  ["dev-ann", "development"],
  ["staging", "staging"],
])("allows the stack %s to deploy to %s", (stack, environment) => {
  expect(said(environmentOfStack, of(environment), { stack, settings })).toEqual([]);
});

test("rejects any other environment, and reports the environment that the stack requires", () => {
  expect(said(environmentOfStack, of("staging"), { stack: "prod", settings })).toEqual([
    'Deployment "agent": agent.environment is staging, which is not the environment of stack prod. This stack is for production. Deploy it from a stack for staging, or give the agent another environment.',
  ]);
});

test("rejects an environment that is reserved for other stacks", () => {
  expect(said(environmentOfStack, of("production"), { stack: "ann" })).toEqual([
    expect.stringContaining("agent.environment is production, which is not the environment of stack ann"),
  ]);
  expect(said(environmentOfStack, of("development"), { stack: "ann" })).toEqual([]);
});

test("accepts a deployment with a name and does not check an unknown environment", () => {
  expect(said(environmentOfStack, compliant, { stack: "prod", settings })).toEqual([]);
  expect(said(environmentOfStack, of(unknown), { stack: "prod", settings })).toEqual([
    expect.stringContaining("cannot be evaluated yet"),
  ]);
});
