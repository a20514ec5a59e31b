import { connectionInputs } from "../../control-plane/connection-inputs";
import { z } from "zod";
import { evaluationInputs } from "../../evaluation/inputs";
import { duration } from "../../text/duration";
import { transportable } from "../../resource/inputs/json";
import { withoutHiddenCharacters } from "../../resource/plan/display-value";
import { filled, nullableText, text } from "../../resource/inputs/shape";
import { variablesInputs } from "./environment";
import { agentInputs } from "./identity";
import { settingInputs } from "./settings";

/** Shell command, which may be a script of several lines. */
const nullableCommand = withoutHiddenCharacters(
  filled.regex(/^[\t\n\r\P{Cc}]*$/u, "must not contain control characters other than tabs and line breaks"),
).nullish();

/** Location of the source. Omitted fields are never sent; the server sets their values. */
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
  templateId: nullableText,
});

/** Source of one revision. A change creates a new revision. */
export const sourceRevisionConfigInputs = z.strictObject({
  repoRef: nullableText,
  graphConfigPath: nullableText,
  imageUri: nullableText,
  folder: text.optional(),
  /** Folders outside the project that the graph configuration may use as dependencies. */
  dependencyFolders: z.array(text).optional(),
  /** Hash of the folder's contents, which the provider computes. */
  contentHash: text.optional(),
});

/** Checks that a rollout must pass in addition to reaching `DEPLOYED`. */
const verifyInputs = z
  .strictObject({
    ok: z.boolean().optional(),
    graph: text.optional(),
    run: z.strictObject({ input: transportable, expect: transportable.optional() }).optional(),
    evaluation: evaluationInputs.optional(),
  })
  .refine(({ run, graph }) => run === undefined || graph !== undefined, {
    message: "is required if run is specified",
    path: ["graph"],
  })
  .refine(({ graph, evaluation }) => !evaluation || (evaluation.graph ?? graph) !== undefined, {
    message: "is required if verify.graph is not specified",
    path: ["evaluation", "graph"],
  });

/** Rollout options. */
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
    const message = "requires rollout.wait, which waits for the result of the rollout";
    if (verify !== undefined) context.addIssue({ code: "custom", path: ["verify"], message });
    if (onFailure === "rollback") context.addIssue({ code: "custom", path: ["onFailure"], message });
  });

export const deploymentInputs = z.strictObject({
  name: text.max(255, "must have at most 255 characters").optional(),
  agent: agentInputs.optional(),
  source: text,
  sourceConfig: sourceConfigInputs,
  sourceRevisionConfig: sourceRevisionConfigInputs,
  secrets: variablesInputs,
  environmentVariables: variablesInputs,
  ...settingInputs.shape,
  rollout: rolloutInputs.optional(),
  adopt: z.enum(["never", "ifOwned", "always"]).optional(),
  deletionProtection: z.boolean().optional(),
  connection: connectionInputs.optional(),
});

export type SourceConfigInputs = z.infer<typeof sourceConfigInputs>;
export type SourceRevisionConfigInputs = z.infer<typeof sourceRevisionConfigInputs>;
export type VerifyInputs = z.infer<typeof verifyInputs>;
export type RolloutInputs = z.infer<typeof rolloutInputs>;
export type DeploymentInputs = z.infer<typeof deploymentInputs>;
