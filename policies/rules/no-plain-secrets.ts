import { isCredentialName, isReference } from "../credentials/environment";
import { knownCredential } from "../credentials/known-shapes";
import { holdsRandomText } from "../credentials/random-text";
import { violation } from "../resource/outcome";
import { matches } from "../resource/pattern";
import { notKnownYet } from "../resource/unknown";
import { contentKinds } from "../resource/kinds";
import type { ResourceInputs } from "../resource/inputs";
import { inAllStacks, resourcePolicy } from "../pack/record";
import { texts, yesOrNo } from "../pack/settings";

const fix = "Move it to `secrets`, and rotate it: plain inputs are stored in plain text.";
const fixInside = "Take it out, and rotate it: everybody who may use the agent server can read it.";

export const noPlainSecrets = resourcePolicy(["Deployment", ...contentKinds], {
  name: "no-plain-secrets",
  text: "Credentials are in the `secrets` of deployments: any other input shows them to everybody who may read it.",
  severity: "critical",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    randomText: yesOrNo("Whether text in a deployment that looks random counts as a credential.", true),
    ignore: texts(
      "Patterns of fields to pass over, with slashes, such as `sourceConfig/resourceSpec/annotations/**`.",
    ),
  },
  *check(deployment, { randomText, ignore }) {
    const isDeployment = deployment.kind === "Deployment";
    for (const { path, text } of deployment.texts()) {
      if (matches(path.replaceAll(".", "/"), ignore)) continue;
      if (text === notKnownYet) {
        // The deployment that it is in is not known before that exists, and holds nothing.
        if (path.startsWith("deployment.")) continue;
        yield { kind: "unjudged", field: path };
        continue;
      }
      const kind = knownCredential(text);
      if (kind) yield violation(path, `holds ${kind}`, isDeployment ? fix : fixInside);
      // What people write to agents may look like anything.
      else if (!isDeployment) continue;
      else if (isCredentialName(variableAt(deployment, path)) && text !== "" && !isReference(text))
        yield violation(path, "holds a credential, by the name of its variable", fix);
      else if (randomText && holdsRandomText(text))
        yield violation(path, "holds text that looks like a key or a password", fix);
    }
  },
});

/** The name of the environment variable whose value is at this path, as containers have them; else nothing. */
function variableAt(deployment: ResourceInputs, path: string): string {
  const [, variable] = /^(.*\.env\.\d+)\.value$/.exec(path) ?? [];
  const name = variable === undefined ? undefined : deployment.valueAt(`${variable}.name`);
  return typeof name === "string" ? name : "";
}
