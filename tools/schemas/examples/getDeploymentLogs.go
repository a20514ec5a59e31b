package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		logs, err := agentserver.GetDeploymentLogs(ctx, &agentserver.GetDeploymentLogsArgs{
			DeploymentId: "2f1d3c1e-6f0f-4f0b-9f52-3f1f5d1a6c11",
			Type:         pulumi.StringRef("build"),
			Limit:        pulumi.IntRef(20),
		})
		if err != nil {
			return err
		}
		ctx.Export("lines", pulumi.ToSecret(logs.Lines))
		return nil
	})
}
