import { environmentOfStack } from "../../../policies/rules/environment-of-stack";
import { compliant, said, unknown } from "../judging";

const { name: _name, ...nameless } = compliant;
const of = (environment: unknown) => ({ ...nameless, agent: { agentId: "support", environment } });
const settings = { development: ["dev-*"], staging: ["staging"] };

test.each([
  ["prod", "production"],
  ["dev-ann", "development"],
  ["staging", "staging"],
])("the stack %s deploys for %s", (stack, environment) => {
  expect(said(environmentOfStack, of(environment), { stack, settings })).toEqual([]);
});

test("another environment is refused, with the stack's own", () => {
  expect(said(environmentOfStack, of("staging"), { stack: "prod", settings })).toEqual([
    'Deployment "agent": agent.environment is staging, which is not the environment of stack prod. This stack is for production. Deploy it from a stack of staging, or give the agent another environment.',
  ]);
});

test("a stack that is for no environment does not deploy for one that has stacks", () => {
  expect(said(environmentOfStack, of("production"), { stack: "ann" })).toEqual([
    expect.stringContaining("agent.environment is production, which is not the environment of stack ann"),
  ]);
  expect(said(environmentOfStack, of("development"), { stack: "ann" })).toEqual([]);
});

test("a deployment with a name is left alone, and what is not known yet is not judged", () => {
  expect(said(environmentOfStack, compliant, { stack: "prod", settings })).toEqual([]);
  expect(said(environmentOfStack, of(unknown), { stack: "prod", settings })).toEqual([
    expect.stringContaining("could not judge yet"),
  ]);
});
