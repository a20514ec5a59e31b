import * as pulumi from "@pulumi/pulumi";
import { Workspace } from "pulumi-agentserver";

const agents = new Workspace("agents", { manifests: "deployments" });
export const urls = agents.urls;

new Workspace("more", { manifests: "more", environmentVariables: ["AGENTS_REPOSITORY"] });

new Workspace(
  "moved",
  { manifests: "moved" },
  {
    transforms: [
      ({ props, opts }) => ({ props, opts: { ...opts, aliases: [{ parent: pulumi.rootStackResource }] } }),
    ],
  },
);
