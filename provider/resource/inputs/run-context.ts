import { isGroup } from "./values";

/** Inputs that specify the context of runs. */
interface RunContext {
  config?: Record<string, unknown> | null | undefined;
  context?: Record<string, unknown> | null | undefined;
}

const isFilled = (value: unknown) => isGroup(value) && Object.keys(value).length > 0;

/** True unless the inputs specify the context of runs twice. Servers accept an empty value together with the other. */
export function isOneContext({ config, context }: RunContext): boolean {
  return !isFilled(config?.["configurable"]) || !isFilled(context);
}

/** Failure of inputs that specify the context of runs twice. */
export const twoContexts = {
  message: "cannot be combined with context, because both specify the same values",
  path: ["config", "configurable"],
};
