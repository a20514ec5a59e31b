package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		brief, err := agentserver.LookupAssistant(ctx, &agentserver.LookupAssistantArgs{
			Connection: &agentserver.Connection{
				Url:        "https://agent.example.com",
				ApiKeyFrom: pulumi.StringRef("agentApiKey"),
			},
			Name: pulumi.StringRef("Brief"),
		})
		if err != nil {
			return err
		}
		ctx.Export("assistantId", pulumi.String(brief.AssistantId))
		return nil
	})
}
