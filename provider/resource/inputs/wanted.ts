import { isDeepStrictEqual } from "node:util";
import { isSameJson } from "./json";
import { hasUnknown, notKnownYet } from "./unknown";
import { at, isGiven, isGroup, type Props } from "./values";

/** Inputs of a program, together with the inputs in state. They may be invalid or unknown. */
export class DesiredInputs {
  /** The inputs in state; undefined if the resource does not exist. */
  readonly previous: object | undefined;
  /** Cached value of `hasChanges`. The compared values never change. */
  private differs: boolean | undefined;

  /**
   * @param olds the inputs in state; empty for a resource that is not in state
   * @param inputs the inputs of the program
   * @param replaceOnChanges the `replaceOnChanges` option in the program
   */
  constructor(
    olds: object,
    readonly inputs: object,
    private readonly replaceOnChanges: readonly string[] = [],
  ) {
    this.previous = Object.keys(olds).length > 0 ? olds : undefined;
  }

  /** True if the resource is not in state. */
  get isNew(): boolean {
    return this.previous === undefined;
  }

  /** Returns the value at a path in state. */
  stateValue(path: string): unknown {
    return this.previous && at(this.previous, path);
  }

  /** Returns the value at a path in state if it is a string. */
  stateText(path: string): string | undefined {
    const value = this.stateValue(path);
    return typeof value === "string" ? value : undefined;
  }

  /** True if the program specifies a value at the path. */
  specifies(path: string): boolean {
    const value = at(this.inputs, path);
    return isGiven(value) && !this.isInUnknown(path);
  }

  /** True if it is certain that the program does not specify a value at the path. */
  lacks(path: string): boolean {
    return at(this.inputs, path) === undefined;
  }

  /** True if the program's value at the path is unknown, in whole or in part. */
  isUnknown(path: string): boolean {
    return hasUnknown(at(this.inputs, path));
  }

  /** Returns the program's value at a path; `undefined` if it is null, or if any part of it is unknown. */
  knownValue(path: string): unknown {
    const value = at(this.inputs, path);
    return value === null || hasUnknown(value) ? undefined : value;
  }

  /** Returns the program's value at a path if it is a known string. */
  text(path: string): string | undefined {
    const value = this.knownValue(path);
    return typeof value === "string" ? value : undefined;
  }

  /** Returns the program's value at a path if it is an object. Parts of it may be unknown. */
  object(path: string): Props | undefined {
    const value = at(this.inputs, path);
    return isGroup(value) ? value : undefined;
  }

  /** True if the value differs from the one in state, which a server has already accepted. */
  changes(path: string): boolean {
    return this.isNew || (this.hasChanges && !isSameJson(at(this.previous!, path), at(this.inputs, path)));
  }

  /** False if it is certain that all values are the same as in state. */
  get hasChanges(): boolean {
    return (this.differs ??= !isDeepStrictEqual(this.previous, this.inputs));
  }

  /** True if it is certain that a value at a path in `replaceOnChanges` differs from the one in state. */
  get isToBeReplaced(): boolean {
    return this.replaceOnChanges.some((path) => !path.includes("*") && this.replaces(path));
  }

  /** True if it is certain that the program changes a value in state to another value. */
  replaces(path: string): boolean {
    return this.changes(path) && isGiven(this.stateValue(path)) && this.knownValue(path) !== undefined;
  }

  private isInUnknown(path: string): boolean {
    const group = path.split(".").slice(0, -1).join(".");
    return group !== "" && at(this.inputs, group) === notKnownYet;
  }
}
