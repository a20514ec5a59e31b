import { withUnknowns } from "../../engine/sentinels";
import type { Decoded } from "../../core/decoded";
import { timedOperations, type Call } from "../../resource/call";
import { parseDuration } from "../../text/duration";
import { failure, type Finding } from "../../resource/inputs/finding";
import { notKnownYet } from "../../resource/inputs/unknown";
import { at, type Props } from "../../resource/inputs/values";

/** Properties of a call that the package's resource classes add to the inputs. */
interface CallProps {
  /** URN of the resource, which a dynamic provider would otherwise not receive. */
  urn?: unknown;
  /** Organization of the stack. */
  organization?: unknown;
  /** Location of the stack, which distinguishes backends that may contain stacks with the same name. */
  backend?: unknown;
  /** `opts.customTimeouts`, which the engine does not pass to a dynamic provider. */
  timeouts?: unknown;
  /** `opts.replaceOnChanges`, which the engine does not apply to a dynamic resource. */
  replaceOnChanges?: unknown;
  /** Paths of the inputs that the program has marked as secret. */
  secretPaths?: unknown;
  /** Paths of secret values whose inputs are no longer marked as secret in the program; present only in state. */
  secretOutputs?: unknown;
}

/** True if the name of a property has the prefix of names that the engine does not display. */
const isHidden = (key: string) => key.startsWith("__");

/**
 * Returns only the hidden properties: the code that loads the provider, the properties in `__call`, and the values that
 * a kind has computed.
 */
export function hiddenIn(props: Props): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => isHidden(key)));
}

/** Returns the properties that the package's resource classes have added to the inputs. */
function callIn({ __call: call }: Props): CallProps {
  return typeof call === "object" && call !== null ? call : {};
}

/** Returns the paths of the inputs that the program has marked as secret. */
export function secretPathsIn(props: Props): string[] {
  return textsIn(callIn(props).secretPaths);
}

/** Returns the paths of secret values in state whose inputs are no longer marked as secret in the program. */
export function secretOutputsIn(props: Props): string[] {
  return textsIn(callIn(props).secretOutputs);
}

/** Returns the properties of a resource in the format that the core expects. */
export function decode(props: Props): Decoded {
  const values = Object.fromEntries(Object.entries(props).filter(([key]) => !isHidden(key)));
  const secretPaths = [...secretPathsIn(props), ...secretOutputsIn(props)];
  return { values: withUnknowns(values), secretPaths, hidden: hiddenIn(props) };
}

/** Returns the call that the hidden properties describe. */
export function callOf(props: Props): Call {
  const { urn, organization, backend, timeouts: texts, replaceOnChanges } = callIn(props);
  const { timeouts, faults } = timeoutsIn(withUnknowns(texts));
  return {
    urn: textIn(urn) ?? "",
    organization: textIn(organization),
    backend: textIn(backend),
    timeouts,
    replaceOnChanges: textsIn(replaceOnChanges),
    faults,
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/**
 * Returns the timeouts in milliseconds, and findings about invalid ones. Omits timeouts that are unknown in a preview.
 */
function timeoutsIn(texts: unknown): Pick<Call, "timeouts" | "faults"> {
  const timeouts: Call["timeouts"] = {};
  const faults: Finding[] = [];
  for (const operation of timedOperations) {
    const text = at(texts, operation);
    if (text === undefined || text === null || text === notKnownYet) continue;
    const length = typeof text === "string" ? parseDuration(text) : undefined;
    if (length !== undefined) timeouts[operation] = length;
    else faults.push(failure(`customTimeouts.${operation}`, 'must be a duration such as "30m" or "1h30m"'));
  }
  return { timeouts, faults };
}
