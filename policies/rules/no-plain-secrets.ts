import {
  hasCredentialFlag,
  hasCredentialInQuery,
  isCredentialName,
  isNoCredential,
} from "../credentials/environment";
import { knownCredential } from "../credentials/known-shapes";
import { holdsRandomText } from "../credentials/random-text";
import { violation } from "../resource/outcome";
import { matches } from "../resource/pattern";
import { notKnownYet } from "../resource/unknown";
import { contentKinds } from "../resource/kinds";
import type { ResourceInputs } from "../resource/inputs";
import { inAllStacks, resourcePolicy } from "../pack/record";
import { texts, yesOrNo } from "../pack/settings";

const fixOfDeployment = "Move it to `secrets`, and rotate it: plain inputs are stored in plain text.";
const fixInside = "Remove it, and rotate it: all users of the agent server can read it.";

export const noPlainSecrets = resourcePolicy(["Deployment", ...contentKinds], {
  name: "no-plain-secrets",
  text: "Credentials are allowed only in the `secrets` of deployments, because all other inputs are readable.",
  severity: "critical",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    randomText: yesOrNo(
      "True if random-looking text is treated as a credential, in deployments and in `context`, `config`, and `webhook`.",
      true,
    ),
    ignore: texts(
      "Patterns for fields to ignore, with slashes, such as `sourceConfig/resourceSpec/annotations/**`.",
    ),
  },
  *check(deployment, { randomText, ignore }) {
    const isDeployment = deployment.kind === "Deployment";
    const fix = isDeployment ? fixOfDeployment : fixInside;
    for (const { path, text, isKey } of deployment.texts()) {
      if (matches(path.replaceAll(".", "/"), ignore)) continue;
      if (text === notKnownYet) {
        // Values such as the deployment's ID are not known before the deployment exists, and contain no secrets.
        if (path.startsWith("deployment.")) continue;
        yield { kind: "unjudged", field: path };
        continue;
      }
      // A name in the path that looks like a credential has already been reported, and must not appear in another
      // message.
      if (knownCredential(path)) continue;
      const kind = knownCredential(text);
      if (kind) yield violation(path, `contains ${kind}`, fix);
      else if (isKey) continue;
      else if (isCredentialName(nameOf(deployment, path)) && !isNoCredential(text))
        yield violation(path, "contains a credential, judging by its name", fix);
      // Data and messages of agents may have any form.
      else if (!isDeployment && !/^(context|config|webhook)\b/.test(path)) continue;
      else if (isCommand.test(path) && hasCredentialFlag(text))
        yield violation(path, "has a flag or variable that, judging by its name, contains a credential", fix);
      else if (hasCredentialInQuery(text)) yield violation(path, "has a credential in its query", fix);
      else if (randomText && holdsRandomText(text))
        yield violation(path, "contains text that looks like a key or a password", fix);
    }
  },
});

/** Pattern for the paths of commands and of their arguments. */
const isCommand = /\.(args|command)(\.\d+)?$|^sourceConfig\.(buildCommand|installCommand)$/;

/** Returns the name of the environment variable, header, or configuration entry at this path, or an empty string. */
function nameOf(resource: ResourceInputs, path: string): string {
  const [, variable] = /^environmentVariables\.(.+)$/.exec(path) ?? [];
  if (variable !== undefined) return variable;
  const [, pair] = /^(.*\.(?:env|headers|httpHeaders)\.\d+)\.value$/.exec(path) ?? [];
  if (pair !== undefined) {
    const name = resource.valueAt(`${pair}.name`);
    return typeof name === "string" ? name : "";
  }
  const [, ofMap] = /^sourceConfig\.resourceSpec\..*\.env\.([^.]*[^.\d][^.]*)$/.exec(path) ?? [];
  if (ofMap !== undefined) return ofMap;
  const [, list, index] = /^(.*\.(?:args|command))\.(\d+)$/.exec(path) ?? [];
  if (list !== undefined) {
    const [before, own] = [Number(index) - 1, index].map((at) => resource.valueAt(`${list}.${at}`));
    if (typeof before !== "string" || typeof own !== "string" || own.startsWith("-")) return "";
    return /^--?([\w.-]+)$/.exec(before)?.[1] ?? "";
  }
  const [, entry = ""] =
    /^(?:(?:rollout\.verify\..*)?\b(?:context|config)|.*\bheaders)\.(?:.*\.)?([^.]*[^.\d][^.]*)(?:\.\d+)*$/.exec(
      path,
    ) ?? [];
  // An entry whose entire name is `key` is not necessarily a credential.
  return entry.toLowerCase() === "key" ? "" : entry;
}
