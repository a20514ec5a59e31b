import { withUnknowns } from "../../engine/sentinels";
import type { Decoded } from "../../core/decoded";
import { timedOperations, type Call } from "../../resource/call";
import { parseDuration } from "../../text/duration";
import { failure, type Finding } from "../../resource/inputs/finding";
import { notKnownYet } from "../../resource/inputs/unknown";
import { at, type Props } from "../../resource/inputs/values";

/** What the package's resource classes say about a call, besides the inputs. */
interface CallProps {
  /** A dynamic provider is not given the URN. */
  urn?: unknown;
  /** The stack's organization. */
  organization?: unknown;
  /** Distinguishes the backends in which stacks of the same name may be kept. */
  backend?: unknown;
  /** `opts.customTimeouts`, which never reaches a dynamic provider by itself. */
  timeouts?: unknown;
  /** `opts.replaceOnChanges`, which the engine cannot follow by itself for a dynamic resource. */
  replaceOnChanges?: unknown;
  /** Paths of inputs that the program marked as secret. */
  secretPaths?: unknown;
}

/** The engine does not display names that start like this. */
const isHidden = (key: string) => key.startsWith("__");

/** The hidden properties alone: the text that loads the provider, what is said about the call, what a kind has computed. */
export function hiddenIn(props: Props): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => isHidden(key)));
}

/** What the properties say about the call. */
function callIn({ __call: call }: Props): CallProps {
  return typeof call === "object" && call !== null ? call : {};
}

/** Paths of the inputs that the program marked as secret. */
export function secretPathsIn(props: Props): string[] {
  return textsIn(callIn(props).secretPaths);
}

/** The properties as the core takes them. */
export function decode(props: Props): Decoded {
  const values = Object.fromEntries(Object.entries(props).filter(([key]) => !isHidden(key)));
  return { values: withUnknowns(values), secretPaths: secretPathsIn(props), hidden: hiddenIn(props) };
}

/** What the hidden properties say about the call. */
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

/** Timeouts in milliseconds; those that are not known yet, in a preview, are left out. */
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
