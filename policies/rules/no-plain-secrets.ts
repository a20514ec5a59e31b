import { isCredentialName, isReference } from "../credentials/environment";
import { knownCredential } from "../credentials/known-shapes";
import { holdsRandomText } from "../credentials/random-text";
import { violation } from "../deployment/outcome";
import { matches } from "../deployment/pattern";
import { notKnownYet } from "../deployment/unknown";
import type { DeploymentInputs } from "../deployment/inputs";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { texts, yesOrNo } from "../pack/settings";

const fix = "Move it to `secrets`, and rotate it: plain inputs are stored in plain text.";

export const noPlainSecrets = deploymentPolicy({
  name: "no-plain-secrets",
  text: "Credentials are in `secrets`: from any other input the control plane shows them to everybody who may read it.",
  severity: "critical",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    randomText: yesOrNo("Whether text that looks random counts as a credential.", true),
    ignore: texts(
      "Patterns of fields to pass over, with slashes, such as `sourceConfig/resourceSpec/annotations/**`.",
    ),
  },
  *check(deployment, { randomText, ignore }) {
    for (const { path, text } of deployment.texts()) {
      if (matches(path.replaceAll(".", "/"), ignore)) continue;
      if (text === notKnownYet) {
        yield { kind: "unjudged", field: path };
        continue;
      }
      const kind = knownCredential(text);
      if (kind) yield violation(path, `holds ${kind}`, fix);
      else if (isCredentialName(variableAt(deployment, path)) && text !== "" && !isReference(text))
        yield violation(path, "holds a credential, by the name of its variable", fix);
      else if (randomText && holdsRandomText(text))
        yield violation(path, "holds text that looks like a key or a password", fix);
    }
  },
});

/** The name of the environment variable whose value is at this path, as containers have them; else nothing. */
function variableAt(deployment: DeploymentInputs, path: string): string {
  const [, variable] = /^(.*\.env\.\d+)\.value$/.exec(path) ?? [];
  const name = variable === undefined ? undefined : deployment.valueAt(`${variable}.name`);
  return typeof name === "string" ? name : "";
}
