package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found, err := agentserver.SearchThreads(ctx, &agentserver.SearchThreadsArgs{
			Connection: &agentserver.Connection{
				Url:        "https://agent.example.com",
				ApiKeyFrom: pulumi.StringRef("agentApiKey"),
			},
			Filters: &agentserver.SearchThreadsFilters{
				Status: pulumi.StringRef("interrupted"),
			},
			Limit: pulumi.IntRef(20),
		})
		if err != nil {
			return err
		}
		ctx.Export("threads", pulumi.ToOutput(found.Threads))
		return nil
	})
}
