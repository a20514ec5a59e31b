import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "./deployment";
import type { DeploymentArgs } from "./deployment-args";
import { projectFolder } from "./project-folder";
import type * as Declared from "./manifests/declared";
import type { WorkspaceArgs } from "./workspace-args";

/**
 * The deployments that a folder of manifests declares: one `Deployment` for each, named by its `metadata.name`.
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
  /** The addresses of their agent servers, by the same names; those that the control plane reported. */
  readonly urls: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: WorkspaceArgs, opts?: pulumi.ComponentResourceOptions) {
    // Before the first resource of it, so that faulty manifests change nothing.
    const declared = declaredDeployments(name, args);
    super(Workspace.__pulumiType, name, {}, opts);
    this.deployments = Object.fromEntries(
      declared.map((deployment) => [
        deployment.name,
        new Deployment(deployment.name, deployment.args as DeploymentArgs, {
          parent: this,
          protect: deployment.protect,
          retainOnDelete: deployment.retain,
        }),
      ]),
    );
    const urls = Object.entries(this.deployments).map(([key, { url }]) => url.apply((known) => [key, known]));
    this.urls = pulumi
      .all(urls)
      .apply((all) => Object.fromEntries(all.filter(([, url]) => url)) as Record<string, string>);
    this.registerOutputs({ urls: this.urls });
  }
}

function declaredDeployments(name: string, args: WorkspaceArgs): Declared.WorkspaceDeployment[] {
  // Loaded here, so that programs without manifests start without the YAML parser and the schemas.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { declaredIn } = require("./manifests/declared") as typeof Declared;
  const config = new pulumi.Config();
  return declaredIn<pulumi.Output<string>>(
    name,
    { ...args, root: projectFolder(), stack: pulumi.getStack() },
    {
      env: (variable) => process.env[variable],
      secret: (key) => config.getSecret(key),
      join: (parts) => pulumi.concat(...parts),
    },
  );
}
