package main

import (
	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		staging, err := agentserver.LookupDeployment(ctx, &agentserver.LookupDeploymentArgs{
			Name: pulumi.StringRef("support-agent"),
			Connection: &agentserver.OtherControlPlane{
				BaseUrl:    pulumi.StringRef(config.Require(ctx, "stagingUrl")),
				TenantId:   pulumi.StringRef("staging"),
				ApiKeyFrom: "STAGING_API_KEY",
			},
			Verify: &agentserver.VerifyServing{
				Graph: pulumi.StringRef("agent"),
			},
		})
		if err != nil {
			return err
		}
		promotion, err := agentserver.Promote(ctx, &agentserver.PromoteArgs{
			From:     staging.Verified,
			FromName: pulumi.StringRef("staging"),
			To: agentserver.PromotionTarget{
				Name: pulumi.StringRef("support-agent"),
			},
			Gate: &agentserver.PromotionGate{
				ApprovedFrom: pulumi.StringRef("agentserver:approved"),
				Soak:         pulumi.StringRef("2h"),
			},
		})
		if err != nil {
			return err
		}
		_, err = agentserver.NewDeployment(ctx, "production", &agentserver.DeploymentArgs{
			Name:   pulumi.String("support-agent"),
			Source: pulumi.String("github"),
			SourceConfig: &agentserver.SourceConfigArgs{
				RepoUrl: pulumi.String("https://github.com/example/agents"),
			},
			SourceRevisionConfig: &agentserver.SourceRevisionConfigArgs{
				RepoRef:         pulumi.String(promotion.Artifact),
				GraphConfigPath: pulumi.String("langgraph.json"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("waiting", pulumi.StringPtrFromPtr(promotion.Waiting))
		return nil
	})
}
