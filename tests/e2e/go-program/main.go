// Runs a command of the engine for a program that declares the resources of examples/python-program, a cron, and a
// thread.
//
//	go-program <stack> <preview | up | refresh | destroy>
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optrefresh"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func program(ctx *pulumi.Context) error {
	conf := config.New(ctx, "")
	agent, err := agentserver.NewDeployment(ctx, "agent", &agentserver.DeploymentArgs{
		Name:   pulumi.String("go-program"),
		Source: pulumi.String("github"),
		SourceConfig: agentserver.SourceConfigArgs{
			RepoUrl:        pulumi.String(conf.Require("repoUrl")),
			DeploymentType: pulumi.String("dev"),
			BuildOnPush:    pulumi.Bool(false),
		},
		SourceRevisionConfig: agentserver.SourceRevisionConfigArgs{
			RepoRef:         pulumi.String(conf.Require("repoRef")),
			GraphConfigPath: pulumi.String("langgraph.json"),
		},
		Secrets: pulumi.StringMap{"GREETING": conf.RequireSecret("greeting")},
		Rollout: agentserver.RolloutArgs{
			Timeout: pulumi.String("10m"),
			Verify:  agentserver.VerifyArgs{Graph: pulumi.String("agent")},
		},
	})
	if err != nil {
		return err
	}
	deployment := agentserver.DeploymentReferenceArgs{Id: agent.ID(), Url: agent.Url}
	assistant, err := agentserver.NewAssistant(ctx, "assistant", &agentserver.AssistantArgs{
		Deployment: deployment,
		Graph:      pulumi.String("agent"),
		Name:       pulumi.String("Notes"),
	})
	if err != nil {
		return err
	}
	_, err = agentserver.NewStoreItem(ctx, "note", &agentserver.StoreItemArgs{
		Deployment: deployment,
		Namespace:  pulumi.StringArray{pulumi.String("notes")},
		Key:        pulumi.String("welcome"),
		Value:      pulumi.Map{"text": pulumi.String("this program")},
	})
	if err != nil {
		return err
	}
	_, err = agentserver.NewCron(ctx, "report", &agentserver.CronArgs{
		Deployment: deployment,
		Assistant:  assistant.AssistantId,
		Schedule:   pulumi.String("0 9 1 1 *"),
		Input:      pulumi.Map{"messages": pulumi.Array{pulumi.Map{"role": pulumi.String("user"), "content": pulumi.String("Report")}}},
		Metadata:   pulumi.Map{"team": pulumi.String("support")},
	})
	if err != nil {
		return err
	}
	_, err = agentserver.NewThread(ctx, "inbox", &agentserver.ThreadArgs{
		Deployment: deployment,
		Metadata:   pulumi.Map{"team": pulumi.String("support")},
	})
	if err != nil {
		return err
	}
	ctx.Export("url", agent.Url)
	ctx.Export("assistantId", assistant.AssistantId)
	return nil
}

func main() {
	// The engine receives Ctrl-C, too, and ends the command.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(stackName, command string) error {
	ctx := context.Background()
	stack, err := auto.SelectStackInlineSource(ctx, stackName, stackName, program, auto.WorkDir("."))
	if err != nil {
		return err
	}
	switch command {
	case "preview":
		_, err = stack.Preview(ctx, optpreview.ProgressStreams(os.Stdout))
	case "up":
		_, err = stack.Up(ctx, optup.ProgressStreams(os.Stdout))
	case "refresh":
		_, err = stack.Refresh(ctx, optrefresh.ProgressStreams(os.Stdout))
	case "destroy":
		_, err = stack.Destroy(ctx, optdestroy.ProgressStreams(os.Stdout))
	default:
		err = fmt.Errorf("unknown command %q", command)
	}
	return err
}
