import type { PolicyConfigSchema } from "@pulumi/policy";

type JsonSchema = PolicyConfigSchema["properties"][string];

/** A setting of a policy: its JSON schema, with a description and a default. */
export type Setting<Value = JsonSchema["default"]> = Omit<JsonSchema, "default"> & {
  description: string;
  default: Value;
};

/** Settings of a policy by name. */
export type Settings = Record<string, Setting>;

/** Values of a policy's settings. */
export type ValuesOf<Of extends Settings> = { [Name in keyof Of]: Of[Name]["default"] };

/** Defines a setting that is a list of strings. */
export function texts(description: string, byDefault: string[] = []): Setting<string[]> {
  return { type: "array", items: { type: "string", minLength: 1 }, description, default: byDefault };
}

/** Defines a setting that is a string; `form` restricts its values. */
export function text(
  description: string,
  byDefault: string,
  form: { pattern?: string; format?: string } = {},
): Setting<string> {
  return { type: "string", ...form, description, default: byDefault };
}

/** Defines a setting that is a whole number of at least `minimum`. */
export function wholeNumber(description: string, byDefault: number, minimum = 0): Setting<number> {
  return { type: "integer", minimum, description, default: byDefault };
}

/** Defines a boolean setting. */
export function yesOrNo(description: string, byDefault: boolean): Setting<boolean> {
  return { type: "boolean", description, default: byDefault };
}

/**
 * Returns the values of all settings: the specified values, already validated against the schemas by the engine, and
 * the defaults of the other settings.
 */
export function valuesOf<Of extends Settings>(settings: Of, given: Record<string, unknown>): ValuesOf<Of> {
  const defaults = Object.entries(settings).map(([name, setting]) => [name, setting.default] as const);
  return { ...Object.fromEntries(defaults), ...given } as ValuesOf<Of>;
}

/**
 * Returns the specified names that are not settings of the policy. Without this check, a typo could silently disable a
 * rule.
 */
export function unknownSettings(settings: Settings, given: Record<string, unknown>): string[] {
  return Object.keys(given).filter((name) => !Object.hasOwn(settings, name));
}
