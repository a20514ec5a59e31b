import { shortText } from "../../provider/resource/plan/display-value";
import type { PlannedChange } from "../../provider/deployment/plan/read-reasons";
import type { Props } from "../../provider/resource/inputs/values";
import { hasUnknown } from "../../provider/resource/inputs/unknown";
import { hidden as hiddenValue } from "../../provider/text/redact";
import type { ReviewChange } from "./report";

/** Returns the changes that the plan lists. */
export function plannedChanges(changes: PlannedChange[]): ReviewChange[] {
  return changes.map(({ path, effect, unknown = false, values, summary }) => ({
    path,
    effect,
    ...values,
    ...(summary !== undefined && { summary }),
    unknown,
    hidden: !unknown && values === undefined && summary === undefined,
  }));
}

/** Returns the inputs of a resource that will be created. Plans do not list them. */
export function initialInputs(inputs: Props, redact: (text: string) => string): ReviewChange[] {
  const initial = (path: string, value: unknown) => initialInput(path, value, redact);
  return Object.entries(inputs).flatMap(([key, value]) =>
    isGroup(value)
      ? Object.entries(value as object).map(([field, item]) => initial(`${key}.${field}`, item))
      : [initial(key, value)],
  );
}

function isGroup(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function initialInput(path: string, value: unknown, redact: (text: string) => string): ReviewChange {
  const unknown = hasUnknown(value);
  // A value that contains a secret, or was built from one, is shown completely or not at all.
  const holdsHidden = (JSON.stringify(value) as string | undefined)?.includes(hiddenValue) === true;
  const hidden = path.split(".")[0] === "secrets" || holdsHidden;
  return {
    path,
    effect: "create",
    ...(!unknown && !hidden && { to: shortText(value, redact) }),
    unknown,
    hidden,
  };
}

/** Returns the names of the secrets among the changed paths, or "(all)" if only the whole map is reported. */
export function secretNames(changes: ReviewChange[]): string[] {
  const names = changes.flatMap(({ path }) =>
    path === "secrets" ? ["(all)"] : path.startsWith("secrets.") ? [path.slice("secrets.".length)] : [],
  );
  return [...new Set(names)].sort();
}
