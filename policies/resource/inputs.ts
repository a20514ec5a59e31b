import type { Connection } from "../pack/connection";
import type { Objection, Outcome } from "./outcome";
import type { ResourceKind } from "./kinds";
import { NotKnownYet, notKnownYet } from "./unknown";

/** Information about a resource that rules can use in addition to its inputs. */
export interface Circumstances {
  stack: string;
  /** Value of `opts.protect`. */
  protect: boolean;
  /** Values of `opts.customTimeouts`, in seconds; 0 if not set. */
  timeouts: { create: number; update: number };
  connection: Connection;
}

/** Inputs of one resource as they are sent to the provider, with `notKnownYet` for unknown values. */
export class ResourceInputs {
  constructor(
    readonly kind: ResourceKind,
    private readonly values: Record<string, unknown>,
    readonly circumstances: Circumstances,
  ) {}

  /**
   * Returns the value at a path such as `sourceConfig.repoUrl` or `rollout.triggers.0`, or `undefined` if there is
   * none.
   * @throws NotKnownYet if the value, or one that contains it, is not known yet
   */
  at(path: string): unknown {
    const keys = path.split(".");
    let value: unknown = this.values;
    for (const [depth, key] of keys.entries()) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as Record<string, unknown>)[key];
      if (value === notKnownYet) throw new NotKnownYet(keys.slice(0, depth + 1).join("."));
    }
    return value ?? undefined;
  }

  /** Returns the value at a path, or `notKnownYet`. */
  valueAt(path: string): unknown {
    try {
      return this.at(path);
    } catch (error) {
      if (error instanceof NotKnownYet) return notKnownYet;
      throw error;
    }
  }

  /**
   * Checks one field with a rule. A value that is not known yet also results in an outcome, and does not prevent other
   * checks.
   */
  judge(path: string, objectionTo: (value: unknown) => Objection | undefined): Outcome {
    try {
      const objection = objectionTo(this.at(path));
      return objection && { kind: "violation", field: path, ...objection };
    } catch (error) {
      if (error instanceof NotKnownYet) return { kind: "unjudged", field: error.field };
      throw error;
    }
  }

  /**
   * Returns every string in the inputs, every map key as a string at the path of the map, and every unknown value.
   * Excludes `secrets` and the inputs that the engine, the SDK, and the provider add.
   */
  texts(): TextAt[] {
    const own = Object.entries(this.values).filter(
      ([key]) => !["secrets", "itemHashes"].includes(key) && !key.startsWith("__"),
    );
    return own.flatMap(([key, value]) => textsIn(value, key));
  }
}

/** A string in the inputs. */
interface TextAt {
  path: string;
  text: string | typeof notKnownYet;
  /** True if the string is a key of the map at this path. */
  isKey?: true;
}

function textsIn(value: unknown, path: string): TextAt[] {
  if (typeof value === "string" || value === notKnownYet) return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value)
    ? []
    : Object.keys(value).map((text) => ({ path, text, isKey: true as const }));
  return [...keys, ...Object.entries(value).flatMap(([key, inside]) => textsIn(inside, `${path}.${key}`))];
}
