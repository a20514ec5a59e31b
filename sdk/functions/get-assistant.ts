import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { ServerArgs } from "../agent-server/server-args";
import { type LookUpServer, serverOf, serverOutput } from "./lookup-server";
import type { GetAssistantResult } from "./results";
import { run } from "./run";

/** Arguments of `getAssistant`. */
export type GetAssistantArgs = LookUpServer &
  (
    | {
        /** ID of the assistant. */
        assistantId: string;
        name?: undefined;
      }
    | {
        assistantId?: undefined;
        /** Full name of the assistant, which must be unique on the agent server. */
        name: string;
      }
  );

/**
 * Looks up an assistant (`GET /assistants/{assistant_id}`, or `POST /assistants/search` for a name). Fails if no
 * assistant matches, or if several have the name.
 */
export async function getAssistant(args: GetAssistantArgs): Promise<GetAssistantResult> {
  const { assistantId, name } = args;
  return run("getAssistant", { ...serverOf(args), assistantId, name });
}

/** Output version of `getAssistant`. */
export function getAssistantOutput(
  args: ServerArgs & { assistantId?: pulumi.Input<string>; name?: pulumi.Input<string> },
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAssistantResult> {
  const { assistantId, name } = args;
  const resolved = pulumi.all([serverOutput(args), pulumi.output({ assistantId, name })]);
  return afterDependencies(resolved, options).apply(([server, selector]) =>
    getAssistant({ ...server, ...selector } as GetAssistantArgs),
  );
}
