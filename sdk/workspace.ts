import * as pulumi from "@pulumi/pulumi";
import { Assistant } from "./agent-server/assistant";
import { Cron } from "./agent-server/cron";
import { StoreItems } from "./agent-server/store-items";
import { Deployment } from "./deployment";
import { requirePlain } from "./components/plain-args";
import { programStack } from "./program-stack";
import { projectFolder } from "./project-paths";
import type * as Declared from "./manifests/declared";
import type { ManifestKind } from "./manifests/format";
import type { WorkspaceArgs } from "./workspace-args";

/**
 * Deployments and their contents, as declared by a folder of manifests: one `Deployment`, `Assistant`, `Cron`, or
 * `StoreItems` resource per document, named by `metadata.name`. If a manifest is invalid, the program fails before it
 * changes anything, and reports every error as `file:line:column`. Removing a manifest deletes its deployment. If the
 * manifest sets `protect`, however, removing it is an error; if it sets `retain`, the deployment is kept but is no
 * longer managed.
 *
 * @example
 * const agents = new Workspace("agents", { manifests: "deployments" });
 * export const urls = agents.urls;
 */
export class Workspace extends pulumi.ComponentResource {
  /** Type token, which policies use to match the component. */
  static readonly __pulumiType = "agentserver:index:Workspace";

  /** Deployments, keyed by the names of their manifests. */
  readonly deployments: Readonly<Record<string, Deployment>>;
  /** Assistants, keyed by the names of their manifests. */
  readonly assistants: Readonly<Record<string, Assistant>>;
  /** Crons, keyed by the names of their manifests. */
  readonly crons: Readonly<Record<string, Cron>>;
  /** URLs of the agent servers that the control plane has reported, keyed by the manifest names of the deployments. */
  readonly urls: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: WorkspaceArgs, opts?: pulumi.ComponentResourceOptions) {
    // Checked before the first resource is registered, so that invalid manifests change nothing.
    for (const [field, value] of Object.entries(args)) requirePlain(`Workspace "${name}": ${field}`, value);
    // Only TypeScript checks that `manifests` is set; programs in other languages can omit it.
    if (typeof (args.manifests as unknown) !== "string")
      throw new Error(
        `Workspace "${name}": manifests is missing; specify the folder that contains the manifests.`,
      );
    const declared = loadResources(name, args);
    super(Workspace.__pulumiType, name, {}, opts);
    const createAll = <Created>(kind: ManifestKind, create: Create<Created>): Record<string, Created> =>
      Object.fromEntries(
        declared
          .filter((resource) => resource.kind === kind)
          .map((resource) => [
            resource.name,
            create(resource.name, resource.args as never, {
              parent: this,
              protect: resource.protect,
              retainOnDelete: resource.retain,
            }),
          ]),
      );
    this.deployments = createAll("Deployment", (...given) => new Deployment(...given));
    const inside = <Args extends Inside>({ deployment, ...others }: Args) => ({
      ...others,
      deployment: deployment === undefined ? undefined : this.deployments[deployment],
    });
    this.assistants = createAll(
      "Assistant",
      (resourceName, resourceArgs, options) =>
        new Assistant(resourceName, inside(resourceArgs) as never, options),
    );
    this.crons = createAll("Cron", (resourceName, resourceArgs, options) => {
      const { assistant } = resourceArgs as { assistant: string };
      const args = { ...inside(resourceArgs), assistant: this.assistants[assistant] ?? assistant };
      return new Cron(resourceName, args as never, options);
    });
    createAll(
      "StoreItems",
      (resourceName, resourceArgs, options) =>
        new StoreItems(resourceName, inside(resourceArgs) as never, options),
    );
    const urls = Object.entries(this.deployments).map(([key, { url }]) => url.apply((value) => [key, value]));
    this.urls = pulumi
      .all(urls)
      .apply((all) => Object.fromEntries(all.filter(([, url]) => url)) as Record<string, string>);
    this.registerOutputs({ urls: this.urls });
  }
}

/** Creates a resource from a manifest. */
type Create<Created> = (name: string, args: never, opts: pulumi.CustomResourceOptions) => Created;

/** Manifest of a resource in a deployment. It references the deployment by the name of the deployment's manifest. */
interface Inside {
  deployment?: string;
}

function loadResources(name: string, args: WorkspaceArgs): Declared.WorkspaceResource[] {
  // Loaded on demand, so that programs without manifests do not load the YAML parser and the schemas.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { declaredIn } = require("./manifests/declared") as typeof Declared;
  const config = new pulumi.Config();
  return declaredIn<pulumi.Output<string>>(
    name,
    { ...args, root: projectFolder(), stack: pulumi.getStack() },
    {
      env: (variable) => process.env[variable],
      readableVariables: args.environmentVariables ?? [],
      hide: (value) => pulumi.secret(value),
      secret: (key) => config.getSecret(key),
      join: (parts) => pulumi.concat(...parts),
      stack: programStack(),
    },
  );
}
