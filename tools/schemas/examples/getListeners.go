package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found, err := agentserver.GetListeners(ctx, &agentserver.GetListenersArgs{})
		if err != nil {
			return err
		}
		ctx.Export("listeners", pulumi.ToOutput(found.Listeners))
		return nil
	})
}
