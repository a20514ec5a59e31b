import * as pulumi from "@pulumi/pulumi";
import { DeploymentSettings, DriftSchedule, TtlSchedule } from "@pulumi/pulumiservice";

// A separate project, so that a stack never changes its own settings.
const config = new pulumi.Config();
const organization = config.require("organization");
const repository = config.require("repository");
const project = "agents";

/** Declares the settings of one stack: pushes to its branch are applied, and pull requests are previewed. */
function settingsOf(stack: string, branch: string): DeploymentSettings {
  return new DeploymentSettings(stack, {
    organization,
    project,
    stack,
    sourceContext: { git: { branch } },
    vcs: {
      provider: "github",
      repository,
      deployCommits: true,
      previewPullRequests: true,
      pullRequestTemplate: false,
      // Manifests, the program, and its packages, but not the documentation.
      paths: ["deployments/**", "*.ts", "Pulumi*.yaml", "package*.json"],
    },
    // The stack configuration imports an ESC environment with agentserver:apiKey, so these settings contain no key.
    operationContext: {
      environmentVariables: { PULUMI_PARALLEL: "64" },
      options: { skipIntermediateDeployments: true },
    },
    cacheOptions: { enable: true },
  });
}

const prod = settingsOf("prod", "main");
new DriftSchedule(
  "prod",
  // Only reports drift. With `autoRemediate`, the schedule would undo a manual rollback.
  { organization, project, stack: "prod", scheduleCron: "17 5 * * 1-5", autoRemediate: false },
  { dependsOn: prod },
);

const trialUntil = config.get("trialUntil");
if (trialUntil !== undefined) {
  const trial = settingsOf("trial", "trial");
  new TtlSchedule(
    "trial",
    // Deletes the deployments of the stack with their threads and runs, and then the stack.
    { organization, project, stack: "trial", timestamp: trialUntil, deleteAfterDestroy: true },
    { dependsOn: trial },
  );
}
