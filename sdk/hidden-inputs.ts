import * as pulumi from "@pulumi/pulumi";
import { backendId } from "./backend";
import { projectFolder } from "./project-folder";

/**
 * What the provider needs to know about each call, in one input: every top-level one costs time, and the engine does not
 * display names that start with `__`.
 */
export function hiddenInputs(
  type: string,
  name: string,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.Inputs {
  const timeouts = opts?.customTimeouts;
  return {
    __call: {
      // A dynamic provider gets neither the URN nor the organization, and nobody gets the backend.
      urn: detached(pulumi.createUrn(name, type, opts?.parent)),
      organization: pulumi.getOrganization(),
      backend: backendId({ env: process.env, root: projectFolder() }),
      timeouts: timeouts && { create: timeouts.create, update: timeouts.update, delete: timeouts.delete },
      // The engine is not told which properties of a dynamic resource have changed.
      replaceOnChanges: opts?.replaceOnChanges?.length ? opts.replaceOnChanges : undefined,
      secretPaths: secretPaths(args, []).then(
        (paths) => (paths.length > 0 ? paths : undefined),
        // The input that failed is reported where it is used.
        () => undefined,
      ),
    },
  };
}

/**
 * The value without what it was made of. The URN is made of the parent's, and Pulumi takes a component that an input
 * is made of for all of its children: two of them would wait for each other for ever.
 */
function detached<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply((value) => resolve(value)));
}

/** Marks each value as secret, not the map, so that a preview can show the names. */
export function secretValues(
  secrets: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined,
): pulumi.Input<Record<string, unknown>> | undefined {
  if (secrets === undefined || pulumi.Output.isInstance(secrets) || secrets instanceof Promise)
    return secrets && pulumi.secret(secrets as pulumi.Input<Record<string, string>>);
  return printable(
    Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, pulumi.secret(value)])),
  );
}

/**
 * The arguments as Pulumi can take them. A key `__proto__` is refused, as it would be lost on the way to the provider
 * without a word; in what is known only later, it is refused then.
 * @param resource as messages name it, for example `Deployment "agent"`
 * @throws Error that names the resource and the place
 */
export function transportable<Args>(resource: string, args: Args): Args {
  return kept(args, [], []) as Args;

  function kept(value: unknown, path: string[], around: unknown[]): unknown {
    if (pulumi.Output.isInstance(value)) return value.apply((known) => kept(known, path, around));
    if (value instanceof Promise) return value.then((known) => kept(known, path, around));
    if (typeof value !== "object" || value === null) return value;
    if (around.includes(value))
      throw new Error(`${resource}: ${path.join(".")} contains itself; give it a value that does not.`);
    if (!Array.isArray(value) && !isPlain(value)) return value;
    if (Object.hasOwn(value, "__proto__"))
      throw new Error(
        `${resource}: ${[...path, "__proto__"].join(".")} is a name that gets lost on the way to the provider; use another one.`,
      );
    const inside = (item: unknown, key: string) => kept(item, [...path, key], [...around, value]);
    if (Array.isArray(value)) return value.map((item, index) => inside(item, String(index)));
    return printable(
      Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, key)])),
    );
  }
}

/** Pulumi puts inputs into texts of its own, which a key `toString` makes fail. */
function printable<Value extends object>(value: Value): Value {
  if (!Object.hasOwn(value, "toString")) return value;
  return Object.defineProperty(value, Symbol.toPrimitive, { value: () => "[object Object]" });
}

function isPlain(value: object): boolean {
  const above: unknown = Object.getPrototypeOf(value);
  return above === null || Object.getPrototypeOf(above) === null;
}

/**
 * Paths of the inputs that are secret, also inside promises and outputs; the provider gets them as plain values and must
 * not print them.
 */
async function secretPaths(value: unknown, path: string[]): Promise<string[]> {
  if (path[0] === "secrets") return [];
  if (pulumi.Output.isInstance(value))
    return (await pulumi.isSecret(value)) ? [path.join(".")] : secretPaths(await knownPart(value), path);
  if (value instanceof Promise) return secretPaths(await value, path);
  if (typeof value !== "object" || value === null || !(Array.isArray(value) || isPlain(value))) return [];
  const inside = Object.entries(value).map(([key, item]) => secretPaths(item, [...path, key]));
  return (await Promise.all(inside)).flat();
}

/** Value of an output, in which Pulumi marks what is unknown; `apply` would wait for that forever during a preview. */
function knownPart(output: pulumi.Output<unknown>): Promise<unknown> {
  return (output as unknown as { promise(withUnknowns: true): Promise<unknown> }).promise(true);
}
