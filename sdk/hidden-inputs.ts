import * as pulumi from "@pulumi/pulumi";
import { backendId } from "../provider/engine/backend";
import { projectFolder } from "./project-paths";

/**
 * Returns the data that the provider needs for each call. All of it is in a single input, because each additional
 * top-level input takes time. The engine does not display names that start with `__`.
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
      // Dynamic providers do not receive the URN or the organization, and no provider receives the backend.
      urn: withoutDependencies(pulumi.createUrn(name, type, opts?.parent)),
      organization: pulumi.getOrganization(),
      backend: backendId({ env: process.env, root: projectFolder() }),
      timeouts: timeouts && { create: timeouts.create, update: timeouts.update, delete: timeouts.delete },
      // The engine does not learn which properties of a dynamic resource have changed.
      replaceOnChanges: opts?.replaceOnChanges?.length ? opts.replaceOnChanges : undefined,
      secretPaths: secretPaths(args, []).then(
        (paths) => (paths.length > 0 ? paths : undefined),
        // A failed input is reported when it is used.
        () => undefined,
      ),
    },
  };
}

/**
 * Returns the value of an output without its dependencies. The URN of a resource depends on its parent's URN, and
 * Pulumi expands a dependency on a component to all of its children. With these dependencies, two siblings would wait
 * for each other forever.
 */
function withoutDependencies<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply((value) => resolve(value)));
}

/** Marks each value as secret instead of the whole map, so that previews can show the names. */
export function secretValues(
  secrets: pulumi.Input<Record<string, pulumi.Input<string>>> | null | undefined,
): pulumi.Input<Record<string, unknown>> | null | undefined {
  // The provider rejects null, which programs in JavaScript may pass.
  if (secrets === null) return secrets;
  if (secrets === undefined || pulumi.Output.isInstance(secrets) || secrets instanceof Promise)
    return secrets && pulumi.secret(secrets as pulumi.Input<Record<string, string>>);
  return printable(
    Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, pulumi.secret(value)])),
  );
}

/**
 * Prepares arguments for Pulumi. Rejects a `__proto__` key, which would be lost silently on the way to the provider. A
 * key in an output is rejected when the value of the output is known.
 * @param resource name of the resource in messages, for example `Deployment "agent"`
 * @throws Error with the name of the resource and the path
 */
export function prepareArgs<Args>(resource: string, args: Args): Args {
  return prepare(args, [], []) as Args;

  function prepare(value: unknown, path: string[], around: unknown[]): unknown {
    if (pulumi.Output.isInstance(value)) return value.apply((resolved) => prepare(resolved, path, around));
    if (value instanceof Promise) return value.then((resolved) => prepare(resolved, path, around));
    if (typeof value !== "object" || value === null) return value;
    if (around.includes(value))
      throw new Error(`${resource}: ${path.join(".")} contains itself; pass a value without cycles.`);
    if (!Array.isArray(value) && !isPlain(value)) return value;
    if (Object.hasOwn(value, "__proto__"))
      throw new Error(
        `${resource}: ${[...path, "__proto__"].join(".")} cannot be passed to the provider; use another name.`,
      );
    const inside = (item: unknown, key: string) => prepare(item, [...path, key], [...around, value]);
    if (Array.isArray(value)) return value.map((item, index) => inside(item, String(index)));
    return printable(
      Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, key)])),
    );
  }
}

/**
 * Adds a string conversion, because Pulumi converts inputs to strings. That conversion fails if an input has a
 * `toString` key.
 */
function printable<Value extends object>(value: Value): Value {
  if (!Object.hasOwn(value, "toString")) return value;
  return Object.defineProperty(value, Symbol.toPrimitive, { value: () => "[object Object]" });
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Returns the paths of secret inputs, including those in promises and outputs. The provider receives plain values, and
 * needs the paths so that it does not print secrets.
 */
async function secretPaths(value: unknown, path: string[]): Promise<string[]> {
  if (path[0] === "secrets") return [];
  if (pulumi.Output.isInstance(value))
    return (await pulumi.isSecret(value))
      ? [path.join(".")]
      : secretPaths(await valueWithUnknowns(value), path);
  if (value instanceof Promise) return secretPaths(await value, path);
  if (typeof value !== "object" || value === null || !(Array.isArray(value) || isPlain(value))) return [];
  const inside = Object.entries(value).map(([key, item]) => secretPaths(item, [...path, key]));
  return (await Promise.all(inside)).flat();
}

/**
 * Returns the value of an output, with the markers that Pulumi uses for unknown parts. `apply` would never resolve
 * during a preview.
 */
function valueWithUnknowns(output: pulumi.Output<unknown>): Promise<unknown> {
  return (output as unknown as { promise(withUnknowns: true): Promise<unknown> }).promise(true);
}
