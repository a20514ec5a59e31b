import * as pulumi from "@pulumi/pulumi";
import { PolicyPack } from "@pulumi/policy";
import { connectionOf } from "./pack/connection";
import { toPulumi } from "./pack/to-pulumi";
import { policies } from "./rules";

new PolicyPack("agentserver", {
  description: "Rules for agent server deployments.",
  policies: toPulumi(policies, (settings) => {
    const config = new pulumi.Config("agentserver");
    return connectionOf(settings ?? ((key) => config.get(key)), process.env);
  }),
});
