import type { Input } from "@pulumi/pulumi";
import type { OtherControlPlane } from "./other-control-plane";

/** Source of a deployment. The control plane sets the values of omitted fields. */
export interface SourceConfigArgs {
  /** ID of the integration that grants access to the repository. A change replaces the deployment. */
  integrationId?: Input<string>;
  /**
   * URL of the repository; the local control plane also accepts a path. In the `interface` dialect, a change replaces
   * the deployment; in `langsmith`, it updates the deployment and creates a revision.
   */
  repoUrl?: Input<string>;
  /** Deployment type, for example `dev` or `prod`. A change replaces the deployment. */
  deploymentType?: Input<string>;
  /**
   * True to create a revision for each push to the tracked branch. A change to this setting does not create a revision.
   */
  buildOnPush?: Input<boolean>;
  /** Custom URL of the deployment. `null` clears it. A change does not create a revision. */
  customUrl?: Input<string | null>;
  /**
   * CPU, memory, and scale. Documented keys are in camelCase (`minScale`, `memoryMb`, …); other keys are sent
   * unchanged. A change to any key sends all of them. In the `interface` dialect, `null` clears the specification and a
   * change does not create a revision; in `langsmith`, a change creates a revision.
   */
  resourceSpec?: Input<Record<string, unknown> | null>;
  /**
   * Command that installs dependencies, run in the root of the repository. Only in the `langsmith` dialect; a change
   * creates a revision.
   */
  installCommand?: Input<string>;
  /**
   * Build command, run in the folder of the graph configuration. Only in the `langsmith` dialect; a change creates a
   * revision.
   */
  buildCommand?: Input<string>;
  /**
   * Template of the deployment, if `source` is `internal_template`. Only in the `langsmith` dialect; a change replaces
   * the deployment.
   */
  templateId?: Input<string>;
  /** Listener that runs the deployment. Only in the `langsmith` dialect; a change replaces the deployment. */
  listenerId?: Input<string>;
  /** Location in the listener's cluster. Only in the `langsmith` dialect; a change replaces the deployment. */
  listenerConfig?: Input<{
    /** Kubernetes namespace in the listener's cluster. */
    k8sNamespace: Input<string>;
  }>;
}

/** Source of a revision. A change to any field creates a revision. */
export interface SourceRevisionConfigArgs {
  /** Branch, tag, or commit. */
  repoRef?: Input<string>;
  /**
   * Path of the graph configuration file in the repository or the folder. Defaults to `langgraph.json` for a folder.
   */
  graphConfigPath?: Input<string>;
  /**
   * Folder on this machine to package and upload, if `source` is `internal_source`; relative to the folder that
   * contains `Pulumi.yaml`. A change to its contents creates a revision; a change to its path or to file times does
   * not. Only in the `langsmith` dialect.
   */
  folder?: Input<string>;
  /**
   * Folders outside the project's git repository (or outside the project, if there is no repository) that the graph
   * configuration may use as dependencies; relative to the folder that contains `Pulumi.yaml`. All other dependencies
   * outside the project are rejected.
   */
  dependencyFolders?: Input<Input<string>[]>;
  /** Container image, for sources that deploy an image. `null` clears it. */
  imageUri?: Input<string | null>;
}

/** Rollout settings. Only a change to `triggers` sends a request. */
export interface RolloutArgs {
  /** True to wait for the rollout during `pulumi up`. @default true */
  wait?: Input<boolean>;
  /**
   * Maximum duration of an entire create, update, or delete operation, such as `"45s"`, `"30m"`, or `"1h30m"`. Takes
   * precedence over `opts.customTimeouts`. @default "30m"
   */
  timeout?: Input<string>;
  /** Arbitrary values. A change creates a revision even if the source is unchanged. */
  triggers?: Input<Input<unknown>[]>;
  /**
   * Effect of a change to secrets. `keep`: the change takes effect with the next revision. `revise`: the change creates
   * a revision.
   * @default "keep"
   */
  onSecretChange?: Input<"keep" | "revise">;
  /** Action if another stack or user has created a revision since the last update. @default "proceed" */
  onConflict?: Input<"proceed" | "fail">;
  /**
   * Action after a failed rollout. `keep`: none. `rollback`: creates a revision from the source of the last `DEPLOYED`
   * revision; `pulumi up` still fails. @default "keep"
   */
  onFailure?: Input<"keep" | "rollback">;
  /** Verification of a `DEPLOYED` revision. If the verification fails, the rollout fails. */
  verify?: Input<VerifyArgs>;
}

