import type { Dialect } from "../../control-plane/dialects";
import { isSameJson } from "../../resource/json";
import { inputsIn } from "../state";
import { at, type Props } from "../../resource/values";
import { hasUnknown, notKnownYet } from "../../resource/unknown";

/** What a program wants of a deployment, beside what it wanted before; nothing in it needs to be right or known yet. */
export class Wanted {
  private readonly before: object | undefined;
  private readonly now: object;

  /** @param olds - The inputs in state; empty for a resource that is not in state. */
  constructor(olds: Props, news: Props) {
    this.now = inputsIn(news);
    this.before = Object.keys(inputsIn(olds)).length > 0 ? inputsIn(olds) : undefined;
  }

  /** Whether there is no such resource in state. */
  get isNew(): boolean {
    return this.before === undefined;
  }

  /** The name that the deployment has in state. */
  get heldName(): string | undefined {
    const name = this.before && at(this.before, "name");
    return typeof name === "string" ? name : undefined;
  }

  /** Whether something is given there, whatever its value. */
  gives(path: string): boolean {
    const value = at(this.now, path);
    return isGiven(value) && !this.isInUnknown(path);
  }

  /** Whether surely nothing is given there. */
  lacks(path: string): boolean {
    return at(this.now, path) === undefined;
  }

  /** Whether something is given there that is not known yet, in whole or in part. */
  isUnknown(path: string): boolean {
    return hasUnknown(at(this.now, path));
  }

  /** The value there; nothing where it, or anything inside it, is not known yet. */
  known(path: string): unknown {
    const value = at(this.now, path);
    return value === null || hasUnknown(value) ? undefined : value;
  }

  /** The text there, if it is a known one. */
  text(path: string): string | undefined {
    const value = this.known(path);
    return typeof value === "string" ? value : undefined;
  }

  /** The object there, of which parts may not be known yet. */
  object(path: string): Props | undefined {
    const value = at(this.now, path);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Props)
      : undefined;
  }

  /** Whether this is not what stands in state, and so nothing that the control plane has taken before. */
  changes(path: string): boolean {
    return this.isNew || !isSameJson(at(this.before!, path), at(this.now, path));
  }

  /** Whether the control plane will be asked to make a deployment: for the first time, or in place of the one in state. */
  makesOne({ fixedSourceFields }: Dialect): boolean {
    if (this.isNew) return true;
    const fixed = [...fixedSourceFields].map((field) => `sourceConfig.${field}`);
    return ["name", "source", ...fixed].some(
      (path) => this.known(path) !== undefined && isGiven(at(this.before!, path)) && this.changes(path),
    );
  }

  private isInUnknown(path: string): boolean {
    const group = path.split(".").slice(0, -1).join(".");
    return group !== "" && at(this.now, group) === notKnownYet;
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
