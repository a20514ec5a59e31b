import * as pulumi from "@pulumi/pulumi";
import { withProtection } from "../../sdk/protection";
import { withoutEngine } from "./program";

beforeEach(() => withoutEngine());
afterEach(() => jest.restoreAllMocks());

const props = { name: "agent" };
const unknown = () =>
  new (pulumi.Output as unknown as new (...parts: unknown[]) => pulumi.Output<boolean>)(
    [],
    Promise.resolve(undefined),
    Promise.resolve(false),
    Promise.resolve(false),
    Promise.resolve([]),
  );

/** Returns the options and the results of the transforms for a resource, with an engine that supports transforms. */
async function registered(isProtected: pulumi.Input<boolean>, opts?: pulumi.CustomResourceOptions) {
  jest.spyOn(pulumi.runtime, "hasEngine").mockReturnValue(true);
  const { transforms = [], protect } = withProtection(isProtected, props, opts) ?? {};
  const args = {
    custom: true,
    type: "t",
    name: "agent",
    props: { changed: true },
    opts: { retainOnDelete: true },
  };
  const results = await Promise.all(transforms.map(async (transform) => transform(args)));
  return { protect, results };
}

test.each([
  ["an output", () => pulumi.output(true)],
  ["a secret output", () => pulumi.secret(true)],
  ["a promise", () => Promise.resolve(true)],
])("protects a resource if deletionProtection is %s with the value true", async (_what, value) => {
  expect(await registered(value())).toEqual({
    protect: undefined,
    results: [{ props, opts: { retainOnDelete: true, protect: true } }],
  });
});

test.each([
  ["an output with the value false", () => pulumi.output(false)],
  ["a promise with the value false", () => Promise.resolve(false)],
  ["an output whose value is unknown in a preview", unknown],
])("does not change the options if deletionProtection is %s", async (_what, value) => {
  expect(await registered(value())).toEqual({ protect: undefined, results: [undefined] });
});

test("prefers the program's protect option to deletionProtection", async () => {
  for (const protect of [true, false])
    expect(await registered(pulumi.output(true), { protect })).toEqual({ protect, results: [] });
});

test("adds its transform before the program's transforms", () => {
  jest.spyOn(pulumi.runtime, "hasEngine").mockReturnValue(true);
  const own: pulumi.ResourceTransform = () => undefined;
  const { transforms } = withProtection(pulumi.output(true), props, { transforms: [own] })!;
  expect(transforms).toEqual([expect.any(Function), own]);
});

test("protects a resource without waiting for the value if there is no engine", () => {
  expect(withProtection(pulumi.output(true), props, undefined)).toEqual({ protect: true });
});
