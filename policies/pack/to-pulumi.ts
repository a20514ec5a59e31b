import {
  Secret,
  type Policies,
  type ReportViolation,
  type ResourceValidationArgs,
  type ResourceValidationPolicy,
  type StackValidationArgs,
  type StackValidationPolicy,
} from "@pulumi/policy";
import type { Connection } from "./connection";
import { ResourceInputs } from "../resource/inputs";
import { violation } from "../resource/outcome";
import { matches } from "../resource/pattern";
import { isOfKind, type ResourceKind } from "../resource/kinds";
import { isSentinel, NotKnownYet, notKnownYet } from "../resource/unknown";
import { nearest } from "./nearest";
import type { Change, Policy, ResourcePolicy, StackPolicy } from "./record";
import { reportMandatory, reportOutcomes } from "./report";
import { unknownSettings, type ValuesOf, valuesOf } from "./settings";

/** Reads a setting of the connection. */
type ReadSetting = (key: string) => string | undefined;

/**
 * Returns the connection of a resource.
 * @param settings settings of the resource's provider; by default, the configuration of the stack
 */
type ConnectionOf = (settings?: ReadSetting) => Connection;

/** Converts the policies to those of the policy SDK. `connection` is called separately for each resource. */
export function toPulumi(policies: readonly Policy[], connection: ConnectionOf): Policies {
  return policies.map((policy) =>
    policy.kind === "stack" ? stackValidation(policy) : resourceValidation(policy, connection),
  );
}

function resourceValidation(policy: ResourcePolicy, connection: ConnectionOf): ResourceValidationPolicy {
  const { remedy } = policy;
  return {
    ...describe(policy),
    validateResource: (args, report) => {
      const kind = kindAmong(policy.about, args);
      const subject = `${kind} "${args.name}"`;
      reportMisspelt(subject, policy, args, report);
      const settings = settingsFor(policy, args, stackOf(args.urn));
      const outcomes = () => policy.check(inputsOf(kind, args, connection), settings);
      reportOutcomes(
        subject,
        untilUnknown(outcomes, (field) => ({ kind: "unjudged", field })),
        report,
      );
    },
    ...(remedy && {
      remediateResource: (args: ResourceValidationArgs) => {
        const kind = kindAmong(policy.about, args);
        const settings = settingsFor(policy, args, stackOf(args.urn));
        const changes = [...untilUnknown(() => remedy(inputsOf(kind, args, connection), settings))];
        if (changes.length === 0) return undefined;
        applyChanges(args.props, changes);
        return args.props;
      },
    }),
  };
}

function stackValidation(policy: StackPolicy): StackValidationPolicy {
  return {
    ...describe(policy),
    validateStack: (args, report) => {
      const urns = args.resources.filter(({ type }) => isOfKind(type, "Deployment")).map(({ urn }) => urn);
      if (urns.length === 0) args.notApplicable("The stack has no deployments.");
      const stack = stackOf(urns[0]!);
      reportMisspelt(`Stack "${stack}"`, policy, args, report);
      reportOutcomes(`Stack "${stack}"`, policy.check(urns, settingsFor(policy, args, stack)), report);
    },
  };
}

function describe({ name, text, severity, enforcement, settings }: Policy) {
  return {
    name,
    description: text,
    severity,
    enforcementLevel: enforcement,
    configSchema: { properties: settings },
  };
}

/** Returns the kind of a resource. Skips the resource if the policy does not check this kind. */
function kindAmong(about: readonly ResourceKind[], args: ResourceValidationArgs): ResourceKind {
  const kind = about.find((one) => isOfKind(args.type, one));
  return kind ?? args.notApplicable(`The resource is not one of: ${about.join(", ")}.`);
}

function inputsOf(
  kind: ResourceKind,
  args: ResourceValidationArgs,
  connection: ConnectionOf,
): ResourceInputs {
  const { protect, customTimeouts } = args.opts;
  const timeouts = { create: customTimeouts.createSeconds, update: customTimeouts.updateSeconds };
  const circumstances = {
    stack: stackOf(args.urn),
    protect,
    timeouts,
    get connection() {
      return connection(settingsOf(args));
    },
  };
  return new ResourceInputs(kind, plainInputs(args.props), circumstances);
}

/**
 * Returns the settings of the provider plugin; `undefined` for a resource of the dynamic provider, which has no
 * settings.
 */
function settingsOf({ provider }: ResourceValidationArgs): ReadSetting | undefined {
  if (provider?.type !== "pulumi:providers:agentserver") return undefined;
  const settings = plainInputs(provider.props);
  return (key) => {
    const value = settings[key];
    if (value === notKnownYet) throw new NotKnownYet(`the ${key} of its provider`);
    return typeof value === "string" ? value : undefined;
  };
}

/** Returns the values of the settings. Skips the policy if it does not apply to this stack. */
function settingsFor(
  policy: Policy,
  args: ResourceValidationArgs | StackValidationArgs,
  stack: string,
): ValuesOf<Policy["settings"]> {
  const settings = valuesOf(policy.settings, args.getConfig());
  if (!matches(stack, settings.stacks))
    args.notApplicable(`The name of the stack matches none of: ${settings.stacks.join(", ")}.`);
  return settings;
}

/**
 * Reports misspelled settings as errors regardless of the policy's enforcement level, because the rule would not work
 * as intended.
 */
function reportMisspelt(
  subject: string,
  policy: Policy,
  args: ResourceValidationArgs | StackValidationArgs,
  report: ReportViolation,
): void {
  const known = Object.keys(policy.settings);
  for (const name of unknownSettings(policy.settings, args.getConfig())) {
    const meant = nearest(name, known);
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    reportMandatory(
      subject,
      violation("", `the policy has no setting "${name}"`, `Its settings are ${known.join(", ")}.${hint}`),
      report,
    );
  }
}

/** Yields the items up to the first one that depends on an unknown value, and then a replacement for that item. */
function* untilUnknown<Item>(
  items: () => Iterable<Item>,
  instead: (field: string) => Item | undefined = () => undefined,
): Generator<Item> {
  try {
    yield* items();
  } catch (error) {
    if (!(error instanceof NotKnownYet)) throw error;
    const item = instead(error.field);
    if (item !== undefined) yield item;
  }
}

/** Returns the stack of a URN: `urn:pulumi:<stack>::<project>::…`. */
function stackOf(urn: string): string {
  return urn.split("::")[0]!.replace(/^urn:pulumi:/, "");
}

/**
 * Returns the inputs as plain values without secret markers; unknown values become `notKnownYet`. The SDK passes the
 * inputs in proxies that throw at the first unknown value; a property's descriptor shows the underlying value.
 */
function plainInputs(props: object): Record<string, unknown> {
  return plain(props) as Record<string, unknown>;
}

function plain(value: unknown): unknown {
  if (isSentinel(value)) return notKnownYet;
  if (value instanceof Secret) return plain(value.value);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.keys(value).map((key) => [
    key,
    plain(Object.getOwnPropertyDescriptor(value, key)?.value),
  ]);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/**
 * Applies the changes in place. In a copy, secrets would no longer be marked, and the inputs that the engine hides
 * would be missing.
 */
function applyChanges(props: Record<string, unknown>, changes: readonly Change[]): void {
  for (const { field, value } of changes) {
    const keys = field.split(".");
    const last = keys.pop()!;
    let holder = props;
    for (const key of keys) {
      if (typeof holder[key] !== "object" || holder[key] === null) holder[key] = {};
      holder = holder[key] as Record<string, unknown>;
    }
    holder[last] = value;
  }
}
