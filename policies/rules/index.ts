import type { Policy } from "../pack/record";
import { allowedAgentServers } from "./allowed-agent-servers";
import { allowedControlPlanes } from "./allowed-control-planes";
import { allowedRegistries } from "./allowed-registries";
import { allowedRepositories } from "./allowed-repositories";
import { cronInterval } from "./cron-interval";
import { deploymentCount } from "./deployment-count";
import { deploymentNames } from "./deployment-names";
import { deploymentTypes } from "./deployment-types";
import { environmentOfStack } from "./environment-of-stack";
import { noBuildOnPush } from "./no-build-on-push";
import { noPlainSecrets } from "./no-plain-secrets";
import { protectedDeployments } from "./protected";
import { replacingInputsKnown } from "./replacing-inputs-known";
import { requiredSecrets } from "./required-secrets";
import { reservedSecretNames } from "./reserved-secret-names";
import { resourceBounds } from "./resource-bounds";
import { rollbackOnFailure } from "./rollback-on-failure";
import { rolloutTimeout } from "./rollout-timeout";
import { rolloutVerified } from "./rollout-verified";
import { scaleToZero } from "./scale-to-zero";
import { sourcePinned } from "./source-pinned";
import { threadsKept } from "./threads-kept";
import { webhooks } from "./webhooks";

/** All policies of the pack, in the order in which they are applied. */
export const policies: readonly Policy[] = [
  sourcePinned,
  noBuildOnPush,
  allowedRepositories,
  allowedRegistries,
  deploymentTypes,
  resourceBounds,
  scaleToZero,
  deploymentNames,
  environmentOfStack,
  noPlainSecrets,
  reservedSecretNames,
  requiredSecrets,
  rolloutTimeout,
  rolloutVerified,
  rollbackOnFailure,
  protectedDeployments,
  replacingInputsKnown,
  allowedControlPlanes,
  allowedAgentServers,
  cronInterval,
  webhooks,
  threadsKept,
  deploymentCount,
];
