import type {
  Policies,
  ReportViolation,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";
import type { Connection } from "../deployment/connection";
import { DeploymentInputs } from "../deployment/inputs";
import { type Outcome, violation } from "../deployment/outcome";
import { matches } from "../deployment/pattern";
import { NotKnownYet } from "../deployment/unknown";
import { messageOf, notYetJudged } from "./message";
import type { Change, DeploymentPolicy, Policy, StackPolicy } from "./record";
import { applyChanges } from "./remedy";
import { unknownSettings, valuesOf } from "./settings";
import { plainInputs } from "./view";

/** Type token of the resource that the rules are about. */
export const deploymentType = "pulumi-nodejs:dynamic/agentserver:Deployment";

/** The records as the policy SDK takes them. `connection` is asked anew for each deployment. */
export function toPulumi(policies: readonly Policy[], connection: () => Connection): Policies {
  return policies.map((policy) =>
    policy.kind === "stack" ? stackValidation(policy) : resourceValidation(policy, connection),
  );
}

function resourceValidation(
  policy: DeploymentPolicy,
  connection: () => Connection,
): ResourceValidationPolicy {
  const { remedy } = policy;
  return {
    ...describe(policy),
    validateResource: (args, report) => {
      onlyDeployments(args);
      const subject = `Deployment "${args.name}"`;
      tell(subject, misspelt(policy, args), report);
      const settings = settingsFor(policy, args, stackOf(args.urn));
      tell(subject, untilUnknown(policy.check(inputsOf(args, connection()), settings)), report);
    },
    ...(remedy && {
      remediateResource: (args: ResourceValidationArgs) => {
        onlyDeployments(args);
        const settings = settingsFor(policy, args, stackOf(args.urn));
        const changes = whereKnown(() => [...remedy(inputsOf(args, connection()), settings)]);
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
      const urns = args.resources.filter(({ type }) => type === deploymentType).map(({ urn }) => urn);
      if (urns.length === 0) args.notApplicable("The stack has no deployments.");
      const stack = stackOf(urns[0]!);
      tell(`Stack "${stack}"`, misspelt(policy, args), report);
      tell(`Stack "${stack}"`, policy.check(urns, settingsFor(policy, args, stack)), report);
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

function onlyDeployments(args: ResourceValidationArgs): void {
  if (args.type !== deploymentType) args.notApplicable("The resource is not a deployment.");
}

function inputsOf(args: ResourceValidationArgs, connection: Connection): DeploymentInputs {
  const { protect, customTimeouts } = args.opts;
  const timeouts = { create: customTimeouts.createSeconds, update: customTimeouts.updateSeconds };
  const circumstances = { stack: stackOf(args.urn), protect, timeouts, connection };
  return new DeploymentInputs(plainInputs(args.props), circumstances);
}

/** The values of the settings; ends the rule when it is not about this stack. */
function settingsFor(
  policy: Policy,
  args: ResourceValidationArgs | StackValidationArgs,
  stack: string,
): Record<string, unknown> {
  const settings = valuesOf(policy.settings, args.getConfig());
  const patterns = settings.stacks as string[];
  if (!matches(stack, patterns))
    args.notApplicable(`The name of the stack matches none of: ${patterns.join(", ")}.`);
  return settings;
}

function misspelt(policy: Policy, args: ResourceValidationArgs | StackValidationArgs): Outcome[] {
  const known = Object.keys(policy.settings).join(", ");
  return unknownSettings(policy.settings, args.getConfig()).map((name) =>
    violation("", `the policy has no setting "${name}"`, `Its settings are ${known}.`),
  );
}

function* untilUnknown(outcomes: Iterable<Outcome>): Generator<Outcome> {
  try {
    yield* outcomes;
  } catch (error) {
    if (!(error instanceof NotKnownYet)) throw error;
    yield { kind: "unjudged", field: error.field };
  }
}

function whereKnown(changes: () => Change[]): Change[] {
  try {
    return changes();
  } catch (error) {
    if (error instanceof NotKnownYet) return [];
    throw error;
  }
}

/** Unknown fields are told as advice whatever the policy's level: a preview must not fail over them. */
function tell(subject: string, outcomes: Iterable<Outcome>, report: ReportViolation): void {
  const unjudged = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome?.kind === "unjudged") unjudged.add(outcome.field);
    else if (outcome) report(messageOf(subject, outcome));
  }
  if (unjudged.size === 0) return;
  const advice = {
    message: notYetJudged(subject, [...unjudged]),
    enforcementLevel: "advisory",
    severity: "low",
  };
  // The SDK takes this form as well; its types do not say so.
  report(advice as unknown as string);
}

/** `urn:pulumi:<stack>::<project>::…` */
function stackOf(urn: string): string {
  return urn.split("::")[0]!.replace(/^urn:pulumi:/, "");
}
