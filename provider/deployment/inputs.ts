import { z } from "zod";
import { duration } from "../resource/duration";
import { shownAsItIs } from "../resource/shown-as-it-is";
import { untransportable } from "../resource/untransportable";

/** Name of the secret that carries the ownership tag; kept out of the user's map. */
export const ownerSecretName = "AGENTSERVER_OWNER";

const filled = z
  .string()
  .min(1, { error: "must not be empty", abort: true })
  .regex(/\S/, { error: "must not be blank", abort: true });

const text = shownAsItIs(
  filled.regex(/^\P{Cc}*$/u, "must not hold control characters, such as a line break"),
);

const nullableText = text.nullish();

/** A command may be a script of several lines. */
const nullableCommand = shownAsItIs(
  filled.regex(/^[\t\n\r\P{Cc}]*$/u, "must not hold control characters other than tabs and line breaks"),
).nullish();

/** Any value that arrives as it was given. */
const transportable = z.unknown().superRefine((value, context) => {
  for (const { path, problem } of untransportable(value))
    context.addIssue({ code: "custom", message: problem, path });
});

/** Where the source comes from. Fields that are left out are the server's to choose and are never sent. */
export const sourceConfigInputs = z.strictObject({
  integrationId: nullableText,
  repoUrl: nullableText,
  deploymentType: nullableText,
  buildOnPush: z.boolean().nullish(),
  customUrl: nullableText,
  resourceSpec: z.record(z.string(), transportable).nullish(),
  installCommand: nullableCommand,
  buildCommand: nullableCommand,
  listenerId: nullableText,
  listenerConfig: z.strictObject({ k8sNamespace: text }).nullish(),
});

/** What one revision is built from; a change makes a new revision. */
export const sourceRevisionConfigInputs = z.strictObject({
  repoRef: nullableText,
  graphConfigPath: nullableText,
  imageUri: nullableText,
});

/** What is looked at, beyond the status word, before a rollout counts as done. */
const verifyInputs = z
  .strictObject({
    ok: z.boolean().optional(),
    graph: text.optional(),
    run: z.strictObject({ input: transportable, expect: transportable.optional() }).optional(),
  })
  .refine(({ run, graph }) => run === undefined || graph !== undefined, {
    message: "is required where there is a run",
    path: ["graph"],
  });

/** How changes are rolled out. */
export const rolloutInputs = z
  .strictObject({
    wait: z.boolean().optional(),
    timeout: duration.optional(),
    triggers: z.array(transportable).optional(),
    onSecretChange: z.enum(["keep", "revise"]).optional(),
    onConflict: z.enum(["proceed", "fail"]).optional(),
    onFailure: z.enum(["keep", "rollback"]).optional(),
    verify: verifyInputs.optional(),
  })
  .superRefine(({ wait, verify, onFailure }, context) => {
    if (wait !== false) return;
    const message = "needs rollout.wait: without it, nobody sees how the rollout ends";
    if (verify !== undefined) context.addIssue({ code: "custom", path: ["verify"], message });
    if (onFailure === "rollback") context.addIssue({ code: "custom", path: ["onFailure"], message });
  });

const secretName = text.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be a name for an environment variable");

/** Linux takes no longer `NAME=value` into a process's environment, in bytes, with the null byte at its end. */
const longestVariable = 128 * 1024;
/** Nor more of them together, whatever its limits are set to. */
const largestEnvironment = 6 * 1024 * 1024;

const secretValue = z
  .string()
  .refine((value) => !value.includes("\0"), "must not hold a null byte: no environment variable can")
  .refine((value) => !/\p{Cs}/u.test(value), "must not hold half a character (a lone surrogate)");

/** Everything a user may say about a deployment. */
export const deploymentInputs = z.strictObject({
  name: text.max(255, "must have at most 255 characters"),
  source: text,
  sourceConfig: sourceConfigInputs,
  sourceRevisionConfig: sourceRevisionConfigInputs,
  secrets: z
    .record(secretName, secretValue)
    .superRefine((secrets, context) => {
      let all = 0;
      for (const [name, value] of Object.entries(secrets)) {
        if (typeof value !== "string") continue;
        const size = name.length + Buffer.byteLength(value) + 2;
        if (size <= longestVariable) all += size;
        else
          context.addIssue({
            code: "custom",
            path: [name],
            message: `must be shorter: Linux takes an environment variable of at most ${longestVariable / 1024} KiB, with its name`,
          });
      }
      if (all > largestEnvironment)
        context.addIssue({
          code: "custom",
          message: `must be less: Linux takes an environment of at most ${largestEnvironment / 1024 / 1024} MiB in all`,
        });
    })
    .refine((secrets) => !Object.hasOwn(secrets, ownerSecretName), {
      message: `must not hold ${ownerSecretName}: the provider keeps the ownership tag there`,
    })
    .optional(),
  rollout: rolloutInputs.optional(),
  adopt: z.enum(["never", "ifOwned", "always"]).optional(),
});

export type SourceConfigInputs = z.infer<typeof sourceConfigInputs>;
export type SourceRevisionConfigInputs = z.infer<typeof sourceRevisionConfigInputs>;
export type VerifyInputs = z.infer<typeof verifyInputs>;
export type RolloutInputs = z.infer<typeof rolloutInputs>;
export type DeploymentInputs = z.infer<typeof deploymentInputs>;
