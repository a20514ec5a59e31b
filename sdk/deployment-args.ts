import type { Input } from "@pulumi/pulumi";

/** Where the source of a deployment comes from. What is left out is the control plane's to choose. */
export interface SourceConfigArgs {
  /** Identifier of the integration that gives access to the repository. A change replaces the deployment. */
  integrationId?: Input<string>;
  /**
   * URL of the repository; the local control plane also takes a path. A change replaces the deployment in the dialect
   * `interface`; in `langsmith` it is patched, with a new revision.
   */
  repoUrl?: Input<string>;
  /** Kind of deployment, for example `dev` or `prod`. A change replaces the deployment. */
  deploymentType?: Input<string>;
  /** Whether a push to the tracked branch makes a revision. Patched without a new revision. */
  buildOnPush?: Input<boolean>;
  /** Address under which the deployment is reached. `null` clears it. Patched without a new revision. */
  customUrl?: Input<string | null>;
  /**
   * CPU, memory and scale. Documented keys in camelCase (`minScale`, `memoryMb`, …), anything else as the server
   * expects it. Sent whole when anything in it changes; `null` clears it, in the dialect
   * `interface`. Patched without a new revision there; makes one in `langsmith`.
   */
  resourceSpec?: Input<Record<string, unknown> | null>;
  /** Command that installs dependencies, at the repository's root. Dialect `langsmith` only; makes a revision. */
  installCommand?: Input<string>;
  /** Command that builds, beside the graph configuration. Dialect `langsmith` only; makes a revision. */
  buildCommand?: Input<string>;
  /** Template that the deployment is made of, for the source `internal_template`. Dialect `langsmith` only; a change replaces the deployment. */
  templateId?: Input<string>;
  /** Listener that runs the deployment. Dialect `langsmith` only; a change replaces the deployment. */
  listenerId?: Input<string>;
  /** Where the listener runs it. Dialect `langsmith` only; a change replaces the deployment. */
  listenerConfig?: Input<{ k8sNamespace: Input<string> }>;
}

/** What a revision is built from. A change of any field makes a new revision. */
export interface SourceRevisionConfigArgs {
  /** Branch, tag or commit. */
  repoRef?: Input<string>;
  /** Path of the graph configuration file in the repository or the folder; of a folder `langgraph.json` by default. */
  graphConfigPath?: Input<string>;
  /**
   * Folder on this machine that is packed and sent, for the source `internal_source`; relative to the folder of
   * `Pulumi.yaml`. A revision is made when its contents change, not their times or the place. Dialect `langsmith` only.
   */
  folder?: Input<string>;
  /**
   * Folders outside of the project's git repository (outside of the project, if there is none) that the graph configuration
   * may name as dependencies; relative to the folder of `Pulumi.yaml`. Any other such dependency is refused.
   */
  dependencyFolders?: Input<Input<string>[]>;
  /** Container image, for sources that deploy one. `null` clears it. */
  imageUri?: Input<string | null>;
}

/** How changes are rolled out. Changing these settings alone sends nothing, except for `triggers`. */
export interface RolloutArgs {
  /** Whether `pulumi up` waits until a revision settles. @default true */
  wait?: Input<boolean>;
  /**
   * Longest time for a create, update or delete as a whole, such as `"45s"`, `"30m"` or `"1h30m"`. Wins over
   * `opts.customTimeouts`. @default "30m"
   */
  timeout?: Input<string>;
  /** Any values; when they change, a new revision is made although the source is the same. */
  triggers?: Input<Input<unknown>[]>;
  /** `keep`: changed secrets take effect at the next revision. `revise`: they make one. @default "keep" */
  onSecretChange?: Input<"keep" | "revise">;
  /** What to do when somebody else made a revision since the last update. @default "proceed" */
  onConflict?: Input<"proceed" | "fail">;
  /**
   * What to do after a rollout that failed. `keep`: nothing. `rollback`: the source of the last revision that was
   * DEPLOYED becomes the newest again, and the `up` still fails. @default "keep"
   */
  onFailure?: Input<"keep" | "rollback">;
  /** What else must be true of a revision that is DEPLOYED; else its rollout counts as failed. */
  verify?: Input<VerifyArgs>;
}

/**
 * What is looked at before a rollout counts as done: that the deployment's URL serves this very revision, and what is
 * asked for here.
 */
export interface VerifyArgs {
  /** Whether `GET {url}/ok` must answer 200. @default true */
  ok?: Input<boolean>;
  /** Graph that must have an assistant. Required with `run`. */
  graph?: Input<string>;
  /** One smoke run of the graph in a thread of its own, which is deleted afterwards. */
  run?: Input<SmokeRunArgs>;
}

