package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		tone, err := agentserver.LookupStoreItem(ctx, &agentserver.LookupStoreItemArgs{
			Connection: &agentserver.Connection{
				Url:        "https://agent.example.com",
				ApiKeyFrom: pulumi.StringRef("agentApiKey"),
			},
			Namespace: []string{"guidelines"},
			Key:       "tone",
		})
		if err != nil {
			return err
		}
		ctx.Export("value", pulumi.ToMap(tone.Value))
		return nil
	})
}
