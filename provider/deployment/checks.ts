import { allDialects } from "../control-plane/dialects";
import type { RepositoryReader } from "../repository/reader";
import type { Checks } from "../resource/checks";
import type { DesiredInputs } from "../resource/inputs/wanted";
import { askAdoption } from "./questions/adoption";
import { askOwnership } from "./questions/lost-ownership";
import { askName } from "./questions/held-name";
import { askReplacedData } from "./questions/replaced-data";
import { askIntegration, askListener } from "./questions/references";
import { askRepository } from "./questions/repository";
import { checkRules } from "./rules/check";
import { heldIdentity, wantedIdentity } from "./inputs/identity";
import { allSettings } from "./inputs/settings";
import { isReplaced } from "./rules/replacement-rules";
import { Siblings } from "./questions/siblings";

/**
 * Returns the checks of deployments in one run.
 * @param repositories reads git repositories; omitted to skip these checks
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
      siblings.note(urn, { ownerId, wanted: wantedIdentity(wanted), held: heldIdentity(wanted) });
      return siblings.findings(urn);
    },
    rules: checkRules,
    asksByDialect,
    questions: [
      askIntegration,
      askListener,
      askName(siblings),
      askAdoption,
      askOwnership,
      askReplacedData,
      ...(repositories ? [askRepository(repositories)] : []),
    ],
  };
}

/**
 * True if the questions depend on the dialect: only some dialects have listeners, and some fields replace a deployment
 * in one dialect and not in another.
 */
function asksByDialect(wanted: DesiredInputs): boolean {
  if (wanted.isNew && wanted.text("adopt") === "always") return true;
  const replacing = allDialects.filter((dialect) => isReplaced(wanted, dialect));
  if (replacing.length > 0 && replacing.length < allDialects.length) return true;
  const source = wanted.text("source") ?? "";
  const needsListener = allDialects.some(({ table }) => table.listenerRequired.includes(source));
  return wanted.isNew && (needsListener || wanted.gives("sourceConfig.listenerId"));
}
