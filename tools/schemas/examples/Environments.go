package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		commit := cfg.Require("commit")
		support, err := agentserver.NewEnvironments(ctx, "support", &agentserver.EnvironmentsArgs{
			Name:   "support-agent",
			Source: "github",
			SourceConfig: agentserver.SourceConfigArgs{
				RepoUrl:        pulumi.String("https://github.com/example/agents"),
				DeploymentType: pulumi.String("prod"),
				BuildOnPush:    pulumi.Bool(false),
			},
			SourceRevisionConfig: agentserver.EnvironmentsSourceRevisionConfigArgs{
				RepoRef:         pulumi.String(commit),
				GraphConfigPath: pulumi.String("langgraph.json"),
			},
			Environments: []agentserver.EnvironmentInput{
				agentserver.EnvironmentArgs{
					Environment: "development",
				},
				agentserver.EnvironmentArgs{
					Environment: "production",
					Gate: &agentserver.PromotionGateArgs{
						ApprovedFrom: pulumi.String("approved"),
					},
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("urls", support.Urls)
		return nil
	})
}