/** A run whose end must be a success. */
export interface SmokeRunArgs {
  /** Input of the run; not secret. */
  input: Input<unknown>;
  /**
   * What the thread's state must hold afterwards. An object: the state has these keys with these values, others may
   * be there too. A string: the text of the state holds it.
   */
  expect?: Input<unknown>;
}

/**
 * Everything that can be said about a `Deployment`, which is known by a name or, in its place, by an agent and an
 * environment.
 */
export type DeploymentArgs = DeploymentSettings & (NamedArgs | AgentDeploymentArgs);

/** A deployment that is known by a name. */
export interface NamedArgs {
  /** Name of the deployment, unique in its workspace. A change replaces the deployment. */
  name: Input<string>;
  agent?: undefined;
}

/** A deployment that is known by what it is of and for. */
export interface AgentDeploymentArgs {
  /**
   * The agent, and the environment that the deployment is for: there is one deployment of each pair, and the control
   * plane makes up its name. Dialect `langsmith` only; a change replaces the deployment.
   */
  agent: Input<AgentArgs>;
  name?: undefined;
}

/** An agent in one environment. */
export interface AgentArgs {
  /** The agent's id, the same in all environments. */
  agentId: Input<string>;
  /** What the deployment is for. */
  environment: Input<"development" | "staging" | "production">;
}

/** What can be said about a `Deployment` beside what it is known by. */
export interface DeploymentSettings {
  /** Kind of source, for example `github` or `external_docker`. A change replaces the deployment. */
  source: Input<string>;
  sourceConfig: Input<SourceConfigArgs>;
  sourceRevisionConfig: Input<SourceRevisionConfigArgs>;
  /**
   * Environment of the agent, name to value. Values are always secret; names are shown. Left out, the
   * deployment's secrets are not touched; given, the whole set is sent whenever one of them changes.
   */
  secrets?: Input<Record<string, Input<string>>>;
  /**
   * Variables of the agent's environment that are no secrets, name to value: diffs show them. They travel in one list
   * with `secrets`, so a name stands in one of the two. Left out while `secrets` is given, there are none; given while
   * `secrets` is left out, the deployment's other variables stay. A change takes effect as one of `secrets` does.
   */
  environmentVariables?: Input<Record<string, Input<string>>>;
  /**
   * Variables that are filled from Kubernetes Secrets, name to place: each must be there in the deployment's namespace.
   * `{}` clears them. Dialect `langsmith`, source `external_docker`; a change makes a revision.
   */
  secretReferences?: Input<Record<string, Input<SecretReferenceArgs>>>;
  /** Name that people see; the deployment's `name` and address stay. Patched without a new revision. */
  displayName?: Input<string>;
  /**
   * Branch whose pushes make revisions, where it is not the one in `sourceRevisionConfig.repoRef`. Dialect `langsmith`,
   * source `github`; patched without a new revision.
   */
  trackedRepoRef?: Input<string>;
  /** Whether people outside the organization can be given access. Dialect `langsmith` only; a change replaces the deployment. */
  shareable?: Input<boolean>;
  /** Whether model calls go through the service's gateway. Dialect `langsmith` only; patched without a new revision. */
  routeThroughGateway?: Input<boolean>;
  /**
   * Size of the deployment: `SERVERLESS_S`, `_M` or `_L` for the type `serverless`, `DEDICATED_S`, `_M` or `_L` for
   * `dedicated`. Dialect `langsmith` only; a change makes a revision.
   */
  deploymentTier?: Input<string>;
  /** Size of the computing part alone, in place of `deploymentTier`. Dialect `langsmith` only; a change makes a revision. */
  computeTier?: Input<string>;
  /** Size of the database alone, in place of `deploymentTier`, for the type `dedicated`. Dialect `langsmith` only; a change makes a revision. */
  databaseTier?: Input<string>;
  rollout?: Input<RolloutArgs>;
  /**
   * Whether a deployment that exists under this name is adopted: `never`, `ifOwned` (only one that this very
   * resource made, in a create that did not finish) or `always`. @default "ifOwned"
   */
  adopt?: Input<"never" | "ifOwned" | "always">;
  /**
   * Whether the deployment can neither be deleted nor replaced, until an update with `false`. Kept in state; nothing is
   * sent. @default false
   */
  deletionProtection?: Input<boolean>;
}

/** A key of a Kubernetes Secret. */
export interface SecretReferenceArgs {
  /** Name of the Secret, in the deployment's namespace. */
  secretName: Input<string>;
  /** Key in the Secret. */
  secretKey: Input<string>;
}
