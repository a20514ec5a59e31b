package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found, err := agentserver.GetDeployments(ctx, &agentserver.GetDeploymentsArgs{
			Filters: &agentserver.GetDeploymentsFilters{
				NameContains: pulumi.StringRef("support"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("deployments", pulumi.ToOutput(found.Deployments))
		return nil
	})
}