/**
 * Verification of a rollout: checks that the deployment's URL serves the new revision and that the conditions
 * specified here are met.
 */
export interface VerifyArgs {
  /** True to require that `GET {url}/ok` returns 200. @default true */
  ok?: Input<boolean>;
  /** Graph that must have an assistant. Required with `run`. */
  graph?: Input<string>;
  /** Smoke run of the graph, in a separate thread that is deleted afterward. */
  run?: Input<SmokeRunArgs>;
  /** Evaluation of the revision on a dataset. If the score is below the required score, the rollout fails. */
  evaluation?: Input<EvaluationArgs>;
}

/** Evaluation of a revision: runs a graph on each case of a dataset and scores the answers. */
export interface EvaluationArgs {
  /**
   * File with the cases, relative to the folder that contains `Pulumi.yaml`: `.jsonl` with one case per line, or
   * `.json` with a list. The file name can contain `*`. Only the path is stored in state, not the cases. A change to a
   * file takes effect with the next rollout. Required without `cases`.
   */
  dataset?: Input<string>;
  /** Cases, specified in the program instead of in a file. */
  cases?: Input<Input<EvaluationCaseArgs>[]>;
  /** Graph or assistant to run. Defaults to the `graph` of the verification. */
  graph?: Input<string>;
  /**
   * Path to the answer in the final state, such as `result.total`. Defaults to the text of the last message, or the
   * whole state if it has no messages.
   */
  answer?: Input<string>;
  /** Maximum number of cases that run concurrently, at most 50. @default 5 */
  concurrency?: Input<number>;
  /** Fraction of cases that must pass, between 0 and 1. @default 1 */
  pass?: Input<number>;
  /** Judge for cases without `expect` and `schema`. */
  judge?: Input<JudgeArgs>;
  /** Maximum duration of the run of a case, such as `"2m"`. A case that takes longer fails. @default "10m" */
  caseTimeout?: Input<string>;
  /** `previous`: the score must not be lower than that of the last verified revision with a score. */
  noWorseThan?: Input<"previous">;
}

/** Case of an evaluation. */
export interface EvaluationCaseArgs {
  /** Name of the case in messages. */
  id?: Input<string>;
  /** Input of the run. */
  input: Input<unknown>;
  /**
   * Expected answer. If it is a string, the answer must contain it. If it is a number, the answer must be this number.
   * If it is an object or a list, the answer, or the JSON in its text, must contain these keys and values.
   */
  expect?: Input<unknown>;
  /** Maximum difference between the answer and the number in `expect`. @default 0 */
  tolerance?: Input<number>;
  /** JSON Schema (2020-12) that the answer, or the JSON in its text, must match. */
  schema?: Input<Record<string, unknown>>;
  /** Reference answer for the judge. */
  reference?: Input<unknown>;
}

/** Judge that scores answers: an assistant of the deployment or an HTTP endpoint. */
export interface JudgeArgs {
  /**
   * Assistant or graph of the deployment. Its input is one user message with the JSON
   * `{ input, answer, reference, instructions }`; its answer must be JSON such as `{ "score": 0.8, "reason": "…" }` or
   * `{ "passed": false, "reason": "…" }`.
   */
  assistant?: Input<string>;
  /** HTTPS endpoint that receives the same JSON in a `POST` request, and responds in the same format. */
  url?: Input<string>;
  /** Headers for the endpoint, for example for its authentication. The values are stored as secrets. */
  headers?: Input<Record<string, Input<string>>>;
  /** Instructions for the judge. */
  instructions?: Input<string>;
  /** Minimum score for a case to pass, between 0 and 1. @default 0.5 */
  pass?: Input<number>;
}

/** Smoke run that must succeed. */
export interface SmokeRunArgs {
  /** Input of the run. It is not treated as a secret. */
  input: Input<unknown>;
  /**
   * Expected state of the thread after the run. If it is an object, the state must contain these keys and values. If it
   * is a string, the text of the state must contain it.
   */
  expect?: Input<unknown>;
}

/** Arguments of a `Deployment`. A deployment is identified either by a name or by an agent and an environment. */
export type DeploymentArgs = DeploymentSettings & (NamedArgs | AgentDeploymentArgs);

/** Arguments that identify a deployment by name. */
export interface NamedArgs {
  /** Name of the deployment, unique in its workspace. A change replaces the deployment. */
  name: Input<string>;
  agent?: undefined;
}

