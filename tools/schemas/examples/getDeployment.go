package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		agent, err := agentserver.LookupDeployment(ctx, &agentserver.LookupDeploymentArgs{
			Name: pulumi.StringRef("support-agent"),
		})
		if err != nil {
			return err
		}
		ctx.Export("url", pulumi.StringPtrFromPtr(agent.Url))
		return nil
	})
}
