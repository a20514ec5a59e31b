package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found, err := agentserver.GetAssistants(ctx, &agentserver.GetAssistantsArgs{
			Connection: &agentserver.Connection{
				Url:        "https://agent.example.com",
				ApiKeyFrom: pulumi.StringRef("agentApiKey"),
			},
			Filters: &agentserver.GetAssistantsFilters{
				Graph: pulumi.StringRef("agent"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("assistants", pulumi.ToOutput(found.Assistants))
		return nil
	})
}