/** Arguments that identify a deployment by agent and environment. */
export interface AgentDeploymentArgs {
  /**
   * Agent and environment of the deployment. The combination must be unique in the workspace. The control plane
   * generates the name. Only in the `langsmith` dialect; a change replaces the deployment.
   */
  agent: Input<AgentArgs>;
  name?: undefined;
}

/** Agent and environment. */
export interface AgentArgs {
  /** ID of the agent. Deployments of the same agent in different environments have the same ID. */
  agentId: Input<string>;
  /** Environment of the deployment. */
  environment: Input<"development" | "staging" | "production">;
}

/** Settings of a `Deployment`, except for those that identify it. */
export interface DeploymentSettings {
  /** Kind of source, for example `github` or `external_docker`. A change replaces the deployment. */
  source: Input<string>;
  sourceConfig: Input<SourceConfigArgs>;
  sourceRevisionConfig: Input<SourceRevisionConfigArgs>;
  /**
   * Secret environment variables of the agent, keyed by name. Values are always secret; names are visible. If omitted,
   * the deployment's secrets are not changed. If set, a change to one secret sends all of them.
   */
  secrets?: Input<Record<string, Input<string>>>;
  /**
   * Environment variables of the agent that are not secret, keyed by name. Diffs show their values. They are sent
   * together with `secrets`, so a name must not appear in both. If only `secrets` is set, these variables are removed;
   * if only `environmentVariables` is set, other variables are not changed. A change takes effect in the same way as a
   * change to `secrets`.
   */
  environmentVariables?: Input<Record<string, Input<string>>>;
  /**
   * Environment variables that are read from Kubernetes Secrets, keyed by name. Each Secret must exist in the
   * deployment's namespace. `{}` clears them. Only in the `langsmith` dialect, if `source` is `external_docker`; a
   * change creates a revision.
   */
  secretReferences?: Input<Record<string, Input<SecretReferenceArgs>>>;
  /** Display name. It does not affect the deployment's `name` or URL. A change does not create a revision. */
  displayName?: Input<string>;
  /**
   * Branch whose pushes create revisions, if it is not `sourceRevisionConfig.repoRef`. Only in the `langsmith` dialect,
   * if `source` is `github`; a change does not create a revision.
   */
  trackedRepoRef?: Input<string>;
  /**
   * True if users outside the organization can be granted access. Only in the `langsmith` dialect; a change replaces
   * the deployment.
   */
  shareable?: Input<boolean>;
  /**
   * True to route model calls through the service's gateway. Only in the `langsmith` dialect; a change does not create
   * a revision.
   */
  routeThroughGateway?: Input<boolean>;
  /**
   * Size of the deployment: `SERVERLESS_S`, `_M`, or `_L` for the deployment type `serverless`; `DEDICATED_S`, `_M`, or
   * `_L` for `dedicated`. Only in the `langsmith` dialect; a change creates a revision.
   */
  deploymentTier?: Input<string>;
  /**
   * Size of the compute resources, instead of `deploymentTier`. Only in the `langsmith` dialect; a change creates a
   * revision.
   */
  computeTier?: Input<string>;
  /**
   * Size of the database, instead of `deploymentTier`, for the deployment type `dedicated`. Only in the `langsmith`
   * dialect; a change creates a revision.
   */
  databaseTier?: Input<string>;
  rollout?: Input<RolloutArgs>;
  /**
   * Specifies when an existing deployment with this name is adopted: `never`, `ifOwned` (only if an interrupted create
   * of this resource created it), or `always`. @default "ifOwned"
   */
  adopt?: Input<"never" | "ifOwned" | "always">;
  /**
   * True to protect the deployment from deletion and replacement until an update sets this to `false`. Only recorded in
   * state.
   * @default false
   */
  deletionProtection?: Input<boolean>;
  /**
   * Control plane of the deployment. The API key itself is never stored in state. A change to another connection for
   * the same control plane only updates the state. A change to another control plane is rejected, because a deployment
   * cannot be moved.
   * @default the one in the `agentserver` configuration
   */
  connection?: Input<OtherControlPlane>;
}

/** Reference to a key in a Kubernetes Secret. */
export interface SecretReferenceArgs {
  /** Name of the Secret in the deployment's namespace. */
  secretName: Input<string>;
  /** Key in the Secret. Its value becomes the value of the environment variable. */
  secretKey: Input<string>;
}
