package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found, err := agentserver.GetRevisions(ctx, &agentserver.GetRevisionsArgs{
			DeploymentId: "2f1d3c1e-6f0f-4f0b-9f52-3f1f5d1a6c11",
		})
		if err != nil {
			return err
		}
		ctx.Export("revisions", pulumi.ToOutput(found.Revisions))
		return nil
	})
}
