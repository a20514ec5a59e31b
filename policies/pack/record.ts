import type { EnforcementLevel, Severity } from "@pulumi/policy";
import type { ResourceInputs } from "../resource/inputs";
import type { ResourceKind } from "../resource/kinds";
import type { Outcome } from "../resource/outcome";
import { productionStacks } from "../resource/pattern";
import { type Setting, type Settings, texts, type ValuesOf } from "./settings";

interface Statement<Of extends Settings> {
  /** Name of the policy in the configuration and in the output. */
  name: string;
  /** Requirement of the policy, as one sentence. */
  text: string;
  severity: Severity;
  /** Effect of a violation, unless the configuration of the pack overrides it. */
  enforcement: EnforcementLevel;
  settings: Of;
}

/** A field, and a value for it that complies with the rule. */
export interface Change {
  field: string;
  value: unknown;
}

/** A rule that checks each resource of certain kinds separately. */
export interface ResourcePolicy<Of extends Settings = Settings & StacksSetting> extends Statement<Of> {
  kind: "resource";
  /** Kinds of resources that the rule checks. */
  about: readonly ResourceKind[];
  /** Returns the outcomes for a resource. Pure function; may throw `NotKnownYet`. */
  check(resource: ResourceInputs, settings: ValuesOf<Of>): Iterable<Outcome>;
  /** Returns the changes that fix a violation, if they are safe. Pure function; may throw `NotKnownYet`. */
  remedy?(this: void, resource: ResourceInputs, settings: ValuesOf<Of>): Iterable<Change>;
}

/** A rule that checks all deployments of a stack together. */
export interface StackPolicy<Of extends Settings = Settings & StacksSetting> extends Statement<Of> {
  kind: "stack";
  /** Returns the outcomes for a stack; `deployments` contains the URNs of its deployments. Pure function. */
  check(deployments: string[], settings: ValuesOf<Of>): Iterable<Outcome>;
}

/** A policy of the pack. */
export type Policy = ResourcePolicy | StackPolicy;

/** Setting of every policy: the stacks that it applies to. */
export type StacksSetting = { stacks: Setting<string[]> };

const about = "Patterns for the names of the stacks that the policy applies to.";

/** Setting that limits a policy to production stacks by default. */
export const inProduction: StacksSetting = { stacks: texts(about, productionStacks) };

/** Setting that applies a policy to all stacks by default. */
export const inAllStacks: StacksSetting = { stacks: texts(about, ["**"]) };

/** Defines a policy that checks each deployment. Its settings have the types of their defaults. */
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
