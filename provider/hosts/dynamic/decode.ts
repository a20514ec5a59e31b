import { withUnknowns } from "../../engine/sentinels";
import type { Decoded } from "../../core/decoded";
import type { Call } from "../../resource/call";
import type { Props } from "../../resource/values";

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
  __timeouts?: Call["timeouts"];
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
  return { values: withUnknowns(values), secretPaths: hiddenIn(props).__secretPaths ?? [] };
}

/** What the hidden properties say about the call. */
export function callOf(props: Props): Call {
  const { __urn: urn = "", __organization: organization, __backend: backend, __timeouts } = hiddenIn(props);
  return { urn, organization, backend, timeouts: withUnknowns(__timeouts ?? {}) };
}
