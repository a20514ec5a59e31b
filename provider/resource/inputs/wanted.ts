import { isSameJson } from "./json";
import { hasUnknown, notKnownYet } from "./unknown";
import { at, isGiven, isGroup, type Props } from "./values";

/** What a program wants of a resource, beside what it wanted before; nothing in it needs to be right or known yet. */
export class DesiredInputs {
  /** The inputs in state; undefined if there is no such resource. */
  readonly before: object | undefined;

  /**
   * @param olds the inputs in state; empty for a resource that is not in state
   * @param inputs the inputs of the program
   * @param replaceOnChanges the program's option of that name
   */
  constructor(
    olds: object,
    readonly inputs: object,
    private readonly replaceOnChanges: readonly string[] = [],
  ) {
    this.before = Object.keys(olds).length > 0 ? olds : undefined;
  }

  /** Whether there is no such resource in state. */
  get isNew(): boolean {
    return this.before === undefined;
  }

  /** What is there in state. */
  heldValue(path: string): unknown {
    return this.before && at(this.before, path);
  }

  /** The text there in state, if there is one. */
  held(path: string): string | undefined {
    const value = this.heldValue(path);
    return typeof value === "string" ? value : undefined;
  }

  /** Whether something is given there, whatever its value. */
  gives(path: string): boolean {
    const value = at(this.inputs, path);
    return isGiven(value) && !this.isInUnknown(path);
  }

  /** Whether surely nothing is given there. */
  lacks(path: string): boolean {
    return at(this.inputs, path) === undefined;
  }

  /** Whether something is given there that is not known yet, in whole or in part. */
  isUnknown(path: string): boolean {
    return hasUnknown(at(this.inputs, path));
  }

  /** The value there; nothing where it, or anything inside it, is not known yet. */
  known(path: string): unknown {
    const value = at(this.inputs, path);
    return value === null || hasUnknown(value) ? undefined : value;
  }

  /** The text there, if it is a known one. */
  text(path: string): string | undefined {
    const value = this.known(path);
    return typeof value === "string" ? value : undefined;
  }

  /** The object there, of which parts may not be known yet. */
  object(path: string): Props | undefined {
    const value = at(this.inputs, path);
    return isGroup(value) ? value : undefined;
  }

  /** Whether this is not what stands in state, and so nothing that the control plane has taken before. */
  changes(path: string): boolean {
    return this.isNew || !isSameJson(at(this.before!, path), at(this.inputs, path));
  }

  /** Whether something surely changes for which the program asks for a replacement. */
  get isToBeReplaced(): boolean {
    return this.replaceOnChanges.some((path) => !path.includes("*") && this.replaces(path));
  }

  /** Whether what stands in state is given there and surely another value. */
  replaces(path: string): boolean {
    const held = this.before && at(this.before, path);
    return this.known(path) !== undefined && isGiven(held) && this.changes(path);
  }

  private isInUnknown(path: string): boolean {
    const group = path.split(".").slice(0, -1).join(".");
    return group !== "" && at(this.inputs, group) === notKnownYet;
  }
}
