import { commonWords, type Words } from "../../resource/plan";
import type { DeploymentCode } from "./reasons";

/** Text for each reason code that a deployment's plan uses. */
export const words: Words<DeploymentCode> = {
  ...commonWords,
  replace: `${commonWords.replace} (deleted first, with its threads, assistants, crons, and store)`,
  "replace-create-first": `${commonWords.replace} (the new deployment is created first, and then the old one is deleted with its threads, assistants, crons, and store)`,
  "after-failure": "needs a new revision: the last rollout failed",
  revision: "needs a new revision",
  "revision?": "needs a new revision (value not known yet)",
  lost: "is owned by another Pulumi resource, which must release it before it can be changed here",
  "taken-back": "is reclaimed from the Pulumi resource that owns it",
  "taken-back-with-revision":
    "is reclaimed from the Pulumi resource that owns it, and the changed ownership tag creates a new revision",
  "resumes-wait": "continues to wait for the rollout that is still in progress",
  patch: `${commonWords.patch} without a new revision`,
  "patch?": `${commonWords.patch} without a new revision (value not known yet)`,
  "secrets-later": "changed secrets take effect with the next revision",
  confirm: "must equal the control plane's value, because it cannot be changed in place",
  "confirm?":
    "must equal the control plane's value, because it cannot be changed in place (value not known yet)",
};
