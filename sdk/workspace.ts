import * as pulumi from "@pulumi/pulumi";
import { Assistant } from "./agent-server/assistant";
import { Cron } from "./agent-server/cron";
import { StoreItems } from "./agent-server/store-items";
import { Deployment } from "./deployment";
import { projectFolder } from "./project-folder";
import type * as Declared from "./manifests/declared";
import type { ManifestKind } from "./manifests/format";
import type { WorkspaceArgs } from "./workspace-args";

/**
 * The deployments that a folder of manifests declares, and what is in them: one `Deployment`, `Assistant`, `Cron` or
 * `StoreItems` for each document, named by its `metadata.name`.
 * When anything is wrong with any manifest, the program fails with every fault as `file:line:column`, before any of
 * them is changed. A manifest that is removed removes its deployment, unless it says `protect` (then that is an
 * error) or `retain` (then the deployment stays, and is not managed any more).
 *
 * @example
 * const agents = new Workspace("agents", { manifests: "deployments" });
 * export const urls = agents.urls;
 */
export class Workspace extends pulumi.ComponentResource {
  /** Type token; policies match the component by it. */
  static readonly __pulumiType = "agentserver:index:Workspace";

  /** The deployments by the names of their manifests. */
  readonly deployments: Readonly<Record<string, Deployment>>;
  /** The assistants in them, by the names of their manifests. */
  readonly assistants: Readonly<Record<string, Assistant>>;
  /** The crons in them, by the names of their manifests. */
  readonly crons: Readonly<Record<string, Cron>>;
  /** The addresses of their agent servers, by the same names; those that the control plane reported. */
  readonly urls: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: WorkspaceArgs, opts?: pulumi.ComponentResourceOptions) {
    // Before the first resource of it, so that faulty manifests change nothing.
    const declared = declaredResources(name, args);
    super(Workspace.__pulumiType, name, {}, opts);
    const of = <Made>(kind: ManifestKind, make: Make<Made>): Record<string, Made> =>
      Object.fromEntries(
        declared
          .filter((resource) => resource.kind === kind)
          .map((resource) => [
            resource.name,
            make(resource.name, resource.args as never, {
              parent: this,
              protect: resource.protect,
              retainOnDelete: resource.retain,
            }),
          ]),
      );
    this.deployments = of("Deployment", (...given) => new Deployment(...given));
    const inside = <Args extends Inside>({ deployment, ...others }: Args) => ({
      ...others,
      deployment: deployment === undefined ? undefined : this.deployments[deployment],
    });
    this.assistants = of(
      "Assistant",
      (own, given, options) => new Assistant(own, inside(given) as never, options),
    );
    this.crons = of("Cron", (own, given, options) => {
      const { assistant } = given as { assistant: string };
      const args = { ...inside(given), assistant: this.assistants[assistant] ?? assistant };
      return new Cron(own, args as never, options);
    });
    of("StoreItems", (own, given, options) => new StoreItems(own, inside(given) as never, options));
    const urls = Object.entries(this.deployments).map(([key, { url }]) => url.apply((known) => [key, known]));
    this.urls = pulumi
      .all(urls)
      .apply((all) => Object.fromEntries(all.filter(([, url]) => url)) as Record<string, string>);
    this.registerOutputs({ urls: this.urls });
  }
}

/** Makes a resource out of what a manifest says. */
type Make<Made> = (name: string, args: never, opts: pulumi.CustomResourceOptions) => Made;

/** What is in a deployment says of which one, by the name of its manifest. */
interface Inside {
  deployment?: string;
}

function declaredResources(name: string, args: WorkspaceArgs): Declared.WorkspaceResource[] {
  // Loaded here, so that programs without manifests start without the YAML parser and the schemas.
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
    },
  );
}
