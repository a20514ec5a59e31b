import { withUnknowns } from "../../engine/sentinels";
import type { Decoded } from "../../core/decoded";
import { timedOperations, type Call } from "../../resource/call";
import { parseDuration } from "../../resource/duration";
import { failure, type Finding } from "../../resource/finding";
import { notKnownYet } from "../../resource/unknown";
import { at, type Props } from "../../resource/values";

/** Properties that the package's resource classes add; the engine does not display names that start like this. */
interface Hidden {
  /** The text that loads the provider. */
  __provider?: string;
  /** A dynamic provider is not given the URN. */
  __urn?: string;
  /** The stack's organization. */
  __organization?: string;
  /** Distinguishes the backends in which stacks of the same name may be kept. */
  __backend?: string;
  /** `opts.customTimeouts`, which never reaches a dynamic provider by itself. */
  __timeouts?: unknown;
  /** `opts.replaceOnChanges`, which the engine cannot follow by itself for a dynamic resource. */
  __replaceOnChanges?: unknown;
  /** Paths of inputs that the program marked as secret. */
  __secretPaths?: string[];
}

const isHidden = (key: string) => key.startsWith("__");

/** The hidden properties alone. */
export function hiddenIn(props: Props): Props & Hidden {
  return Object.fromEntries(Object.entries(props).filter(([key]) => isHidden(key)));
}

/** The properties as the core takes them. */
export function decode(props: Props): Decoded {
  const values = Object.fromEntries(Object.entries(props).filter(([key]) => !isHidden(key)));
  const hidden = hiddenIn(props);
  return { values: withUnknowns(values), secretPaths: hidden.__secretPaths ?? [], hidden };
}

/** What the hidden properties say about the call. */
export function callOf(props: Props): Call {
  const {
    __urn: urn = "",
    __organization: organization,
    __backend: backend,
    __timeouts,
    __replaceOnChanges: paths,
  } = hiddenIn(props);
  const { timeouts, faults } = timeoutsIn(withUnknowns(__timeouts));
  const replaceOnChanges = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  return { urn, organization, backend, timeouts, replaceOnChanges, faults };
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
