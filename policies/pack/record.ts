import type { EnforcementLevel, Severity } from "@pulumi/policy";
import type { ResourceInputs } from "../resource/inputs";
import type { ResourceKind } from "../resource/kinds";
import type { Outcome } from "../resource/outcome";
import { productionStacks } from "../resource/pattern";
import { type Setting, type Settings, texts, type ValuesOf } from "./settings";

interface Statement<Of extends Settings> {
  /** Name in configuration and output. */
  name: string;
  /** Requirement, in one sentence. */
  text: string;
  severity: Severity;
  /** Effect of a violation unless the pack's configuration overrides it. */
  enforcement: EnforcementLevel;
  settings: Of;
}

/** A field and a value that complies with the rule. */
export interface Change {
  field: string;
  value: unknown;
}

/** A rule that checks each resource of some kinds separately. */
export interface ResourcePolicy<Of extends Settings = Settings & StacksSetting> extends Statement<Of> {
  kind: "resource";
  /** Kinds of resources that the rule checks. */
  about: readonly ResourceKind[];
  /** Returns the outcomes for a resource. Pure function; may throw `NotKnownYet`. */
  check(resource: ResourceInputs, settings: ValuesOf<Of>): Iterable<Outcome>;
  /** Returns the changes that fix a violation if that is safe. Pure function; may throw `NotKnownYet`. */
  remedy?(this: void, resource: ResourceInputs, settings: ValuesOf<Of>): Iterable<Change>;
}

/** A rule that checks all deployments of a stack together. */
export interface StackPolicy<Of extends Settings = Settings & StacksSetting> extends Statement<Of> {
  kind: "stack";
  /** Returns the outcomes for a stack with these deployments, which are specified by their URNs. Pure function. */
  check(deployments: string[], settings: ValuesOf<Of>): Iterable<Outcome>;
}

/** One policy of the pack. */
export type Policy = ResourcePolicy | StackPolicy;

/** Setting of every policy: the stacks to which it applies. */
export type StacksSetting = { stacks: Setting<string[]> };

const about = "Patterns for the names of the stacks that the policy applies to.";

/** Setting that limits a policy to production stacks, unless configured otherwise. */
export const inProduction: StacksSetting = { stacks: texts(about, productionStacks) };

/** Setting that applies a policy to all stacks, unless configured otherwise. */
export const inAllStacks: StacksSetting = { stacks: texts(about, ["**"]) };

/** Defines a policy that checks each deployment; its settings have the types of their defaults. */
export function deploymentPolicy<Of extends Settings & StacksSetting>(
  policy: Omit<ResourcePolicy<Of>, "kind" | "about">,
): ResourcePolicy<Of> {
  return resourcePolicy(["Deployment"], policy);
}

/** Defines a policy that checks each resource of these kinds. */
export function resourcePolicy<Of extends Settings & StacksSetting>(
  about: readonly ResourceKind[],
  policy: Omit<ResourcePolicy<Of>, "kind" | "about">,
): ResourcePolicy<Of> {
  return { kind: "resource", about, ...policy };
}

/** Defines a policy that checks a stack. */
export function stackPolicy<Of extends Settings & StacksSetting>(
  policy: Omit<StackPolicy<Of>, "kind">,
): StackPolicy<Of> {
  return { kind: "stack", ...policy };
}
