import * as pulumi from "@pulumi/pulumi";
import { DeploymentSettings, DriftSchedule, TtlSchedule } from "@pulumi/pulumiservice";

// A project of its own, so that a stack never changes the settings that it runs with.
const config = new pulumi.Config();
const organization = config.require("organization");
const repository = config.require("repository");
const project = "agents";

/** Settings of one stack: what is pushed to its branch is applied, and requests get a preview. */
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
      // Manifests, the program and its packages; not the documents.
      paths: ["deployments/**", "*.ts", "Pulumi*.yaml", "package*.json"],
    },
    // The stack's configuration names an ESC environment with agentserver:apiKey; so no key is here.
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
  // Reports; with `autoRemediate` it would roll out again what somebody else has just rolled back by hand.
  { organization, project, stack: "prod", scheduleCron: "17 5 * * 1-5", autoRemediate: false },
  { dependsOn: prod },
);

const trialUntil = config.get("trialUntil");
if (trialUntil !== undefined) {
  const trial = settingsOf("trial", "trial");
  new TtlSchedule(
    "trial",
    // Deletes the deployments of the stack, with their threads and runs, and then the stack.
    { organization, project, stack: "trial", timestamp: trialUntil, deleteAfterDestroy: true },
    { dependsOn: trial },
  );
}
