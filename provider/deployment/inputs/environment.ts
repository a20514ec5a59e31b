import { z } from "zod";
import { ownerSecretName, sizeText } from "../../../wire";
import { text } from "../../resource/inputs/shape";

/** Valid name of an environment variable. */
export const variableName = text.regex(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  "must be a valid name of an environment variable",
);

/** Maximum size of `NAME=value` in a process environment on Linux, in bytes, including the terminating null byte. */
const maxVariableSize = 128 * 1024;
/** Maximum total size of all variables on Linux, in bytes, regardless of the limits that are configured there. */
const maxEnvironmentSize = 6 * 1024 * 1024;

const variableValue = z
  .string()
  .refine(
    (value) => !value.includes("\0"),
    "must not contain a null byte, because environment variables cannot contain one",
  )
  .refine(
    (value) => !/\p{Cs}/u.test(value),
    "must not contain an unpaired surrogate (an incomplete character)",
  );

/** Variables in the agent's environment, keyed by name. */
export const variablesInputs = z
  .record(variableName, variableValue)
  .superRefine((variables, context) => {
    let all = 0;
    for (const [name, value] of Object.entries(variables)) {
      if (typeof value !== "string") continue;
      const size = name.length + Buffer.byteLength(value) + 2;
      if (size <= maxVariableSize) all += size;
      else
        context.addIssue({
          code: "custom",
          path: [name],
          message: `must be shorter: Linux accepts an environment variable of at most ${sizeText(maxVariableSize)}, including its name`,
        });
    }
    if (all > maxEnvironmentSize)
      context.addIssue({
        code: "custom",
        message: `must be smaller: Linux limits the environment to ${sizeText(maxEnvironmentSize)} in total`,
      });
  })
  .refine((variables) => !Object.hasOwn(variables, ownerSecretName), {
    message: `must not contain ${ownerSecretName}: the provider stores the ownership tag there`,
  })
  .optional();

/** Values of environment variables, keyed by name. */
export type Variables = Record<string, string>;

/** The two inputs that make up the environment; the API has one list for both. */
export interface EnvironmentInputs {
  secrets?: Variables;
  environmentVariables?: Variables;
}

/** Returns the value of a variable, if there is one. The name may be any string, including names of object methods. */
export function valueOf(variables: Variables | undefined, name: string): string | undefined {
  return variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
}
