package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		support, err := agentserver.NewAgentService(ctx, "support", &agentserver.AgentServiceArgs{
			Name:   pulumi.String("support-agent"),
			Source: pulumi.String("github"),
			SourceConfig: &agentserver.SourceConfigArgs{
				RepoUrl:        pulumi.String("https://github.com/example/agents"),
				DeploymentType: pulumi.String("prod"),
				BuildOnPush:    pulumi.Bool(false),
			},
			SourceRevisionConfig: &agentserver.SourceRevisionConfigArgs{
				RepoRef:         pulumi.String("v1.4.0"),
				GraphConfigPath: pulumi.String("langgraph.json"),
			},
			Assistants: map[string]agentserver.ServiceAssistantInput{
				"brief": agentserver.ServiceAssistantArgs{
					Graph: pulumi.String("agent"),
					Context: pulumi.Map{
						"style": pulumi.Any("brief"),
					},
				},
			},
			Crons: map[string]agentserver.ServiceCronInput{
				"report": agentserver.ServiceCronArgs{
					Assistant: pulumi.String("brief"),
					Schedule:  pulumi.String("0 9 * * 1-5"),
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("url", support.Url)
		return nil
	})
}
