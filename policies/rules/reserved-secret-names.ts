import { violation } from "../resource/outcome";
import { matches } from "../resource/pattern";
import { isSelfHosted } from "../deployment/source";
import { variableNames } from "../deployment/secret-names";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { texts, yesOrNo } from "../pack/settings";

export const reservedSecretNames = deploymentPolicy({
  name: "reserved-secret-names",
  text: "Secrets and plain variables must not have names that the service reserves.",
  severity: "medium",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    reserved: texts("Patterns for names that are always reserved.", [
      "LANGCHAIN_API_KEY",
      "LANGCHAIN_CALLBACKS_BACKGROUND",
      "LANGCHAIN_ENDPOINT",
      "LANGCHAIN_PROJECT",
      "LANGCHAIN_TRACING_V2",
      "LANGSMITH_TRACING_V2",
      "LANGSMITH_PROJECT",
      "LANGSMITH_TENANT_ID",
      "LANGSMITH_AUTH_*",
      "LANGSMITH_CONTROL_PLANE_API_KEY",
      "LANGSMITH_DEPLOYMENT_NAME",
      "LANGSMITH_HOST_*",
      "LANGSMITH_LANGGRAPH_GIT_*",
      "LANGGRAPH_AUTH_TYPE",
      "LANGGRAPH_GIT_REPO_PATH",
      "LANGGRAPH_CLOUD_LICENSE_KEY",
      "POSTGRES_URI",
      "POSTGRES_PASSWORD",
      "DATABASE_URI",
      "REDIS_URI",
      "DD_TRACE_PSYCOPG_ENABLED",
      "DD_TRACE_REDIS_ENABLED",
      "LOG_JSON",
      "LOG_DICT_TRACEBACKS",
      "MOUNT_PREFIX",
      "PATH",
      "PORT",
      "LSD_*",
      "AGENTSERVER_OWNER",
    ]),
    reservedInCloud: texts("Patterns for names that are reserved unless the control plane is self-hosted.", [
      "LANGSMITH_API_KEY",
      "LANGSMITH_ENDPOINT",
      "POSTGRES_URI_CUSTOM",
      "REDIS_URI_CUSTOM",
    ]),
    selfHosted: yesOrNo(
      "True if all deployments are self-hosted. Otherwise, only deployments with a `listenerId` or the `external_docker` source are treated as self-hosted.",
      false,
    ),
  },
  *check(deployment, { reserved, reservedInCloud, selfHosted }) {
    for (const { place, name } of variableNames(deployment)) {
      const fix = "Rename it, and use the new name in the agent.";
      if (matches(name, reserved)) yield violation(`${place}.${name}`, "has a reserved name", fix);
      else if (matches(name, reservedInCloud))
        yield deployment.judge(place, () =>
          selfHosted || isSelfHosted(deployment)
            ? undefined
            : { problem: `contain ${name}, a name that is reserved in the cloud`, fix },
        );
    }
  },
});
