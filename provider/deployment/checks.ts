import { allDialects } from "../control-plane/dialects";
import type { RepositoryReader } from "../repository/reader";
import type { Checks } from "../resource/checks";
import type { DesiredInputs } from "../resource/inputs/wanted";
import { checkAdoption } from "./questions/adoption";
import { checkOwnership } from "./questions/lost-ownership";
import { checkName } from "./questions/held-name";
import { checkReplacedData } from "./questions/replaced-data";
import { checkIntegration, checkListener } from "./questions/references";
import { checkRepository } from "./questions/repository";
import { checkRules } from "./rules/check";
import { storedIdentity, desiredIdentity } from "./inputs/identity";
import { allSettings } from "./inputs/settings";
import { isReplaced } from "./rules/replacement-rules";
import { Siblings } from "./questions/siblings";

/**
 * Returns the checks that a run applies to deployments.
 * @param repositories reads git repositories; if it is omitted, repositories are not checked
 */
export function deploymentChecks(repositories: RepositoryReader | undefined): Checks {
  const siblings = new Siblings();
  return {
    about: [
      "source",
      "sourceConfig",
      "sourceRevisionConfig",
      "secrets",
      "environmentVariables",
      "name",
      "agent",
      ...allSettings,
    ],
    compareResources: (wanted, { urn, ownerId }) => {
      siblings.record(urn, { ownerId, wanted: desiredIdentity(wanted), previous: storedIdentity(wanted) });
      return siblings.findings(urn);
    },
    rules: checkRules,
    dependsOnDialect,
    questions: [
      checkIntegration,
      checkListener,
      checkName(siblings),
      checkAdoption,
      checkOwnership,
      checkReplacedData,
      ...(repositories ? [checkRepository(repositories)] : []),
    ],
  };
}

/**
 * True if the checks depend on the dialect. Only some dialects have listeners, and dialects differ in which changes
 * replace a deployment.
 */
function dependsOnDialect(wanted: DesiredInputs): boolean {
  if (wanted.isNew && wanted.text("adopt") === "always") return true;
  const replacing = allDialects.filter((dialect) => isReplaced(wanted, dialect));
  if (replacing.length > 0 && replacing.length < allDialects.length) return true;
  const source = wanted.text("source") ?? "";
  const needsListener = allDialects.some(({ table }) => table.listenerRequired.includes(source));
  return wanted.isNew && (needsListener || wanted.specifies("sourceConfig.listenerId"));
}
